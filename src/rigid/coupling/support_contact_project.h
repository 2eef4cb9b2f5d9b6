// Support contacts in the step: projected before contacts in each sweep, and reported to the application.
#ifndef PLI_RIGID_COUPLING_SUPPORT_CONTACT_PROJECT_H
#define PLI_RIGID_COUPLING_SUPPORT_CONTACT_PROJECT_H

#include "model/model.h"

// Initialises a support contact that was found, at the predicted poses of its bodies.
void pli_support_contact_begin(const pli_world *world, const pli_support_contact_data *found,
                               pli_support_contact_data *support_contact);
// One sweep: moves bodies to the distance that the cloth needs.
void pli_world_project_support_contacts(pli_world *world);
// Velocity pass: removes the separating velocity that the projection added; reflects approaches faster than `bounce` [m/s].
void pli_world_rebound_support_contacts(pli_world *world, float bounce);
// Stores the distances at the end of the substep.
void pli_world_measure_support_contacts(pli_world *world);

#endif
