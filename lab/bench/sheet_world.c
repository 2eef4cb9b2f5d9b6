// Meshes and worlds of the sheet scenes.
#include "bench/sheet_world.h"

#include "bench/bench_run.h"
#include "bench/scenarios/irregular_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float spacing = 0.02f;    // Between neighbours [m].
static const float thickness = 0.002f; // Thickness of contact [m].
static const float gap = 0.0025f;      // Between sheets [m].

// Numbers all vertices at random, with the same sequence in every run.
static void shuffle(int32_t *numbers, int32_t count)
{
    uint64_t seed = 7;
    for (int32_t i = count - 1; i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int32_t other = (int32_t)((seed >> 33) % (uint64_t)(i + 1)), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

typedef struct draft {
    int32_t *numbers, *faces, *sizes;
    float *positions;
} draft;

// The faces of the grid and one triangle more, at the last edge of the last row.
static pli_mesh *finish_draft(const draft *d, const pli_topology *t, bool shuffled, pli_error *error)
{
    int32_t last = t->vertex_count - 1, more = t->vertex_count;
    const int32_t flap[] = {last - 1, more, last};
    pli_mesh *mesh = NULL;
    for (int32_t i = 0; i <= more; i++)
        d->numbers[i] = i;
    if (shuffled)
        shuffle(d->numbers, more + 1);
    for (int32_t i = 0; i < more; i++)
        memcpy(d->positions + 3 * d->numbers[i], t->positions + 3 * i, 3 * sizeof *d->positions);
    memcpy(d->positions + 3 * d->numbers[more], t->positions + 3 * last, 3 * sizeof *d->positions);
    d->positions[3 * d->numbers[more] + 2] += spacing;
    for (int32_t i = 0; i < t->corner_count + 3; i++)
        d->faces[i] = d->numbers[i < t->corner_count ? t->face_vertices[i] : flap[i - t->corner_count]];
    for (int32_t i = 0; i < t->face_count; i++)
        d->sizes[i] = t->face_offsets[i + 1] - t->face_offsets[i];
    d->sizes[t->face_count] = 3;
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = d->positions, def.vertex_count = more + 1;
    def.face_sizes = d->sizes, def.face_vertices = d->faces, def.face_count = t->face_count + 1;
    pli_mesh_create(&def, &mesh, error);
    return mesh;
}

static pli_mesh *make_no_grid(const pli_mesh *grid, bool shuffled, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(grid);
    size_t vertices = (size_t)t->vertex_count + 1, corners = (size_t)t->corner_count + 3,
           faces = (size_t)t->face_count + 1;
    draft d = {malloc(vertices * sizeof *d.numbers), malloc(corners * sizeof *d.faces), malloc(faces * sizeof *d.sizes),
               malloc(3 * vertices * sizeof *d.positions)};
    pli_mesh *mesh = NULL;
    if (d.numbers && d.faces && d.sizes && d.positions)
        mesh = finish_draft(&d, t, shuffled, error);
    else
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    free(d.numbers);
    free(d.faces);
    free(d.sizes);
    free(d.positions);
    return mesh;
}

// Creates the mesh of as many vertices as columns x rows.
static pli_status make_irregular(const bench_scene *scene, pli_mesh **mesh, pli_error *error)
{
    const double jitter = 0.4;
    float width = spacing * (float)(scene->columns - 1);
    if (scene->layout == BENCH_IRREGULAR)
        return bench_create_irregular_sheet(scene->columns, width, jitter, mesh, error);
    // A sphere of the sheet's area, 4 pi r^2.
    return bench_create_irregular_sphere(scene->columns * scene->rows, 0.2821f * width, mesh, error);
}

static pli_status make_sheet(const bench_scene *scene, pli_mesh **mesh, pli_error *error)
{
    if (scene->layout == BENCH_IRREGULAR || scene->layout == BENCH_CLOSED)
        return make_irregular(scene, mesh, error);
    float width = spacing * (float)(scene->columns - 1), depth = spacing * (float)(scene->rows - 1);
    pli_status status = pli_mesh_create_grid(scene->columns, scene->rows, width, depth, scene->pattern, mesh, error);
    if (status == PLI_STATUS_OK && scene->layout != BENCH_GRID) {
        pli_mesh *grid = *mesh;
        *mesh = make_no_grid(grid, scene->layout == BENCH_SHUFFLED, error);
        pli_mesh_destroy(grid);
    }
    return status;
}

pli_mesh *bench_mesh(bench_run *run, const bench_scene *scene, pli_error *error)
{
    const int64_t key[5] = {scene->columns, scene->rows, scene->pattern, scene->layout};
    if (run->mesh && memcmp(run->mesh_key, key, sizeof key) == 0)
        return run->mesh;
    pli_mesh_destroy(run->mesh);
    run->mesh = NULL;
    if (make_sheet(scene, &run->mesh, error) != PLI_STATUS_OK)
        run->mesh = NULL;
    memcpy(run->mesh_key, key, sizeof key);
    return run->mesh;
}

// The vertices at two corners of the first row, whatever their numbers.
static void find_corners(const pli_mesh *mesh, int32_t corners[2])
{
    const pli_topology *t = pli_mesh_topology(mesh);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        const float *p = t->positions + 3 * i;
        if (p[2] == report->bounds_min.z && p[0] == report->bounds_min.x)
            corners[0] = i;
        if (p[2] == report->bounds_min.z && p[0] == report->bounds_max.x)
            corners[1] = i;
    }
}

static pli_status add_sets(pli_world *world, const bench_scene *scene, pli_deformable sheet, pli_error *error)
{
    const pli_parameter_value soft = {"compliance", 1e-6};
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < BENCH_TYPES_MAX && scene->types[i] && status == PLI_STATUS_OK; i++) {
        pli_constraints set;
        pli_constraints_def def = pli_constraints_def_default();
        def.deformable = sheet;
        def.type = scene->types[i];
        def.parameters = &soft;
        def.parameter_count = strcmp(def.type, "distance") != 0;
        status = pli_constraints_create(world, &def, &set, error);
    }
    return status;
}

