#ifndef PLI_WORLD_ATTACHMENT_H
#define PLI_WORLD_ATTACHMENT_H

#include "model/deformable_parts.h"

// Puts held particles and the targets of soft ones where their frames are at the part `to` of the step.
void pli_world_move_attachments(pli_world *world, float to);

// One sweep over ties to rigid bodies, which feel them; `first` of a substep of `step` seconds.
void pli_world_project_attachments(pli_world *world, float step, bool first);
// The step is done: frames are where they were going.
void pli_world_finish_attachments(pli_world *world);

#endif
