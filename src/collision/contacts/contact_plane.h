// Contact with a surface that is flat at the contact.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_PLANE_H
#define PLI_COLLISION_CONTACTS_CONTACT_PLANE_H

#include "collision/state/collision_state.h"

// Replaces `normal`, the direction between the closest points of a pair, by the normal of the side that is flat there:
// the flatter one if both are flat. Returns that side, or -1 if neither is flat and nothing is replaced.
int32_t pli_plane_at_contact(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                             pli_dvec3 *normal);

#endif
