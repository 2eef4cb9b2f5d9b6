// Filling stencils: what every generator needs.
#ifndef PLI_GENERATORS_BUILD_H
#define PLI_GENERATORS_BUILD_H

#include "base/memory.h"
#include "pliant/constraint.h"

// Collects constraints of one cardinality; `areas` only when asked for.
typedef struct pli_builder {
    pli_memory memory;
    pli_stencils *stencils;
    int32_t particle_capacity, area_capacity;
    bool failed; // Memory ran out.
} pli_builder;

pli_builder pli_builder_make(pli_stencils *stencils, int32_t cardinality);

// Makes room for this many constraints at once; more may come.
void pli_builder_expect(pli_builder *builder, int64_t count, bool areas);

// Adds a constraint between `particles`. One that uses a particle twice is refused and counted.
void pli_builder_add(pli_builder *builder, const int32_t *particles);
void pli_builder_add_area(pli_builder *builder, const int32_t *particles, double area);

// Removes constraints on the same two particles as an earlier one, and counts them.
void pli_builder_drop_equal_pairs(pli_builder *builder);

// OK, or OUT_OF_MEMORY with the stencils emptied.
pli_status pli_builder_finish(pli_builder *builder, pli_error *error);

// pli_stencils_generate with the caller's memory.
pli_status pli_generate(const pli_mesh *mesh, const char *name, const pli_hooks *hooks, pli_stencils *stencils,
                        pli_error *error);

// Areas of the faces [m2], from their triangles; release with pli_release. Null on failure.
double *pli_face_areas(pli_memory *memory, const pli_topology *topology);

#endif
