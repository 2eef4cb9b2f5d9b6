// A constraint for every edge with two faces: the edge, then the vertex beyond it in each face.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
#include "generators/build.h"

#include "tearing/fabric.h"

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    pli_builder builder = pli_builder_make(stencils, 4);
    double *areas = pli_face_areas(&builder.memory, topology);
    builder.failed = !areas;
    pli_builder_expect(&builder, topology->hinge_count, true);
    for (int32_t i = 0; i < topology->hinge_count && !builder.failed; i++) {
        const int32_t *faces = topology->edge_faces + 2 * topology->hinge_edges[i];
        pli_builder_add_area(&builder, topology->hinges + 4 * i, areas[faces[0]] + areas[faces[1]]);
    }
    pli_release(&builder.memory, areas);
    return pli_builder_finish(&builder, error);
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_hinge(fabric, v[0], v[1], v[2], v[3]);
}

const pli_generator pli_generator_hinges = {
    .name = "hinges",
    .summary = "every edge between two faces, with the vertex beyond it in each",
    .source = "Mueller et al. 2006, Position Based Dynamics, section 4.1",
    .cardinality = 4,
    .generate = generate,
    .holds = holds,
    .reversible_pairs = 2,
};
