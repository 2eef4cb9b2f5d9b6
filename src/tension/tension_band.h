// Systems of tension of chains and ribbons: ordered from end to end, their matrix is a band, and a solve takes time in proportion to
// their length (George and Liu 1981, chapter 4: Cuthill and McKee's order, from a vertex as far out as can be found).
#ifndef PLI_TENSION_TENSION_BAND_H
#define PLI_TENSION_TENSION_BAND_H

#include "tension/tension_system.h"

// A row that couples to more rows behind it than this [unknowns] is wide: fronts are faster there.
enum { PLI_BAND_MOST = 12 };

// Finds the order from end to end, and the band's width with it. False when memory ran out.
bool pli_tension_order_band(pli_memory *memory, pli_tension *t);
// Gives the band memory. False when that ran out.
bool pli_tension_find_band(pli_memory *memory, pli_tension *t);
// Factors the blocks, as L D L^T. False where the matrix is not positive definite.
bool pli_tension_factor_band(pli_tension *t);
// Replaces `vector` by the solution.
void pli_tension_substitute_band(pli_tension *t);

#endif
