// Rigid body proxies in a world and attachments to them: the stages of a step (pliant/rigid.h).
#ifndef PLI_RIGID_COUPLING_RIGID_PROXY_H
#define PLI_RIGID_COUPLING_RIGID_PROXY_H

#include "model/model.h"

void pli_rigid_free(pli_world *world, pli_rigid_body_data *rigid);

// Calls the application's substep callback in a substep of `step` seconds.
void pli_world_call_host(pli_world *world, float step);
// Stages of a substep that covers the fraction from..to (0..1) of the step.
void pli_world_predict_rigids(pli_world *world, float step, float from, float to);
void pli_world_derive_rigids(pli_world *world, float step);
// Ends the step: bodies have reached their targets, except bodies that the guarantee stopped.
void pli_world_finish_rigids(pli_world *world);
void pli_world_save_rigids(pli_world *world);
void pli_world_restore_rigids(pli_world *world);
bool pli_world_rigids_are_finite(const pli_world *world);

// One sweep over the attachments to rigid bodies, which receive the reaction; `first` marks the first sweep of a substep of `step` seconds.
void pli_world_project_attachments(pli_world *world, float step, bool first);

#endif
