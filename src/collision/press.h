// Contacts in batches, swept colour by colour by wide kernels (wide/press.h).
#ifndef PLI_COLLISION_PRESS_H
#define PLI_COLLISION_PRESS_H

#include "collision/space.h"

// Fills the blocks from the contacts, and tells these what came of it.
void pli_press_fill(pli_space *space);
void pli_press_collect(pli_space *space);
// One sweep over the blocks: positions, or velocities.
void pli_press_project(pli_space *space);
void pli_press_rebound(pli_space *space, float bounce);

#endif
