// The surfaces in caches and in folders of pliant run, frame by frame.
#ifndef PLI_CLI_CACHE_SURFACES_H
#define PLI_CLI_CACHE_SURFACES_H

#include "intersections/intersection_count.h"

#include <pliant/cache.h>

typedef struct pli_cli_cache_surface {
    const char *path, *name;      // Borrowed.
    const pli_topology *topology; // In the frame that was read last.
    int32_t room;                 // Vertices that positions hold.
    pli_cache *cache;
    int32_t object; // In its cache.
    bool moves;     // There is more than one frame.
    float *positions;
} pli_cli_cache_surface;

typedef struct pli_cli_cache_surfaces {
    pli_cache **caches;
    int32_t cache_count;
    pli_cli_cache_surface *sources;
    pli_cli_surface *surfaces; // One a source, at the frame that was read last.
    int32_t count;
    int32_t triangle_count; // Of all.
    int32_t frame_count;    // Of the shortest that moves; what has one frame stands still.
    int32_t frame_count_most;
} pli_cli_cache_surfaces;

// Adds what a cache has. A run's summary says which of its objects are colliders; `collider` says
// that all are. `mesh` may be null. Start with zeros, release in any case.
pli_status pli_cli_cache_surfaces_add(pli_cli_cache_surfaces *all, const char *path, const char *mesh, bool collider,
                                      pli_error *error);
// Reads a frame of all. Positions that are not finite are an error.
pli_status pli_cli_cache_surfaces_read(pli_cli_cache_surfaces *all, int32_t frame, pli_error *error);
void pli_cli_cache_surfaces_release(pli_cli_cache_surfaces *all);

#endif
