// Tethers of a stretch limit: long range attachments to what is held.
#ifndef PLI_STRETCH_STRETCH_TETHERS_H
#define PLI_STRETCH_STRETCH_TETHERS_H

#include "schedule/sweep.h"
#include "stretch/stretch_limit.h"

// Whether the ends of a tether are held as when it was found.
bool pli_tether_acts(const pli_limit *limit, const pli_tether *tether);
// Builds the constraint set of the tethers between particles, their rows where the mesh is a grid, and the tethers with
// rigid bodies, of those whose ends are held as when they were found. False when memory ran out.
bool pli_limit_build_tethers(pli_world *world, pli_deformable_data *deformable);
// Frees what that built.
void pli_limit_free_set(pli_world *world, pli_limit *limit);
// Projects the tethers of a deformable that has them, in a substep of `step` seconds. Positions must be in the layout of its
// grid when the limit has rows.
void pli_limit_project_tethers(pli_world *world, pli_deformable_data *deformable, float step, pli_sweep sweep);
// Lets tension that was solved pull at bodies, and projects the tethers with them, deformable after deformable, since deformables may
// share a body.
void pli_world_pull_rigids(pli_world *world);

#endif
