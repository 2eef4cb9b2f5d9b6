// One constraint for each triangle of the surface; polygons use the same triangulation as everywhere in the engine.
// Mueller et al. 2014, Strain Based Dynamics.
#include "base/text.h"
#include "mesh/generators/recipe.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static void add_triangles(const void *data, pli_stencil_piece *piece)
{
    const pli_topology *topology = data;
    for (int32_t i = piece->begin; i < piece->end; i++)
        pli_piece_add(piece, 3, topology->triangles + 3 * i, 0.0);
}

static pli_status triangles_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_recipe recipe = {
        .cardinality = 3, .count = topology->triangle_count, .make = add_triangles, .data = topology};
    return pli_recipe_finish(&recipe, stencils, error);
}

static bool has_vertex(const pli_fabric *f, int32_t face, int32_t vertex)
{
    for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
        if (f->face_vertices[c] == vertex)
            return true;
    return false;
}

// Whether one face contains all three vertices.
static bool triangles_holds(const pli_fabric *f, const int32_t *v, int32_t count)
{
    (void)count;
    for (int32_t i = f->corner_begins[v[0]]; i < f->corner_ends[v[0]]; i++) {
        int32_t face = f->corner_faces[f->vertex_corners[i]];
        if (has_vertex(f, face, v[1]) && has_vertex(f, face, v[2]))
            return true;
    }
    return false;
}

const pli_generator pli_generator_row_triangles = {
    .name = "triangles",
    .label = PLI_TEXT("Triangles"),
    .summary = PLI_TEXT("Each triangle of the surface gives its corners."),
    .source = PLI_TEXT("Mueller et al. 2014, Strain Based Dynamics"),
    .cardinality = 3,
    .generate = triangles_generate,
    .survives_cut = triangles_holds,
};
