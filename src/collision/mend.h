// Local repair of the pair cache around particles that have left their trajectories.
#ifndef PLI_COLLISION_MEND_H
#define PLI_COLLISION_MEND_H

#include "collision/search.h"

// Finds again what is near the space's strays, from `from` on; their ways have begun anew. Leaves `mended` false when
// they are so many that all may as well be found again. False when memory ran out.
bool pli_find_mend(const pli_find *find, bool *mended);

#endif
