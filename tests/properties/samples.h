// Meshes to test on, and random stencils of any constraint type, made by the type's own generator.
#ifndef PLIANT_TESTS_SAMPLES_H
#define PLIANT_TESTS_SAMPLES_H

#include "property.h"

enum { SAMPLE_PARTICLES = 64, SAMPLE_TRIANGLES = 128 };

/* ---- meshes ---------------------------------------------------------------------------------- */

// The same faces on other positions.
static UNUSED pli_mesh *mesh_moved(const pli_mesh *mesh, const float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t *sizes = malloc(sizeof *sizes * ((size_t)t->face_count + 1));
    for (int32_t f = 0; f < t->face_count; f++)
        sizes[f] = t->face_offsets[f + 1] - t->face_offsets[f];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = t->vertex_count;
    def.face_sizes = sizes;
    def.face_vertices = t->face_vertices;
    def.face_count = t->face_count;
    pli_mesh *moved = NULL;
    must(pli_mesh_create(&def, &moved, &problem));
    free(sizes);
    return moved;
}

static UNUSED float *copied_positions(const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = malloc(sizeof(float) * 3 * ((size_t)t->vertex_count + 1));
    memcpy(positions, t->positions, sizeof(float) * 3 * (size_t)t->vertex_count);
    return positions;
}

static UNUSED double mean_edge(const pli_mesh *mesh) { return (double)pli_mesh_get_report(mesh)->edge_length_mean; }

static UNUSED pli_mesh *mesh_jittered(pli_mesh *mesh, double in_plane, double height)
{
    float *positions = copied_positions(mesh);
    double edge = mean_edge(mesh);
    int32_t count = pli_mesh_topology(mesh)->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        positions[3 * i] += (float)(uniform(-in_plane, in_plane) * edge);
        positions[3 * i + 1] += (float)(uniform(-height, height) * edge);
        positions[3 * i + 2] += (float)(uniform(-in_plane, in_plane) * edge);
    }
    pli_mesh *moved = mesh_moved(mesh, positions);
    free(positions);
    pli_mesh_destroy(mesh);
    return moved;
}

static UNUSED pli_mesh *mesh_grid(int32_t columns, int32_t rows, double size, pli_grid_pattern pattern)
{
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_grid(columns, rows, (float)size, (float)size, pattern, &mesh, &problem));
    return mesh;
}

// A sheet with hills, of irregular triangles.
static UNUSED pli_mesh *mesh_hilly(int32_t side)
{
    return mesh_jittered(mesh_grid(side, side, 1.0, PLI_GRID_DIAGONAL), 0.2, 0.25);
}

static UNUSED pli_mesh *mesh_ball(int32_t subdivisions, double jitter)
{
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_sphere(subdivisions, 0.5f, &mesh, &problem));
    return mesh_jittered(mesh, jitter, jitter);
}

