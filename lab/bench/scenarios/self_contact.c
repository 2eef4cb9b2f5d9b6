// Scenarios for the cost of contact between surfaces: cloth that touches itself, and cloth that may but does not.
#include "bench/scenarios/self_contact.h"

#include "bench/scenarios/furnish.h"
#include "bench/scenarios/irregular_mesh.h"
#include "bench/scenarios/panels.h"

#include <math.h>
#include <stdlib.h>

static const float cell = 0.01f; // Between neighbours [m].
static const double pi = 3.14159265358979323846;

static float width_of(int32_t side) { return cell * (float)(side - 1); }

// Upright with the row of least z above, leaning by `lean` [degrees], its centre at this height.
static pli_transform upright(double lean, float height)
{
    double half = 0.5 * (90.0 - lean) * pi / 180.0;
    return (pli_transform){{0.0f, height, 0.0f}, {(float)sin(half), 0.0f, 0.0f, (float)cos(half)}};
}

// Adds a square sheet in this pose, which collides with itself.
static pli_status add_square(bench_live *live, int32_t side, pli_transform pose, pli_deformable *cloth,
                             pli_error *error)
{
    pli_mesh *mesh = NULL;
    float width = width_of(side);
    pli_status status = pli_mesh_create_grid(side, side, width, width, PLI_GRID_DIAGONAL, &mesh, error);
    return status == PLI_STATUS_OK ? bench_add_cloth(live, mesh, pose, true, cloth, error) : status;
}

pli_status bench_build_heap(bench_live *live, int32_t side, pli_error *error)
{
    pli_deformable cloth;
    pli_status status = add_square(live, side, upright(10.0, 0.5f * width_of(side) + 0.1f), &cloth, error);
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}

/* ---- hanging ------------------------------------------------------------------------------------ */

enum { CLIP_PARTICLES = 4 };
static const float drawn = 0.6f,
                   zigzag = 0.004f; // The share of the width that is left, and how far clips leave the line [m].

pli_status bench_build_hanging(bench_live *live, int32_t side, pli_error *error)
{
    pli_deformable cloth;
    float width = width_of(side);
    pli_status status = add_square(live, side, upright(0.0, 0.0f), &cloth, error);
    int32_t clips = side / CLIP_PARTICLES;
    for (int32_t i = 0; i < clips && status == PLI_STATUS_OK; i++) {
        bench_actor *clip = &live->actors[live->actor_count++];
        int32_t particles[CLIP_PARTICLES];
        for (int32_t k = 0; k < CLIP_PARTICLES; k++)
            particles[k] = CLIP_PARTICLES * i + k;
        clip->from = clip->to = pli_transform_identity();
        clip->to.position.x = (drawn - 1.0f) * width * ((float)i / (float)(clips - 1) - 0.5f);
        clip->to.position.z = i % 2 == 0 ? zigzag : -zigzag;
        status = bench_hold(live, cloth, particles, CLIP_PARTICLES, clip->from, clip, error);
    }
    return status;
}

/* ---- apart -------------------------------------------------------------------------------------- */

// Lists the vertices of the upper row, which has the least z. Null without memory.
static int32_t *upper_row(const pli_mesh *mesh, int32_t *count)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    float least = pli_mesh_get_report(mesh)->bounds_min.z;
    int32_t *row = malloc((size_t)t->vertex_count * sizeof *row);
    *count = 0;
    for (int32_t i = 0; row && i < t->vertex_count; i++)
        if (t->positions[3 * (ptrdiff_t)i + 2] < least + 0.01f * cell)
            row[(*count)++] = i;
    return row;
}

// Cloth of the mesh, which is released, swings from its upper row.
static pli_status swing(bench_live *live, pli_mesh *mesh, pli_error *error)
{
    pli_deformable cloth;
    int32_t count;
    int32_t *row = upper_row(mesh, &count);
    if (!row) {
        pli_mesh_destroy(mesh);
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    }
    pli_status status = bench_add_cloth(live, mesh, upright(20.0, 0.0f), true, &cloth, error);
    bench_actor *clip = &live->actors[live->actor_count++];
    clip->from = clip->to = pli_transform_identity();
    if (status == PLI_STATUS_OK)
        status = bench_hold(live, cloth, row, count, clip->from, clip, error);
    free(row);
    return status;
}

static pli_status swing_panel(bench_live *live, bench_panel panel, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_status status = bench_create_panel(panel, side, width_of(side), &mesh, error);
    return status == PLI_STATUS_OK ? swing(live, mesh, error) : status;
}

