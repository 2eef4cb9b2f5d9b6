// Bodies against closed forms: what they weigh, how they fall, rest, slide, rebound and spin.
#include "ode_world.h"

static const double pi = 3.14159265358979323846;

// Mass and inertia of a shape by counting points of a grid inside it.
typedef bool (*inside)(double x, double y, double z);

static bool in_capsule(double x, double y, double z)
{
    double past = fabs(y) - 0.3;
    return x * x + z * z + (past > 0.0 ? past * past : 0.0) <= 0.2 * 0.2;
}

static bool in_ball(double x, double y, double z) { return x * x + y * y + z * z <= 0.2 * 0.2; }

static bool in_box(double x, double y, double z) { return fabs(x) <= 0.2 && fabs(y) <= 0.1 && fabs(z) <= 0.3; }

static void check_mass(stage s, const pli_collider_def *shape, inside test)
{
    enum { ACROSS = 120 };
    double step = 1.2 / ACROSS, cell = 1000.0 * step * step * step, mass = 0.0, inertia[3] = {0};
    for (int i = 0; i < ACROSS * ACROSS * ACROSS; i++) {
        double x = (i % ACROSS + 0.5) * step - 0.6, y = (i / ACROSS % ACROSS + 0.5) * step - 0.6;
        double z = (i / ACROSS / ACROSS + 0.5) * step - 0.6;
        if (!test(x, y, z))
            continue;
        mass += cell;
        inertia[0] += cell * (y * y + z * z), inertia[1] += cell * (x * x + z * z),
            inertia[2] += cell * (x * x + y * y);
    }
    pli_ode_body_def def = body_of(shape, 0.0f, at(1, 2, 3));
    pli_ode_mass found;
    must(pli_ode_body_get_mass(s.ode, add_body(s, &def), &found, &problem));
    assert_close(found.mass, mass, 0.01 * mass);
    for (int k = 0; k < 3; k++) {
        assert_close(found.inertia[k], inertia[k], 0.015 * inertia[k]);
        assert_close(found.inertia[3 + k], 0.0, 1e-6 * inertia[0]);
    }
}

static void masses_are_those_of_the_solids(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_collider_def capsule = shape_of(PLI_SHAPE_CAPSULE, 0.2f), ball = shape_of(PLI_SHAPE_SPHERE, 0.2f);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 0.2f);
    capsule.half_height = 0.3f;
    box.half_extents = (pli_vec3){0.2f, 0.1f, 0.3f};
    check_mass(s, &capsule, in_capsule);
    check_mass(s, &ball, in_ball);
    check_mass(s, &box, in_box);
    pli_world_destroy(s.world);
}

// Two halves of a box are the box.
static void shapes_add_up(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_collider_def whole = shape_of(PLI_SHAPE_BOX, 0.2f), halves[2] = {whole, whole};
    pli_transform off = turned(at(0.3f, -0.1f, 0.5f), (pli_vec3){0.6f, 0.0f, 0.8f}, 0.7);
    whole.half_extents = (pli_vec3){0.4f, 0.2f, 0.2f};
    whole.pose = off;
    for (int i = 0; i < 2; i++) {
        double side = i ? 0.2 : -0.2, c = cos(0.7), k = 1.0 - c; // The first column of the rotation, scaled.
        halves[i].pose.rotation = off.rotation;
        halves[i].pose.position = (pli_vec3){off.position.x + (float)(side * (c + 0.36 * k)),
                                             off.position.y + (float)(side * 0.8 * sin(0.7)),
                                             off.position.z + (float)(side * 0.48 * k)};
    }
    pli_ode_body_def one = body_of(&whole, 0.0f, at(0, 0, 0)), two = body_of(halves, 0.0f, at(9, 0, 0));
    two.shape_count = 2;
    pli_ode_mass a, b;
    must(pli_ode_body_get_mass(s.ode, add_body(s, &one), &a, &problem));
    must(pli_ode_body_get_mass(s.ode, add_body(s, &two), &b, &problem));
    assert_close(a.mass, 1000.0 * 0.8 * 0.4 * 0.4, 0.01);
    assert_close(b.mass, a.mass, 1e-6 * a.mass);
    for (int k = 0; k < 3; k++)
        assert_close(b.centre[k], a.centre[k], 1e-6);
    for (int k = 0; k < 6; k++)
        assert_close(b.inertia[k], a.inertia[k], 1e-5 * a.inertia[0]);
    pli_world_destroy(s.world);
}

