// How far held particles go towards their targets, and how far behind they stay.
#ifndef PLI_PARTICLES_HELD_REACH_H
#define PLI_PARTICLES_HELD_REACH_H

#include "model/model.h"

// Lists the edges between particles of a fixed attachment and others, once. Returns false when memory ran out.
bool pli_held_edges_find(pli_world *world, pli_attachment_data *attachment);
void pli_held_edges_release(pli_memory *memory, pli_attachment_data *attachment);

// The share 0..1 of the ways of all of an attachment's particles to `targets` that no edge at them is stretched by beyond the
// attachment's limit, or beyond what it is stretched already.
float pli_held_share(const pli_attachment_data *attachment, const pli_vec3 *targets);

#endif
