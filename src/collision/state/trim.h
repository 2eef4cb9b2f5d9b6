// Gives back the memory of a bad step. Arrays and scratch memory grow to what a step needs and are kept, so that a steady
// step allocates nothing. Once in PLI_TRIM_STEPS steps, what is more than twice as large as any step since then needed
// shrinks to that and a quarter. What is needed again and again within that many steps is never given back.
#ifndef PLI_COLLISION_STATE_TRIM_H
#define PLI_COLLISION_STATE_TRIM_H

#include "collision/state/collision_state.h"

// Notes how much of each array is used; to be called where arrays are at their longest.
void pli_collision_note_sizes(pli_collision *collision);
// Ends a step: shrinks what is due. Contents are kept; the arenas have to be empty.
void pli_collision_trim(pli_collision *collision);

#endif
