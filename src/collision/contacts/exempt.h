// Candidate pairs that contact and the guarantee leave alone.
#ifndef PLI_COLLISION_CONTACTS_EXEMPT_H
#define PLI_COLLISION_CONTACTS_EXEMPT_H

#include "collision/state/collision_state.h"

// Whether contact leaves the pair alone: both sides are part of intersections, or the cloth is inside of
// the collider, or behind a one-sided one.
bool pli_pair_exempt(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
