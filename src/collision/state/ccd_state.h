// State of continuous collision detection; arrays of particles are in the arena during the guard of a substep.
#ifndef PLI_COLLISION_STATE_CCD_STATE_H
#define PLI_COLLISION_STATE_CCD_STATE_H

#include "base/array.h"

// The trajectories of an impact zone: of what cannot be moved, and momentum over mass of the others.
typedef struct pli_impact_zone_sum {
    double held[3], held_count, free[3], mass;
} pli_impact_zone_sum;

// A pair of a list.
typedef struct pli_failing {
    int32_t list, pair;
} pli_failing;

typedef struct pli_ccd_state {
    bool bounded;                          // Whether the guarantee is by displacement bounds, or by advancement alone.
    PLI_ARRAY(pli_failing) failing;        // Pairs whose trajectories are not clear.
    int32_t failing_capacity;              // That a chunk of pairs gets for those that fail.
    uint8_t *changed, *in_impact_zone;     // [particle_count]
    int32_t *impact_zones;                 // [particle_count] towards the root of each particle's impact zone.
    pli_impact_zone_sum *impact_zone_sums; // [particle_count]
    float *bounds;                         // [particle_count] how far each may go [m].
    int32_t held_back, breaches;           // Over the step.
} pli_ccd_state;

#endif
