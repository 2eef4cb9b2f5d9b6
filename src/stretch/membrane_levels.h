// Coarse levels of a membrane's system.
#ifndef PLI_STRETCH_MEMBRANE_LEVELS_H
#define PLI_STRETCH_MEMBRANE_LEVELS_H

#include "stretch/membrane_system.h"

// Builds the coarse levels from the finest matrix, whose upper triangle is copied to the lower one, and from the positions that it was
// computed at.
void pli_membrane_coarsen(pli_world *world, pli_membrane *membrane, const pli_particle *positions);
// Corrects the solution of the finest level from its residual; if that is the only level, solves for its right side instead.
void pli_membrane_cycle(pli_world *world, pli_membrane *membrane);

#endif
