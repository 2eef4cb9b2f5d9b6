// Islands: deformables and rigid bodies connected by contacts or attachments in a substep. The change of momentum of an
// island by line 12 of Algorithm 1, friction and the guarantee is undone by a rigid motion, unless the island is
// connected to the world (docs/decisions/0005).
#ifndef PLI_WORLD_MOMENTUM_H
#define PLI_WORLD_MOMENTUM_H

#include "model/model.h"

// Whether free islands keep their momenta: hosts of rigid bodies rely on it.
bool pli_world_keeps_momentum(const pli_world *world);
// Grows the array of nodes. False when memory ran out.
bool pli_world_reserve_islands(pli_world *world);
// Before the substeps: finds the deformables that nothing holds.
void pli_world_find_free(pli_world *world);
// Restores the momenta of islands, after the guarantee.
void pli_world_restore_islands(pli_world *world);

#endif
