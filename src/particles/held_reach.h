// Limits how far attached particles move towards their targets in a substep.
#ifndef PLI_PARTICLES_HELD_REACH_H
#define PLI_PARTICLES_HELD_REACH_H

#include "model/model.h"

// Lists, once, the edges at the particles of a fixed attachment. Returns false when memory ran out.
bool pli_held_edges_find(pli_world *world, pli_attachment_data *attachment);
void pli_held_edges_release(pli_memory *memory, pli_attachment_data *attachment);

// Marks the particles that have left the formation of their targets. Returns whether there are any; the caller must then record the
// targets at the start of the substep while `targets` contains them.
bool pli_held_find_deviating(pli_attachment_data *attachment);
void pli_held_note_before(pli_attachment_data *attachment);
// Limits the targets of an attachment such that, in a substep of `step` seconds, no edge at its particles is stretched beyond the
// attachment's limit or its present length.
void pli_held_limit(pli_attachment_data *attachment, float step);

#endif
