// Coarse levels of a membrane's system.
#ifndef PLI_MEMBRANE_MEMBRANE_LEVELS_H
#define PLI_MEMBRANE_MEMBRANE_LEVELS_H

#include "membrane/membrane_system.h"

// Makes the coarse levels from the finest matrix, of which what is below the diagonal is copied, and the positions that it was made at.
void pli_membrane_coarsen(pli_world *world, pli_membrane *membrane, const pli_particle *positions);
// Corrects the solution of the finest level by its residual; or, where that is the only level, solves for its right side.
void pli_membrane_cycle(pli_world *world, pli_membrane *membrane);

#endif
