// Intersections are brought apart: an edge and the triangle it goes through are moved against each other, and one-sided
// contacts keep what is gained.
//
// A one-sided contact keeps a vertex on the wrong side of a triangle from going further in, along a given direction. It is
// projected with the contacts, so that stretched cloth does not take back what each substep gains.
#ifndef PLI_COLLISION_PULL_H
#define PLI_COLLISION_PULL_H

#include "collision/space.h"

// Moves edges and triangles against each other. False when memory ran out.
bool pli_tangles_pull_apart(pli_space *space);

// Room for so many. False when memory ran out.
bool pli_holds_reserve(pli_space *space, int32_t count);
// `weights` are of the triangle's corners and sum to 1. Side a is surfaces[0]. To be settled.
pli_touch pli_hold_of(int32_t vertex, const int32_t corners[3], const double weights[3], pli_dvec3 direction,
                      const int32_t surfaces[2]);
// Holds all at where they now are at the start of the substep.
void pli_holds_settle(pli_space *space);

#endif