// Programs compiled with older headers have shorter colliders, which follow one another in their own size.
static void shapes_of_older_callers_add_up(void **state)
{
    (void)state;
    enum { SIZE = offsetof(pli_collider_def, top_radius) };
    stage s = make_stage(false, 1);
    pli_collider_def balls[2] = {shape_of(PLI_SHAPE_SPHERE, 0.2f), shape_of(PLI_SHAPE_SPHERE, 0.1f)};
    pli_ode_body_def here = body_of(balls, 0.0f, at(0, 0, 0));
    here.shape_count = 2;
    pli_ode_body_def there = here;
    char *older = malloc(2 * SIZE);
    for (size_t i = 0; i < 2; i++) {
        const uint32_t size = SIZE;
        memcpy(older + i * SIZE, &balls[i], SIZE);
        memcpy(older + i * SIZE, &size, sizeof size);
    }
    there.shapes = (const pli_collider_def *)(const void *)older;
    pli_ode_mass expected, found;
    must(pli_ode_body_get_mass(s.ode, add_body(s, &here), &expected, &problem));
    must(pli_ode_body_get_mass(s.ode, add_body(s, &there), &found, &problem));
    assert_close(found.mass, expected.mass, 0.0);
    free(older);
    pli_world_destroy(s.world);
}

static void bodies_fall(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_rigid_body body = drop(s, PLI_SHAPE_BOX, 0.1f, 3.0f, at(1, 10, 2));
    run(s, 1.0);
    pli_rigid_state now = state_of(s, body);
    assert_close((double)now.velocity.y, -9.81, 1e-3);
    // Velocities lead by one substep: y = 10 - g (t^2 + t h) / 2.
    assert_close((double)now.pose.position.y, 10.0 - 0.5 * 9.81 * (1.0 + 1.0 / 600.0), 1e-3);
    assert_close((double)now.pose.position.x, 1.0, 1e-6);
    pli_world_destroy(s.world);
}

// Angular momentum and energy of a body that spins freely about no axis of its own.
static void spin_keeps_its_momentum(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 0.1f);
    box.half_extents = (pli_vec3){0.1f, 0.2f, 0.4f};
    pli_ode_body_def def = body_of(&box, 2.0f, at(0, 0, 0));
    def.angular_velocity = (pli_vec3){0.3f, 6.0f, 0.2f};
    pli_rigid_body body = add_body(s, &def);
    pli_ode_mass mass;
    must(pli_ode_body_get_mass(s.ode, body, &mass, &problem));
    double before[3] = {mass.inertia[0] * 0.3, mass.inertia[1] * 6.0, mass.inertia[2] * 0.2}, most = 0.0;
    for (int i = 0; i < 300; i++) {
        run(s, 1.0 / 60.0);
        pli_rigid_state now = state_of(s, body);
        const double q[4] = {(double)now.pose.rotation.x, (double)now.pose.rotation.y, (double)now.pose.rotation.z,
                             (double)now.pose.rotation.w};
        const double w[3] = {(double)now.angular_velocity.x, (double)now.angular_velocity.y,
                             (double)now.angular_velocity.z};
        double r[3][3], local[3] = {0};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const int c = 3 - a - b;
                double odd = a == b ? 0.0 : ((b - a + 3) % 3 == 1 ? -1.0 : 1.0) * 2.0 * q[3] * q[a == b ? 0 : c];
                r[a][b] = 2.0 * q[a] * q[b] + odd + (a == b ? 2.0 * q[3] * q[3] - 1.0 : 0.0);
            }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                local[b] += r[a][b] * w[a];
        for (int a = 0; a < 3; a++) {
            double momentum = 0.0;
            for (int b = 0; b < 3; b++)
                momentum += r[a][b] * mass.inertia[b] * local[b];
            most = fmax(most, fabs(momentum - before[a]));
        }
    }
    assert_close(most, 0.0, 1e-4 * before[1]);
    // About the middle axis the spin turns over: it is not merely constant.
    pli_world_destroy(s.world);
}

