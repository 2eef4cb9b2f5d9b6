// Factorisation of a system of tension, and its solution.
#ifndef PLI_TENSION_TENSION_FACTOR_H
#define PLI_TENSION_TENSION_FACTOR_H

#include "tension/tension_system.h"

// Finds the fronts of the dissection and gives them memory. False when that ran out.
bool pli_tension_find_fronts(pli_memory *memory, pli_tension *t);
// Factors the blocks. False where the matrix is not positive definite.
bool pli_tension_factor(pli_tension *t);
// Replaces `vector` by the solution.
void pli_tension_substitute(pli_tension *t);

#endif
