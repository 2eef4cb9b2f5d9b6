// Cloth that is being moved out of what it began in gains no speed by it.
//
// Particles that leave a shape by different faces stretch the cloth between them. A sweep takes that back within a substep, which line 13
// of Mueller et al. 2006 makes a velocity of: 3 to 30 m/s. So where something was placed, and a particle of a deformable is inside of a
// shape, or an edge of it passes through a surface,
//
//     no free particle moves further than    what moved it  +  the fastest particle's own  +  the recovery of an overlap
//     and ends with a higher speed than      that of what moved it, or that of the fastest particle before the sweeps
//
// The speed of the fastest particle contains gravity, wind and pressure. The limit ends with a step in which nothing is inside and nothing
// would have been faster by more than the recovery of an overlap, since then there is no stretch left to release.
#ifndef PLI_WORLD_MOVING_OUT_H
#define PLI_WORLD_MOVING_OUT_H

#include "world/step.h"

// The displacement of a particle, squared [m^2].
static inline float pli_squared_displacement(const pli_particle *from, const pli_particle *to)
{
    pli_vec3 d = pli_sub(pli_position_of(to), pli_position_of(from));
    return pli_dot(d, d);
}

// Shortens displacements of free particles in this substep to `most` [m]. Returns whether there were any to shorten.
bool pli_deformable_limit_displacements(pli_deformable_data *deformable, float most);
// The longest displacement in this substep of what moves cloth, squared: of colliders and attachments [m^2]. Either all bodies and pins, or,
// for cloth that leaves what it was placed in, also soft attachments, and no body that the cloth pushes.
float pli_squared_displacement_of_movers(const pli_world *world, bool leaves);

// Before the first substep.
void pli_moving_out_begin(pli_world *world);
// Behind the search for contacts: which deformables have a part inside of something. They begin to be moved out in a substep in which
// something was placed: what contact lets into a shape for a substep is no start, and the limits would take its momentum.
void pli_moving_out_find(const pli_substep *s, bool placed, bool has_surfaces);
// Behind the sweeps, before velocities are derived.
void pli_moving_out_limit_displacements(const pli_substep *s);
// Behind friction and restitution.
void pli_moving_out_limit_speeds(const pli_substep *s);
// At the end of a step that has succeeded.
void pli_moving_out_finish(pli_world *world);

#endif
