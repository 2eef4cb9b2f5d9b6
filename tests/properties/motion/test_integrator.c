// The order of the integrator in time: closed forms of a pendulum, free fall, a spring and a spinning sheet, the recurrence of BDF2 in
// double, and what a jump must not do.
#include "sheets.h"

static pli_world_def def_of(pli_integrator integrator, int32_t substeps, double gravity)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.integrator = integrator;
    def.settings.substeps = substeps;
    def.settings.gravity.y = (float)-gravity;
    return def;
}

// A particle of 1 kg at `x`, and one at the origin that is fixed.
static pli_deformable bob_at(pli_world *world, vec x)
{
    const float at[9] = {0, 0, 0, (float)x.x, (float)x.y, (float)x.z, 0, 0, 0.01f}, w[3] = {0.0f, 1.0f, 0.0f};
    static const float rest[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const int32_t corners[3] = {0, 1, 2};
    pli_mesh_def mesh_def = pli_mesh_def_default();
    mesh_def.positions = rest, mesh_def.vertex_count = 3, mesh_def.face_vertices = corners, mesh_def.face_count = 1;
    pli_mesh *mesh;
    must(pli_mesh_create(&mesh_def, &mesh, &problem));
    pli_deformable body = deform(world, mesh, at);
    weigh(world, body, w, 3);
    pli_mesh_destroy(mesh);
    return body;
}

static const int32_t link[2] = {0, 1};

// The energy of a pendulum of 1 m and 1 kg after 10 s over that at the start, and its period.
static double pendulum(pli_integrator integrator, bool keep_momentum, double *period)
{
    const double g = 9.81, angle = 0.1;
    pli_world_def def = def_of(integrator, 10, g);
    def.settings.keep_momentum = keep_momentum;
    pli_world *world = world_from(&def);
    pli_deformable bob = bob_at(world, (vec){sin(angle), -cos(angle), 0});
    constrain_list(world, bob, "distance", link, 1);
    double energy = 0.0, last = sin(angle), first_crossing = 0.0, last_crossing = 0.0;
    int32_t crossings = 0;
    for (int32_t i = 0; i < 600; i++) {
        step(world, 1.0 / 60.0);
        const vec x = position_of(world, bob, 1), v = velocity_of(world, bob, 1);
        energy = 0.5 * dot(v, v) + g * (1.0 + x.y);
        if ((x.x < 0.0) != (last < 0.0)) {
            last_crossing = (i + 1 - x.x / (x.x - last)) / 60.0;
            first_crossing = crossings++ ? first_crossing : last_crossing;
        }
        last = x.x;
    }
    *period = 2.0 * (last_crossing - first_crossing) / (crossings - 1);
    pli_world_destroy(world);
    return energy / (g * (1.0 - cos(angle)));
}

static void integrators_have_names(void **state)
{
    (void)state;
    for (int32_t i = 0; i < (int32_t)PLI_INTEGRATOR_COUNT; i++) {
        holds(pli_choice_value("integrator", pli_choice_name("integrator", i)) == i, "integrator %d by its name", i);
    }
    holds(pli_choice_value("integrator", "verlet") == -1, "an integrator that there is not");
}

// Implicit Euler loses h omega^2 t of the energy, unless the angular momentum about the single pivot is kept. The period of this amplitude is (1 + angle^2 / 16) times that of a small one.
static void a_pendulum_keeps_its_energy(void **state)
{
    (void)state;
    const double exact = 2.0 * acos(-1.0) / sqrt(9.81) * (1.0 + 0.01 / 16.0);
    double period, euler = pendulum(PLI_INTEGRATOR_EULER, false, &period);
    near(euler, exp(-9.81 * 10.0 / 600.0), 5e-3, "energy by implicit Euler");
    const double default_energy = pendulum(PLI_INTEGRATOR_EULER, true, &period);
    print_message("pendulum: %.5f by Euler with keep_momentum\n", default_energy);
    near(default_energy, 1.0, 2e-3, "energy by implicit Euler with keep_momentum");
    for (int32_t keep = 0; keep < 2; keep++) {
        const double kept = pendulum(PLI_INTEGRATOR_BDF2, keep, &period);
        print_message("pendulum: %.5f by Euler, %.5f by BDF2, period off by %.2g\n", euler, kept, period / exact - 1.0);
        near(kept, 1.0, 2e-3, "energy by BDF2");
        near(period, exact, 1e-4 * exact, "period by BDF2");
    }
}

// Where a particle is that falls from rest for a second, in 10 steps.
static double fallen(pli_integrator integrator, int32_t substeps)
{
    pli_world_def def = def_of(integrator, substeps, 9.81);
    pli_world *world = world_from(&def);
    pli_deformable bob = bob_at(world, (vec){1, 0, 0});
    for (int32_t i = 0; i < 10; i++)
        step(world, 0.1);
    const double y = position_of(world, bob, 1).y;
    near(velocity_of(world, bob, 1).y, -9.81, 1e-5, "velocity of free fall, %d substeps", substeps);
    pli_world_destroy(world);
    return y + 0.5 * 9.81;
}

// Only the first substep, which has no history, is off: by g h^2 / 2, of which the next ones make 3 / 2 of that. Implicit Euler is off by
// g t h / 2.
static void free_fall_is_of_the_second_order(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= 4; n *= 2) {
        const double h = 0.1 / n, second = fallen(PLI_INTEGRATOR_BDF2, n), first = fallen(PLI_INTEGRATOR_EULER, n);
        near(second, -0.75 * 9.81 * h * h * (1.0 - pow(3.0, -10.0 * n)), 5e-6, "error of BDF2 at %d substeps", n);
        near(first, -0.5 * 9.81 * h, 5e-6, "error of implicit Euler at %d substeps", n);
    }
}

