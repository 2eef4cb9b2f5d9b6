// Rigid body proxies: both sides feel what touches and ties them, momenta are kept, and hosts read what
// they wrote.
#include "sheets.h"

#include "pliant/rigid.h"

static pli_rigid_body rigid_ball(pli_world *world, double mass, double radius, vec at, vec velocity, vec spin)
{
    double inertia = 0.4 * mass * radius * radius;
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = (float)(1.0 / mass);
    for (int k = 0; k < 3; k++)
        def.inverse_inertia[k] = (float)(1.0 / inertia);
    def.state.pose.position = (pli_vec3){(float)at.x, (float)at.y, (float)at.z};
    def.state.velocity = (pli_vec3){(float)velocity.x, (float)velocity.y, (float)velocity.z};
    def.state.angular_velocity = (pli_vec3){(float)spin.x, (float)spin.y, (float)spin.z};
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    return body;
}

static void carry(pli_world *world, pli_rigid_body body, pli_shape shape, double size)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = shape;
    def.radius = (float)size;
    def.half_height = (float)size;
    def.half_extents = (pli_vec3){(float)size, (float)size, (float)size};
    def.body = body;
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
}

static void tie(pli_world *world, pli_rigid_body body, pli_deformable cloth, const int32_t *particles, int32_t count)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth, def.particles = particles, def.particle_count = count, def.body = body;
    pli_attachment attachment;
    must(pli_attachment_create(world, &def, &attachment, &problem));
}

static vec wide(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

static pli_rigid_state state_of(pli_world *world, pli_rigid_body body)
{
    pli_rigid_state state;
    must(pli_rigid_body_get_state(world, body, &state, &problem));
    return state;
}

typedef struct totals {
    vec linear, angular;
} totals;

static totals momenta(pli_world *world, pli_rigid_body body, double mass, double radius)
{
    pli_statistics s = statistics_of(world);
    pli_rigid_state now = state_of(world, body);
    vec p = scale(wide(now.velocity), mass);
    totals t = {{s.momentum[0], s.momentum[1], s.momentum[2]},
                {s.angular_momentum[0], s.angular_momentum[1], s.angular_momentum[2]}};
    t.linear = add(t.linear, p);
    t.angular = add(t.angular, cross(wide(now.pose.position), p));
    t.angular = add(t.angular, scale(wide(now.angular_velocity), 0.4 * mass * radius * radius));
    return t;
}

static pli_world *weightless(int32_t threads)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.settings.gravity = (pli_vec3){0, 0, 0};
    return world_from(&def);
}

enum { SIDE = 14 };

// A spinning body with a tail tied to it meets a sheet in free flight.
static pli_world *flight(int32_t threads, pli_shape shape, pli_rigid_body *body)
{
    pli_world *world = weightless(threads);
    *body = rigid_ball(world, 0.05, 0.05, (vec){0, 0.2, 0.011}, (vec){0.1, -1.5, 0}, (vec){0, 0, 4});
    carry(world, *body, shape, 0.05);
    drop_cloth(world, mesh_grid(SIDE, SIDE, 0.3, PLI_GRID_ALTERNATING), pli_transform_identity(), 0.004, true);
    pli_deformable tail = drop_cloth(world, mesh_grid(3, 6, 0.05, PLI_GRID_ALTERNATING),
                                     pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 0.38, 0}), 0.004, true);
    const int32_t ends[3] = {15, 16, 17};
    tie(world, *body, tail, ends, 3);
    return world;
}

static void momenta_are_kept_in_free_flight(void **state)
{
    (void)state;
    const pli_shape shapes[3] = {PLI_SHAPE_SPHERE, PLI_SHAPE_BOX, PLI_SHAPE_CAPSULE};
    for (int32_t i = 0; i < 3; i++) {
        pli_rigid_body body;
        pli_world *world = flight(1, shapes[i], &body);
        totals before = momenta(world, body, 0.05, 0.05);
        double size = length(before.linear), turn = length(before.angular);
        int32_t touching = 0;
        for (int32_t frame = 0; frame < 40; frame++) {
            step(world, 1.0 / 60.0);
            touching += statistics_of(world).surface_contact_count > 0;
            totals after = momenta(world, body, 0.05, 0.05);
            holds(length(sub(after.linear, before.linear)) < 1e-4 * size,
                  "%s: linear momentum off by %g of %g at frame %d", pli_choice_name("shape", (int32_t)shapes[i]),
                  length(sub(after.linear, before.linear)), size, (int)frame);
            holds(length(sub(after.angular, before.angular)) < 1e-4 * turn,
                  "%s: angular momentum off by %g of %g at frame %d", pli_choice_name("shape", (int32_t)shapes[i]),
                  length(sub(after.angular, before.angular)), turn, (int)frame);
        }
        vec velocity = wide(state_of(world, body).velocity);
        holds(touching > 1 && length(sub(velocity, (vec){0.1, -1.5, 0})) > 0.5,
              "%s: it touched in %d frames, velocity %g", pli_choice_name("shape", (int32_t)shapes[i]), (int)touching,
              velocity.y);
        pli_world_destroy(world);
    }
}

