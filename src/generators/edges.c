// A constraint for every edge of the mesh.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
#include "generators/build.h"

#include "tearing/fabric.h"

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    pli_builder builder = pli_builder_make(stencils, 2);
    pli_builder_expect(&builder, topology->edge_count, false);
    for (int32_t i = 0; i < topology->edge_count; i++)
        pli_builder_add(&builder, topology->edges + 2 * i);
    return pli_builder_finish(&builder, error);
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_joined(fabric, v[0], v[1]);
}

const pli_generator pli_generator_edges = {
    .name = "edges",
    .summary = "the two ends of every edge",
    .source = "Mueller et al. 2006, Position Based Dynamics, section 4.1",
    .cardinality = 2,
    .generate = generate,
    .holds = holds,
    .reversible_pairs = 1,
};
