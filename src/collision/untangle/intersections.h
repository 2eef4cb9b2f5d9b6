// Intersections of surfaces, from detection to separation.
#ifndef PLI_COLLISION_UNTANGLE_INTERSECTIONS_H
#define PLI_COLLISION_UNTANGLE_INTERSECTIONS_H

#include "collision/state/collision_state.h"

// Finds intersections if any may exist, and moves intersecting primitives apart.
void pli_collision_untangle(pli_collision *collision);
// After continuous collision detection: are there more intersections at the end of the substep than at its start? Then the particles of
// those that are new are marked (pli_untangling.grown).
bool pli_collision_find_growth(pli_collision *collision);
// Finds the intersections at `previous` and moves nothing: all, or those of edges whose ends are both fixed. When memory runs
// out, they remain to be found.
void pli_collision_count_intersections(pli_collision *collision, bool everywhere);

// Counts the intersections at `previous` of each surface with itself whose contact with itself is by particles
// (pli_contact_mesh.own_crossings), which nothing moves apart.
void pli_collision_count_own(pli_collision *collision);

// Counts candidate pairs at whose end the other side is inside of a sphere or capsule that a rigid body carries. Their contact mesh
// is a point or a segment, which nothing intersects.
void pli_collision_count_deep(pli_collision *collision);

#endif
