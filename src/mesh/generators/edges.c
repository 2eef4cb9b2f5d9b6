// One constraint for each edge of the mesh.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
#include "base/text.h"
#include "mesh/generators/recipe.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static void add_mesh_edges(const void *data, pli_stencil_piece *piece)
{
    const pli_topology *topology = data;
    for (int32_t i = piece->begin; i < piece->end; i++)
        pli_piece_add(piece, 2, topology->edges + 2 * i, 0.0);
}

static pli_status edges_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_recipe recipe = {
        .cardinality = 2, .count = topology->edge_count, .make = add_mesh_edges, .data = topology};
    return pli_recipe_finish(&recipe, stencils, error);
}

static bool edges_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_joined(fabric, v[0], v[1]);
}

const pli_generator pli_generator_row_edges = {
    .name = "edges",
    .label = PLI_TEXT("Edges"),
    .summary = PLI_TEXT("Each edge gives its two ends."),
    .source = PLI_TEXT("Mueller et al. 2006, Position Based Dynamics, section 4.1"),
    .cardinality = 2,
    .generate = edges_generate,
    .survives_cut = edges_holds,
    .reversible_pairs = 1,
};
