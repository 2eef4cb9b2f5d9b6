// Collects the stencils of a generator that does not know their number in advance.
#ifndef PLI_MESH_GENERATORS_BUILD_H
#define PLI_MESH_GENERATORS_BUILD_H

#include "base/pieces.h"
#include "pliant/constraint_type.h"
#include "pliant/generator.h"

// Constraints of one cardinality; `areas` are kept only when pli_builder_add_area is used.
typedef struct pli_builder {
    pli_memory memory;
    pli_stencils *stencils;
    int32_t particle_capacity, area_capacity;
    bool failed; // Memory ran out.
} pli_builder;

pli_builder pli_builder_make(pli_stencils *stencils, int32_t cardinality);

// Adds a constraint between `particles`. A stencil that uses a particle twice is omitted and counted as degenerate.
void pli_builder_add(pli_builder *builder, const int32_t *particles);
void pli_builder_add_area(pli_builder *builder, const int32_t *particles, double area);

// Returns OK, or OUT_OF_MEMORY with the stencils emptied.
pli_status pli_builder_finish(pli_builder *builder, pli_error *error);

// Returns the area of a face [m2], summed over its triangles.
double pli_face_area(const pli_topology *topology, int32_t face);

#endif
