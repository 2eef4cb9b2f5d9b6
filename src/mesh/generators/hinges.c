// One constraint for each edge with two faces: the ends of the edge, then the vertex after it in each face.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
//
//          p3
//         /  \        Stencil p1 p2 p3 p4, as constraints/types/hinge.h has it.
//       p1 -- p2
//         \  /
//          p4
#include "base/text.h"
#include "mesh/generators/recipe.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static void add_hinges(const void *data, pli_stencil_piece *piece)
{
    const pli_topology *topology = data;
    for (int32_t edge = piece->begin; edge < piece->end; edge++) {
        const int32_t *faces = topology->edge_faces + 2 * edge;
        int32_t hinge[4];
        if (pli_edge_hinge(topology, edge, hinge))
            pli_piece_add(piece, 4, hinge, pli_face_area(topology, faces[0]) + pli_face_area(topology, faces[1]));
    }
}

static pli_status hinges_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_recipe recipe = {
        .cardinality = 4, .areas = true, .count = topology->edge_count, .make = add_hinges, .data = topology};
    return pli_recipe_finish(&recipe, stencils, error);
}

static bool hinges_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_hinge(fabric, v[0], v[1], v[2], v[3]);
}

const pli_generator pli_generator_row_hinges = {
    .name = "hinges",
    .label = PLI_TEXT("Hinges"),
    .summary = PLI_TEXT("Each edge between two faces gives its ends and the vertex beyond it in each face."),
    .source = PLI_TEXT("Mueller et al. 2006, Position Based Dynamics, section 4.1"),
    .cardinality = 4,
    .generate = hinges_generate,
    .survives_cut = hinges_holds,
    .reversible_pairs = 2,
};
