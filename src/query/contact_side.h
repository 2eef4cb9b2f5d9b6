// Converts sides of contacts to the objects and vertices of the application.
#ifndef PLI_QUERY_CONTACT_SIDE_H
#define PLI_QUERY_CONTACT_SIDE_H

#include "model/model.h"

// Returns a side of a contact without its weights.
pli_contact_side pli_side_of_surface(const pli_world *world, const pli_side *side);
pli_contact_side pli_side_of_particle(const pli_world *world, const pli_deformable_data *deformable, int32_t place);
pli_contact_side pli_side_of_collider(const pli_world *world, int32_t number);

#endif
