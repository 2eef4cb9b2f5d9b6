// Bodies rest on cloth on a floor, whatever their mass: cloth lies in a gap of its own thickness, and load and friction go
// from the body to the floor. Heights are sums of the distances that contacts keep: floor and sheet, sheet and sheet, sheet
// and body, 5 mm each (docs/contact.md); forces are m g.
#include "ode_world.h"

enum { COLUMNS = 12 };
static const float thickness = 0.005f, side = 0.4f, step = 1.0f / 60.0f;

static pli_deformable add_sheet(stage s, float height)
{
    pli_mesh *mesh;
    must(pli_mesh_create_grid(COLUMNS, COLUMNS, side, side, PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.pose = at(0, height, 0), def.thickness = thickness, def.self_collision = true;
    def.density = 0.05f / (side * side); // 50 g.
    pli_deformable cloth;
    must(pli_deformable_create(s.world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    pli_constraints_def edges = pli_constraints_def_default();
    edges.deformable = cloth, edges.type = "distance";
    pli_constraints set;
    must(pli_constraints_create(s.world, &edges, &set, &problem));
    return cloth;
}

static stage floor_with_sheets(int32_t sheets)
{
    stage s = make_stage(true, 1);
    pli_collider_def floor = shape_of(PLI_SHAPE_PLANE, 0.0f);
    ground(s, &floor);
    for (int32_t i = 0; i < sheets; i++)
        add_sheet(s, 0.006f + 0.006f * (float)i);
    return s;
}

static pli_statistics statistics_of(stage s)
{
    pli_statistics statistics;
    pli_world_get_statistics(s.world, &statistics);
    return statistics;
}

// Steps, and fails where anything intersects.
static void run_clean(stage s, double seconds, const char *what)
{
    for (int32_t i = 0; i < (int32_t)lround(seconds * 60.0); i++) {
        must(pli_world_step(s.world, step, &problem));
        pli_statistics now = statistics_of(s);
        if (now.intersection_count > 0 || now.failed_pair_count > 0)
            fail_msg("%s, frame %d: %d intersections, %d pairs given up", what, (int)i, (int)now.intersection_count,
                     (int)now.failed_pair_count);
    }
}

static void expect_rest(stage s, pli_rigid_body body, double height, const char *what)
{
    run_clean(s, 0.2, what);
    double before = (double)state_of(s, body).pose.position.y;
    run_clean(s, 0.2, what);
    double after = (double)state_of(s, body).pose.position.y;
    print_message("%s: %.3f mm above %.3f mm, moves by %.4f mm\n", what, 1e3 * (after - height), 1e3 * height,
                  1e3 * fabs(after - before));
    if (!(fabs(after - height) < 5e-4) || !(fabs(after - before) < 1e-4))
        fail_msg("%s: at %.6f m and before at %.6f, not at %.6f", what, after, before, height);
}

// The ball falls from a quarter of a metre.
static void a_ball_rests_on_cloth_at_any_mass(void **state)
{
    (void)state;
    const float masses[4] = {0.05f, 0.5f, 5.0f, 25.0f};
    for (int32_t i = 0; i < 4; i++) {
        stage s = floor_with_sheets(1);
        pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.1f, masses[i], at(0.02f, 0.35f, 0.01f));
        char what[64];
        snprintf(what, sizeof what, "a ball of %g kg", (double)masses[i]);
        run_clean(s, 0.6, what);
        expect_rest(s, ball, 0.1 + 0.01, what);
        pli_world_destroy(s.world);
    }
}

static void every_shape_rests_on_cloth(void **state)
{
    (void)state;
    const struct {
        pli_shape shape;
        double low; // Height of the body's middle above its lowest point [m], as it lies.
    } shapes[] = {{PLI_SHAPE_BOX, 0.05}, {PLI_SHAPE_CAPSULE, 0.1}, {PLI_SHAPE_CYLINDER, 0.05}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        stage s = floor_with_sheets(1);
        pli_rigid_body body = drop(s, shapes[i].shape, 0.05f, 10.0f, at(0.02f, 0.15f, 0.01f));
        run_clean(s, 0.4, pli_choice_name("shape", (int32_t)shapes[i].shape));
        expect_rest(s, body, shapes[i].low + 0.01, pli_choice_name("shape", (int32_t)shapes[i].shape));
        pli_world_destroy(s.world);
    }
}

static void a_ball_rests_on_a_stack_of_sheets(void **state)
{
    (void)state;
    stage s = floor_with_sheets(4);
    pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.1f, 10.0f, at(0, 0.15f, 0));
    run_clean(s, 0.6, "four sheets");
    expect_rest(s, ball, 0.1 + 5.0 * (double)thickness, "four sheets");
    int32_t count;
    pli_support_contact support_contact;
    must(pli_world_support_contacts(s.world, &support_contact, 1, &count, &problem));
    assert_int_equal(count, 1);
    assert_int_equal(support_contact.layers, 4);
    assert_close((double)support_contact.thickness, 5.0 * (double)thickness, 1e-7);
    assert_close((double)support_contact.normal.y, 1.0, 0.01);
    pli_world_destroy(s.world);
}

// A box on a sheet on a box on a sheet: the upper one weighs five times as much, and friction holds both.
static void boxes_with_cloth_between_stay_stacked(void **state)
{
    (void)state;
    stage s = floor_with_sheets(1);
    pli_rigid_body lower = drop(s, PLI_SHAPE_BOX, 0.08f, 4.0f, at(0, 0.095f, 0));
    add_sheet(s, 0.185f);
    pli_rigid_body upper = drop(s, PLI_SHAPE_BOX, 0.06f, 20.0f, at(0.01f, 0.255f, 0));
    run_clean(s, 1.6, "two boxes");
    expect_rest(s, lower, 0.08 + 0.01, "the lower box");
    expect_rest(s, upper, 0.16 + 0.06 + 0.02, "the upper box");
    assert_close((double)state_of(s, upper).pose.position.x, 0.01, 0.005);
    pli_world_destroy(s.world);
}

// A box slides on a sheet as Coulomb has it, though the sheet could pass on next to nothing of its weight.
static void a_heavy_box_slides_to_a_halt(void **state)
{
    (void)state;
    const double friction = 0.4, speed = 0.8;
    stage s = make_stage(true, 1);
    pli_collider_def floor = shape_of(PLI_SHAPE_PLANE, 0.0f), box = shape_of(PLI_SHAPE_BOX, 0.04f);
    floor.friction = box.friction = (float)friction;
    ground(s, &floor);
    add_sheet(s, 0.006f);
    pli_ode_body_def def = body_of(&box, 25.0f, at(-0.1f, 0.0505f, 0));
    def.velocity.x = (float)speed;
    pli_rigid_body body = add_body(s, &def);
    run_clean(s, 1.0, "a sliding box");
    double way = (double)state_of(s, body).pose.position.x + 0.1, coulomb = speed * speed / (2.0 * friction * 9.81);
    print_message("slid %.2f mm, by Coulomb's law %.2f\n", 1e3 * way, 1e3 * coulomb);
    assert_close(way, coulomb, 0.15 * coulomb);
    assert_close(speed_of(state_of(s, body).velocity), 0.0, 1e-3);
    pli_world_destroy(s.world);
}

// Faster than a gap in a substep: the cloth stays out of the ball, and the ball comes out of the floor.
static void a_fast_ball_ends_on_the_cloth(void **state)
{
    (void)state;
    stage s = floor_with_sheets(1);
    pli_collider_def shape = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    pli_ode_body_def def = body_of(&shape, 25.0f, at(0.02f, 0.35f, 0.01f));
    def.velocity.y = -12.0f;
    pli_rigid_body ball = add_body(s, &def);
    run_clean(s, 1.0, "a fast ball");
    double height = (double)state_of(s, ball).pose.position.y;
    if (!(height > 0.1095 && height < 0.112))
        fail_msg("a fast ball ends at %.4f m", height);
    pli_world_destroy(s.world);
}

typedef struct restored {
    float height[2];
    int32_t support_contacts;
} restored;

// A snapshot in the middle of it goes on to the same bits: engines read support contacts before the first substep.
static void restored_worlds_have_the_support_contacts(void **state)
{
    (void)state;
    restored found[2];
    size_t size = 0;
    unsigned char *bytes = NULL;
    for (int32_t again = 0; again < 2; again++) {
        stage s = floor_with_sheets(2);
        pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.1f, 5.0f, at(0.02f, 0.13f, 0.01f));
        if (again) {
            must(pli_world_snapshot_read(s.world, bytes, size, &problem));
        } else {
            run(s, 0.3);
            size = pli_world_snapshot_size(s.world);
            bytes = malloc(size);
            must(pli_world_snapshot_write(s.world, bytes, size, &problem));
        }
        must(pli_world_support_contacts(s.world, NULL, 0, &found[again].support_contacts, &problem));
        for (int32_t k = 0; k < 2; k++) {
            run(s, 0.1);
            found[again].height[k] = state_of(s, ball).pose.position.x + state_of(s, ball).pose.position.y;
        }
        pli_world_destroy(s.world);
    }
    free(bytes);
    assert_true(found[0].support_contacts > 0);
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
}

static stage sleepy_floor(void)
{
    stage s = floor_with_sheets(2);
    pli_settings settings = pli_world_settings(s.world);
    settings.sleep_speed = 0.01f;
    settings.damping = 5.0f;
    must(pli_world_set_settings(s.world, &settings, &problem));
    return s;
}

static void frames(stage s, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        must(pli_world_step(s.world, step, &problem));
}

static bool all_sleep(stage s)
{
    bool all = true;
    for (int32_t i = 0; i < pli_world_deformable_count(s.world); i++)
        all = all && pli_deformable_is_asleep(s.world, pli_world_deformable_at(s.world, i));
    for (int32_t i = 0; i < pli_world_rigid_body_count(s.world); i++)
        all = all && pli_rigid_body_is_asleep(s.world, pli_world_rigid_body_at(s.world, i));
    return all;
}

static void put_to_sleep(stage s)
{
    for (int32_t i = 0; i < 300 && !all_sleep(s); i++)
        frames(s, 1);
    assert_true(all_sleep(s));
}

// A ball and a box on two sheets: ODE carries their weights, and all sleep together. They stay to the
// bit, and one that comes down on them wakes them in time.
static void bodies_sleep_with_the_cloth_under_them(void **state)
{
    (void)state;
    stage s = sleepy_floor();
    pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.05f, 0.5f, at(0, 0.075f, 0));
    pli_rigid_body box = drop(s, PLI_SHAPE_BOX, 0.04f, 2.0f, at(0.12f, 0.065f, 0.1f));
    put_to_sleep(s);
    const pli_rigid_state before = state_of(s, ball), lies = state_of(s, box);
    const uint64_t hash = pli_world_hash(s.world);
    frames(s, 30);
    pli_rigid_state after = state_of(s, ball);
    assert_memory_equal(&before, &after, sizeof before);
    after = state_of(s, box);
    assert_memory_equal(&lies, &after, sizeof lies);
    assert_true(hash == pli_world_hash(s.world));
    assert_int_equal(statistics_of(s).projection_count, 0);
    assert_close((double)before.pose.position.y, 0.065, 1e-3);
    pli_rigid_body falls = drop(s, PLI_SHAPE_SPHERE, 0.03f, 0.2f, at(0.02f, 0.6f, 0));
    bool woke = false;
    frames(s, 1);
    for (int32_t i = 0; i < 60 && !woke; i++) {
        woke = !pli_rigid_body_is_asleep(s.world, ball);
        assert_true(woke || (double)state_of(s, falls).pose.position.y > 0.14);
        frames(s, 1);
    }
    assert_true(woke && !pli_rigid_body_is_asleep(s.world, box));
    run_clean(s, 1.0, "a ball on sleepers");
    pli_world_destroy(s.world);
}

