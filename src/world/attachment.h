// Attachments of a world.
#ifndef PLI_WORLD_ATTACHMENT_H
#define PLI_WORLD_ATTACHMENT_H

#include "model/model.h"

void pli_attachment_free(pli_world *world, pli_attachment_data *attachment);

// Puts held particles and the targets of soft ones where their frames are at the part `to` of the step.
void pli_world_move_attachments(pli_world *world, float to);

// The step is done: frames are where they were going.
void pli_world_finish_attachments(pli_world *world);

#endif
