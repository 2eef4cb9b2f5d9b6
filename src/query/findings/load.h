// Loads that hang from a deformable: rigid bodies that are attached to it, and particles that are much heavier than the others.
#ifndef PLI_QUERY_FINDINGS_LOAD_H
#define PLI_QUERY_FINDINGS_LOAD_H

#include "model/model.h"

// From this stretch of edges on, a load is too heavy for sweeps, and the stretch is visible.
#define PLI_VISIBLE_STRETCH 0.02

// The load that stretches its adjacent edges most.
typedef struct pli_load {
    const pli_rigid_body_data *rigid; // NULL for a particle.
    int32_t vertex;                   // A vertex that carries it; -1 if there is no load.
    int32_t count;                    // The number of vertices that carry it.
    double mass;                      // [kg]
    double strain; // Stretch of its adjacent edges, when one sweep in each substep of `step` seconds carries it.
} pli_load;

// The heaviest load; its mass is 0 if there is none, or if the deformable is not fixed anywhere.
pli_load pli_deformable_heaviest_load(const pli_world *world, const pli_deformable_data *deformable, double step);

#endif
