// Contacts of a substep, made from candidate pairs.
#ifndef PLI_COLLISION_TOUCH_H
#define PLI_COLLISION_TOUCH_H

#include "collision/space.h"

// Makes the contacts of this substep from the lists.
void pli_space_touch(pli_space *space);

#endif
