// Reads the surfaces of caches and of folders of pliant run, frame by frame.
#ifndef PLI_CLI_CACHE_SURFACES_H
#define PLI_CLI_CACHE_SURFACES_H

#include "intersections/intersection_count.h"

#include <pliant/cache.h>

typedef struct pli_cli_cache_surface {
    const char *path, *name;      // Borrowed.
    const pli_topology *topology; // Topology in the frame read last.
    int32_t capacity;             // Capacity of positions, in vertices.
    pli_cache *cache;
    int32_t object; // Number of the object in its cache.
    bool moves;     // Whether there is more than one frame.
    float *positions;
} pli_cli_cache_surface;

typedef struct pli_cli_cache_surfaces {
    pli_cache **caches;
    int32_t cache_count;
    pli_cli_cache_surface *sources;
    pli_cli_surface *surfaces; // One per source, at the frame read last.
    int32_t count;
    int32_t triangle_count; // Sum over all surfaces.
    int32_t frame_count;    // Frames of the shortest animation; objects of one frame stand still.
    int32_t frame_count_most;
} pli_cli_cache_surfaces;

// Adds the objects of a cache. A run's summary identifies the colliders; `collider` declares all objects to be colliders. `mesh` may be
// NULL. Initialise the struct with zeros and release it in any case.
pli_status pli_cli_cache_surfaces_add(pli_cli_cache_surfaces *all, const char *path, const char *mesh, bool collider,
                                      pli_error *error);
// Reads one frame of all objects. Positions that are not finite are an error.
pli_status pli_cli_cache_surfaces_read(pli_cli_cache_surfaces *all, int32_t frame, pli_error *error);
void pli_cli_cache_surfaces_release(pli_cli_cache_surfaces *all);

#endif
