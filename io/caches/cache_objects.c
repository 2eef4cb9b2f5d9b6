// The list of objects of an open cache, for the readers of the formats.
#define _POSIX_C_SOURCE 200809L
#include "caches/cache_objects.h"

#include <stdlib.h>
#include <string.h>

char *pli_path_stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return strndup(start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
}

pli_status pli_cache_add(pli_cache *cache, pli_cache_reader *reader, pli_error *error)
{
    pli_cache_reader *readers = realloc(cache->readers, ((size_t)cache->count + 1) * sizeof *readers);
    if (!readers) {
        reader->close(reader);
        return pli_io_fail_memory(error);
    }
    cache->readers = readers;
    readers[cache->count++] = *reader;
    return pli_succeed(error);
}

int32_t pli_cache_object_count(const pli_cache *cache) { return cache->count; }
