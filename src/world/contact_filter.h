// The user's contact filter, and sides of contacts in the user's terms.
#ifndef PLI_WORLD_CONTACT_FILTER_H
#define PLI_WORLD_CONTACT_FILTER_H

#include "world/world.h"

// A side of a contact, without its weights.
pli_contact_side pli_side_of_surface(const pli_world *world, const pli_side *side);
pli_contact_side pli_side_of_particle(const pli_world *world, const pli_deformable_data *deformable, int32_t place);
pli_contact_side pli_side_of_collider(const pli_world *world, int32_t number);

// Removes the particle contacts that the user refuses. A pair is asked once as long as it is found in consecutive
// substeps of a step.
void pli_world_filter_contacts(pli_world *world);
// Forgets all answers, before a step.
void pli_world_forget_filter_answers(pli_world *world);

#endif
