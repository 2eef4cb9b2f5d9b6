// Attachments to rigid bodies.
#ifndef PLI_RIGID_COUPLING_RIGID_ATTACHMENT_H
#define PLI_RIGID_COUPLING_RIGID_ATTACHMENT_H

#include "model/model.h"

// One sweep over the attachments to rigid bodies, which receive the reaction; `first` marks the first sweep of a substep of `step` seconds.
void pli_world_project_attachments(pli_world *world, float step, bool first);

#endif