static void rest_on(stage s, pli_rigid_body body, double height)
{
    run(s, 1.0);
    pli_rigid_state before = state_of(s, body);
    run(s, 4.0);
    pli_rigid_state after = state_of(s, body);
    assert_close((double)after.pose.position.y, height, 1e-3);
    assert_close((double)after.pose.position.x, (double)before.pose.position.x, 2e-5);
    assert_close((double)after.pose.position.z, (double)before.pose.position.z, 2e-5);
    assert_close(speed_of(after.velocity), 0.0, 1e-4);
    assert_close(speed_of(after.angular_velocity), 0.0, 1e-3);
}

static void boxes_rest_without_creep(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 1.0f);
    box.pose = at(0, -1, 0);
    ground(s, &box);
    rest_on(s, drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0.2f, 0.101f, 0.1f)), 0.1);
    pli_world_destroy(s.world);
    s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f);
    ground(s, &plane);
    rest_on(s, drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0.2f, 0.1f, 0.1f)), 0.1);
    pli_world_destroy(s.world);
}

static void towers_stand(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f);
    ground(s, &plane);
    pli_rigid_body top = {0};
    for (int i = 0; i < 5; i++)
        top = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0.1f + 0.2f * (float)i, 0));
    rest_on(s, top, 0.9);
    pli_world_destroy(s.world);
}

// A capsule's axis is y: laid down it rests at its radius, and stands at radius + half height.
static void capsules_lie_along_y(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f), capsule = shape_of(PLI_SHAPE_CAPSULE, 0.1f);
    ground(s, &plane);
    capsule.half_height = 0.3f;
    pli_ode_body_def lying = body_of(&capsule, 1.0f, turned(at(0, 0.1f, 0), (pli_vec3){1, 0, 0}, 0.5 * pi));
    pli_ode_body_def standing = body_of(&capsule, 1.0f, at(3, 0.4f, 0));
    pli_rigid_body a = add_body(s, &lying), b = add_body(s, &standing);
    run(s, 0.2);
    assert_close((double)state_of(s, b).pose.position.y, 0.4, 1e-3);
    run(s, 1.0);
    assert_close((double)state_of(s, a).pose.position.y, 0.1, 1e-3);
    pli_world_destroy(s.world);
}

// tan a < mu sticks; otherwise the acceleration is g (sin a - mu cos a).
static void boxes_slide_by_coulomb(void **state)
{
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        stage s = make_stage(true, 1);
        double angle = 0.5, friction = slides ? 0.3 : 0.6;
        pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f), box = shape_of(PLI_SHAPE_BOX, 0.1f);
        plane.pose = turned(at(0, 0, 0), (pli_vec3){0, 0, 1}, -angle);
        plane.friction = box.friction = (float)friction;
        ground(s, &plane);
        pli_ode_body_def def = body_of(&box, 2.0f, plane.pose);
        def.pose.position = (pli_vec3){(float)(0.1 * sin(angle)), (float)(0.1 * cos(angle)), 0};
        pli_rigid_body body = add_body(s, &def);
        run(s, 0.5);
        double first = speed_of(state_of(s, body).velocity);
        run(s, 1.0);
        double gained = speed_of(state_of(s, body).velocity) - first;
        double expected = slides ? 9.81 * (sin(angle) - friction * cos(angle)) : 0.0;
        assert_close(gained, expected, slides ? 0.02 * expected : 1e-4);
        pli_world_destroy(s.world);
    }
}

