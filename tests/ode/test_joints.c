// Joints, limits and motors against closed forms.
#include "ode_world.h"

static const double pi = 3.14159265358979323846;

static pli_ode_joint join(stage s, pli_ode_joint_def def)
{
    pli_ode_joint joint;
    must(pli_ode_joint_create(s.ode, &def, &joint, &problem));
    return joint;
}

static pli_ode_joint_def joint_of(pli_ode_joint_type type, pli_rigid_body body, pli_vec3 anchor, pli_vec3 axis)
{
    pli_ode_joint_def def = pli_ode_joint_def_default();
    def.type = type;
    def.body = body;
    def.anchor = anchor;
    def.axis = axis;
    return def;
}

// Seconds of a period, from the first two crossings of x = 0 upwards.
static double period_of(stage s, pli_rigid_body body)
{
    double first = 0.0, before = (double)state_of(s, body).pose.position.x;
    for (int i = 1; i < 600; i++) {
        run(s, 1.0 / 60.0);
        double now = (double)state_of(s, body).pose.position.x;
        if (before < 0.0 && now >= 0.0) {
            double time = (i - now / (now - before)) / 60.0;
            if (first > 0.0)
                return time - first;
            first = time;
        }
        before = now;
    }
    return 0.0;
}

// A ball on a rod of length l about an anchor: T = 2 pi sqrt((l^2 + 2/5 r^2) / (g l)), longer by
// 1 + a^2 / 16 for the amplitude a.
static void pendulums_keep_time(void **state)
{
    (void)state;
    const pli_ode_joint_type types[] = {PLI_ODE_BALL, PLI_ODE_HINGE, PLI_ODE_UNIVERSAL};
    for (int i = 0; i < 3; i++) {
        stage s = make_stage(true, 1);
        double angle = 0.2, length = 1.0, radius = 0.1;
        pli_rigid_body body = drop(s, PLI_SHAPE_SPHERE, (float)radius, 2.0f,
                                   at((float)(length * sin(angle)), (float)(-length * cos(angle)), 0));
        join(s, joint_of(types[i], body, (pli_vec3){0, 0, 0}, (pli_vec3){0, 0, 1}));
        double expected = 2.0 * pi * sqrt((length * length + 0.4 * radius * radius) / (9.81 * length));
        expected *= 1.0 + angle * angle / 16.0;
        assert_close(period_of(s, body), expected, 0.01 * expected);
        pli_vec3 p = state_of(s, body).pose.position;
        assert_close(speed_of(p), length, 1e-3);
        pli_world_destroy(s.world);
    }
}

// Two links: the joint between them stays together, and what it does sums to nothing.
static void chains_hold_together(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_rigid_body a = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(-0.15f, 0, 0));
    pli_collider_def ball = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    pli_ode_body_def def = body_of(&ball, 2.0f, at(0.15f, 0, 0));
    def.velocity = (pli_vec3){0, 1, 0.5f};
    pli_rigid_body b = add_body(s, &def);
    pli_ode_joint_def joint = joint_of(PLI_ODE_BALL, a, (pli_vec3){0, 0, 0}, (pli_vec3){0, 0, 1});
    joint.other_body = b;
    join(s, joint);
    run(s, 3.0);
    pli_rigid_state first = state_of(s, a), second = state_of(s, b);
    assert_close((double)first.velocity.y + 2.0 * (double)second.velocity.y, 2.0, 2e-4);
    assert_close((double)first.velocity.z + 2.0 * (double)second.velocity.z, 1.0, 2e-4);
    assert_close((double)first.velocity.x + 2.0 * (double)second.velocity.x, 0.0, 2e-4);
    pli_world_destroy(s.world);
}

static void hinges_turn_at_their_motors_speed(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body body = drop(s, PLI_SHAPE_BOX, 0.1f, 2.0f, at(0, 0, 0));
    pli_ode_joint_def def = joint_of(PLI_ODE_HINGE, body, (pli_vec3){0, 0, 0}, (pli_vec3){0, 2, 0});
    def.motor_speed = 1.5f;
    def.motor_force = 0.01f;
    pli_ode_joint joint = join(s, def);
    // I = 2/3 m a^2 = 0.01333 kg m2: 0.01 N m make 0.75 rad/s2.
    run(s, 1.0);
    assert_close((double)state_of(s, body).angular_velocity.y, 0.75, 0.01);
    run(s, 2.0);
    assert_close((double)state_of(s, body).angular_velocity.y, 1.5, 1e-3);
    float turn, rate;
    must(pli_ode_joint_get_state(s.ode, joint, &turn, &rate, &problem));
    assert_close((double)rate, 1.5, 1e-3);
    // Two seconds of even acceleration and one of even speed: 1.5 + 1.5 rad.
    assert_close((double)turn, 3.0, 0.01);
    must(pli_ode_joint_set_motor(s.ode, joint, -1.0f, 100.0f, &problem));
    run(s, 0.1);
    assert_close((double)state_of(s, body).angular_velocity.y, -1.0, 1e-3);
    pli_world_destroy(s.world);
}

