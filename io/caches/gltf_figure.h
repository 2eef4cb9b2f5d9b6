// Reader of animation clips in glTF files of other programs: figures that joints, nodes or morph weights move, sampled as frames.
#ifndef PLI_IO_GLTF_FIGURE_H
#define PLI_IO_GLTF_FIGURE_H

#include "caches/cache_read.h"
#include "formats/gltf_document.h"

// Whether a document has a clip and is not a recording of this library.
bool pli_is_gltf_figure(const pli_gltf *gltf);
// Appends the scene of the file at `path`, as one object, to the cache, with the clip that the cache selects.
pli_status pli_open_gltf_figure(pli_cache *cache, const pli_place *place, const char *path, pli_error *error);

#endif