static void balls_rebound(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f), ball = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    ground(s, &plane);
    ball.restitution = 0.8f;
    pli_ode_body_def def = body_of(&ball, 1.0f, at(0, 1.1f, 0));
    pli_rigid_body body = add_body(s, &def);
    double highest = 0.0;
    for (int i = 0; i < 60; i++) {
        run(s, 1.0 / 60.0);
        if (i > 35 && (double)state_of(s, body).pose.position.y > highest)
            highest = (double)state_of(s, body).pose.position.y;
    }
    assert_close(highest, 0.1 + 0.64, 0.03);
    pli_world_destroy(s.world);
}

// Two bodies that meet keep their momenta, linear and angular.
static void collisions_keep_momentum(void **state)
{
    (void)state;
    stage s = make_stage(false, 1);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 0.1f), ball = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    pli_ode_body_def a = body_of(&box, 3.0f, turned(at(0, 0, 0), (pli_vec3){0.6f, 0.0f, 0.8f}, 0.6));
    pli_ode_body_def b = body_of(&ball, 1.0f, at(0.5f, 0.05f, 0.02f));
    b.velocity = (pli_vec3){-2, 0, 0};
    pli_rigid_body bodies[2] = {add_body(s, &a), add_body(s, &b)};
    run(s, 1.0);
    pli_rigid_state now[2] = {state_of(s, bodies[0]), state_of(s, bodies[1])};
    assert_true(speed_of(now[0].velocity) > 0.1);
    assert_true(speed_of(now[0].angular_velocity) > 0.1);
    assert_close(3.0 * (double)now[0].velocity.x + (double)now[1].velocity.x, -2.0, 1e-4);
    assert_close(3.0 * (double)now[0].velocity.y + (double)now[1].velocity.y, 0.0, 1e-4);
    assert_close(3.0 * (double)now[0].velocity.z + (double)now[1].velocity.z, 0.0, 1e-4);
    // A cube's inertia is a multiple of the identity.
    pli_ode_mass mass[2];
    double z = 0.0;
    for (int i = 0; i < 2; i++) {
        must(pli_ode_body_get_mass(s.ode, bodies[i], &mass[i], &problem));
        const pli_vec3 p = now[i].pose.position, v = now[i].velocity;
        z += mass[i].mass * ((double)p.x * (double)v.y - (double)p.y * (double)v.x);
        z += mass[i].inertia[2] * (double)now[i].angular_velocity.z;
    }
    assert_close(z, 0.05 * 2.0, 2e-4);
    pli_world_destroy(s.world);
}

static void layers_keep_apart(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f), ball = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    ground(s, &plane);
    ball.mask = 2;
    pli_ode_body_def def = body_of(&ball, 1.0f, at(0, 0.2f, 0));
    pli_rigid_body body = add_body(s, &def);
    run(s, 1.0);
    assert_true(state_of(s, body).pose.position.y < -3.0f);
    pli_world_destroy(s.world);
}

// A fixed body moves with its velocities alone, and carries what lies on it.
static void fixed_bodies_carry(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 0.5f);
    pli_ode_body_def belt = body_of(&box, 0.0f, at(0, -0.5f, 0));
    belt.fixed = true;
    belt.velocity = (pli_vec3){0.3f, 0, 0};
    pli_rigid_body a = add_body(s, &belt), b = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0.1f, 0));
    run(s, 1.0);
    assert_close((double)state_of(s, a).pose.position.x, 0.3, 1e-4);
    assert_close((double)state_of(s, a).pose.position.y, -0.5, 1e-5);
    assert_close((double)state_of(s, b).velocity.x, 0.3, 1e-3);
    pli_world_destroy(s.world);
}