// Gives the corners 0.35 m/s along either axis, outwards.
static pli_status throw_corners(pli_world *world, const pli_mesh *mesh, pli_deformable sheet, pli_error *error)
{
    const float away[6] = {-0.35f, 0.0f, -0.35f, 0.35f, 0.0f, 0.35f};
    const float inverse_mass = 100.0f / (float)pli_mesh_topology(mesh)->vertex_count;
    int32_t corners[2] = {0, 1};
    pli_status status = PLI_STATUS_OK;
    find_corners(mesh, corners);
    for (int32_t i = 0; i < 2 && status == PLI_STATUS_OK; i++) {
        status = pli_deformable_set_inverse_masses(world, sheet, corners[i], 1, &inverse_mass, error);
        if (status == PLI_STATUS_OK)
            status = pli_deformable_set_velocities(world, sheet, corners[i], 1, away + 3 * i, error);
    }
    return status;
}

static pli_status hold_corners(pli_world *world, const pli_mesh *mesh, pli_deformable sheet, pli_error *error)
{
    int32_t corners[2] = {0, 1};
    pli_attachment attachment;
    pli_attachment_def def = pli_attachment_def_default();
    find_corners(mesh, corners);
    def.deformable = sheet;
    def.particles = corners;
    def.particle_count = 2;
    return pli_attachment_create(world, &def, &attachment, error);
}

static pli_status set_masses(pli_world *world, pli_deformable sheet, int32_t count, pli_error *error)
{
    float *ones = malloc((size_t)count * sizeof *ones);
    if (!ones)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    for (int32_t i = 0; i < count; i++)
        ones[i] = 1.0f;
    pli_status status = pli_deformable_set_inverse_masses(world, sheet, 0, count, ones, error);
    free(ones);
    return status;
}

