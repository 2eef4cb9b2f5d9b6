// Filling stencils: what every generator needs.
#ifndef PLI_GENERATORS_BUILD_H
#define PLI_GENERATORS_BUILD_H

#include "base/pieces.h"
#include "pliant/constraint.h"

// Collects constraints of one cardinality; `areas` only when asked for.
typedef struct pli_builder {
    pli_memory memory;
    pli_stencils *stencils;
    int32_t particle_capacity, area_capacity;
    bool failed; // Memory ran out.
} pli_builder;

pli_builder pli_builder_make(pli_stencils *stencils, int32_t cardinality);

// Adds a constraint between `particles`. One that uses a particle twice is refused and counted.
void pli_builder_add(pli_builder *builder, const int32_t *particles);
void pli_builder_add_area(pli_builder *builder, const int32_t *particles, double area);

// OK, or OUT_OF_MEMORY with the stencils emptied.
pli_status pli_builder_finish(pli_builder *builder, pli_error *error);

// Areas of the faces [m2], from their triangles; release with pli_release. Null on failure.
double *pli_face_areas(pli_memory *memory, const pli_task_hooks *tasks, const pli_topology *topology);

#endif