// The joint holds up what would fall: the world does not know of it, so what is joined stays awake, and falls when it is cut.
static void what_is_joined_stays_awake(void **state)
{
    (void)state;
    stage s = sleepy_floor();
    pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.05f, 0.5f, at(0, 0.5f, 0));
    pli_ode_joint_def hold = pli_ode_joint_def_default();
    hold.type = PLI_ODE_FIXED, hold.body = ball;
    pli_ode_joint joint;
    must(pli_ode_joint_create(s.ode, &hold, &joint, &problem));
    frames(s, 120);
    assert_false(pli_rigid_body_is_asleep(s.world, ball));
    must(pli_ode_joint_destroy(s.ode, joint, &problem));
    frames(s, 20);
    assert_true(state_of(s, ball).pose.position.y < 0.4f);
    pli_world_destroy(s.world);
}

static void sleepers_are_restored_to_the_bit(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t again = 0; again < 2; again++) {
        stage s = sleepy_floor();
        pli_rigid_body ball = drop(s, PLI_SHAPE_SPHERE, 0.05f, 0.5f, at(0, 0.07f, 0));
        int32_t slept = 0;
        hashes[again] = 0;
        for (int32_t i = 0; i < 150; i++) {
            if (i == 130) {
                pli_rigid_state pushed = state_of(s, ball);
                pushed.velocity.x = 0.3f;
                must(pli_rigid_body_set_state(s.world, ball, &pushed, false, &problem));
            }
            if (again) {
                size_t size = pli_world_snapshot_size(s.world);
                void *bytes = malloc(size);
                must(pli_world_snapshot_write(s.world, bytes, size, &problem));
                pli_world_destroy(s.world);
                s = sleepy_floor();
                ball = drop(s, PLI_SHAPE_SPHERE, 0.05f, 0.5f, at(0, 0.07f, 0));
                must(pli_world_snapshot_read(s.world, bytes, size, &problem));
                free(bytes);
            }
            frames(s, 1);
            slept += all_sleep(s);
            hashes[again] = hashes[again] * 31 + pli_world_hash(s.world);
        }
        assert_true(slept > 10 && !all_sleep(s));
        pli_world_destroy(s.world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rests_on_cloth_at_any_mass),
        cmocka_unit_test(every_shape_rests_on_cloth),
        cmocka_unit_test(a_ball_rests_on_a_stack_of_sheets),
        cmocka_unit_test(boxes_with_cloth_between_stay_stacked),
        cmocka_unit_test(a_heavy_box_slides_to_a_halt),
        cmocka_unit_test(a_fast_ball_ends_on_the_cloth),
        cmocka_unit_test(restored_worlds_have_the_support_contacts),
        cmocka_unit_test(bodies_sleep_with_the_cloth_under_them),
        cmocka_unit_test(what_is_joined_stays_awake),
        cmocka_unit_test(sleepers_are_restored_to_the_bit),
    };
    return cmocka_run_group_tests_name("support_contacts", tests, NULL, NULL);
}
