// Local repair of the pair cache around particles that deviate from their trajectories.
#ifndef PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H
#define PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H

#include "collision/pair_search/pair_search.h"

// A repair, from its preparation to its end within one substep.
typedef struct pli_repairing {
    const pli_find *find;
    uint8_t *marks;    // [cluster_count] flags, surface by surface.
    float *deviations; // [cluster_count] the largest squared deviation of a particle in each cluster [m^2].
    int32_t *bases;    // [surface_count] first cluster of each surface in `marks`.
    int32_t cluster_count, list, surface;
} pli_repairing;

// Prepares a repair from the squared deviations of all particles (pli_repair). Returns false when out of memory.
bool pli_find_begin_repair(const pli_find *find, pli_repairing *repairing);
// Number of clusters with a particle that deviates by more than `tolerance` [m].
int32_t pli_find_count_deviating(const pli_repairing *repairing, float tolerance);
// Searches again for these clusters, after their particles' trajectories were restarted. Returns false when out of memory or work.
bool pli_find_repair(pli_repairing *repairing, float tolerance);

#endif
