// Intersections: edges that go through triangles are found and brought apart.
#ifndef PLI_COLLISION_TANGLE_H
#define PLI_COLLISION_TANGLE_H

#include "collision/space.h"

// Looks for intersections if anything may have been placed into anything, and moves what intersects.
void pli_space_untangle(pli_space *space);

#endif
