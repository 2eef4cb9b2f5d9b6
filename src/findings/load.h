// Loads that hang from a deformable: rigid bodies that are attached to it, and particles much heavier than the others.
#ifndef PLI_FINDINGS_LOAD_H
#define PLI_FINDINGS_LOAD_H

#include "model/model.h"

// Stretch of edges from which a load is too heavy for sweeps, and a user sees it.
#define PLI_VISIBLE_STRETCH 0.02

// The load that stretches the edges at it most.
typedef struct pli_load {
    const pli_rigid_body_data *rigid; // NULL for a particle.
    int32_t vertex;                   // A vertex that carries it; -1 where nothing hangs.
    int32_t count;                    // Vertices that carry it.
    double mass;                      // [kg]
    double strain; // Stretch of the edges at it, where one sweep each substep of `step` seconds carries it.
} pli_load;

// The heaviest load; its mass is 0 where none hangs, or where nothing holds the deformable.
pli_load pli_deformable_heaviest_load(const pli_world *world, const pli_deformable_data *deformable, double step);

#endif
