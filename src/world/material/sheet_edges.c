// Edges with the tensile stiffness of a sheet.
//
//   van Gelder 1998, Approximate simulation of elastic membranes by triangulated spring meshes, Journal of Graphics
//   Tools 3(2): the stiffness of an edge is Y times the area of the triangles at it over the square of its length.
//
// On equilateral triangles of side l both areas are sqrt(3) / 4 l^2, so that k = sqrt(3) / 2 Y, which is the regular net with
// Young's modulus Y and Poisson's ratio 1/3.
#include "sweep/take_attribute.h"

#include "base/error.h"
#include "mesh/rest_geometry.h"
#include "model/handles.h"
#include "pliant/material.h"
#include "sweep/constraint_slots.h"
#include "sweep/sweep.h"

#include <string.h>

// Areas of all faces [m2]. Null when memory ran out.
static double *face_areas(pli_memory *memory, const pli_topology *t)
{
    double *areas = PLI_ALLOCATE(memory, double, (int64_t)t->face_count + 1);
    for (int32_t i = 0; areas && i < t->triangle_count; i++)
        areas[t->triangle_faces[i]] += pli_rest_area(t, i);
    return areas;
}

// The edge between two vertices; -1 where there is none. Edges are sorted, the lower vertex first.
static int32_t edge_between(const pli_topology *t, int32_t a, int32_t b)
{
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    int32_t low = 0, high = t->edge_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2, *edge = t->edges + 2 * (size_t)middle;
        if (edge[0] < first || (edge[0] == first && edge[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    const int32_t *found = t->edges + 2 * (size_t)low;
    return low < t->edge_count && found[0] == first && found[1] == second ? low : -1;
}

// Compliance of the constraint for Y = 1 N/m: the square of the edge's length over the area that it carries. Edges without faces have the
// stiffness Y.
static float scale_of(const pli_constraints_data *set, const double *areas, int32_t constraint)
{
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    const int32_t *variable;
    int32_t fixed[PLI_CARDINALITY_MAX];
    pli_constraints_particles(set, constraint, &variable, fixed);
    const int32_t a = pli_vertex(set->deformable, fixed[0]), b = pli_vertex(set->deformable, fixed[1]);
    const pli_dvec3 d = pli_dsub(pli_rest_point(t, a), pli_rest_point(t, b));
    const int32_t edge = edge_between(t, a, b);
    double share = 0.0;
    for (int k = 0; edge >= 0 && k < 2; k++) {
        const int32_t face = t->edge_faces[2 * edge + k];
        const int32_t corners = face >= 0 ? t->face_offsets[face + 1] - t->face_offsets[face] : 0;
        share += face >= 0 ? areas[face] * (corners > 3 ? 2.0 / (double)corners : 1.0) : 0.0;
    }
    const double scale = pli_ddot(d, d) / share;
    return share > 0.0 && scale < 1e6 ? (float)(scale > 1e-6 ? scale : 1e-6) : 1.0f;
}

pli_status pli_constraints_set_tensile_stiffness(pli_world *world, pli_constraints handle, double stiffness,
                                                 pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    if (!(stiffness >= 1e-15 && stiffness <= 1e15))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the tensile stiffness of '%s' is %g N/m; it must be 1e-15 to 1e+15", set->name, stiffness);
    if (strcmp(set->type->name, "distance") != 0 || !set->generator || strcmp(set->generator, "edges") != 0)
        return pli_fail(
            error, PLI_STATUS_INVALID_ARGUMENT,
            "'%s' has no tensile stiffness; it takes a set of the type 'distance' from the generator 'edges'",
            set->name);
    if (set->deformable->count > pli_mesh_topology(set->deformable->mesh)->vertex_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s' is of a deformable that has torn; write its compliance", set->name);
    double *areas = face_areas(&world->memory, pli_mesh_topology(set->deformable->mesh));
    if (!areas || !pli_constraints_reserve_scales(world, set)) {
        pli_release(&world->memory, areas);
        return pli_fail_memory(error);
    }
    for (int32_t i = 0; i < set->count; i++)
        set->base_scale[pli_constraints_slot(set, i)] = scale_of(set, areas, i);
    pli_release(&world->memory, set->stiffness);
    set->stiffness = NULL;
    pli_release(&world->memory, areas);
    set->parameters[PLI_PARAMETER_COMPLIANCE] = 1.0 / stiffness;
    pli_constraints_update_parameters(set);
    pli_constraints_take_scales(world, set);
    world->collision.stirred = true;
    return pli_succeed(error);
}