// Torque on one body is there for the other.
static void motors_turn_both_bodies(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_rigid_body a = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0, 0));
    pli_rigid_body b = drop(s, PLI_SHAPE_BOX, 0.1f, 3.0f, at(0, 0.4f, 0));
    pli_ode_joint_def def = joint_of(PLI_ODE_HINGE, a, (pli_vec3){0, 0.2f, 0}, (pli_vec3){0, 1, 0});
    def.other_body = b;
    def.motor_speed = 2.0f;
    def.motor_force = 10.0f;
    pli_ode_joint joint = join(s, def);
    run(s, 1.0);
    float turn, rate;
    must(pli_ode_joint_get_state(s.ode, joint, &turn, &rate, &problem));
    assert_close((double)rate, 2.0, 1e-3);
    assert_close((double)state_of(s, a).angular_velocity.y, 1.5, 1e-3);
    assert_close((double)state_of(s, b).angular_velocity.y, -0.5, 1e-3);
    pli_world_destroy(s.world);
}

static void sliders_move_and_stop(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body body = drop(s, PLI_SHAPE_BOX, 0.1f, 2.0f, at(0, 0, 0));
    pli_ode_joint_def def = joint_of(PLI_ODE_SLIDER, body, (pli_vec3){0, 0, 0}, (pli_vec3){1, 0, 0});
    def.motor_speed = 0.5f;
    def.motor_force = 50.0f;
    def.minimum = -0.1f;
    def.maximum = 0.4f;
    pli_ode_joint joint = join(s, def);
    run(s, 0.5);
    float way, rate;
    must(pli_ode_joint_get_state(s.ode, joint, &way, &rate, &problem));
    assert_close((double)way, 0.25, 5e-3);
    assert_close((double)rate, 0.5, 1e-3);
    assert_close((double)state_of(s, body).pose.position.x, (double)way, 1e-5);
    run(s, 2.0);
    assert_close((double)state_of(s, body).pose.position.x, 0.4, 2e-3);
    assert_close((double)state_of(s, body).pose.position.y, 0.0, 1e-4);
    must(pli_ode_joint_set_motor(s.ode, joint, -0.5f, 50.0f, &problem));
    run(s, 3.0);
    assert_close((double)state_of(s, body).pose.position.x, -0.1, 2e-3);
    pli_world_destroy(s.world);
}

// A rod that falls about a hinge stops at its limit; positive turns are right-handed about the axis.
static void hinges_stop_at_limits(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body body = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0.5f, 0, 0));
    pli_ode_joint_def def = joint_of(PLI_ODE_HINGE, body, (pli_vec3){0, 0, 0}, (pli_vec3){0, 0, 1});
    def.minimum = -0.5f;
    def.maximum = 0.3f;
    pli_ode_joint joint = join(s, def);
    run(s, 3.0);
    float turn, rate;
    must(pli_ode_joint_get_state(s.ode, joint, &turn, &rate, &problem));
    assert_close((double)turn, -0.5, 5e-3);
    assert_close((double)state_of(s, body).pose.position.y, -0.5 * sin(0.5), 5e-3);
    pli_world_destroy(s.world);
}

static void fixed_joints_hold(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body a = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0, 0));
    pli_rigid_body b = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0.5f, 0, 0));
    join(s, joint_of(PLI_ODE_FIXED, a, (pli_vec3){0}, (pli_vec3){0, 1, 0}));
    pli_ode_joint_def def = joint_of(PLI_ODE_FIXED, b, (pli_vec3){0}, (pli_vec3){0, 1, 0});
    def.other_body = a;
    join(s, def);
    run(s, 2.0);
    assert_close((double)state_of(s, a).pose.position.y, 0.0, 1e-3);
    assert_close((double)state_of(s, b).pose.position.y, 0.0, 1e-3);
    assert_close((double)state_of(s, b).pose.position.x, 0.5, 1e-3);
    pli_world_destroy(s.world);
}

