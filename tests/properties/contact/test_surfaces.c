// Contact between surfaces: nothing goes through anything, friction is Coulomb's, and the states are
// the same for any threads.
#include "sheets.h"

static pli_world *folding_sheet(pli_ccd ccd, int32_t threads)
{
    pli_world_def def = contact_world_def(ccd, threads);
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(16, 24, 0.32, PLI_GRID_ALTERNATING),
               pose_turned(86.0, (vec){1, 0, 0}, (vec){0, 0.3, 0}), 0.008, true);
    ground(world);
    return world;
}

static void a_sheet_folds_onto_itself(void **state)
{
    (void)state;
    pli_world *world = folding_sheet(PLI_CCD_ADVANCEMENT, 1);
    int32_t touching = 0;
    for (int32_t frame = 0; frame < 70; frame++) {
        run_clean(world, 1, "folding");
        touching += statistics_of(world).surface_contact_count > 0;
    }
    holds(touching > 5, "it touched itself in %d frames only", (int)touching);
    pli_world_destroy(world);
}

static void sheets_fall_onto_sheets(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 2);
    pli_world *world = world_from(&def);
    for (int32_t i = 0; i < 4; i++)
        drop_cloth(world, mesh_grid(11, 12, 0.3, PLI_GRID_DIAGONAL),
                   pose_turned(25.0 * i, (vec){0, 1, 0}, (vec){0.02 * i, 0.05 + 0.03 * i, 0}), 0.01, true);
    ground(world);
    run_clean(world, 60, "four sheets");
    pli_world_destroy(world);
}

// A ball of triangles rises into a sheet at 2 m/s and turns.
static void a_moving_mesh_carries_a_sheet(void **state)
{
    (void)state;
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(18, 18, 0.5, PLI_GRID_ALTERNATING), pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.3, 0}),
               0.008, true);
    pli_mesh *ball;
    must(pli_mesh_create_sphere(2, 0.15f, &ball, &problem));
    pli_collider collider = mesh_collider(world, ball, pli_transform_identity(), 0.5);
    for (int32_t frame = 0; frame < 50; frame++) {
        double time = frame / 60.0, rise = time < 0.25 ? 2.0 * time : 0.5;
        must(pli_collider_set_pose(world, collider, pose_turned(200.0 * time, (vec){0, 1, 0}, (vec){0, rise, 0}),
                                   &problem));
        run_clean(world, 1, "rising ball");
    }
    pli_world_destroy(world);
}

static void threads_agree_on_contact(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int32_t threads = 1; threads <= 4; threads += shortened() ? 3 : 1) {
        pli_world *world = folding_sheet(PLI_CCD_ADVANCEMENT, threads);
        for (int32_t frame = 0; frame < 40; frame++)
            step(world, 1.0 / 60.0);
        uint64_t hash = pli_world_hash(world);
        expected = threads == 1 ? hash : expected;
        holds(hash == expected, "%d threads", (int)threads);
        pli_world_destroy(world);
    }
}

// A stiff square on a tilted sheet of triangles: it rests, or slides by g (sin a - mu cos a).
static void friction_on_a_slope_is_coulombs(void **state)
{
    (void)state;
    const double gravity = 9.81, slopes[] = {10.0, 16.0, 25.0, 35.0}, friction = 0.3;
    for (int32_t i = 0; i < COUNT_OF(slopes); i++) {
        double angle = slopes[i] * acos(-1.0) / 180.0;
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_transform tilt = pose_turned(slopes[i], (vec){0, 0, 1}, (vec){0, 0, 0});
        mesh_collider(world, mesh_grid(5, 5, 8.0, PLI_GRID_DIAGONAL), tilt, friction);
        vec along = {-cos(angle), -sin(angle), 0.0}, up = {-sin(angle), cos(angle), 0.0};
        pli_transform pose = tilt;
        pose.position = (pli_vec3){(float)(0.0101 * up.x), (float)(0.0101 * up.y), 0.0f};
        pli_deformable cloth = drop_cloth(world, mesh_grid(6, 6, 0.2, PLI_GRID_DIAGONAL), pose, 0.01, false);
        double speeds[2] = {0.0, 0.0};
        for (int32_t frame = 0; frame < 60; frame++) {
            step(world, 1.0 / 60.0);
            for (int32_t half = 0; half < 2; half++)
                if (frame == 29 + 30 * half)
                    for (int32_t v = 0; v < 36; v++)
                        speeds[half] += dot(velocity_of(world, cloth, v), along) / 36.0;
        }
        double pull = gravity * (sin(angle) - friction * cos(angle)), found = (speeds[1] - speeds[0]) / 0.5;
        if (tan(angle) < friction)
            near(speeds[1], 0.0, 1e-3, "speed on a slope of %g degrees", slopes[i]);
        else
            near(found, pull, 0.02 * pull, "acceleration on a slope of %g degrees", slopes[i]);
        pli_world_destroy(world);
    }
}

// The boxes of the broad phase: none before a search, then each vertex lies in one of them, wherever the world's origin is.
static void boxes_hold_the_surface(void **state)
{
    (void)state;
    for (int32_t far = 0; far < 2; far++) {
        pli_world_def world_def = pli_world_def_default();
        world_def.settings.gravity = (pli_vec3){0, 0, 0};
        pli_world *world = world_from(&world_def);
        pli_deformable_def def = pli_deformable_def_default();
        pli_mesh *mesh = mesh_grid(8, 8, 1.0, PLI_GRID_ALTERNATING);
        def.mesh = mesh, def.self_collision = true, def.pose.position.x = far ? 30000.0f : 0.0f;
        pli_deformable cloth, none = {0, 0};
        must(pli_deformable_create(world, &def, &cloth, &problem));
        pli_mesh_destroy(mesh);
        pli_vec3 corners[2 * 100];
        int32_t count = -1;
        must(pli_deformable_boxes(world, cloth, corners, 100, &count, &problem));
        assert_int_equal(count, 0);
        step(world, 0.01);
        must(pli_deformable_boxes(world, cloth, NULL, 0, &count, &problem));
        holds(count >= 2 * 7 * 7 / 8 && count <= 98, "%d boxes of 98 triangles", (int)count);
        must(pli_deformable_boxes(world, cloth, corners, 100, &count, &problem));
        for (int32_t v = 0; v < vertex_count_of(world, cloth); v++) {
            const float *p = pli_view_at(pli_deformable_positions(world, cloth), v);
            bool inside = false;
            for (int32_t i = 0; i < count; i++)
                inside = inside ||
                         (p[0] >= corners[2 * i].x && p[0] <= corners[2 * i + 1].x && p[1] >= corners[2 * i].y &&
                          p[1] <= corners[2 * i + 1].y && p[2] >= corners[2 * i].z && p[2] <= corners[2 * i + 1].z);
            holds(inside, "vertex %d is in no box", (int)v);
        }
        assert_int_equal(pli_deformable_boxes(world, none, corners, 100, &count, &problem), PLI_STATUS_NOT_FOUND);
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_sheet_folds_onto_itself),       property(sheets_fall_onto_sheets),
        property(a_moving_mesh_carries_a_sheet),   property(threads_agree_on_contact),
        property(friction_on_a_slope_is_coulombs), property(boxes_hold_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