// A sheet stretched by a fifth lies on a ball as both fly, loose or tied to it by its corners: what the sheet's
// constraints do to itself pushes and turns neither.
static void a_stressed_sheet_on_a_ball_keeps_the_momenta_of_both(void **state)
{
    (void)state;
    for (int32_t tied = 0; tied < 2; tied++) {
        pli_world *world = weightless(1);
        pli_rigid_body body = rigid_ball(world, 0.05, 0.05, (vec){0, 0, 0}, (vec){0.3, 0, 0.2}, (vec){0.5, 2, -1});
        carry(world, body, PLI_SHAPE_SPHERE, 0.05);
        pli_deformable cloth = drop_cloth(world, mesh_grid(SIDE, SIDE, 0.15, PLI_GRID_ALTERNATING),
                                          pose_turned(0.0, (vec){1, 0, 0}, (vec){0, 0.053, 0}), 0.004, true);
        const int32_t corners[4] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
        float positions[3 * SIDE * SIDE], velocities[3 * SIDE * SIDE];
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            vec p = position_of(world, cloth, i);
            p = (vec){1.2 * p.x, p.y - 3.0 * (p.x * p.x + p.z * p.z), 1.2 * p.z};
            vec v = add((vec){0.3, tied ? 0 : -0.1, 0.2}, cross((vec){0.5, 2, -1}, p));
            for (int32_t k = 0; k < 3; k++) {
                positions[3 * i + k] = (float)(k == 0 ? p.x : k == 1 ? p.y : p.z);
                velocities[3 * i + k] = (float)(k == 0 ? v.x : k == 1 ? v.y : v.z);
            }
        }
        must(pli_deformable_set_positions(world, cloth, 0, SIDE * SIDE, positions, &problem));
        must(pli_deformable_set_velocities(world, cloth, 0, SIDE * SIDE, velocities, &problem));
        if (tied)
            tie(world, body, cloth, corners, 4);
        totals before = momenta(world, body, 0.05, 0.05);
        double size = length(before.linear), turn = length(before.angular), worst[2] = {0, 0};
        int32_t touching = 0;
        for (int32_t frame = 0; frame < 60; frame++) {
            step(world, 1.0 / 60.0);
            touching += statistics_of(world).surface_contact_count > 0 || statistics_of(world).contact_count > 0;
            totals after = momenta(world, body, 0.05, 0.05);
            worst[0] = fmax(worst[0], distance(after.linear, before.linear) / size);
            worst[1] = fmax(worst[1], distance(after.angular, before.angular) / turn);
        }
        print_message("%s: %g of linear and %g of angular momentum, touching in %d frames\n", tied ? "tied" : "loose",
                      worst[0], worst[1], touching);
        holds(worst[0] < 1e-5 && worst[1] < 1e-5, "%s: off by %g of linear and %g of angular momentum",
              tied ? "tied" : "loose", worst[0], worst[1]);
        holds(touching > (tied ? 20 : 0), "%s: it touched in %d frames", tied ? "tied" : "loose", touching);
        pli_world_destroy(world);
    }
}

static void threads_agree_on_bodies(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int32_t threads = 1; threads <= 3; threads++) {
        pli_rigid_body body;
        pli_world *world = flight(threads, PLI_SHAPE_BOX, &body);
        for (int32_t frame = 0; frame < 30; frame++)
            step(world, 1.0 / 60.0);
        hashes[threads - 1] = pli_world_hash(world);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1] && hashes[0] == hashes[2], "the states differ by threads");
}

