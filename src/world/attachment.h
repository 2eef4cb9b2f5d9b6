// Attachments in the stages of a step (pliant/attachment.h).
#ifndef PLI_WORLD_ATTACHMENT_H
#define PLI_WORLD_ATTACHMENT_H

#include "model/model.h"

void pli_attachment_free(pli_world *world, pli_attachment_data *attachment);

// Makes an attachment, to a rigid body unless that is NULL, with its set if it is soft, that is in no list of the world or its
// deformable, and holds nothing as yet. Its particles may be copies that are there only after a tear which the deformable does
// not have now.
pli_status pli_attachment_make(pli_world *world, const pli_attachment_def *def, pli_rigid_body_data *rigid,
                               pli_attachment_data **attachment, pli_error *error);
// Frees such a one.
void pli_attachment_release(pli_world *world, pli_attachment_data *attachment);

// Moves fixed particles, and the targets of soft ones, over the share `from` to `to` (0..1) of the step, a substep of `step` seconds, to
// where their frames are then, or as far as the edges at them let them go.
void pli_world_move_attachments(pli_world *world, float from, float to, float step);

// Ends the step of substeps of `substep` seconds: frames are at their targets, and how far particles are behind is measured.
void pli_world_finish_attachments(pli_world *world, float substep);

#endif
