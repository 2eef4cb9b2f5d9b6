// Local repair of the pair cache around particles that have left their trajectories.
#ifndef PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H
#define PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H

#include "collision/pair_search/pair_search.h"

// Finds again what is near the space's deviations, from `from` on; their trajectories have begun anew. Leaves `mended` false when
// they are so many that all may as well be found again. False when memory ran out.
bool pli_find_repair(const pli_find *find, bool *repaired);

#endif
