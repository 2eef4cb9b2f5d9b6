// Memory for stencils of variable cardinality, each with its own triangles (ring and volume constraints).
#ifndef PLI_MESH_GENERATORS_STENCILS_H
#define PLI_MESH_GENERATORS_STENCILS_H

#include "mesh/generators/build.h"

// Allocates memory for known totals. Returns false when memory ran out; the stencils are then empty.
bool pli_stencils_allocate(pli_stencils *stencils, int32_t count, int64_t particles, int64_t triangles);

#endif
