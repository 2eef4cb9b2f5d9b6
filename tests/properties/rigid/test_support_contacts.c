// Bodies without an engine rest on cloth, whatever they weigh: their host gives gravity alone. What carries them may
// move, may be a body, and may be a mesh; momenta are kept where nothing carries both; threads change nothing.
#include "sheets.h"

#include "pliant/rigid.h"

static const double thickness = 0.005, radius = 0.1;

static pli_world *open_world(int32_t threads, bool gravity)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    if (!gravity)
        def.settings.gravity = (pli_vec3){0, 0, 0};
    return world_from(&def);
}

static pli_rigid_body add_ball(pli_world *world, double mass, vec at, vec velocity, bool falls)
{
    double inertia = 0.4 * mass * radius * radius;
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = (float)(1.0 / mass);
    for (int k = 0; k < 3; k++)
        def.inverse_inertia[k] = (float)(1.0 / inertia);
    def.state.pose.position = (pli_vec3){(float)at.x, (float)at.y, (float)at.z};
    def.state.velocity = (pli_vec3){(float)velocity.x, (float)velocity.y, (float)velocity.z};
    def.state.acceleration.y = falls ? -9.81f : 0.0f;
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = (float)radius, ball.body = body;
    pli_collider collider;
    must(pli_collider_create(world, &ball, &collider, &problem));
    return body;
}

static pli_rigid_state state_of(const pli_world *world, pli_rigid_body body)
{
    pli_rigid_state state;
    must(pli_rigid_body_get_state(world, body, &state, &problem));
    return state;
}

static void add_sheet(pli_world *world, double height)
{
    drop_cloth(world, mesh_grid(11, 11, 0.4, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){1, 0, 0}, (vec){0, height, 0}), thickness, true);
}

static int32_t support_contact_count(const pli_world *world)
{
    int32_t count = -1;
    must(pli_world_support_contacts(world, NULL, 0, &count, &problem));
    return count;
}

static void a_body_without_an_engine_rests_on_cloth(void **state)
{
    (void)state;
    const double masses[3] = {0.05, 2.5, 50.0};
    for (int32_t i = 0; i < 3; i++) {
        pli_world *world = open_world(1, true);
        ground(world);
        add_sheet(world, 0.006);
        pli_rigid_body body = add_ball(world, masses[i], (vec){0.01, 0.2, 0.02}, (vec){0, 0, 0}, true);
        run_clean(world, 50, "a ball on cloth");
        pli_rigid_state at = state_of(world, body);
        double gap = (double)at.pose.position.y - radius;
        holds(fabs(gap - 2.0 * thickness) < 0.02 * thickness, "%g kg: %g mm above the floor, not 10", masses[i],
              1e3 * gap);
        holds(fabs((double)at.velocity.y) < 1e-3, "%g kg: moves by %g m/s", masses[i], (double)at.velocity.y);
        pli_support_contact support_contact;
        int32_t count;
        must(pli_world_support_contacts(world, &support_contact, 1, &count, &problem));
        holds(count > 0 && support_contact.layers == 1 &&
                  fabs((double)support_contact.thickness - 2.0 * thickness) < 1e-6 &&
                  fabs((double)support_contact.distance - gap) < 1e-4 && support_contact.normal.y > 0.99f,
              "%d support contacts, the first of %d layers, %g mm thick at %g mm", count, support_contact.layers,
              1e3 * (double)support_contact.thickness, 1e3 * (double)support_contact.distance);
        pli_world_destroy(world);
    }
}

// A ball that starts in half of the gap comes out and is not thrown: recovery is no velocity.
static void a_ball_that_starts_too_low_comes_out_gently(void **state)
{
    (void)state;
    pli_world *world = open_world(1, true);
    ground(world);
    add_sheet(world, 0.0025);
    pli_rigid_body body = add_ball(world, 10.0, (vec){0.01, radius + thickness, 0.02}, (vec){0, 0, 0}, true);
    double highest = 0.0;
    for (int32_t frame = 0; frame < 30; frame++) {
        run_clean(world, 1, "a ball that starts low");
        highest = fmax(highest, (double)state_of(world, body).pose.position.y - radius);
    }
    double gap = (double)state_of(world, body).pose.position.y - radius;
    holds(fabs(gap - 2.0 * thickness) < 0.02 * thickness, "it ends at %g mm", 1e3 * gap);
    holds(highest < 2.4 * thickness, "it rose to %g mm", 1e3 * highest);
    pli_world_destroy(world);
}

// A floor of triangles that rises under the cloth lifts the ball with it.
static void a_floor_that_rises_lifts_cloth_and_ball(void **state)
{
    (void)state;
    const double speed = 0.3, rise = 0.5;
    pli_world *world = open_world(1, true);
    pli_mesh *slab;
    must(pli_mesh_create_box((pli_vec3){0.8f, 0.1f, 0.8f}, &slab, &problem));
    pli_transform pose = pli_transform_identity();
    pose.position.y = -0.05f;
    pli_collider floor = mesh_collider(world, slab, pose, 0.5);
    add_sheet(world, 0.006);
    pli_rigid_body body = add_ball(world, 25.0, (vec){0.01, 0.115, 0.02}, (vec){0, 0, 0}, true);
    for (int32_t frame = 0; frame < 30; frame++) {
        pose.position.y += (float)(speed / 60.0);
        must(pli_collider_set_pose(world, floor, pose, &problem));
        run_clean(world, 1, "a floor that rises");
    }
    pli_rigid_state at = state_of(world, body);
    double gap = (double)at.pose.position.y - radius - speed * rise;
    holds(fabs(gap - 2.0 * thickness) < 0.05 * thickness, "the ball is %g mm above the floor, not 10", 1e3 * gap);
    holds(fabs((double)at.velocity.y - speed) < 0.01, "it rises at %g m/s", (double)at.velocity.y);
    pli_world_destroy(world);
}

