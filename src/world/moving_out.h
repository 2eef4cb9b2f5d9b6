// Cloth that is being moved out of what it began in gains no speed by it.
//
// Particles that leave a shape by different faces stretch the cloth between them. A sweep takes that back within a substep, which line 13
// of Mueller et al. 2006 makes a velocity of: 3 to 30 m/s. So where something was placed, and a particle of a deformable is inside of a
// shape, or an edge of it passes through a surface,
//
//     no free particle moves further than    what moved it  +  the fastest particle's own  +  the recovery of an overlap
//     and ends with a higher speed than      that of what moved it, or that of the fastest particle before the sweeps
//
// What the fastest particle has contains gravity, wind and pressure. The limit ends with a step in which nothing is inside and nothing
// would have been faster by more than the recovery of an overlap, since then there is no stretch left to release.
#ifndef PLI_WORLD_MOVING_OUT_H
#define PLI_WORLD_MOVING_OUT_H

#include "world/step.h"

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
