// Analytic shapes that are narrower than the triangles of a deformable are long: it lies on them, and they push it, as on the
// same shape given as a mesh (docs/contact.md, analytic shapes). A fine deformable beside it keeps the distance.
#include "worlds.h"

enum { FPS = 60 };

static const double thickness = 0.005;

// The collider itself, or a mesh of it.
static pli_collider collide(pli_world *world, const pli_collider_def *def, bool as_mesh)
{
    pli_collider_def made = *def;
    pli_mesh *mesh = NULL;
    if (as_mesh) {
        must(pli_shape_tessellate(def, PLI_SHAPE_RESOLUTION, NULL, &mesh, &problem));
        made.shape = PLI_SHAPE_MESH, made.mesh = mesh;
    }
    pli_collider collider;
    must(pli_collider_create(world, &made, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

static pli_deformable sheet(pli_world *world, int32_t side, double size, double height)
{
    pli_mesh *mesh;
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_mesh_create_grid(side, side, (float)size, (float)size, PLI_GRID_ALTERNATING, &mesh, &problem));
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0.0f, (float)height, 0.0f};
    def.thickness = (float)thickness;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    constrain(world, cloth, "distance", NULL);
    pli_mesh_destroy(mesh);
    return cloth;
}

static double mean_height(const pli_world *world, pli_deformable cloth)
{
    double sum = 0.0;
    int32_t count = vertex_count_of(world, cloth);
    for (int32_t i = 0; i < count; i++)
        sum += position_of(world, cloth, i).y;
    return sum / count;
}

static double lowest(const pli_world *world, pli_deformable cloth)
{
    double least = INFINITY;
    for (int32_t i = 0; i < vertex_count_of(world, cloth); i++)
        least = fmin(least, position_of(world, cloth, i).y);
    return least;
}

// Hangs over a rod along x for two seconds, in which a sheet that goes through falls 20 m.
static double hang_over(pli_shape shape, double radius, int32_t side, bool as_mesh)
{
    pli_world_def world_def = pli_world_def_default();
    pli_world *world = world_from(&world_def);
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape;
    def.radius = (float)radius, def.half_height = 0.6f, def.top_radius = (float)radius;
    def.half_extents = (pli_vec3){(float)radius, 0.6f, (float)radius};
    def.pose.rotation = (pli_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    def.friction = 1.0f;
    collide(world, &def, as_mesh);
    pli_deformable cloth = sheet(world, side, 0.8, radius + 2.0 * thickness);
    for (int32_t frame = 0; frame < 2 * FPS; frame++)
        step(world, 1.0 / FPS);
    double height = mean_height(world, cloth);
    pli_world_destroy(world);
    return height;
}

// Half of the sheet hangs on each side, 0.4 m deep: its middle is near 0.2 m below the rod.
static void cloth_hangs_over_a_thin_rod(void **state)
{
    (void)state;
    static const pli_shape shapes[] = {PLI_SHAPE_CAPSULE, PLI_SHAPE_CYLINDER, PLI_SHAPE_BOX, PLI_SHAPE_TAPERED_CAPSULE};
    static const double radii[] = {0.010, 0.005, 0.002};
    static const int32_t sides[] = {16, 31}; // Edges of 53 and 27 mm.
    for (int32_t s = 0; s < COUNT_OF(shapes); s += shortened() ? 3 : 1)
        for (int32_t r = 0; r < COUNT_OF(radii); r++)
            for (int32_t k = 0; k < COUNT_OF(sides); k++) {
                double height = hang_over(shapes[s], radii[r], sides[k], false),
                       expected = hang_over(shapes[s], radii[r], sides[k], true);
                near(height, expected, 0.03, "%s of %g m under %d rows, and as a mesh",
                     pli_choice_name("shape", (int32_t)shapes[s]), radii[r], (int)sides[k]);
                holds(height > -0.25 && height < -0.1, "%s of %g m under %d rows: %g m",
                      pli_choice_name("shape", (int32_t)shapes[s]), radii[r], (int)sides[k], height);
            }
}

// A sheet of 1 m with cells of 0.25 m whose corners are pinned; something comes down 0.6 m in the middle of a cell.
static double lead_through(const pli_collider_def *def, double speed, bool as_mesh)
{
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    world_def.settings.substeps = 20;
    pli_world *world = world_from(&world_def);
    pli_deformable cloth = sheet(world, 5, 1.0, 0.0);
    static const int32_t corners[4] = {0, 4, 20, 24};
    const float zero = 0.0f;
    for (int32_t i = 0; i < 4; i++)
        must(pli_deformable_set_inverse_masses(world, cloth, corners[i], 1, &zero, &problem));
    pli_collider collider = collide(world, def, as_mesh);
    pli_transform pose = def->pose;
    for (double way = 0.0; way < 0.6; way += speed / FPS) {
        pose.position.y -= (float)(speed / FPS);
        must(pli_collider_set_pose(world, collider, pose, &problem));
        step(world, 1.0 / FPS);
    }
    double least = lowest(world, cloth);
    pli_world_destroy(world);
    return least;
}

static void a_small_shape_takes_the_sheet_along(void **state)
{
    (void)state;
    static const pli_shape shapes[] = {PLI_SHAPE_SPHERE, PLI_SHAPE_BOX, PLI_SHAPE_CAPSULE, PLI_SHAPE_CYLINDER};
    for (int32_t s = 0; s < COUNT_OF(shapes); s++) {
        pli_collider_def def = pli_collider_def_default();
        def.shape = shapes[s];
        def.radius = def.half_height = 0.05f;
        def.half_extents = (pli_vec3){0.05f, 0.05f, 0.05f};
        def.pose.position = (pli_vec3){0.10f, 0.3f, 0.16f};
        double least = lead_through(&def, 0.6, false), expected = lead_through(&def, 0.6, true);
        near(least, expected, 0.02, "%s: lowest vertex, and as a mesh", pli_choice_name("shape", (int32_t)shapes[s]));
        holds(least < -0.2, "%s: the sheet is at %g m", pli_choice_name("shape", (int32_t)shapes[s]), least);
    }
}

// A ball of 5 cm at 50 m/s goes 0.83 m in a step, which is more than the sheet and the ball are thick.
static void a_fast_ball_does_not_go_through(void **state)
{
    (void)state;
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    pli_world *world = world_from(&world_def);
    pli_deformable cloth = sheet(world, 5, 1.0, 0.0);
    pli_collider_def def = pli_collider_def_default();
    def.radius = 0.05f;
    def.pose.position = (pli_vec3){0.10f, 0.3f, 0.16f};
    pli_collider ball = collide(world, &def, false);
    pli_transform pose = def.pose;
    for (int32_t frame = 0; frame < 6; frame++) {
        pose.position.y -= 50.0f / FPS;
        must(pli_collider_set_pose(world, ball, pose, &problem));
        step(world, 1.0 / FPS);
        must(pli_collider_pose(world, ball, &pose, &problem));
    }
    holds(lowest(world, cloth) < -1.0, "the sheet is at %g m, and the ball at %g m", lowest(world, cloth),
          (double)pose.position.y);
    pli_world_destroy(world);
}

// The rule looks at pairs: fine cloth beside has the bits that it has alone.
static void fine_cloth_keeps_the_distance(void **state)
{
    (void)state;
    double heights[2];
    for (int32_t beside = 0; beside < 2; beside++) {
        pli_world_def world_def = pli_world_def_default();
        pli_world *world = world_from(&world_def);
        pli_collider_def def = pli_collider_def_default();
        def.radius = 0.05f;
        collide(world, &def, false);
        pli_deformable fine = sheet(world, 21, 0.3, 0.06), coarse = {0};
        if (beside) {
            pli_deformable_def coarse_def = pli_deformable_def_default();
            pli_mesh *mesh;
            must(pli_mesh_create_grid(3, 3, 1.0f, 1.0f, PLI_GRID_ALTERNATING, &mesh, &problem));
            coarse_def.mesh = mesh;
            coarse_def.pose.position.x = 40.0f;
            must(pli_deformable_create(world, &coarse_def, &coarse, &problem));
            pli_mesh_destroy(mesh);
        }
        for (int32_t frame = 0; frame < FPS; frame++)
            step(world, 1.0 / FPS);
        heights[beside] = mean_height(world, fine);
        pli_world_destroy(world);
    }
    near(heights[1], heights[0], 1e-3, "height of the fine sheet");
}

// A state is the same in a fresh world, in which the first step makes the surface anew.
static void a_fresh_world_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    pli_world *worlds[2];
    pli_deformable cloths[2];
    for (int32_t k = 0; k < 2; k++) {
        pli_world_def world_def = pli_world_def_default();
        worlds[k] = world_from(&world_def);
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_CAPSULE, def.radius = 0.01f, def.half_height = 0.6f;
        def.pose.rotation = (pli_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
        collide(worlds[k], &def, false);
        cloths[k] = sheet(worlds[k], 16, 0.8, 0.02);
    }
    for (int32_t frame = 0; frame < 20; frame++)
        step(worlds[0], 1.0 / FPS);
    size_t size = pli_world_snapshot_size(worlds[0]);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(worlds[0], bytes, size, &problem));
    must(pli_world_snapshot_read(worlds[1], bytes, size, &problem));
    free(bytes);
    for (int32_t frame = 0; frame < 20; frame++)
        for (int32_t k = 0; k < 2; k++)
            step(worlds[k], 1.0 / FPS);
    holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "the hashes differ: %g m and %g m",
          mean_height(worlds[0], cloths[0]), mean_height(worlds[1], cloths[1]));
    for (int32_t k = 0; k < 2; k++)
        pli_world_destroy(worlds[k]);
}

