// Extents: boxes about all that an object may pass in a step, with what it keeps from others, for what is decided of whole
// objects before a step.
#ifndef PLI_APART_EXTENT_H
#define PLI_APART_EXTENT_H

#include "model/model.h"

typedef struct pli_extent {
    pli_dvec3 low, high; // In the host's coordinates [m].
    uint32_t layers, mask;
} pli_extent;

// Where a deformable may come within dt if no particle gets faster than gravity makes it; where it is, for dt = 0.
pli_extent pli_extent_of(const pli_world *world, const pli_deformable_data *deformable, float dt);
// A ball about all that a collider passes in a step; infinite for a plane.
pli_extent pli_extent_of_collider(const pli_world *world, const pli_collider_data *collider, float dt);
// The farthest point of a collider from its frame's origin, or from the centre of mass of the body that carries it [m].
double pli_collider_reach(const pli_collider_data *collider);
void pli_extent_widen(pli_extent *e, double by);
bool pli_extents_meet(const pli_extent *a, const pli_extent *b);

// The box about particles, in the frame they are in [m].
pli_aabb pli_aabb_of(const pli_particle *particles, int32_t count);
// Highest speed of a particle [m/s].
float pli_deformable_fastest(const pli_deformable_data *deformable);
// Whether a collider may move in the next step: by the host, or with a body, which is the host's and may always move.
bool pli_collider_moves(const pli_collider_data *collider);

#endif
