// One constraint for each edge with two faces: the ends of the edge, then the vertex after it in each face.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
//
//          p3
//         /  \        Stencil p1 p2 p3 p4, as constraints/types/hinge.h has it.
//       p1 -- p2
//         \  /
//          p4
#include "base/text.h"
#include "generators/recipe.h"

#include "mesh/fabric/fabric.h"

typedef struct hinge_source {
    const pli_topology *topology;
    const double *face_areas;
} hinge_source;

static void add_hinges(const void *data, pli_piece *piece)
{
    const hinge_source *source = data;
    const pli_topology *topology = source->topology;
    for (int32_t i = piece->begin; i < piece->end; i++) {
        const int32_t *faces = topology->edge_faces + 2 * topology->hinge_edges[i];
        double area = source->face_areas[faces[0]] + source->face_areas[faces[1]];
        pli_piece_add(piece, 4, topology->hinges + 4 * i, area);
    }
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    pli_memory memory = pli_memory_make(&stencils->hooks);
    double *areas = pli_face_areas(&memory, &stencils->tasks, topology);
    const hinge_source source = {topology, areas};
    const pli_recipe recipe = {
        .cardinality = 4, .areas = true, .count = topology->hinge_count, .make = add_hinges, .data = &source};
    pli_status status = areas ? pli_recipe_finish(&recipe, stencils, error) : pli_fail_memory(error);
    pli_release(&memory, areas);
    return status;
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
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
    .generate = generate,
    .survives_cut = holds,
    .reversible_pairs = 2,
};
