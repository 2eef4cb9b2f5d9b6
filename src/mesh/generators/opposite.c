// The two vertices opposite to each edge with two faces, p3 and p4 of a hinge (hinges.c).
// Cincotti, The Most Performant Bending Constraint | XPBD: getTriPairIds.
#include "base/text.h"
#include "mesh/generators/recipe.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static void add_opposites(const void *data, pli_stencil_piece *piece)
{
    const pli_topology *topology = data;
    for (int32_t edge = piece->begin; edge < piece->end; edge++) {
        int32_t hinge[4];
        if (pli_edge_hinge(topology, edge, hinge))
            pli_piece_add(piece, 2, hinge + 2, 0.0);
    }
}

static pli_status opposite_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_recipe recipe = {
        .cardinality = 2, .count = topology->edge_count, .make = add_opposites, .data = topology};
    return pli_recipe_finish_pairs(&recipe, topology->vertex_count, stencils, error);
}

static bool opposite_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_opposite(fabric, v[0], v[1]);
}

const pli_generator pli_generator_row_opposite = {
    .name = "opposite",
    .label = PLI_TEXT("Opposite vertices"),
    .summary = PLI_TEXT("Each shared edge gives the two vertices opposite to it."),
    .source = PLI_TEXT("Cincotti, The Most Performant Bending Constraint | XPBD, getTriPairIds"),
    .cardinality = 2,
    .generate = opposite_generate,
    .survives_cut = opposite_holds,
    .reversible_pairs = 1,
};