static void a_restored_flight_goes_on_alike(void **state)
{
    (void)state;
    pli_rigid_body bodies[2];
    pli_world *worlds[2] = {flight(1, PLI_SHAPE_BOX, &bodies[0]), flight(1, PLI_SHAPE_BOX, &bodies[1])};
    for (int32_t frame = 0; frame < 12; frame++)
        step(worlds[0], 1.0 / 60.0);
    size_t size = pli_world_snapshot_size(worlds[0]);
    void *buffer = malloc(size);
    must(pli_world_snapshot_write(worlds[0], buffer, size, &problem));
    must(pli_world_snapshot_read(worlds[1], buffer, size, &problem));
    for (int32_t frame = 0; frame < 12; frame++)
        for (int32_t w = 0; w < 2; w++)
            step(worlds[w], 1.0 / 60.0);
    holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "the restored run differs");
    free(buffer);
    pli_world_destroy(worlds[0]);
    pli_world_destroy(worlds[1]);
}

// A sheet held at its border, and a box or ball let go over the middle of one of its two triangles.
static void small_things_do_not_fall_through_large_triangles(void **state)
{
    (void)state;
    const pli_shape shapes[3] = {PLI_SHAPE_BOX, PLI_SHAPE_SPHERE, PLI_SHAPE_CAPSULE};
    for (int32_t i = 0; i < 3; i++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_deformable sheet = drop_cloth(world, mesh_grid(2, 2, 1.0, PLI_GRID_DIAGONAL), pli_transform_identity(),
                                          0.004, false);
        const float still[4] = {0, 0, 0, 0};
        must(pli_deformable_set_inverse_masses(world, sheet, 0, 4, still, &problem));
        pli_rigid_body body = rigid_ball(world, 0.1, 0.03, (vec){0.2, 0.12, 0.1}, (vec){0, 0, 0}, (vec){3, 1, 2});
        carry(world, body, shapes[i], 0.02);
        for (int32_t frame = 0; frame < 150; frame++) {
            pli_rigid_state now = state_of(world, body);
            now.acceleration = (pli_vec3){0, -9.81f, 0};
            must(pli_rigid_body_set_state(world, body, &now, false, &problem));
            step(world, 1.0 / 60.0);
        }
        vec at = wide(state_of(world, body).pose.position);
        holds(at.y > 0.0 && at.y < 0.08, "a %s of 2 cm lies at %g m", pli_choice_name("shape", (int32_t)shapes[i]),
              at.y);
        pli_world_destroy(world);
    }
}

// A body hung by a strip of sixteen rows, `ratio` times as heavy, for four seconds.
typedef struct hanging {
    double way;            // Largest displacement of the body from where it was hung [m].
    double stretch, speed; // At the end.
} hanging;

static hanging hang_body(double ratio, int32_t substeps)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.damping = 21.4f;
    def.settings.substeps = substeps;
    pli_world *world = world_from(&def);
    pli_deformable strip = drop_cloth(world, mesh_grid(4, 16, 0.1, PLI_GRID_ALTERNATING),
                                      pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 1, 0}), 0.004, true);
    double mass = 0.0, top = -1.0, bottom = 1e9;
    int32_t ends[2][4], count = vertex_count_of(world, strip);
    for (int32_t v = 0; v < count; v++) {
        double y = position_of(world, strip, v).y;
        mass += mass_of(world, strip, v);
        top = fmax(top, y), bottom = fmin(bottom, y);
    }
    int32_t found[2] = {0, 0};
    for (int32_t v = 0; v < count; v++) {
        double y = position_of(world, strip, v).y;
        if (y > top - 1e-4)
            ends[0][found[0]++] = v;
        if (y < bottom + 1e-4)
            ends[1][found[1]++] = v;
    }
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = strip, hold.particles = ends[0], hold.particle_count = found[0];
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    pli_rigid_body body = rigid_ball(world, ratio * mass, 0.05, (vec){0, bottom - 0.05, 0}, (vec){0.2, 0, 0.1},
                                     (vec){0, 0, 0});
    tie(world, body, strip, ends[1], found[1]);
    carry(world, body, PLI_SHAPE_SPHERE, 0.03);
    hanging h = {0};
    for (int32_t frame = 0; frame < 240; frame++) {
        pli_rigid_state now = state_of(world, body);
        now.acceleration = (pli_vec3){0, -9.81f, 0};
        must(pli_rigid_body_set_state(world, body, &now, false, &problem));
        step(world, 1.0 / 60.0);
        h.way = fmax(h.way, bottom - 0.05 - (double)state_of(world, body).pose.position.y);
        holds((double)state_of(world, body).pose.position.y < top, "frame %d: it is above", (int)frame);
    }
    h.stretch = statistics_of(world).stretch_max;
    h.speed = length(wide(state_of(world, body).velocity));
    pli_world_destroy(world);
    return h;
}

