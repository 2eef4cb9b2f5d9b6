// Islands: deformables and rigid bodies that touch or are tied to one another in a substep. What line 12
// of Algorithm 1, friction and the guarantee take from the momenta of an island that nothing of the
// world holds is given back to it as a rigid motion (docs/decisions/0005).
#ifndef PLI_WORLD_MOMENTUM_H
#define PLI_WORLD_MOMENTUM_H

#include "model/model.h"

// Whether what flies free keeps its momenta: by the setting, or because hosts of rigid bodies count on it.
bool pli_world_keeps_momentum(const pli_world *world);
// Makes room. False when memory ran out.
bool pli_world_reserve_islands(pli_world *world);
// Before the substeps: which deformables nothing of the world holds.
void pli_world_find_free(pli_world *world);
// After the guarantee.
void pli_world_restore_islands(pli_world *world);

#endif
