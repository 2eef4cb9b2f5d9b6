// A recording next to the running scene: the same deformables in another run, frame by frame.
#ifndef PLI_VIEW_OTHER_H
#define PLI_VIEW_OTHER_H

#include <pliant/cache.h>
#include <pliant/pliant.h>

typedef struct pli_view_other_object {
    const pli_mesh *mesh; // Mesh of the frame read last; borrowed from the cache.
    float *positions;     // 3 per vertex.
    float *distances;     // Distances to the same vertex of the world [m]; sized for the mesh's vertices.
    int32_t count, capacity;
} pli_view_other_object;

typedef struct pli_view_other {
    char *path; // Null while nothing is compared.
    pli_cache *cache;
    pli_view_other_object *objects;
    int32_t object_count; // Objects that also exist in the world.
    int32_t frame;        // Frame read last; -1 for none.
    float largest;        // Largest distance so far [m].
} pli_view_other;

// Opens a cache whose first objects are the world's deformables. INVALID_ARGUMENT when it has fewer.
pli_status pli_view_other_open(pli_view_other *other, const char *path, const pli_world *world, pli_error *error);
void pli_view_other_close(pli_view_other *other);
// Reads a frame (the last one for numbers beyond the end) and measures the distances of the world's vertices from it. UNSUPPORTED if a
// mesh has other vertices than the world's.
pli_status pli_view_other_read(pli_view_other *other, const pli_world *world, int32_t frame, pli_error *error);

#endif
