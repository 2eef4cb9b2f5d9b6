// How far held particles go towards their targets, and how far behind they stay.
#ifndef PLI_PARTICLES_HELD_REACH_H
#define PLI_PARTICLES_HELD_REACH_H

#include "model/model.h"

// Lists the edges between particles of a fixed attachment and others, once. Returns false when memory ran out.
bool pli_held_edges_find(pli_world *world, pli_attachment_data *attachment);
void pli_held_edges_release(pli_memory *memory, pli_attachment_data *attachment);

// Marks the particles that are out of the shape of their targets. Returns whether there are any; then where the targets were at the
// start of the substep has to be noted, while these are in `targets`.
bool pli_held_find_deviating(pli_attachment_data *attachment);
void pli_held_note_before(pli_attachment_data *attachment);
// Brings the targets of an attachment's particles so near that no edge at them is stretched beyond the attachment's limit, or
// beyond what it is stretched already, in a substep of `step` seconds.
void pli_held_limit(pli_attachment_data *attachment, float step);

#endif
