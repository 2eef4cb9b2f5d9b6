// Local repair of the pair cache around particles that deviate from their trajectories.
#ifndef PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H
#define PLI_COLLISION_PAIR_CACHE_PAIR_REPAIR_H

#include "collision/pair_search/pair_search.h"

// Searches again for the clusters that contain a particle with a restarted trajectory. If these clusters are so many
// that a full search costs no more, sets `repaired` to false and changes nothing. Returns false when out of memory.
bool pli_find_repair(const pli_find *find, bool *repaired);

#endif
