// Rest values of stencils, measured on the rest shape in double: schedule/rest_values.h.
#include "schedule/rest_values.h"

#include "constraints/registry.h"
#include "mesh/mesh.h"
#include "model/parallel.h"
#include "schedule/constraint_slots.h"
#include "schedule/sweep.h"

#include <string.h>

// Vertices of a parallel piece.
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

static pli_dvec3 normal_of(const pli_faces *faces, int32_t triangle)
{
    const int32_t *corner = faces->triangles + 3 * triangle;
    pli_dvec3 x[3];
    for (int32_t k = 0; k < 3; k++) {
        const float *p = faces->positions + 3 * corner[k];
        x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    return pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0]));
}

static void fill_normals(void *data, int32_t begin, int32_t end)
{
    const loading *l = data;
    const pli_faces *faces = l->faces;
    for (int32_t v = begin; v < end; v++) {
        pli_dvec3 sum = {0};
        for (int32_t i = faces->triangle_begins[v]; i < faces->triangle_ends[v]; i++)
            sum = pli_dadd(sum, normal_of(faces, faces->vertex_triangles[i]));
        double length = pli_dlength(sum);
        if (length > 0.0)
            sum = (pli_dvec3){sum.x / length, sum.y / length, sum.z / length};
        double *to = l->normals[l->order ? l->order[v] : v];
        to[0] = sum.x, to[1] = sum.y, to[2] = sum.z;
    }
}

bool pli_rest_shape_load(pli_world *world, const pli_constraint_set_data *set, pli_rest_shape *shape)
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

pli_stencil pli_rest_view(const pli_constraint_set_data *set, const double (*positions)[3], const double (*normals)[3],
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

static int32_t largest_stencil(const pli_stencils *s)
{
    int32_t largest = 1;
    for (int32_t i = 0; i < s->count && (s->offsets || i == 0); i++)
        largest = pli_stencil_size(s, i) > largest ? pli_stencil_size(s, i) : largest;
    return largest;
}

// Room for the largest stencil.
typedef struct counting {
    double (*positions)[3], (*normals)[3];
    float *values;
} counting;

static bool has_rest(const pli_constraint_set_data *set, const pli_rest_shape *shape, const pli_stencils *s, int32_t i,
                     const counting *c)
{
    const int32_t *particles = pli_stencil_particles(s, i), count = pli_stencil_size(s, i);
    pli_stencil view = pli_rest_view(set, (const double(*)[3])c->positions,
                                     shape->normals ? (const double(*)[3])c->normals : NULL, count);
    float scale;
    for (int32_t k = 0; k < count; k++)
        pli_rest_load(shape, particles[k], c->positions[k], c->normals[k]);
    view.area = s->areas ? s->areas[i] : 0.0;
    view.triangles = s->triangles ? s->triangles + 3 * s->triangle_offsets[i] : NULL;
    view.triangle_count = pli_stencil_triangles(s, i);
    return pli_rest_find(set->type, &view, c->values, &scale);
}

// A set with the initial parameters of its type, in no world.
static pli_constraint_set_data plain_set(const pli_constraint_type *type)
{
    pli_constraint_set_data set = {.type = type};
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT + type->parameter_count; i++)
        set.parameters[i] = pli_parameter_of_slot(type, i)->initial;
    pli_constraint_set_update_parameters(&set);
    return set;
}

pli_status pli_stencils_count_degenerate(const pli_mesh *mesh, const pli_constraint_type *type,
                                         const pli_stencils *stencils, int32_t *degenerate, pli_error *error)
{
    const pli_constraint_set_data set = plain_set(type);
    const pli_faces faces = pli_faces_of(pli_mesh_topology(mesh));
    const int32_t largest = largest_stencil(stencils);
    pli_memory memory = pli_memory_make(&mesh->memory.hooks);
    const counting c = {pli_allocate_unset(&memory, (size_t)largest, sizeof *c.positions),
                        pli_allocate_unset(&memory, (size_t)largest, sizeof *c.normals),
                        PLI_ALLOCATE_UNSET(&memory, float, pli_rest_count(type, largest))};
    pli_rest_shape shape = {.positions = faces.positions};
    if (type->needs_normals)
        shape.normals = pli_allocate_unset(&memory, (size_t)faces.vertex_count, sizeof *shape.normals);
    bool complete = c.positions && c.normals && c.values && (shape.normals || !type->needs_normals);
    loading l = {.faces = &faces, .normals = shape.normals};
    if (complete && shape.normals)
        fill_normals(&l, 0, faces.vertex_count);
    *degenerate = 0;
    for (int32_t i = 0; complete && i < stencils->count; i++)
        *degenerate += !has_rest(&set, &shape, stencils, i, &c);
    pli_rest_shape_release(&memory, &shape);
    pli_release(&memory, c.positions);
    pli_release(&memory, c.normals);
    pli_release(&memory, c.values);
    return complete ? pli_succeed(error) : pli_fail_memory(error);
}

// The face of the mesh that has three vertices as a triangle, or -1.
static int32_t face_of(const pli_topology *t, const int32_t vertices[3])
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

static void lay_one(const pli_constraint_set_data *set, int32_t i, const float *direction, const int32_t vertices[3])
{
    const int32_t slot = pli_constraint_set_slot(set, i), first = pli_parameter_slot(set->type, "warp_x");
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

void pli_rest_turn_warp(const pli_constraint_set_data *set, const float *directions)
{
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t vertices[PLI_CARDINALITY_MAX];
        pli_constraint_set_slot_particles(set, pli_constraint_set_slot(set, i), vertices);
        for (int32_t k = 0; k < 3; k++)
            vertices[k] = pli_vertex(set->deformable, vertices[k]);
        const int32_t face = face_of(t, vertices);
        if (face >= 0)
            lay_one(set, i, directions + 3 * (size_t)face, vertices);
    }
}