// A mass on a spring against the same recurrence in double, with steps of changing length and a jump of the ratio beyond 2; and its
// phase against the closed form.
static void a_spring_follows_the_recurrence(void **state)
{
    (void)state;
    const double k = 1000.0;
    pli_world_def def = def_of(PLI_INTEGRATOR_BDF2, 10, 0.0);
    pli_world *world = world_from(&def);
    pli_deformable bob = bob_at(world, (vec){1.5, 0, 0});
    tune(world, constrain_list(world, bob, "distance", link, 1), "compliance", 1.0 / k);
    double x = 0.5, v = 0.0, x_before = x, v_before = v, h_before = 0.0, time = 0.0;
    for (int32_t i = 0; i < 120; i++) {
        const float dt = i < 60 ? 1.0f / 60.0f : i == 80 ? 1.0f / 480.0f : (float)((1.0 + 0.5 * sin(i)) / 60.0);
        step(world, (double)dt);
        const double h = (double)dt / 10.0;
        for (int32_t s = 0; s < 10; s++) {
            const double ratio = h_before > 0.0 && h <= 2.0 * h_before ? h / h_before : 0.0;
            const double b = ratio * ratio / (1.0 + 2.0 * ratio), own = h * (1.0 + ratio) / (1.0 + 2.0 * ratio);
            const double y = x + b * (x - x_before), u = v + b * (v - v_before);
            x_before = x, v_before = v, h_before = h;
            x = (y + own * u) / (1.0 + own * own * k), v = (x - y) / own;
        }
        time += (double)dt;
        near(position_of(world, bob, 1).x - 1.0, x, 2e-4, "recurrence at step %d", i);
        near(velocity_of(world, bob, 1).x, v, 2e-2, "velocity at step %d", i);
        if (i < 60) // The phase is late by (omega h)^2 / 3 of itself.
            near(x, 0.5 * cos(sqrt(k) * time), 0.5 * (0.01 + sqrt(k) * time * k * h * h / 3.0), "closed form, step %d",
                 i);
    }
    pli_world_destroy(world);
}

// Kinetic energy that a sheet has left which spins about an axis in its plane at 6 rad/s for 3 s, over that at the start.
static double spun(pli_integrator integrator, double *turns)
{
    pli_world_def def = def_of(integrator, 10, 0.0);
    def.order = PLI_ORDER_COLOURED;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(12, 12, 0.5, PLI_GRID_ALTERNATING);
    pli_deformable body = deform(world, mesh, NULL);
    constrain(world, body, "distance", NULL);
    constrain(world, body, "dihedral", NULL);
    float v[3 * 144];
    for (int32_t i = 0; i < 144; i++) {
        const vec u = cross((vec){0, 6, 0}, position_of(world, body, i));
        v[3 * i] = (float)u.x, v[3 * i + 1] = (float)u.y, v[3 * i + 2] = (float)u.z;
    }
    must(pli_deformable_set_velocities(world, body, 0, 144, v, &problem));
    const pli_statistics before = statistics_of(world);
    for (int32_t i = 0; i < 180; i++)
        step(world, 1.0 / 60.0);
    const pli_statistics after = statistics_of(world);
    *turns = after.angular_momentum[1] / before.angular_momentum[1];
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return after.kinetic_energy / before.kinetic_energy;
}

