// Surfaces of revolution: a body closed at both ends, and a dress around it.
#include "bench/scenarios/garment.h"

#include <pliant/guess.h>

#include <math.h>
#include <stdlib.h>

enum { BODY_AROUND = 80, BODY_ROWS = 76, DRESS_ROWS = 70 };

static const float body_height = 1.07f, neckline = 1.03f, dress_length = 0.9f;
static const double pi = 3.14159265358979323846;

// Height and radius of the body's outline [m]: hip, waist, chest, shoulders, neck.
static const float outline[][2] = {{0.0f, 0.02f}, {0.02f, 0.14f}, {0.3f, 0.17f},   {0.5f, 0.12f},  {0.75f, 0.16f},
                                   {0.9f, 0.15f}, {0.97f, 0.06f}, {1.05f, 0.055f}, {1.07f, 0.005f}};
enum { OUTLINE = sizeof outline / sizeof *outline };

static float body_radius(float height)
{
    int32_t i = 0;
    while (i + 2 < OUTLINE && outline[i + 1][0] < height)
        i++;
    const float *a = outline[i], *b = outline[i + 1];
    const float t = fminf(fmaxf((height - a[0]) / (b[0] - a[0]), 0.0f), 1.0f);
    return a[1] + (b[1] - a[1]) * t * t * (3.0f - 2.0f * t);
}

// A wide ring below a narrow neckline, clear of the body.
static float dress_radius(float down, float height)
{
    const float rise = fminf(down / (10.0f / (DRESS_ROWS - 1)), 1.0f);
    return fmaxf(0.065f + 0.2f * sinf(0.5f * (float)pi * rise) + 0.08f * down, 1.15f * body_radius(height) + 0.02f);
}

// Rows of vertices around the y axis, from row 0 on.
typedef struct tube {
    float *positions;
    int32_t *corners, around, rows, corner_count;
} tube;

static void add_triangle(tube *t, int32_t a, int32_t b, int32_t c)
{
    int32_t *to = t->corners + t->corner_count;
    to[0] = a, to[1] = b, to[2] = c;
    t->corner_count += 3;
}

// The sides of the tube; diagonals alternate.
static void add_sides(tube *t)
{
    for (int32_t row = 0; row + 1 < t->rows; row++)
        for (int32_t i = 0; i < t->around; i++) {
            const int32_t a = row * t->around + i, b = row * t->around + (i + 1) % t->around, c = a + t->around,
                          d = b + t->around, straight = (i + row) % 2;
            add_triangle(t, a, b, straight ? c : d);
            add_triangle(t, straight ? b : a, d, c);
        }
}

static void place(tube *t, int32_t row, float height, float wide, float deep)
{
    for (int32_t i = 0; i < t->around; i++) {
        const double angle = 2.0 * pi * i / t->around;
        float *p = t->positions + 3 * (ptrdiff_t)(row * t->around + i);
        p[0] = wide * (float)cos(angle), p[1] = height, p[2] = deep * (float)sin(angle);
    }
}

static void release(tube *t)
{
    free(t->positions);
    free(t->corners);
}

static pli_status begin(tube *t, int32_t around, int32_t rows, pli_error *error)
{
    *t = (tube){.around = around, .rows = rows};
    t->positions = malloc(3 * ((size_t)around * (size_t)rows + 2) * sizeof *t->positions);
    t->corners = malloc(6 * (size_t)around * ((size_t)rows + 1) * sizeof *t->corners);
    if (t->positions && t->corners)
        return PLI_STATUS_OK;
    release(t);
    return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
}

// Makes the mesh, of the vertices of the rows and some more behind them, and frees the tube.
static pli_status finish(tube *t, int32_t more, pli_mesh **mesh, pli_error *error)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = t->positions, def.vertex_count = t->around * t->rows + more;
    def.face_vertices = t->corners, def.face_count = t->corner_count / 3;
    const pli_status status = pli_mesh_create(&def, mesh, error);
    release(t);
    return status;
}