pli_status bench_build_apart_flat(bench_live *live, int32_t side, pli_error *error)
{
    return swing_panel(live, BENCH_PANEL_FLAT, side, error);
}

pli_status bench_build_apart_curved(bench_live *live, int32_t side, pli_error *error)
{
    return swing_panel(live, BENCH_PANEL_CURVED, side, error);
}

pli_status bench_build_apart_concave(bench_live *live, int32_t side, pli_error *error)
{
    return swing_panel(live, BENCH_PANEL_CONCAVE, side, error);
}

pli_status bench_build_apart_pieces(bench_live *live, int32_t side, pli_error *error)
{
    return swing_panel(live, BENCH_PANEL_PIECES, side, error);
}

pli_status bench_build_apart_irregular(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_status status = bench_create_irregular_sheet(side, width_of(side), 0.3, &mesh, error);
    return status == PLI_STATUS_OK ? swing(live, mesh, error) : status;
}

pli_status bench_build_apart_closed(bench_live *live, int32_t count, pli_error *error)
{
    const float radius = 0.3f;
    pli_mesh *mesh = NULL;
    pli_deformable balloon;
    pli_deformable_def def = pli_deformable_def_default();
    pli_status status = bench_create_irregular_sphere(count, radius, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    def.mesh = mesh;
    def.pose.position.y = radius + 0.1f;
    def.self_collision = true;
    status = pli_deformable_create(live->world, &def, &balloon, error);
    pli_mesh_destroy(mesh);
    if (status == PLI_STATUS_OK)
        status = bench_add_balloon_sets(live->world, balloon, 0.0, 1.0, error);
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}

/* ---- other objects ------------------------------------------------------------------------------ */

pli_status bench_build_over_mesh(bench_live *live, int32_t side, pli_error *error)
{
    const float radius = 0.3f, fall = 0.4f;
    pli_mesh *ball = NULL, *sheet = NULL;
    pli_deformable cloth;
    pli_collider made;
    pli_transform pose = pli_transform_identity();
    pose.position.y = 2.0f * radius + fall;
    pli_status status = bench_create_panel(BENCH_PANEL_FLAT, side, width_of(side), &sheet, error);
    if (status == PLI_STATUS_OK)
        status = bench_add_cloth(live, sheet, pose, false, &cloth, error);
    if (status == PLI_STATUS_OK)
        status = bench_create_irregular_sphere(6002, radius, &ball, error);
    if (status == PLI_STATUS_OK) {
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_MESH;
        def.mesh = ball;
        def.pose.position.y = radius;
        status = pli_collider_create(live->world, &def, &made, error);
        pli_mesh_destroy(ball);
    }
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}

// Edges alone, as in the crowds that other engines are measured with.
static pli_status add_sheet(pli_world *world, const pli_mesh *mesh, int32_t side, pli_transform pose, pli_error *error)
{
    const float held = 0.0f;
    const int32_t corners[] = {0, side - 1};
    pli_deformable cloth;
    pli_deformable_def def = pli_deformable_def_default();
    pli_constraints set;
    pli_constraints_def edges = pli_constraints_def_default();
    def.mesh = mesh;
    def.pose = pose;
    pli_status status = pli_deformable_create(world, &def, &cloth, error);
    edges.deformable = cloth;
    edges.type = "distance";
    if (status == PLI_STATUS_OK)
        status = pli_constraints_create(world, &edges, &set, error);
    for (int32_t k = 0; k < 2 && status == PLI_STATUS_OK; k++)
        status = pli_deformable_set_inverse_masses(world, cloth, corners[k], 1, &held, error);
    return status;
}

pli_status bench_build_sheets(bench_live *live, int32_t count, pli_error *error)
{
    enum { SIDE = 10, ROW = 25 };
    const float apart = 0.6f, width = 0.3f;
    pli_mesh *mesh = NULL;
    pli_status status = pli_mesh_create_grid(SIDE, SIDE, width, width, PLI_GRID_DIAGONAL, &mesh, error);
    for (int32_t i = 0; i < count && status == PLI_STATUS_OK; i++) {
        pli_transform pose = upright(20.0, 0.0f);
        pose.position.x = apart * (float)(i % ROW), pose.position.z = apart * (float)(i / ROW);
        status = add_sheet(live->world, mesh, SIDE, pose, error);
    }
    pli_mesh_destroy(mesh);
    return status;
}