static void a_spinning_sheet_goes_on(void **state)
{
    (void)state;
    double turns, euler = spun(PLI_INTEGRATOR_EULER, &turns);
    near(turns, 1.0, 1e-5, "angular momentum by implicit Euler");
    const double kept = spun(PLI_INTEGRATOR_BDF2, &turns);
    print_message("spin: %.6f by Euler, %.6f by BDF2, momentum off by %.2g\n", euler, kept, turns - 1.0);
    near(turns, 1.0, 2e-4, "angular momentum by BDF2");
    near(kept, 1.0, 1e-3, "energy of spin by BDF2");
}

// History begins again where the host sets a state: a jump is not gone on with.
static void a_jump_is_no_motion(void **state)
{
    (void)state;
    pli_world_def def = def_of(PLI_INTEGRATOR_BDF2, 4, 0.0);
    pli_world *world = world_from(&def);
    pli_deformable bob = bob_at(world, (vec){1, 0, 0});
    const float there[3] = {2, 0, 0}, fast[3] = {0, 3, 0};
    step(world, 0.1), step(world, 0.1);
    must(pli_deformable_set_positions(world, bob, 1, 1, there, &problem));
    step(world, 0.1), step(world, 0.1);
    near(distance(position_of(world, bob, 1), (vec){2, 0, 0}), 0.0, 0.0, "place where it was put");
    must(pli_deformable_set_velocities(world, bob, 1, 1, fast, &problem));
    step(world, 0.1), step(world, 0.1);
    near(distance(position_of(world, bob, 1), (vec){2, 0.6, 0}), 0.0, 1e-6, "way with the velocity that was set");
    const pli_transform pose = {.position = {5, 0, 0}, .rotation = {0, 0, 0, 1}};
    must(pli_deformable_reset(world, bob, &pose, &problem));
    step(world, 0.1), step(world, 0.1);
    near(distance(position_of(world, bob, 1), (vec){6, 0, 0}), 0.0, 1e-6, "place that it was reset to");
    pli_world_destroy(world);
}

typedef struct watched {
    double most_energy, late_height; // After the first touch: over that at the start, [m].
} watched;

// A sheet that falls 0.3 m on the ground, flat or by a corner. Energy over that of the start, with `at` the height of rest.
static watched dropped(pli_integrator integrator, double degrees, double restitution)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.integrator = integrator;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(9, 9, 0.3, PLI_GRID_ALTERNATING);
    pli_deformable cloth = drop_cloth(world, mesh, pose_turned(degrees, (vec){0, 0, 1}, (vec){0, 0.3, 0}), 0.005, true);
    pli_collider_def floor_def = pli_collider_def_default();
    floor_def.shape = PLI_SHAPE_PLANE, floor_def.restitution = (float)restitution;
    pli_collider floor_plane;
    must(pli_collider_create(world, &floor_def, &floor_plane, &problem));
    watched seen = {0.0, 0.0};
    double start = 0.0;
    for (int32_t i = 0; i < 90; i++) {
        double energy = 0.0, height = 0.0;
        for (int32_t v = 0; v < 81; v++) {
            const vec x = position_of(world, cloth, v), u = velocity_of(world, cloth, v);
            energy += mass_of(world, cloth, v) * (0.5 * dot(u, u) + 9.81 * x.y);
            height = fmax(height, x.y);
        }
        start = i == 0 ? energy : start;
        seen.most_energy = fmax(seen.most_energy, energy / start);
        seen.late_height = i >= 45 ? fmax(seen.late_height, height) : 0.0;
        step(world, 1.0 / 60.0);
    }
    pli_world_destroy(world);
    return seen;
}