static pli_status make_body(pli_mesh **mesh, pli_error *error)
{
    tube t;
    const pli_status status = begin(&t, BODY_AROUND, BODY_ROWS, error);
    if (status != PLI_STATUS_OK)
        return status;
    // From the top down, so that faces look outwards as those of the dress do.
    for (int32_t row = 0; row < t.rows; row++) {
        const float height = body_height * (1.0f - (float)row / (float)(t.rows - 1)), radius = body_radius(height);
        place(&t, row, height, 1.15f * radius, 0.85f * radius);
    }
    add_sides(&t);
    const int32_t top = t.around * t.rows, last = t.around * (t.rows - 1);
    const float ends[6] = {0.0f, body_height, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < 6; k++)
        t.positions[3 * (ptrdiff_t)top + k] = ends[k];
    for (int32_t i = 0; i < t.around; i++) {
        const int32_t next = (i + 1) % t.around;
        add_triangle(&t, top, next, i);
        add_triangle(&t, top + 1, last + i, last + next);
    }
    return finish(&t, 2, mesh, error);
}

static pli_status make_dress(int32_t around, pli_mesh **mesh, pli_error *error)
{
    tube t;
    const pli_status status = begin(&t, around, DRESS_ROWS, error);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t row = 0; row < t.rows; row++) {
        const float down = (float)row / (float)(t.rows - 1), height = neckline - dress_length * down;
        const float radius = dress_radius(down, height);
        place(&t, row, height, radius, radius);
    }
    add_sides(&t);
    return finish(&t, 0, mesh, error);
}

// The settings, the cloth and the pins that `pliant new` chooses.
static pli_status add_dress(pli_world *world, const pli_mesh *mesh, int32_t around, pli_error *error)
{
    static const pli_parameter_value cotton[] = {{"warp", 1e4}, {"weft", 1e4}, {"shear", 50.0}};
    pli_guess guess;
    pli_guess_def about = pli_guess_def_default();
    about.kind = PLI_GUESS_CLOTH;
    pli_status status = pli_mesh_guess(mesh, &about, &guess, NULL, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_settings settings = pli_world_settings(world);
    settings.substeps = guess.substeps, settings.damping = 1.0f;
    status = pli_world_set_settings(world, &settings, error);
    pli_deformable dress;
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.self_collision = true;
    def.density = (float)guess.density, def.thickness = (float)guess.thickness;
    def.plate.rigidity = (float)guess.rigidity;
    if (status == PLI_STATUS_OK)
        status = pli_deformable_create(world, &def, &dress, error);
    pli_constraints set;
    pli_constraints_def membrane = pli_constraints_def_default();
    membrane.type = "membrane", membrane.parameters = cotton, membrane.parameter_count = 3;
    if (status == PLI_STATUS_OK) {
        membrane.deformable = dress;
        status = pli_constraints_create(world, &membrane, &set, error);
    }
    const float pinned = 0.0f;
    for (int32_t i = 0; i < around && status == PLI_STATUS_OK; i++)
        status = pli_deformable_set_inverse_masses(world, dress, i, 1, &pinned, error);
    return status;
}

pli_status bench_build_garment(bench_live *live, int32_t around, pli_error *error)
{
    pli_mesh *body = NULL, *mesh = NULL;
    pli_status status = make_dress(around, &mesh, error);
    if (status == PLI_STATUS_OK)
        status = add_dress(live->world, mesh, around, error);
    if (status == PLI_STATUS_OK)
        status = make_body(&body, error);
    if (status == PLI_STATUS_OK) {
        pli_collider made;
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_MESH, def.mesh = body;
        status = pli_collider_create(live->world, &def, &made, error);
    }
    pli_mesh_destroy(mesh);
    pli_mesh_destroy(body);
    return status;
}
