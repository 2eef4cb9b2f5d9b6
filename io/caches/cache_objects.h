// Objects of a cache: appended by the readers of the formats.
#ifndef PLI_IO_CACHE_OBJECTS_H
#define PLI_IO_CACHE_OBJECTS_H

#include "caches/cache_read.h"

// Appends a reader to the cache. Takes ownership of its contents, also on failure.
pli_status pli_cache_add(pli_cache *cache, pli_cache_reader *reader, pli_error *error);

// A copy of the last part of the path, without its extension; free with free().
char *pli_path_stem(const char *path);

#endif
