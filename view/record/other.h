// A recording beside what runs: the same cloths in another run, frame by frame.
#ifndef PLI_VIEW_OTHER_H
#define PLI_VIEW_OTHER_H

#include <pliant/cache.h>
#include <pliant/pliant.h>

typedef struct pli_view_other_object {
    const pli_mesh *mesh; // Of the frame read last; borrowed from the cache.
    float *positions;     // 3 a vertex.
    float *distances;     // To the same vertex of the world [m]; room for the mesh's vertices.
    int32_t count, capacity;
} pli_view_other_object;

typedef struct pli_view_other {
    char *path; // Null while nothing is compared.
    pli_cache *cache;
    pli_view_other_object *objects;
    int32_t object_count; // Those that the world has too.
    int32_t frame;        // Read last; -1 for none.
    float largest;        // Distance of all, so far [m].
} pli_view_other;

// Opens a cache whose first objects are the world's deformables. INVALID_ARGUMENT when it has fewer.
pli_status pli_view_other_open(pli_view_other *other, const char *path, const pli_world *world, pli_error *error);
void pli_view_other_close(pli_view_other *other);
// Reads a frame, the last one for those beyond the end, and measures how far the world's vertices are from it. UNSUPPORTED where a mesh has
// other vertices than the world's.
pli_status pli_view_other_read(pli_view_other *other, const pli_world *world, int32_t frame, pli_error *error);

#endif
