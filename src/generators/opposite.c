// The two vertices opposite to every shared edge.
// Cincotti, The Most Performant Bending Constraint | XPBD: getTriPairIds.
#include "generators/build.h"

#include "tearing/fabric.h"

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    pli_builder builder = pli_builder_make(stencils, 2);
    pli_builder_expect(&builder, topology->hinge_count, false);
    for (int32_t i = 0; i < topology->hinge_count; i++)
        pli_builder_add(&builder, topology->hinges + 4 * i + 2);
    pli_builder_drop_equal_pairs(&builder);
    return pli_builder_finish(&builder, error);
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_opposite(fabric, v[0], v[1]);
}

const pli_generator pli_generator_opposite = {
    .name = "opposite",
    .summary = "the two vertices opposite to every shared edge",
    .source = "Cincotti, The Most Performant Bending Constraint | XPBD, getTriPairIds",
    .cardinality = 2,
    .generate = generate,
    .holds = holds,
    .reversible_pairs = 1,
};
