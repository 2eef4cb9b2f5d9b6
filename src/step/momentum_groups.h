// Islands: deformables and rigid bodies connected by contacts or attachments in a substep. A rigid motion undoes the change
// of an island's momentum by line 12 of Algorithm 1, friction and the guarantee, unless the island is connected to the
// world (docs/decisions/momentum-and-integration.md).
#ifndef PLI_STEP_MOMENTUM_GROUPS_H
#define PLI_STEP_MOMENTUM_GROUPS_H

#include "model/model.h"

// Whether free islands conserve their momenta: applications with rigid bodies rely on it.
bool pli_world_keeps_momentum(const pli_world *world);
// Restores the momenta of islands, after the guarantee.
void pli_world_restore_islands(pli_world *world);

#endif
