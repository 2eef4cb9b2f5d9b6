// Coarse levels of a membrane's system.
#ifndef PLI_MEMBRANE_MEMBRANE_LEVELS_H
#define PLI_MEMBRANE_MEMBRANE_LEVELS_H

#include "membrane/membrane_system.h"

// Makes the coarse levels from the finest matrix, of which what is below the diagonal is copied, and the positions that it was made at.
void pli_membrane_coarsen(pli_world *world, pli_membrane *membrane, const pli_particle *positions);
// Solves levels[1], or the only level, for its right side approximately.
void pli_membrane_correct(pli_world *world, pli_membrane *membrane);
// From the residual of the finest level to the right side of the next, and back to the solution.
void pli_membrane_restrict(pli_world *world, pli_membrane *membrane);
void pli_membrane_prolong(pli_world *world, pli_membrane *membrane);

#endif