// Sixteen rows of a sixteen-hundredth of the body's mass each give way under one sweep a substep, by about 2 h^2 g M / m
// a row; they hold all the same.
static void mass_ratios_stay_stable(void **state)
{
    (void)state;
    const double ratios[2] = {100.0, 0.01};
    for (int32_t i = 0; i < 2; i++) {
        hanging h = hang_body(ratios[i], 40);
        holds(h.way < 0.15 && h.stretch < (i == 0 ? 3.0 : 0.1) && h.speed < 1.0,
              "ratio %g: down by %g m, stretch %g, speed %g", ratios[i], h.way, h.stretch, h.speed);
    }
}

// A state written back bit by bit keeps the stored double; a new pose is approached over a step.
static void hosts_read_what_they_wrote(void **state)
{
    (void)state;
    pli_world *world = weightless(1);
    pli_rigid_body body = rigid_ball(world, 1.0, 0.1, (vec){1000, 0, 0}, (vec){1e-5, 0, 0}, (vec){0, 0, 0});
    for (int32_t frame = 0; frame < 600; frame++) {
        pli_rigid_state now = state_of(world, body);
        must(pli_rigid_body_set_state(world, body, &now, false, &problem));
        step(world, 1.0 / 60.0);
    }
    near((double)state_of(world, body).pose.position.x - 1000.0, 1e-4, 3.1e-5, "a way of 0.1 mm at 1 km");
    pli_rigid_state moved = state_of(world, body);
    moved.pose.position = (pli_vec3){1000, 0.5f, 0};
    moved.pose.rotation = (pli_quat){0, 0, 0.70710678f, 0.70710678f};
    moved.velocity = (pli_vec3){0, 0, 0};
    must(pli_rigid_body_set_state(world, body, &moved, false, &problem));
    near((double)state_of(world, body).pose.position.y, 0.0, 1e-12, "it does not jump");
    step(world, 1.0 / 60.0);
    near((double)state_of(world, body).pose.position.y, 0.5, 1e-6, "it is there after the step");
    near((double)state_of(world, body).pose.rotation.z, 0.70710678, 1e-6, "it has turned");
    step(world, 1.0 / 60.0);
    near((double)state_of(world, body).pose.position.y, 0.5, 1e-6, "and stays");
    moved.pose.position.y = 2.0f;
    must(pli_rigid_body_set_state(world, body, &moved, true, &problem));
    near((double)state_of(world, body).pose.position.y, 2.0, 1e-6, "a teleport is at once");
    pli_world_destroy(world);
}

static void the_change_is_what_deformables_did(void **state)
{
    (void)state;
    pli_rigid_body body;
    pli_world *world = flight(1, PLI_SHAPE_SPHERE, &body);
    pli_rigid_state before = state_of(world, body);
    for (int32_t frame = 0; frame < 30; frame++)
        step(world, 1.0 / 60.0);
    pli_rigid_change change, again;
    must(pli_rigid_body_take_change(world, body, &change, &problem));
    must(pli_rigid_body_take_change(world, body, &again, &problem));
    vec expected = sub(wide(state_of(world, body).velocity), wide(before.velocity));
    near(length(sub(wide(change.velocity), expected)), 0.0, 1e-6, "change of velocity");
    near(length(sub(scale(wide(change.impulse), 20.0), wide(change.velocity))), 0.0, 1e-6, "impulse over mass");
    holds(length(expected) > 0.1 && length(wide(again.velocity)) == 0.0, "it was hit, and taken once");
    pli_world_destroy(world);
}