// Sheets are rotated and shifted a little, so that no edge lies exactly over another.
static pli_transform pose_of(int32_t i)
{
    float half_angle = 0.15f * (float)i, aside = 0.01f;
    return (pli_transform){
        {aside * sinf(1.7f * (float)i), gap * (float)(i + 1), aside * cosf(2.3f * (float)i)},
        {0.0f, sinf(half_angle), 0.0f, cosf(half_angle)},
    };
}

// Moves every coordinate by at most a tenth of the spacing, with the same sequence in every run.
static pli_status make_uneven(pli_world *world, pli_deformable sheet, const pli_mesh *mesh, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = malloc(3 * (size_t)t->vertex_count * sizeof *positions);
    uint64_t seed = 1;
    if (!positions)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    for (int32_t i = 0; i < 3 * t->vertex_count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        positions[i] = t->positions[i] + 0.2f * spacing * ((float)(seed >> 40) * 0x1p-24f - 0.5f);
    }
    pli_status status = pli_deformable_set_positions(world, sheet, 0, t->vertex_count, positions, error);
    free(positions);
    return status;
}

static pli_status add_sheet(pli_world *world, const bench_scene *scene, const pli_mesh *mesh, int32_t i,
                            pli_error *error)
{
    pli_deformable sheet;
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.thickness = thickness;
    def.self_collision = scene->self_collision;
    def.self_contact = scene->self_contact;
    def.stretch = scene->solved ? PLI_STRETCH_SOLVED : PLI_STRETCH_SWEPT;
    if (scene->sheets > 1)
        def.pose = pose_of(i);
    pli_status status = pli_deformable_create(world, &def, &sheet, error);
    if (status == PLI_STATUS_OK)
        status = set_masses(world, sheet, pli_mesh_topology(mesh)->vertex_count, error);
    if (status == PLI_STATUS_OK && scene->uneven)
        status = make_uneven(world, sheet, mesh, error);
    if (status == PLI_STATUS_OK)
        status = add_sets(world, scene, sheet, error);
    if (status == PLI_STATUS_OK && scene->loose)
        status = throw_corners(world, mesh, sheet, error);
    else if (status == PLI_STATUS_OK && scene->sheets == 1)
        status = hold_corners(world, mesh, sheet, error);
    return status;
}

static pli_settings settings_of(const bench_scene *scene)
{
    pli_settings settings = pli_world_def_default().settings;
    settings.method = scene->method;
    settings.substeps = scene->substeps;
    settings.iterations = scene->iterations;
    if (scene->uneven || scene->loose)
        settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    if (scene->company == BENCH_IN_WIND)
        settings.wind = (pli_vec3){2.0f, 0.0f, 4.0f}, settings.air_density = 1.2f;
    if (scene->company == BENCH_DAMPED)
        settings.damping = 6.3f;
    return settings;
}

static pli_status add_plane(pli_world *world, pli_error *error)
{
    pli_collider made;
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    return pli_collider_create(world, &def, &made, error);
}

pli_world *bench_world(const bench_scene *scene, const pli_mesh *mesh, const bench_cooked *cooked, pli_error *error)
{
    pli_world *world = NULL;
    pli_world_def def = pli_world_def_default();
    def.settings = settings_of(scene);
    def.order = scene->order;
    def.simd = scene->simd;
    def.thread_count = scene->threads;
    pli_status status = pli_world_create(&def, &world, error);
    if (status == PLI_STATUS_OK && cooked)
        status = pli_world_set_cooked(world, cooked->bytes, cooked->size, error);
    for (int32_t i = 0; i < scene->sheets && status == PLI_STATUS_OK; i++)
        status = add_sheet(world, scene, mesh, i, error);
    if (status == PLI_STATUS_OK && scene->sheets > 1)
        status = add_plane(world, error);
    if (status == PLI_STATUS_OK)
        return world;
    pli_world_destroy(world);
    return NULL;
}
