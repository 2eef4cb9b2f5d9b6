// Stencils of variable cardinality with triangles of their own.
#ifndef PLI_GENERATORS_SURFACE_H
#define PLI_GENERATORS_SURFACE_H

#include "generators/build.h"

// Allocates for known totals. False when memory ran out; the stencils are then emptied.
bool pli_surface_allocate(pli_stencils *stencils, int32_t count, int64_t particles, int64_t triangles);

#endif
