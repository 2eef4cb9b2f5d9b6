// Intersections: edges that go through triangles are found and brought apart.
#ifndef PLI_COLLISION_UNTANGLE_INTERSECTIONS_H
#define PLI_COLLISION_UNTANGLE_INTERSECTIONS_H

#include "collision/state/collision_state.h"

// Looks for intersections if anything may have been placed into anything, and moves what intersects.
void pli_collision_untangle(pli_collision *collision);

#endif
