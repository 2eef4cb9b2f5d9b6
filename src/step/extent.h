// Extents: boxes that bound the space that an object may sweep in a step, including its thickness. Decisions about entire
// objects before a step use them.
#ifndef PLI_STEP_EXTENT_H
#define PLI_STEP_EXTENT_H

#include "model/model.h"

typedef struct pli_extent {
    pli_dvec3 low, high; // In the application's coordinates [m].
    uint32_t layers, mask;
} pli_extent;

// The extent that a deformable may reach within dt if only gravity accelerates it; its current extent for dt = 0.
pli_extent pli_extent_of(const pli_world *world, const pli_deformable_data *deformable, float dt);
// A box that bounds the space that a collider sweeps in a step; infinite for a plane.
pli_extent pli_extent_of_collider(const pli_world *world, const pli_collider_data *collider, float dt);
// The largest distance of a collider's points from its frame's origin, or from the centre of mass of the body that carries it [m].
double pli_collider_reach(const pli_collider_data *collider);
void pli_extent_widen(pli_extent *e, double by);
bool pli_extents_meet(const pli_extent *a, const pli_extent *b);

// The bounding box of particles, in their own frame [m].
pli_aabb pli_aabb_of(const pli_particle *particles, int32_t count);
// Highest speed of a particle [m/s].
float pli_deformable_fastest(const pli_deformable_data *deformable);
// Whether a collider may move in the next step: the application moves it, or a body carries it, which may always move.
bool pli_collider_moves(const pli_collider_data *collider);

#endif
