// Intersections of surfaces, from detection to separation.
#ifndef PLI_COLLISION_UNTANGLE_INTERSECTIONS_H
#define PLI_COLLISION_UNTANGLE_INTERSECTIONS_H

#include "collision/state/collision_state.h"

// Finds intersections if any may exist, and moves intersecting primitives apart.
void pli_collision_untangle(pli_collision *collision);
// After continuous collision detection: are there more intersections at the end of the substep than at its start, and than allowed?
// Then the particles of new intersections are marked (pli_untangling.grown).
bool pli_collision_find_growth(pli_collision *collision);
// Finds the intersections at `previous` and moves nothing: everywhere, or at clusters that have an edge with two fixed ends. When
// memory or the work limit runs out, the search remains due.
void pli_collision_count_intersections(pli_collision *collision, bool everywhere);

// Counts the self-intersections at `previous` of each surface with self-contact by particles (pli_contact_mesh.own_crossings).
// Nothing separates them.
void pli_collision_count_own(pli_collision *collision);

// Counts candidate pairs whose other side is inside of a sphere or capsule with a contact mesh at the end of the substep. This mesh
// is a point or a segment, which nothing intersects.
void pli_collision_count_deep(pli_collision *collision);

#endif
