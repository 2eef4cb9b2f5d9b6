// Rigid body proxies in a world: pliant/rigid.h.
#ifndef PLI_RIGID_COUPLING_RIGID_PROXY_H
#define PLI_RIGID_COUPLING_RIGID_PROXY_H

#include "model/model.h"

void pli_rigid_free(pli_world *world, pli_rigid_body_data *rigid);

// The host's substeps inside ours, in a substep of `step` seconds.
void pli_world_call_host(pli_world *world, float step);
// Stages of a substep, the part from..to of the step.
void pli_world_predict_rigids(pli_world *world, float step, float from, float to);
void pli_world_derive_rigids(pli_world *world, float step);
// The step is done: what was to be approached is reached.
void pli_world_finish_rigids(pli_world *world);
void pli_world_keep_rigids(pli_world *world);
void pli_world_return_rigids(pli_world *world);
bool pli_world_rigids_are_finite(const pli_world *world);

#endif
