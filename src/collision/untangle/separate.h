// Intersections are brought apart: an edge and the triangle it goes through are moved against each other, and one-sided
// contacts keep what is gained.
//
// A one-sided contact keeps a vertex on the wrong side of a triangle from going further in, along a given direction. It is
// projected with the contacts, so that stretched cloth does not take back what each substep gains.
#ifndef PLI_COLLISION_UNTANGLE_SEPARATE_H
#define PLI_COLLISION_UNTANGLE_SEPARATE_H

#include "collision/state/collision_state.h"

// Moves edges and triangles against each other. False when memory ran out.
bool pli_intersections_pull_apart(pli_collision *collision);

// Room for so many. False when memory ran out.
bool pli_one_sided_reserve(pli_collision *collision, int32_t count);
// `weights` are of the triangle's corners and sum to 1. Side a is surfaces[0]. To be settled.
pli_surface_contact pli_one_sided_of(int32_t vertex, const int32_t corners[3], const double weights[3],
                                     pli_dvec3 direction, const int32_t surfaces[2]);
// Holds all at where they now are at the start of the substep.
void pli_one_sided_settle(pli_collision *collision);

#endif