static void wrong_bodies_are_refused(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f), ball = shape_of(PLI_SHAPE_SPHERE, 0.1f);
    pli_rigid_body body = {0};
    pli_ode_body_def def = body_of(&plane, 1.0f, at(0, 0, 0));
    assert_int_equal(pli_ode_body_create(s.ode, &def, &body, &problem), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(problem.message, "plane"));
    def = body_of(&ball, -1.0f, at(0, 0, 0));
    assert_int_equal(pli_ode_body_create(s.ode, &def, &body, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = body_of(&ball, 0.0f, at(0, 0, 0));
    def.density = 0.0f;
    assert_int_equal(pli_ode_body_create(s.ode, &def, &body, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = body_of(&ball, 1.0f, at(0, 0, 0));
    def.shape_count = 0;
    assert_int_equal(pli_ode_body_create(s.ode, &def, &body, &problem), PLI_STATUS_INVALID_ARGUMENT);
    def = body_of(&ball, 1.0f, at(0, NAN, 0));
    assert_int_not_equal(pli_ode_body_create(s.ode, &def, &body, &problem), PLI_STATUS_OK);
    assert_int_equal(pli_world_rigid_body_count(s.world), 0);
    assert_int_equal(pli_world_collider_count(s.world), 0);
    pli_world_destroy(s.world);
}

// Bodies and their colliders come and go.
static void bodies_are_destroyed(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def plane = shape_of(PLI_SHAPE_PLANE, 1.0f);
    pli_collider floor = ground(s, &plane);
    pli_rigid_body a = drop(s, PLI_SHAPE_BOX, 0.1f, 1.0f, at(0, 0.1f, 0));
    pli_rigid_body b = drop(s, PLI_SHAPE_SPHERE, 0.1f, 1.0f, at(0, 0.3f, 0));
    run(s, 0.1);
    must(pli_ode_body_destroy(s.ode, a, &problem));
    assert_int_equal(pli_ode_body_destroy(s.ode, a, &problem), PLI_STATUS_NOT_FOUND);
    assert_int_equal(pli_world_rigid_body_count(s.world), 1);
    assert_int_equal(pli_world_collider_count(s.world), 2);
    run(s, 1.0);
    assert_close((double)state_of(s, b).pose.position.y, 0.1, 1e-3);
    must(pli_collider_destroy(s.world, floor, &problem));
    run(s, 1.0);
    assert_true(state_of(s, b).pose.position.y < -3.0f);
    pli_world_destroy(s.world);
}

// The world may destroy a proxy without asking the adapter: nothing is left for others to lie on.
static void bodies_go_with_their_proxies(void **state)
{
    (void)state;
    stage s = make_stage(true, 1);
    pli_collider_def box = shape_of(PLI_SHAPE_BOX, 0.1f);
    pli_ode_body_def fixed = body_of(&box, 1.0f, at(0, 0, 0));
    fixed.fixed = true;
    pli_rigid_body shelf = add_body(s, &fixed), ball = drop(s, PLI_SHAPE_SPHERE, 0.1f, 1.0f, at(0, 0.2f, 0));
    pli_ode_mass mass;
    run(s, 0.5);
    assert_close((double)state_of(s, ball).pose.position.y, 0.2, 1e-3);
    must(pli_rigid_body_destroy(s.world, shelf, &problem));
    run(s, 0.5);
    assert_true(state_of(s, ball).pose.position.y < -0.5f);
    assert_int_equal(pli_ode_body_get_mass(s.ode, shelf, &mass, &problem), PLI_STATUS_NOT_FOUND);
    must(pli_rigid_body_destroy(s.world, ball, &problem));
    run(s, 0.1);
    pli_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_are_those_of_the_solids),
        cmocka_unit_test(shapes_add_up),
        cmocka_unit_test(shapes_of_older_callers_add_up),
        cmocka_unit_test(bodies_fall),
        cmocka_unit_test(spin_keeps_its_momentum),
        cmocka_unit_test(boxes_rest_without_creep),
        cmocka_unit_test(towers_stand),
        cmocka_unit_test(capsules_lie_along_y),
        cmocka_unit_test(boxes_slide_by_coulomb),
        cmocka_unit_test(balls_rebound),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(layers_keep_apart),
        cmocka_unit_test(fixed_bodies_carry),
        cmocka_unit_test(wrong_bodies_are_refused),
        cmocka_unit_test(bodies_are_destroyed),
        cmocka_unit_test(bodies_go_with_their_proxies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
