// Finds, creates and evicts the geometry of meshes, by mesh and hash of its faces.
#include "gl/mesh_buffer_cache.h"

#include <stdlib.h>

static pli_geometry *find(pli_geometry_cache *c, const pli_mesh *mesh, uint64_t faces, bool split, int64_t frame)
{
    for (int32_t k = 0; k < c->count; k++) {
        int32_t i = c->next + k < c->count ? c->next + k : c->next + k - c->count;
        pli_geometry *g = c->geometries[i];
        if (g->mesh == mesh && g->drawn != frame && g->faces == faces && g->split == split) {
            c->next = i + 1 < c->count ? i + 1 : 0;
            return g;
        }
    }
    return NULL;
}

static pli_geometry *add(pli_geometry_cache *c)
{
    if (c->count == c->capacity) {
        int32_t capacity = 2 * c->capacity + 16;
        pli_geometry **grown = realloc(c->geometries, (size_t)capacity * sizeof *grown);
        if (!grown)
            return NULL;
        c->geometries = grown;
        c->capacity = capacity;
    }
    pli_geometry *g = calloc(1, sizeof *g);
    if (g)
        c->geometries[c->count++] = g;
    return g;
}

pli_geometry *pli_geometry_cache_get(pli_geometry_cache *c, const pli_render_mesh *mesh, const pli_geometry_over *over,
                                     bool split, int64_t frame)
{
    uint64_t faces = pli_geometry_faces(mesh->mesh);
    pli_geometry *g = find(c, mesh->mesh, faces, split, frame);
    if (!g) {
        g = add(c);
        if (!g || !pli_geometry_make(g, mesh->mesh, faces, split))
            return NULL;
    }
    g->drawn = frame;
    return pli_geometry_fill(g, mesh, over) ? g : NULL;
}

void pli_geometry_cache_trim(pli_geometry_cache *c, int64_t frame)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < c->count; i++) {
        pli_geometry *g = c->geometries[i];
        if (g->drawn + PLI_NUMBERS_KEPT > frame) {
            c->geometries[kept++] = g;
            continue;
        }
        pli_geometry_release(g);
        free(g);
    }
    if (kept < c->count)
        c->next = 0;
    c->count = kept;
}

void pli_geometry_cache_release(pli_geometry_cache *c, bool current)
{
    for (int32_t i = 0; i < c->count; i++) {
        if (current)
            pli_geometry_release(c->geometries[i]);
        else
            free(c->geometries[i]->staging);
        free(c->geometries[i]);
    }
    free(c->geometries);
    *c = (pli_geometry_cache){0};
}
