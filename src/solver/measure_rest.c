#include "solver/measure_rest.h"

#include <string.h>

// Rest positions and unit normals by vertex, and room for those of one stencil.
typedef struct rest_shape {
    double (*positions)[3], (*normals)[3];
    double (*stencil_positions)[3], (*stencil_normals)[3];
} rest_shape;

static void add_normals(const pli_faces *faces, rest_shape *shape)
{
    for (int32_t t = 0; t < faces->triangle_count; t++) {
        const int32_t *corner = faces->triangles + 3 * t;
        pli_dvec3 a = pli_dmake(shape->positions[corner[0]]);
        pli_dvec3 n = pli_dcross(pli_dsub(pli_dmake(shape->positions[corner[1]]), a),
                                 pli_dsub(pli_dmake(shape->positions[corner[2]]), a));
        for (int32_t k = 0; k < 3; k++) {
            double *sum = shape->normals[corner[k]];
            sum[0] += n.x, sum[1] += n.y, sum[2] += n.z;
        }
    }
    for (int32_t v = 0; v < faces->vertex_count; v++) {
        double length = pli_dlength(pli_dmake(shape->normals[v]));
        for (int32_t k = 0; k < 3 && length > 0.0; k++)
            shape->normals[v][k] /= length;
    }
}

static bool load_shape(pli_memory *memory, const pli_set *set, int32_t largest, rest_shape *shape)
{
    const pli_faces *faces = &set->body->shape;
    size_t vertices = (size_t)faces->vertex_count, stencil = (size_t)largest;
    shape->positions = pli_allocate(memory, vertices, sizeof *shape->positions);
    shape->normals = pli_allocate(memory, vertices, sizeof *shape->normals);
    shape->stencil_positions = pli_allocate(memory, stencil, sizeof *shape->stencil_positions);
    shape->stencil_normals = pli_allocate(memory, stencil, sizeof *shape->stencil_normals);
    if (!shape->positions || !shape->normals || !shape->stencil_positions || !shape->stencil_normals)
        return false;
    for (size_t i = 0; i < 3 * vertices; i++)
        shape->positions[i / 3][i % 3] = (double)faces->positions[i];
    if (set->type->needs_normals)
        add_normals(faces, shape);
    return true;
}

static void release_shape(pli_memory *memory, rest_shape *shape)
{
    pli_release(memory, shape->positions);
    pli_release(memory, shape->normals);
    pli_release(memory, shape->stencil_positions);
    pli_release(memory, shape->stencil_normals);
}

static bool measure_one(const pli_set *set, const pli_stencils *s, rest_shape *shape, int32_t i, int32_t size,
                        float *values, float *scale)
{
    int32_t n = pli_stencil_size(s, i);
    const int32_t *particles = pli_stencil_particles(s, i);
    for (int32_t k = 0; k < n; k++) {
        memcpy(shape->stencil_positions[k], shape->positions[particles[k]], sizeof *shape->positions);
        memcpy(shape->stencil_normals[k], shape->normals[particles[k]], sizeof *shape->normals);
    }
    pli_stencil view = {
        .positions = (const double(*)[3])shape->stencil_positions,
        .normals = set->type->needs_normals ? (const double(*)[3])shape->stencil_normals : NULL,
        .count = n,
        .parameters = set->own,
        .triangles = s->triangles ? s->triangles + 3 * s->triangle_offsets[i] : NULL,
        .triangle_count = pli_stencil_triangles(s, i),
        .area = s->areas ? s->areas[i] : 0.0,
        .state = 1.0f,
        .user = set->type->user,
    };
    if (set->type->rest && !set->type->rest(&view, values))
        return false;
    for (int32_t j = 0; j < size; j++)
        if (!isfinite(values[j]))
            return false;
    view.rest = values;
    *scale = set->type->compliance_scale ? set->type->compliance_scale(&view, values) : 0.0f;
    return isfinite(*scale);
}

static int32_t value_count(const pli_set *set, const pli_stencils *s, int32_t i)
{
    return set->type->rest_count + (set->type->rest_per_particle ? pli_stencil_size(s, i) : 0);
}

bool pli_rest_measure(pli_memory *memory, const pli_set *set, const pli_stencils *s, int32_t largest,
                      pli_rest_values *rest)
{
    *rest = (pli_rest_values){0};
    rest_shape shape = {0};
    int64_t total = 0;
    for (int32_t i = 0; i < s->count; i++)
        total += value_count(set, s, i);
    rest->kept = PLI_ALLOCATE(memory, int32_t, s->count);
    rest->offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)s->count + 1);
    rest->values = PLI_ALLOCATE(memory, float, total + 1);
    rest->scales = PLI_ALLOCATE(memory, float, s->count);
    bool complete = rest->kept && rest->offsets && rest->values && rest->scales && total <= INT32_MAX &&
                    load_shape(memory, set, largest, &shape);
    for (int32_t i = 0; complete && i < s->count; i++) {
        int32_t size = value_count(set, s, i);
        rest->offsets[i + 1] = rest->offsets[i] + size;
        if (measure_one(set, s, &shape, i, size, rest->values + rest->offsets[i], &rest->scales[i]))
            rest->kept[rest->count++] = i;
    }
    release_shape(memory, &shape);
    return complete;
}

void pli_rest_release(pli_memory *memory, pli_rest_values *rest)
{
    pli_release(memory, rest->kept);
    pli_release(memory, rest->offsets);
    pli_release(memory, rest->values);
    pli_release(memory, rest->scales);
    *rest = (pli_rest_values){0};
}
