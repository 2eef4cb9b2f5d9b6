// What is on the wrong side and on its way back must not go further in: a vertex against a triangle,
// along a direction that is told and not found. It is projected with the contacts, so that it keeps
// against stretched cloth what each substep gains.
#ifndef PLI_COLLISION_HOLD_H
#define PLI_COLLISION_HOLD_H

#include "collision/space.h"

// Room for so many. False when memory ran out.
bool pli_holds_reserve(pli_space *space, int32_t count);
// `weights` are of the triangle's corners and sum to 1. Side a is surfaces[0]. To be settled.
pli_touch pli_hold_of(int32_t vertex, const int32_t corners[3], const double weights[3], pli_dvec3 direction,
                      const int32_t surfaces[2]);
// Holds all at where they now are at the start of the substep.
void pli_holds_settle(pli_space *space);

#endif