static void an_impact_neither_rings_nor_gains(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        const double degrees = i ? 35.0 : 0.0;
        const watched first = dropped(PLI_INTEGRATOR_EULER, degrees, 0.0),
                      second = dropped(PLI_INTEGRATOR_BDF2, degrees, 0.0);
        print_message("drop at %g degrees: height %.4f and %.4f m, energy %.5f and %.5f\n", degrees, first.late_height,
                      second.late_height, first.most_energy, second.most_energy);
        holds(second.most_energy < 1.001, "at %g degrees: energy %g", degrees, second.most_energy);
        holds(second.late_height < first.late_height + 0.002, "at %g degrees: height %g m, %g m by implicit Euler",
              degrees, second.late_height, first.late_height);
    }
    const watched bounced = dropped(PLI_INTEGRATOR_BDF2, 0.0, 0.9);
    holds(bounced.most_energy < 1.001, "bouncing: energy %g", bounced.most_energy);
}

// Motion other than rigid dies away by exp(-damping t), whatever the steps: a sheet without constraints that grows in its plane, which
// has no rigid motion.
static void damping_is_a_rate(void **state)
{
    (void)state;
    static const struct {
        int32_t frames, substeps;
        double rate, near_to;
        pli_integrator integrator;
    } rows[] = {
        {60, 10, 1.2, 1e-5, PLI_INTEGRATOR_EULER}, {30, 10, 1.2, 1e-5, PLI_INTEGRATOR_EULER},
        {60, 1, 1.2, 1e-5, PLI_INTEGRATOR_EULER},  {60, 40, 8.0, 1e-5, PLI_INTEGRATOR_EULER},
        {60, 3, 8.0, 1e-5, PLI_INTEGRATOR_EULER},  {60, 10, 1.2, 1e-5, PLI_INTEGRATOR_BDF2},
        {60, 3, 8.0, 2e-4, PLI_INTEGRATOR_BDF2}, // The error of the second order sets this bar.
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pli_world_def def = def_of(rows[i].integrator, rows[i].substeps, 0.0);
        def.settings.damping = (float)rows[i].rate;
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_QUADS);
        pli_deformable body = deform(world, mesh, NULL);
        float v[75];
        for (int32_t k = 0; k < 25; k++) {
            const vec x = position_of(world, body, k);
            v[3 * k] = (float)x.x, v[3 * k + 1] = (float)x.y, v[3 * k + 2] = (float)x.z;
        }
        must(pli_deformable_set_velocities(world, body, 0, 25, v, &problem));
        for (int32_t k = 0; k < rows[i].frames; k++)
            step(world, 0.5 / rows[i].frames);
        near(length(velocity_of(world, body, 0)) / length(vec_of_floats(v)), exp(-0.5 * rows[i].rate), rows[i].near_to,
             "row %d: what is left after half a second", (int)i);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// A sheet that slides down an incline goes 1/2 g (sin - mu cos) t^2, with contact in every substep, and as far as by implicit Euler.
static void sliding_is_as_before(void **state)
{
    (void)state;
    double ways[2];
    for (int32_t i = 0; i < 2; i++) {
        const double angle = 0.5, mu = 0.3;
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        def.settings.integrator = (pli_integrator)i;
        def.settings.gravity = to_vec3((vec){9.81 * sin(angle), -9.81 * cos(angle), 0});
        pli_world *world = world_from(&def);
        const pli_transform pose = {.position = {0, 0.005f, 0}, .rotation = {0, 0, 0, 1}};
        pli_deformable cloth = drop_cloth(world, mesh_grid(6, 6, 0.3, PLI_GRID_ALTERNATING), pose, 0.005, false);
        ground(world); // Its friction is 0.3.
        const double from = position_of(world, cloth, 14).x;
        for (int32_t k = 0; k < 60; k++)
            step(world, 1.0 / 60.0);
        ways[i] = position_of(world, cloth, 14).x - from;
        near(ways[i], 0.5 * 9.81 * (sin(angle) - mu * cos(angle)), 0.01, "way of integrator %d", i);
        pli_world_destroy(world);
    }
    print_message("sliding: %.5f and %.5f m\n", ways[0], ways[1]);
    near(ways[1], ways[0], 5e-3, "way by BDF2 and by implicit Euler");
}

/* ---- the same bits ------------------------------------------------------------------------------ */

// A curtain that swings in the wind above the ground, touches it, and is moved by its frame.
static pli_world *curtain_world(pli_simd simd, int32_t threads)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.simd = simd;
    def.settings.integrator = PLI_INTEGRATOR_BDF2;
    def.settings.air_density = 1.2f, def.settings.wind = (pli_vec3){2, 0, 1}, def.settings.damping = 0.5f;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(40, 30, 0.8, PLI_GRID_ALTERNATING);
    pli_deformable cloth = drop_cloth(world, mesh, pose_turned(80, (vec){1, 0, 0}, (vec){0, 0.41, 0}), 0.005, true);
    attach_every(world, cloth, 0, 20, 1);
    ground(world);
    return world;
}

