// Attachments in the stages of a step (pliant/attachment.h).
#ifndef PLI_WORLD_ATTACHMENT_H
#define PLI_WORLD_ATTACHMENT_H

#include "model/model.h"

void pli_attachment_free(pli_world *world, pli_attachment_data *attachment);

// Makes an attachment, to a rigid body unless that is NULL, with its set if it is soft. The attachment is in no list of the world or
// of its deformable, and pins nothing yet. Its particles may be copies from a tear that the deformable does not have yet.
pli_status pli_attachment_make(pli_world *world, const pli_attachment_def *def, pli_rigid_body_data *rigid,
                               pli_attachment_data **attachment, pli_error *error);
// Frees an attachment that is in no list.
void pli_attachment_release(pli_world *world, pli_attachment_data *attachment);

// Moves fixed particles, and the targets of soft attachments, with their frames from the fraction `from` to `to` (0..1) of the step, in
// a substep of `step` seconds. Edges at fixed particles may stop them earlier.
void pli_world_move_attachments(pli_world *world, float from, float to, float step);

// Ends a step with substeps of `substep` seconds: frames reach their targets, and the offsets of the particles are measured.
void pli_world_finish_attachments(pli_world *world, float substep);

#endif
