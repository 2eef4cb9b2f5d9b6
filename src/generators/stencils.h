// Memory for stencils of variable cardinality, each with triangles of its own (ring and volume constraints).
#ifndef PLI_GENERATORS_STENCILS_H
#define PLI_GENERATORS_STENCILS_H

#include "generators/build.h"

// Allocates for known totals. False when memory ran out; the stencils are then emptied.
bool pli_stencils_allocate(pli_stencils *stencils, int32_t count, int64_t particles, int64_t triangles);

#endif
