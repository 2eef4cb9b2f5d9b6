// Candidate pairs that contact and CCD skip.
#ifndef PLI_COLLISION_CONTACTS_EXEMPT_H
#define PLI_COLLISION_CONTACTS_EXEMPT_H

#include "collision/state/collision_state.h"

// Is the pair exempt from contact? So it is when both sides belong to intersections, when the cloth is inside of the
// collider, and when it is behind a one-sided collider.
bool pli_pair_exempt(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
