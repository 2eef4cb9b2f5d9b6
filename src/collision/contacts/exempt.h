// Candidate pairs that contact and CCD skip.
#ifndef PLI_COLLISION_CONTACTS_EXEMPT_H
#define PLI_COLLISION_CONTACTS_EXEMPT_H

#include "collision/state/collision_state.h"

// Is the pair exempt from contact? It is exempt if both sides belong to intersections, if the cloth is inside the
// collider, or if it is behind a one-sided collider.
bool pli_pair_exempt(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
