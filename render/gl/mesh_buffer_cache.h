// Cache of uploaded meshes, so that faces are uploaded once.
#ifndef PLI_RENDER_MESH_BUFFER_CACHE_H
#define PLI_RENDER_MESH_BUFFER_CACHE_H

#include "gl/mesh_buffer.h"

typedef struct pli_geometry_cache {
    pli_geometry **geometries; // Allocated individually: a frame holds pointers while the list grows.
    int32_t count, capacity;
    int32_t next; // Start of the next search: frames draw their meshes in the same order.
} pli_geometry_cache;

// Geometry of the mesh in `frame`, a growing number; valid until the cache is detailed. NULL when memory runs out.
pli_geometry *pli_geometry_cache_get(pli_geometry_cache *cache, const pli_render_mesh *mesh,
                                     const pli_geometry_over *over, bool split, int64_t frame);
// Evicts, after `frame`, meshes that the last 16 frames did not draw.
void pli_geometry_cache_trim(pli_geometry_cache *cache, int64_t frame);
// Frees everything; OpenGL objects only if the context is current.
void pli_geometry_cache_release(pli_geometry_cache *cache, bool current);

#endif