typedef struct totals {
    vec linear, angular;
} totals;

static totals momenta(const pli_world *world, const pli_rigid_body *bodies, double mass)
{
    pli_statistics s = statistics_of(world);
    totals t = {{s.momentum[0], s.momentum[1], s.momentum[2]},
                {s.angular_momentum[0], s.angular_momentum[1], s.angular_momentum[2]}};
    for (int32_t k = 0; k < 2; k++) {
        pli_rigid_state now = state_of(world, bodies[k]);
        const vec at = {(double)now.pose.position.x, (double)now.pose.position.y, (double)now.pose.position.z},
                  p = {mass * (double)now.velocity.x, mass * (double)now.velocity.y, mass * (double)now.velocity.z},
                  spin = {(double)now.angular_velocity.x, (double)now.angular_velocity.y,
                          (double)now.angular_velocity.z};
        t.linear = add(t.linear, p);
        t.angular = add(add(t.angular, cross(at, p)), scale(spin, 0.4 * mass * radius * radius));
    }
    return t;
}

// Two balls of 5 kg meet with a sheet of a few grams between, out of line.
static void two_bodies_with_cloth_between_keep_their_momenta(void **state)
{
    (void)state;
    pli_world *world = open_world(1, false);
    add_sheet(world, 0.0);
    const pli_rigid_body bodies[2] = {
        add_ball(world, 5.0, (vec){0.01, 0.13, 0.02}, (vec){0.1, -0.6, 0}, false),
        add_ball(world, 5.0, (vec){-0.01, -0.13, 0.0}, (vec){0, 0.5, 0.05}, false),
    };
    totals before = momenta(world, bodies, 5.0);
    double size = 5.0 * 0.6, least = INFINITY;
    int32_t borne = 0;
    for (int32_t frame = 0; frame < 40; frame++) {
        run_clean(world, 1, "two balls");
        borne += support_contact_count(world);
        totals after = momenta(world, bodies, 5.0);
        holds(distance(after.linear, before.linear) < 1e-5 * size &&
                  distance(after.angular, before.angular) < 1e-5 * size,
              "frame %d: off by %g of linear and %g of angular momentum", (int)frame,
              distance(after.linear, before.linear), distance(after.angular, before.angular));
        pli_vec3 a = state_of(world, bodies[0]).pose.position, b = state_of(world, bodies[1]).pose.position;
        const vec apart = {(double)(a.x - b.x), (double)(a.y - b.y), (double)(a.z - b.z)};
        least = fmin(least, length(apart));
    }
    holds(borne > 0, "nothing was borne");
    holds(least > 2.0 * radius + 1.5 * thickness, "the balls came within %g mm", 1e3 * (least - 2.0 * radius));
    pli_world_destroy(world);
}

static void threads_agree_on_support_contacts(void **state)
{
    (void)state;
    pli_rigid_state found[2];
    for (int32_t i = 0; i < 2; i++) {
        pli_world *world = open_world(1 + 2 * i, true);
        ground(world);
        add_sheet(world, 0.006), add_sheet(world, 0.012);
        pli_rigid_body body = add_ball(world, 10.0, (vec){0.01, 0.13, 0.02}, (vec){0.2, 0, 0}, true);
        run_clean(world, 20, "a ball on two sheets");
        found[i] = state_of(world, body);
        holds(support_contact_count(world) > 0, "nothing is borne");
        pli_world_destroy(world);
    }
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
}

// The list is one of the last substep: what goes away takes its support contacts with it.
static void support_contacts_end_with_what_they_name(void **state)
{
    (void)state;
    pli_world *world = open_world(1, true);
    pli_collider floor = ground(world);
    add_sheet(world, 0.006);
    pli_rigid_body body = add_ball(world, 10.0, (vec){0, 0.115, 0}, (vec){0, 0, 0}, true);
    assert_int_equal(support_contact_count(world), 0);
    run_clean(world, 10, "a ball on a sheet");
    holds(support_contact_count(world) > 0, "nothing is borne");
    pli_support_contact none;
    int32_t count;
    assert_int_equal(pli_world_support_contacts(world, NULL, 1, &count, &problem), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_world_support_contacts(world, &none, -1, &count, &problem), PLI_STATUS_INVALID_ARGUMENT);
    pli_rigid_state at = state_of(world, body);
    at.pose.position.y = 1.0f;
    must(pli_rigid_body_set_state(world, body, &at, true, &problem));
    assert_int_equal(support_contact_count(world), 0);
    at.pose.position.y = 0.115f, at.velocity.y = 0.0f;
    must(pli_rigid_body_set_state(world, body, &at, true, &problem));
    run_clean(world, 10, "put back");
    holds(support_contact_count(world) > 0, "nothing is borne");
    must(pli_collider_destroy(world, floor, &problem));
    assert_int_equal(support_contact_count(world), 0);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_body_without_an_engine_rests_on_cloth), property(a_ball_that_starts_too_low_comes_out_gently),
        property(a_floor_that_rises_lifts_cloth_and_ball), property(two_bodies_with_cloth_between_keep_their_momenta),
        property(threads_agree_on_support_contacts),       property(support_contacts_end_with_what_they_name),
    };
    return cmocka_run_group_tests_name("support_contacts", tests, NULL, NULL);
}
