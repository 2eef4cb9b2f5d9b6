// Rest values of stencils, measured on the rest shape in double: sweep/rest_values.h.
#include "sweep/rest_values.h"

#include "constraints/registry.h"
#include "mesh/mesh.h"
#include "model/parallel.h"
#include "sweep/constraint_slots.h"
#include "sweep/sweep.h"

#include <string.h>

// Number of vertices in a parallel piece.
enum { VERTEX_GRAIN = 8192 };

typedef struct loading {
    const pli_faces *faces;
    const int32_t *order; // Internal index of each vertex; NULL when that is its number.
    float *positions;
    double (*normals)[3];
} loading;

static void fill_positions(void *data, int32_t begin, int32_t end)
{
    const loading *l = data;
    for (int32_t v = begin; v < end; v++) {
        const float *from = l->faces->positions + 3 * v;
        float *to = l->positions + 3 * l->order[v];
        to[0] = from[0], to[1] = from[1], to[2] = from[2];
    }
}

static pli_dvec3 rest_normal(const float *positions, const int32_t *corner)
{
    pli_dvec3 x[3];
    for (int32_t k = 0; k < 3; k++) {
        const float *p = positions + 3 * corner[k];
        x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    return pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0]));
}

static void write_unit(pli_dvec3 sum, double *to)
{
    double length = pli_dlength(sum);
    if (length > 0.0)
        sum = (pli_dvec3){sum.x / length, sum.y / length, sum.z / length};
    to[0] = sum.x, to[1] = sum.y, to[2] = sum.z;
}

static void fill_normals(void *data, int32_t begin, int32_t end)
{
    const loading *l = data;
    const pli_faces *faces = l->faces;
    for (int32_t v = begin; v < end; v++) {
        pli_dvec3 sum = {0};
        for (int32_t i = faces->triangle_begins[v]; i < faces->triangle_ends[v]; i++)
            sum = pli_dadd(sum, rest_normal(faces->positions, faces->triangles + 3 * faces->vertex_triangles[i]));
        write_unit(sum, l->normals[l->order ? l->order[v] : v]);
    }
}

// Each vertex has its triangles in the same order as in fill_normals, and so the same sum.
bool pli_rest_normals_make(pli_memory *memory, const pli_topology *base, pli_rest_shape *shape)
{
    shape->normals = pli_allocate(memory, (size_t)base->vertex_count, sizeof *shape->normals);
    if (!shape->normals)
        return false;
    for (int32_t i = 0; i < 3 * base->triangle_count; i += 3) {
        const pli_dvec3 normal = rest_normal(base->positions, base->triangles + i);
        for (int32_t k = 0; k < 3; k++) {
            double *sum = shape->normals[base->triangles[i + k]];
            sum[0] += normal.x, sum[1] += normal.y, sum[2] += normal.z;
        }
    }
    for (int32_t v = 0; v < base->vertex_count; v++)
        write_unit(pli_dmake(shape->normals[v]), shape->normals[v]);
    return true;
}

bool pli_rest_shape_load(pli_world *world, const pli_constraints_data *set, pli_rest_shape *shape)
{
    const pli_deformable_data *deformable = set->deformable;
    int32_t count = deformable->shape.vertex_count;
    *shape = (pli_rest_shape){.positions = deformable->shape.positions};
    if (deformable->order) {
        shape->own_positions = PLI_ALLOCATE_UNSET(&world->memory, float, 3 * (int64_t)count);
        shape->positions = shape->own_positions;
    }
    if (set->type->needs_normals)
        shape->normals = pli_allocate_unset(&world->memory, (size_t)count, sizeof *shape->normals);
    if ((deformable->order && !shape->own_positions) || (set->type->needs_normals && !shape->normals))
        return false;
    loading l = {&deformable->shape, deformable->order, shape->own_positions, shape->normals};
    if (deformable->order)
        pli_parallel(world, count, VERTEX_GRAIN, fill_positions, &l);
    if (shape->normals)
        pli_parallel(world, count, VERTEX_GRAIN, fill_normals, &l);
    return true;
}

void pli_rest_shape_release(pli_memory *memory, pli_rest_shape *shape)
{
    pli_release(memory, shape->own_positions);
    pli_release(memory, shape->normals);
    *shape = (pli_rest_shape){0};
}

pli_stencil pli_rest_view(const pli_constraints_data *set, const double (*positions)[3], const double (*normals)[3],
                          int32_t count)
{
    return (pli_stencil){
        .positions = positions,
        .normals = normals,
        .count = count,
        .parameters = set->own,
        .state = 1.0f,
        .user = set->type->user,
    };
}

bool pli_rest_find(const pli_constraint_type *type, pli_stencil *view, float *values, float *scale)
{
    int32_t size = pli_rest_count(type, view->count);
    for (int32_t j = 0; j < size; j++)
        values[j] = 0.0f;
    view->rest = NULL;
    if (type->rest && !type->rest(view, values))
        return false;
    for (int32_t j = 0; j < size; j++)
        if (!isfinite(values[j]))
            return false;
    view->rest = values;
    *scale = type->compliance_scale ? type->compliance_scale(view, values) : 0.0f;
    return isfinite(*scale);
}

// The face of the mesh that has three vertices as a triangle, or -1.
static int32_t face_with(const pli_topology *t, const int32_t vertices[3])
{
    for (int32_t i = t->triangle_offsets[vertices[0]]; i < t->triangle_offsets[vertices[0] + 1]; i++) {
        const int32_t *corners = t->triangles + 3 * (size_t)t->vertex_triangles[i];
        int32_t found = 0;
        for (int32_t k = 0; k < 9; k++)
            found += corners[k / 3] == vertices[k % 3];
        if (found == 3)
            return t->triangle_faces[t->vertex_triangles[i]];
    }
    return -1;
}

static void lay_one(const pli_constraints_data *set, int32_t i, const float *direction, const int32_t vertices[3])
{
    const int32_t slot = pli_constraints_slot(set, i), first = pli_parameter_slot(set->type, "warp_x");
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    double positions[3][3];
    float parameters[PLI_PARAMETERS_MAX], values[PLI_REST_MAX];
    memcpy(parameters, set->own, sizeof parameters);
    for (int32_t k = 0; k < 3; k++) {
        if (direction[0] != 0.0f || direction[1] != 0.0f || direction[2] != 0.0f)
            parameters[first - PLI_PARAMETER_COMMON_COUNT + k] = direction[k];
        for (int32_t axis = 0; axis < 3; axis++)
            positions[k][axis] = (double)t->positions[3 * (size_t)vertices[k] + (size_t)axis];
    }
    pli_stencil stencil = pli_rest_view(set, (const double(*)[3])positions, NULL, 3);
    stencil.parameters = parameters;
    for (int32_t j = 0; set->type->rest(&stencil, values) && j < set->type->rest_count; j++)
        set->rest[j][slot] = values[j];
}

void pli_rest_turn_warp(const pli_constraints_data *set, const float *directions)
{
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t vertices[PLI_CARDINALITY_MAX];
        pli_constraints_slot_particles(set, pli_constraints_slot(set, i), vertices);
        for (int32_t k = 0; k < 3; k++)
            vertices[k] = pli_vertex(set->deformable, vertices[k]);
        const int32_t face = face_with(t, vertices);
        if (face >= 0)
            lay_one(set, i, directions + 3 * (size_t)face, vertices);
    }
}
