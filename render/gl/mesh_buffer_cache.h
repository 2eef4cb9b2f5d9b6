// The geometry of meshes drawn before, so that faces are uploaded once.
#ifndef PLI_RENDER_MESH_BUFFER_CACHE_H
#define PLI_RENDER_MESH_BUFFER_CACHE_H

#include "gl/mesh_buffer.h"

typedef struct pli_geometry_cache {
    pli_geometry **geometries; // Each in its own memory: a frame holds pointers while the list grows.
    int32_t count, capacity;
    int32_t next; // Where the next mesh is looked for first: frames name their meshes in one order.
} pli_geometry_cache;

// Geometry with the mesh as it is in `frame`, a number that grows; valid until the next trim. Null when memory runs out.
const pli_geometry *pli_geometry_cache_get(pli_geometry_cache *cache, const pli_render_mesh *mesh, int64_t frame);
// Lets the oldest go, after `frame`: 256 are kept, and more only when that frame drew more.
void pli_geometry_cache_trim(pli_geometry_cache *cache, int64_t frame);
// Frees all; leaves OpenGL alone unless the context is current.
void pli_geometry_cache_release(pli_geometry_cache *cache, bool current);

#endif