static void wrong_joints_are_refused(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body a = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0, 0));
    pli_ode_joint joint = {0};
    pli_ode_joint_def def = joint_of(PLI_ODE_HINGE, a, (pli_vec3){0}, (pli_vec3){0, 0, 0});
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(problem.message, "axis"));
    def = joint_of(PLI_ODE_BALL, (pli_rigid_body){9999, 0}, (pli_vec3){0}, (pli_vec3){0, 0, 1});
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_NOT_FOUND);
    def = joint_of(PLI_ODE_BALL, a, (pli_vec3){0}, (pli_vec3){0, 0, 1});
    def.motor_force = 1.0f;
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = joint_of(PLI_ODE_SLIDER, a, (pli_vec3){0}, (pli_vec3){0, 0, 1});
    def.minimum = 1.0f;
    def.maximum = -1.0f;
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = joint_of(PLI_ODE_UNIVERSAL, a, (pli_vec3){0}, (pli_vec3){1, 0, 0});
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = joint_of(PLI_ODE_FIXED, a, (pli_vec3){0}, (pli_vec3){1, 0, 0});
    def.other_body = a;
    assert_int_equal(pli_ode_joint_create(s.ode, &def, &joint, &problem), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_ode_joint_destroy(s.ode, joint, &problem), PLI_STATUS_NOT_FOUND);
    pli_world_destroy(s.world);
}

// Where three bodies are relative to `from` after some seconds: two links on a joint to the world, and a box on the ground.
static void places_of(pli_vec3 from, double places[3][3], double *restless)
{
    stage s = make_stage(true, 1);
    pli_rigid_body bodies[3];
    double origin[3];
    bodies[0] = drop(s, PLI_SHAPE_SPHERE, 0.1f, 2.0f, at(from.x + 0.5f, from.y + 2.0f, from.z));
    bodies[1] = drop(s, PLI_SHAPE_SPHERE, 0.1f, 1.0f, at(from.x + 1.0f, from.y + 2.0f, from.z));
    bodies[2] = drop(s, PLI_SHAPE_BOX, 0.125f, 1.0f, at(from.x - 2.0f, from.y + 0.125f, from.z));
    join(s, joint_of(PLI_ODE_BALL, bodies[0], (pli_vec3){from.x, from.y + 2.0f, from.z}, (pli_vec3){0, 0, 1}));
    pli_ode_joint_def link = joint_of(PLI_ODE_HINGE, bodies[1], (pli_vec3){from.x + 0.5f, from.y + 2.0f, from.z},
                                      (pli_vec3){0, 0, 1});
    link.other_body = bodies[0];
    join(s, link);
    pli_collider_def floor = shape_of(PLI_SHAPE_PLANE, 1.0f);
    floor.pose = at(from.x, from.y, from.z);
    ground(s, &floor);
    *restless = 0.0;
    for (int32_t frame = 0; frame < 120; frame++) {
        run(s, 1.0 / 60.0);
        if (frame > 30)
            *restless = fmax(*restless, speed_of(state_of(s, bodies[2]).velocity));
    }
    pli_world_get_origin(s.world, origin);
    for (int32_t i = 0; i < 3; i++) {
        pli_rigid_state local;
        must(pli_rigid_body_get_local_state(s.world, bodies[i], &local, &problem));
        places[i][0] = (double)local.pose.position.x + origin[0] - (double)from.x;
        places[i][1] = (double)local.pose.position.y + origin[1] - (double)from.y;
        places[i][2] = (double)local.pose.position.z + origin[2] - (double)from.z;
    }
    pli_world_destroy(s.world);
}

static void joints_far_away_do_what_they_do_near(void **state)
{
    (void)state;
    double near_by[3][3], far_off[3][3], quiet, restless;
    places_of((pli_vec3){0, 0, 0}, near_by, &quiet);
    places_of((pli_vec3){1000.25f, 300.0f, -500.5f}, far_off, &restless);
    for (int32_t i = 0; i < 9; i++)
        assert_close(far_off[i / 3][i % 3], near_by[i / 3][i % 3], 1e-5);
    assert_close(restless, quiet, 1e-4);
}

static void joints_have_names(void **state)
{
    (void)state;
    static const char *const names[PLI_ODE_JOINT_COUNT] = {"ball", "hinge", "slider", "fixed", "universal"};
    for (int i = 0; i < PLI_ODE_JOINT_COUNT; i++)
        assert_string_equal(pli_choice_name("joint", i), names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_have_names),        cmocka_unit_test(pendulums_keep_time),
        cmocka_unit_test(chains_hold_together),     cmocka_unit_test(hinges_turn_at_their_motors_speed),
        cmocka_unit_test(motors_turn_both_bodies),  cmocka_unit_test(sliders_move_and_stop),
        cmocka_unit_test(hinges_stop_at_limits),    cmocka_unit_test(fixed_joints_hold),
        cmocka_unit_test(wrong_joints_are_refused), cmocka_unit_test(joints_far_away_do_what_they_do_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
