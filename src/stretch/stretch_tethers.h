// Tethers of a stretch limit: long range attachments to what is held.
#ifndef PLI_STRETCH_STRETCH_TETHERS_H
#define PLI_STRETCH_STRETCH_TETHERS_H

#include "schedule/sweep.h"
#include "stretch/stretch_limit.h"

// The set of the tethers between particles, by rows too where these are a grid, and the ropes of the others. False when
// memory ran out.
bool pli_limit_build_tethers(pli_world *world, pli_deformable_data *deformable);
// Projects the tethers of a deformable that has them, in a substep of `step` seconds; positions must be in its grid when it
// has rows.
void pli_limit_project_tethers(pli_world *world, pli_deformable_data *deformable, float step, pli_sweep sweep);
// The tethers that pull at rigid bodies, of one deformable after the other since they share these.
void pli_world_project_ropes(pli_world *world);

void pli_limit_free_rows(pli_world *world, pli_limit *limit);

#endif
