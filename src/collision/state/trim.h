// Releases memory after an unusually demanding step. Arrays and scratch memory grow as needed and keep their size, so that a steady step
// allocates nothing. Every PLI_TRIM_STEPS steps, memory of more than twice the size that any step since the last trim needed shrinks to
// 1.25 times that size. Memory that is needed again within that many steps is never released.
#ifndef PLI_COLLISION_STATE_TRIM_H
#define PLI_COLLISION_STATE_TRIM_H

#include "collision/state/collision_state.h"

// Records the used size of each array. Must be called when the arrays are at their longest.
void pli_collision_note_sizes(pli_collision *collision);
// Ends a step: shrinks the arrays that are due. Contents are kept; the arenas must be empty.
void pli_collision_trim(pli_collision *collision);

#endif
