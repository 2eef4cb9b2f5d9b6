// What the user lets touch, and sides of contacts as the user knows them.
#ifndef PLI_WORLD_CONTACT_FILTER_H
#define PLI_WORLD_CONTACT_FILTER_H

#include "world/world.h"

// A side of a contact without its weights.
pli_contact_side pli_side_of_surface(const pli_world *world, const pli_side *side);
pli_contact_side pli_side_of_particle(const pli_world *world, const pli_deformable_data *deformable, int32_t place);
pli_contact_side pli_side_of_collider(const pli_world *world, int32_t number);

// Takes the contacts of particles out that the user refuses. Each pair is asked once for as long as it is found in every
// substep of a step.
void pli_world_filter_contacts(pli_world *world);
// Before a step.
void pli_world_forget_filter_answers(pli_world *world);

#endif
