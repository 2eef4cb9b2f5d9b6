// Tethers of a stretch limit: long range attachments to what is held.
#ifndef PLI_STRETCH_STRETCH_TETHERS_H
#define PLI_STRETCH_STRETCH_TETHERS_H

#include "schedule/sweep.h"
#include "stretch/stretch_limit.h"

// Builds the constraint set of the tethers between particles, their rows where the mesh is a grid, and the tethers with
// rigid bodies. False when memory ran out.
bool pli_limit_build_tethers(pli_world *world, pli_deformable_data *deformable);
// Projects the tethers of a deformable that has them, in a substep of `step` seconds. Positions must be in the layout of its
// grid when the limit has rows.
void pli_limit_project_tethers(pli_world *world, pli_deformable_data *deformable, float step, pli_sweep sweep);
// Projects the tethers with rigid bodies, deformable after deformable, since deformables may share a body.
void pli_world_project_rigid_tethers(pli_world *world);

void pli_limit_free_rows(pli_world *world, pli_limit *limit);

#endif