static void bad_bodies_are_refused(void **state)
{
    (void)state;
    pli_world *world = weightless(1);
    pli_rigid_body body;
    for (int32_t i = 0; i < 6; i++) {
        pli_rigid_body_def def = pli_rigid_body_def_default();
        if (i == 0)
            def.inverse_mass = (float)INFINITY; // A mass of zero.
        else if (i == 1)
            def.inverse_mass = -1.0f;
        else if (i == 2)
            def.inverse_inertia[1] = NAN;
        else if (i == 3)
            def.inverse_inertia[3] = 2.0f; // 1 2 / 2 1 has the eigenvalue -1.
        else if (i == 4)
            def.state.velocity.x = NAN;
        else
            def.state.pose.rotation.w = 3.0f;
        holds(pli_rigid_body_create(world, &def, &body, &problem) == PLI_STATUS_INVALID_ARGUMENT && body.id == 0,
              "case %d was taken", (int)i);
        holds(problem.message[0] != 0, "case %d has no message", (int)i);
    }
    pli_collider_def plane = pli_collider_def_default();
    plane.shape = PLI_SHAPE_PLANE;
    pli_collider collider;
    plane.body = rigid_ball(world, 1, 1, (vec){0, 0, 0}, (vec){0, 0, 0}, (vec){0, 0, 0});
    holds(pli_collider_create(world, &plane, &collider, &problem) == PLI_STATUS_UNSUPPORTED, "a carried plane");
    plane.shape = PLI_SHAPE_BOX;
    must(pli_collider_create(world, &plane, &collider, &problem));
    must(pli_rigid_body_destroy(world, plane.body, &problem));
    holds(pli_world_collider_count(world) == 0, "its collider is left");
    holds(pli_collider_create(world, &plane, &collider, &problem) == PLI_STATUS_NOT_FOUND, "a body that is gone");
    pli_world_destroy(world);
}

// A towel of 12 x 24 vertices, 36 g, whose lower row carries a bar for two seconds. Sweeps of its edges leave it 2 to 30 m long.
static double hung_length(double mass, double stiffness)
{
    enum { COLUMNS = 12, ROWS = 24 };
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh;
    must(pli_mesh_create_grid(COLUMNS, ROWS, 0.3f, 0.6f, PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable_def towel = pli_deformable_def_default();
    towel.mesh = mesh;
    towel.pose = pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 0, 0});
    pli_deformable cloth;
    must(pli_deformable_create(world, &towel, &cloth, &problem));
    const pli_constraints set = constrain(world, cloth, "membrane", NULL);
    tune(world, set, "warp", stiffness), tune(world, set, "weft", stiffness);
    int32_t upper[COLUMNS], lower[COLUMNS];
    for (int32_t i = 0; i < COLUMNS; i++)
        upper[i] = i, lower[i] = (ROWS - 1) * COLUMNS + i;
    const bool is_first_above = position_of(world, cloth, 0).y > 0.0;
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = cloth, hold.particles = is_first_above ? upper : lower, hold.particle_count = COLUMNS;
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    pli_rigid_body body = rigid_ball(world, mass, 0.1, (vec){0, -0.3, 0}, (vec){0, 0, 0}, (vec){0, 0, 0});
    tie(world, body, cloth, is_first_above ? lower : upper, COLUMNS);
    double most = 0.0;
    for (int32_t frame = 0; frame < 120; frame++) {
        pli_rigid_state now = state_of(world, body);
        now.acceleration = (pli_vec3){0, -9.81f, 0};
        must(pli_rigid_body_set_state(world, body, &now, false, &problem));
        step(world, 1.0 / 60.0);
        for (int32_t i = 0; i < COLUMNS; i++)
            most = fmax(most, distance(position_of(world, cloth, upper[i]), position_of(world, cloth, lower[i])));
    }
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
    return most;
}

static void a_load_does_not_stretch_the_cloth_that_it_hangs_from(void **state)
{
    (void)state;
    static const double masses[] = {1.0, 5.0, 100.0};
    for (int32_t i = shortened() ? 1 : 0; i < COUNT_OF(masses); i++) {
        // A load that is let go stretches it by up to twice the strain m g / (w Y) of a load at rest.
        const double stiffness = 4e5, strain = masses[i] * 9.81 / (0.3 * stiffness);
        const double length = hung_length(masses[i], stiffness);
        holds(length > 0.6 * (1.0 + 0.9 * strain) && length < 0.6 * (1.0 + 2.0 * strain + 0.01), "%g kg: %g m",
              masses[i], length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(momenta_are_kept_in_free_flight),
        property(threads_agree_on_bodies),
        property(a_stressed_sheet_on_a_ball_keeps_the_momenta_of_both),
        property(a_restored_flight_goes_on_alike),
        property(small_things_do_not_fall_through_large_triangles),
        property(mass_ratios_stay_stable),
        property(a_load_does_not_stretch_the_cloth_that_it_hangs_from),
        property(hosts_read_what_they_wrote),
        property(the_change_is_what_deformables_did),
        property(bad_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
