// Contact with a surface that is flat where it is touched.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_PLANE_H
#define PLI_COLLISION_CONTACTS_CONTACT_PLANE_H

#include "collision/state/collision_state.h"

// Replaces the direction between the closest points of a pair, `normal`, by the normal of the side that is flat there:
// the flatter one if both are. Returns that side, or -1 when neither is flat and nothing is replaced.
int32_t pli_plane_at_contact(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                             pli_dvec3 *normal);

#endif