// One vertex with a closed ring of `spokes` around it.
static UNUSED pli_mesh *mesh_fan(int32_t spokes)
{
    enum { MOST = 512 };
    float positions[3 * MOST] = {0};
    int32_t corners[3 * MOST];
    for (int32_t i = 0; i < spokes; i++) {
        double angle = 2.0 * 3.14159265358979 * i / spokes, radius = uniform(0.8, 1.2);
        float *p = positions + 3 * (i + 1);
        p[0] = (float)(radius * cos(angle)), p[1] = (float)uniform(-0.2, 0.2), p[2] = (float)(-radius * sin(angle));
        corners[3 * i] = 0, corners[3 * i + 1] = i + 1, corners[3 * i + 2] = (i + 1) % spokes + 1;
    }
    positions[1] = 0.15f;
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = spokes + 1;
    def.face_vertices = corners;
    def.face_count = spokes;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

// Vertices in a zigzag strip of triangles, for tests that bring their own list of constraints.
static UNUSED pli_mesh *mesh_of_points(const double (*points)[3], int32_t count)
{
    float positions[3 * SAMPLE_PARTICLES];
    int32_t corners[3 * SAMPLE_PARTICLES];
    for (int32_t i = 0; i < 3 * count; i++)
        positions[i] = (float)points[i / 3][i % 3];
    for (int32_t i = 0; i + 2 < count; i++) {
        corners[3 * i] = i;
        corners[3 * i + 1] = i + 1 + i % 2;
        corners[3 * i + 2] = i + 2 - i % 2;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = count;
    def.face_vertices = corners;
    def.face_count = count - 2;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

// Area-weighted vertex normals of the mesh's triangles on the given positions.
static UNUSED void normals_of(const pli_mesh *mesh, const double (*positions)[3], double (*normals)[3])
{
    const pli_topology *t = pli_mesh_topology(mesh);
    memset(normals, 0, sizeof *normals * (size_t)t->vertex_count);
    for (int32_t i = 0; i < t->triangle_count; i++) {
        const int32_t *c = t->triangles + 3 * i;
        vec a = vec_of(positions[c[0]]);
        vec n = cross(sub(vec_of(positions[c[1]]), a), sub(vec_of(positions[c[2]]), a));
        for (int32_t k = 0; k < 3; k++) {
            normals[c[k]][0] += n.x;
            normals[c[k]][1] += n.y;
            normals[c[k]][2] += n.z;
        }
    }
    for (int32_t v = 0; v < t->vertex_count; v++) {
        vec n = vec_of(normals[v]);
        n = length(n) > 0.0 ? unit(n) : (vec){0.0, 1.0, 0.0};
        normals[v][0] = n.x, normals[v][1] = n.y, normals[v][2] = n.z;
    }
}

/* ---- stencils -------------------------------------------------------------------------------- */

// One constraint on a mesh, at rest and displaced.
typedef struct sample {
    const pli_constraint_type *type;
    const pli_mesh *mesh;
    int32_t count, triangle_count;
    int32_t particles[SAMPLE_PARTICLES]; ///< Vertices of the mesh.
    int32_t triangles[3 * SAMPLE_TRIANGLES];
    double rest_positions[SAMPLE_PARTICLES][3], positions[SAMPLE_PARTICLES][3];
    double rest_normals[SAMPLE_PARTICLES][3], normals[SAMPLE_PARTICLES][3];
    double mesh_positions[SAMPLE_PARTICLES][3]; ///< All displaced vertices of the mesh.
    float rest[PLI_REST_MAX + SAMPLE_PARTICLES];
    float parameters[PLI_PARAMETERS_MAX];
    double area;
    float state; ///< The side that a type with normals finds the displaced stencil on.
} sample;

static UNUSED pli_stencil stencil_at(const sample *s, const double (*positions)[3], const double (*normals)[3])
{
    return (pli_stencil){.positions = positions,
                         .normals = s->type->needs_normals ? normals : NULL,
                         .count = s->count,
                         .rest = s->rest,
                         .parameters = s->parameters,
                         .triangles = s->triangle_count ? s->triangles : NULL,
                         .triangle_count = s->triangle_count,
                         .area = s->area,
                         .state = s->state,
                         .user = s->type->user};
}

// A mesh of at most SAMPLE_PARTICLES vertices that the type's generator finds something on; null if it has none.
// Types of variable cardinality get a mesh with one constraint only.
static UNUSED pli_mesh *mesh_for(const pli_constraint_type *type)
{
    for (int32_t i = 0; type->generator && i < 2; i++) {
        pli_mesh *mesh = i ? mesh_ball(1, 0.1) : (type->cardinality ? mesh_hilly(6) : mesh_fan(7));
        pli_stencils stencils = {0};
        pli_status status = pli_stencils_generate(mesh, type->generator, &stencils, NULL);
        int32_t count = stencils.count;
        pli_stencils_release(&stencils);
        if (!status && count > 0)
            return mesh;
        pli_mesh_destroy(mesh);
    }
    return type->generator ? NULL : mesh_hilly(6);
}

static void sample_take(sample *s, const pli_stencils *stencils, int32_t index)
{
    int32_t from = stencils->cardinality ? index * stencils->cardinality : stencils->offsets[index];
    s->count = stencils->cardinality ? stencils->cardinality : stencils->offsets[index + 1] - from;
    assert_true(s->count <= SAMPLE_PARTICLES);
    memcpy(s->particles, stencils->particles + from, sizeof(int32_t) * (size_t)s->count);
    s->area = stencils->areas ? stencils->areas[index] : 0.0;
    if (stencils->triangle_offsets) {
        int32_t first = stencils->triangle_offsets[index];
        s->triangle_count = stencils->triangle_offsets[index + 1] - first;
        assert_true(s->triangle_count <= SAMPLE_TRIANGLES);
        memcpy(s->triangles, stencils->triangles + 3 * first, sizeof(int32_t) * 3 * (size_t)s->triangle_count);
    }
}

static void sample_particles(sample *s)
{
    pli_stencils stencils = {0};
    if (s->type->generator) {
        must(pli_stencils_generate(s->mesh, s->type->generator, &stencils, &problem));
        sample_take(s, &stencils, below(stencils.count));
        pli_stencils_release(&stencils);
        return;
    }
    s->count = s->type->cardinality;
    for (int32_t k = 0; k < s->count; k++)
        s->particles[k] = 7 * k + below(7);
}

static void sample_displace(sample *s, double noise)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    double resting[SAMPLE_PARTICLES][3], normals[SAMPLE_PARTICLES][3], edge = mean_edge(s->mesh);
    assert_true(t->vertex_count <= SAMPLE_PARTICLES);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        for (int32_t d = 0; d < 3; d++) {
            resting[i][d] = (double)t->positions[3 * i + d];
            // Rounded to float: where a world can start from.
            s->mesh_positions[i][d] = (double)(float)(resting[i][d] + uniform(-noise, noise) * edge);
        }
    }
    normals_of(s->mesh, (const double(*)[3])resting, normals);
    for (int32_t k = 0; k < s->count; k++) {
        memcpy(s->rest_positions[k], resting[s->particles[k]], sizeof(double[3]));
        memcpy(s->rest_normals[k], normals[s->particles[k]], sizeof(double[3]));
        memcpy(s->positions[k], s->mesh_positions[s->particles[k]], sizeof(double[3]));
    }
    normals_of(s->mesh, (const double(*)[3])s->mesh_positions, normals);
    for (int32_t k = 0; k < s->count; k++)
        memcpy(s->normals[k], normals[s->particles[k]], sizeof(double[3]));
}

static bool sample_measure_rest(sample *s)
{
    pli_stencil stencil = stencil_at(s, (const double(*)[3])s->rest_positions, (const double(*)[3])s->rest_normals);
    stencil.rest = NULL;
    return !s->type->rest || s->type->rest(&stencil, s->rest);
}

// The sign with which the displaced stencil, measured as a rest shape with the given normals, is at rest.
static float sample_side(const sample *s, const double (*normals)[3])
{
    sample here = *s;
    memcpy(here.rest_positions, s->positions, sizeof here.rest_positions);
    memcpy(here.rest_normals, normals, sizeof here.rest_normals);
    double values[2];
    if (!sample_measure_rest(&here))
        return 0.0f;
    for (int32_t i = 0; i < 2; i++) {
        here.state = i ? -1.0f : 1.0f;
        pli_stencil stencil = stencil_at(&here, (const double(*)[3])here.positions, normals);
        here.type->evaluate(&stencil, &values[i], NULL);
    }
    return fabs(values[0]) <= fabs(values[1]) ? 1.0f : -1.0f;
}

// Finds the side of a type with normals; false when it is not the side of the rest shape, or a turn of the normals
// by some 20 degrees would change it.
static bool sample_find_side(sample *s)
{
    s->state = 1.0f;
    if (!s->type->needs_normals)
        return true;
    sample resting = *s;
    memcpy(resting.positions, s->rest_positions, sizeof resting.positions);
    s->state = sample_side(s, (const double(*)[3])s->normals);
    if (s->state != sample_side(&resting, (const double(*)[3])s->rest_normals))
        return false;
    for (int32_t i = 0; i < 16; i++) {
        double tilted[SAMPLE_PARTICLES][3];
        vec tilt = scale(unit(random_vec(1.0)), 0.35);
        for (int32_t k = 0; k < s->count; k++) {
            vec n = unit(add(vec_of(s->normals[k]), tilt));
            tilted[k][0] = n.x, tilted[k][1] = n.y, tilted[k][2] = n.z;
        }
        if (sample_side(s, (const double(*)[3])tilted) != s->state)
            return false;
    }
    return s->state != 0.0f;
}

// Whether it acts: an inequality that is violated, or any equality.
static UNUSED bool sample_acts(const sample *s)
{
    double value;
    if (s->type->sense == PLI_SENSE_EQUAL)
        return true;
    pli_stencil stencil = stencil_at(s, (const double(*)[3])s->positions, (const double(*)[3])s->normals);
    s->type->evaluate(&stencil, &value, NULL);
    return s->type->sense == PLI_SENSE_AT_MOST ? value > 0.0 : value < 0.0;
}

// A random constraint of a type on a mesh from mesh_for, displaced by `noise` mean edges; one that acts.
static UNUSED void sample_make(sample *s, const pli_constraint_type *type, const pli_mesh *mesh, double noise)
{
    for (int32_t attempt = 0; attempt < 200; attempt++) {
        *s = (sample){.type = type, .mesh = mesh};
        for (int32_t i = 0; i < type->parameter_count; i++)
            s->parameters[i] = (float)type->parameters[i].initial;
        sample_particles(s);
        sample_displace(s, noise);
        if (sample_measure_rest(s) && sample_find_side(s) && sample_acts(s))
            return;
    }
    fail_msg("%s: no sound stencil in 200 attempts", type->name);
}

// Presses a stencil onto the line of its first two particles until a share of its width is left.
static UNUSED void sample_squash(sample *s, double share)
{
    vec from = vec_of(s->positions[0]), along = unit(sub(vec_of(s->positions[1]), from));
    for (int32_t k = 2; k < s->count; k++) {
        vec side = sub(vec_of(s->positions[k]), from), on = scale(along, dot(side, along));
        vec to = add(from, add(on, scale(sub(side, on), share)));
        const double placed[3] = {(double)(float)to.x, (double)(float)to.y, (double)(float)to.z};
        memcpy(s->positions[k], placed, sizeof placed);
        memcpy(s->mesh_positions[s->particles[k]], placed, sizeof placed);
    }
}

// |C| at given positions, on the side of the displaced stencil.
static UNUSED double sample_value(const sample *s, const double (*positions)[3])
{
    double values[3] = {0}, sum = 0.0;
    pli_stencil stencil = stencil_at(s, positions, (const double(*)[3])s->normals);
    s->type->evaluate(&stencil, values, NULL);
    for (int32_t d = 0; d < s->type->dimension; d++)
        sum += values[d] * values[d];
    return sqrt(sum);
}

#endif
