// Support contacts, where bodies rest on colliders through cloth: found in each substep, projected before contacts in each sweep, and
// reported to the application.
#ifndef PLI_RIGID_COUPLING_SUPPORT_CONTACTS_H
#define PLI_RIGID_COUPLING_SUPPORT_CONTACTS_H

#include "model/model.h"

// One sweep: moves bodies to the distance that the cloth needs.
void pli_world_project_support_contacts(pli_world *world);
// Velocity pass: removes the separating velocity that the projection added; reflects approaches faster than `bounce` [m/s].
void pli_world_rebound_support_contacts(pli_world *world, float bounce);
// Stores the distances at the end of the substep.
void pli_world_measure_support_contacts(pli_world *world);

// Finds the support contacts of a substep from its contacts.
void pli_world_find_support_contacts(pli_world *world);

#endif