// A figure that is pinned by all of its vertices, with balls just below its surface. Cloth that falls on it moves as it does without the
// balls. (Whether vertices deep inside of a ball are counted, scenes/bunny-drape expects.)
static void balls_below_a_pinned_figure_change_nothing(void **state)
{
    (void)state;
    double heights[2];
    for (int32_t with = 0; with < 2; with++) {
        pli_world_def world_def = pli_world_def_default();
        pli_world *world = world_from(&world_def);
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_SPHERE, def.radius = 0.02f;
        for (int32_t k = -1; with && k < 2; k++) {
            def.pose.position = (pli_vec3){0.2f * (float)k, -0.015f, 0.0f};
            collide(world, &def, false);
        }
        pli_deformable figure = sheet(world, 16, 0.8, 0.0), cloth = sheet(world, 16, 0.8, 0.1);
        for (int32_t row = 0; row < 16; row++)
            attach_every(world, figure, 16 * row, 16, 1);
        for (int32_t frame = 0; frame < FPS; frame++) {
            step(world, 1.0 / FPS);
            pli_statistics statistics;
            pli_world_get_statistics(world, &statistics);
            holds(statistics.intersection_count == 0, "%d in frame %d", (int)statistics.intersection_count, (int)frame);
        }
        heights[with] = mean_height(world, cloth);
        pli_world_destroy(world);
    }
    near(heights[1], heights[0], 1e-3, "where it lies");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(cloth_hangs_over_a_thin_rod),
        property(a_small_shape_takes_the_sheet_along),
        property(a_fast_ball_does_not_go_through),
        property(fine_cloth_keeps_the_distance),
        property(a_fresh_world_goes_on_with_the_same_bits),
        property(balls_below_a_pinned_figure_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