static void run_curtain(pli_world *world, int32_t from, int32_t to)
{
    for (int32_t i = from; i < to; i++) {
        const pli_transform pose = {.position = {0.1f * sinf(0.2f * (float)i), 0, 0}, .rotation = {0, 0, 0, 1}};
        must(pli_attachment_set_pose(world, pli_world_attachment_at(world, 0), pose, &problem));
        step(world, i % 7 == 3 ? 1.0 / 90.0 : 1.0 / 60.0);
    }
}

static void bits_depend_on_nothing(void **state)
{
    (void)state;
    enum { FRAMES = 24 };
    uint64_t expected = 0;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        pli_world *world = curtain_world((pli_simd)simd, simd == PLI_SIMD_SCALAR ? 1 : 3);
        run_curtain(world, 0, FRAMES);
        expected = simd == PLI_SIMD_SCALAR ? pli_world_hash(world) : expected;
        holds(pli_world_hash(world) == expected, "%s gives other bits", pli_choice_name("simd", simd));
        pli_world_destroy(world);
    }
    pli_world *world = curtain_world(PLI_SIMD_AUTO, 1), *other = curtain_world(PLI_SIMD_AUTO, 2);
    run_curtain(world, 0, FRAMES / 2);
    size_t size;
    void *bytes = snapshot_of(world, &size);
    pli_world_cancel(world);
    holds(pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_CANCELLED, "a step that is cancelled");
    run_curtain(world, FRAMES / 2, FRAMES);
    holds(pli_world_hash(world) == expected, "a cancelled step changes bits");
    must(pli_world_snapshot_read(other, bytes, size, &problem));
    run_curtain(other, FRAMES / 2, FRAMES);
    holds(pli_world_hash(other) == expected, "a world that a snapshot was read into goes on otherwise");
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    run_curtain(world, FRAMES / 2, FRAMES);
    holds(pli_world_hash(world) == expected, "a world that has gone back goes on otherwise");
    free(bytes);
    pli_world_destroy(world);
    pli_world_destroy(other);
}

// The origin that positions are relative to moves under a motion without touching it.
static void the_origin_may_move(void **state)
{
    (void)state;
    vec ends[2];
    for (int32_t i = 0; i < 2; i++) {
        pli_world_def def = def_of(PLI_INTEGRATOR_BDF2, 10, 9.81);
        def.settings.origin = PLI_ORIGIN_FIXED;
        pli_world *world = world_from(&def);
        pli_deformable bob = bob_at(world, (vec){0.6, -0.8, 0});
        constrain_list(world, bob, "distance", link, 1);
        for (int32_t k = 0; k < 60; k++) {
            const double origin[3] = {3, -2, 1};
            if (i == 1 && k == 30)
                must(pli_world_set_origin(world, origin, &problem));
            step(world, 1.0 / 60.0);
        }
        ends[i] = position_of(world, bob, 1);
        pli_world_destroy(world);
    }
    near(distance(ends[0], ends[1]), 0.0, 1e-4, "way of a pendulum whose origin moves");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(integrators_have_names),
        property(a_pendulum_keeps_its_energy),
        property(free_fall_is_of_the_second_order),
        property(a_spring_follows_the_recurrence),
        property(a_spinning_sheet_goes_on),
        property(a_jump_is_no_motion),
        property(an_impact_neither_rings_nor_gains),
        property(sliding_is_as_before),
        property(damping_is_a_rate),
        property(bits_depend_on_nothing),
        property(the_origin_may_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
