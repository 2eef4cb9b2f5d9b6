// External forces and attachments: free fall as symplectic Euler does it, wind, user forces, frames
// that hold or pull particles.
#include "samples.h"
#include "worlds.h"

static void free_fall_is_symplectic_euler(void **state)
{
    (void)state;
    const int32_t substeps[] = {1, 7, 20};
    for (int32_t kept = 0; kept < 2; kept++) {
        for (int32_t s = 0; s < 3; s++) {
            pli_world_def def = plain_world_def(s % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD);
            def.settings.keep_momentum = kept;
            def.settings.substeps = substeps[s];
            // Without its ghosts the cloth falls at the defaults as it should; with them, the algorithm is as printed, in
            // one sweep, since each further projection rounds once more.
            if (!kept)
                def.settings.sweeps = PLI_SWEEPS_FORWARD;
            def.settings.gravity = (pli_vec3){0.3f, -9.81f, -0.5f};
            pli_world *world = world_from(&def);
            pli_mesh *mesh = mesh_hilly(4);
            pli_deformable body = deform(world, mesh, NULL);
            constrain(world, body, "distance", NULL);
            vec start[16], g = {(double)0.3f, (double)-9.81f, -0.5};
            for (int32_t i = 0; i < 16; i++)
                start[i] = position_of(world, body, i);
            double h = (double)(float)(1.0 / 60.0) / substeps[s];
            for (int32_t frame = 1; frame <= 30; frame++) {
                step(world, 1.0 / 60.0);
                double n = (double)frame * substeps[s];
                // v_n = n h g and x_n = x_0 + h (v_1 + ... + v_n).
                vec fallen = scale(g, h * h * n * (n + 1.0) / 2.0);
                vec drift = {0, 0, 0};
                for (int32_t i = 0; i < 16; i++) {
                    vec error = sub(position_of(world, body, i), add(start[i], fallen));
                    near(length(error), 0.0, 3e-4, "%d substeps, frame %d, particle %d", substeps[s], frame, i);
                    drift = add(drift, scale(error, 1.0 / 16.0));
                    near(distance(velocity_of(world, body, i), scale(g, n * h)), 0.0, 5e-3, "velocity");
                }
                // Positions of 1 to 2 m round to 1.2e-7 m in each substep, all the same way.
                near(length(drift), 0.0, 2e-6 + 1.2e-7 * n, "%d substeps, frame %d: mean", substeps[s], frame);
            }
            near(pli_world_time(world), 0.5, 1e-6, "time");
            pli_world_destroy(world);
            pli_mesh_destroy(mesh);
        }
    }
}

static vec mean_velocity(const pli_world *world, pli_deformable body)
{
    vec sum = {0, 0, 0};
    int32_t count = vertex_count_of(world, body);
    for (int32_t i = 0; i < count; i++)
        sum = add(sum, velocity_of(world, body, i));
    return scale(sum, 1.0 / count);
}

static pli_world *windy(double density, vec wind, double gravity, bool upright, pli_deformable *body)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = 10;
    def.settings.air_density = (float)density;
    def.settings.wind = to_vec3(wind);
    def.settings.gravity = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(8, 8, 1.0, PLI_GRID_DIAGONAL);
    pli_deformable_def body_def = pli_deformable_def_default();
    body_def.mesh = mesh;
    if (upright)
        body_def.pose.rotation = quat_about((vec){1, 0, 0}, 1.5707963);
    must(pli_deformable_create(world, &body_def, body, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *body, "distance", NULL);
    constrain(world, *body, "isometric", NULL);
    return world;
}

static void no_air_is_no_wind(void **state)
{
    (void)state;
    pli_deformable body;
    pli_world *world = windy(0.0, (vec){10, 3, -5}, 0.0, true, &body);
    step(world, 1.0 / 60.0);
    near(length(mean_velocity(world, body)), 0.0, 1e-4, "speed in a vacuum with wind");
    pli_world_destroy(world);
}

// The sheet faces the wind: it is blown along and never gets faster than the air.
static void wind_carries_along(void **state)
{
    (void)state;
    pli_deformable body;
    vec wind = {0.0, 0.0, 4.0};
    pli_world *world = windy(1.2, wind, 0.0, true, &body);
    double before = 0.0;
    for (int32_t frame = 0; frame < 300; frame++) {
        step(world, 1.0 / 60.0);
        vec v = mean_velocity(world, body);
        // Flapping sheds a little.
        holds(v.z >= before - 0.02 && v.z <= 4.0 + 1e-3, "frame %d: %g m/s after %g", frame, v.z, before);
        near(hypot(v.x, v.y), 0.0, 0.05, "frame %d: speed across the wind", frame);
        before = v.z;
    }
    holds(before > 3.0, "speed after 5 s: %g", before);
    pli_world_destroy(world);
}

// Falling flat in still air: gravity against drag; the terminal speed goes with 1/sqrt(density).
static void still_air_brakes(void **state)
{
    (void)state;
    double speeds[2];
    for (int32_t i = 0; i < 2; i++) {
        pli_deformable body;
        pli_world *world = windy(i ? 4.8 : 1.2, (vec){0, 0, 0}, 9.81, false, &body);
        for (int32_t frame = 0; frame < 240; frame++)
            step(world, 1.0 / 60.0);
        speeds[i] = -mean_velocity(world, body).y;
        pli_world_destroy(world);
    }
    // m g = (c/2) rho A v^2 with m/A = 0.2 kg/m2 and a drag coefficient of the order of one.
    holds(speeds[0] > 0.7 && speeds[0] < 4.0, "terminal speed %g m/s", speeds[0]);
    near(speeds[0] / speeds[1], 2.0, 0.05, "terminal speeds %g and %g at densities 1 : 4", speeds[0], speeds[1]);
}

static void forces_act_for_one_step(void **state)
{
    (void)state;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = 8;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_hilly(4);
    pli_deformable body = deform(world, mesh, NULL);
    vec force = {0.02, -0.01, 0.03};
    must(pli_deformable_add_force(world, body, 5, to_vec3(force), &problem));
    must(pli_deformable_add_force(world, body, 5, to_vec3(force), &problem));
    step(world, 0.1);
    vec expected = scale(force, 2.0 * 0.1 / mass_of(world, body, 5));
    near(distance(velocity_of(world, body, 5), expected), 0.0, 1e-5 * length(expected), "dv = F dt / m");
    step(world, 0.1);
    near(distance(velocity_of(world, body, 5), expected), 0.0, 1e-4 * length(expected), "nothing in the next step");
    for (int32_t i = 0; i < 16; i++)
        if (i != 5)
            near(length(velocity_of(world, body, i)), 0.0, 0.0, "particle %d", i);
    holds(pli_deformable_add_force(world, body, 16, to_vec3(force), &problem) == PLI_STATUS_INVALID_ARGUMENT, "range");
    holds(pli_deformable_add_force(world, body, 0, (pli_vec3){NAN, 0, 0}, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "NaN");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void the_speed_limit_holds(void **state)
{
    (void)state;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.speed_limit = 2.0f;
    def.settings.gravity = (pli_vec3){0, -9.81f, 0};
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_hilly(4);
    pli_deformable body = deform(world, mesh, NULL);
    for (int32_t frame = 0; frame < 60; frame++) {
        step(world, 1.0 / 60.0);
        for (int32_t i = 0; i < 16; i++)
            holds(length(velocity_of(world, body, i)) < 2.0 + 1e-3, "speed %g", length(velocity_of(world, body, i)));
    }
    near(length(velocity_of(world, body, 3)), 2.0, 1e-2, "speed at the limit");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// Of two falling sheets, one is limited to the speed u: it reaches u after the time u / g and falls u (t - u / 2 g) in the time t. The
// smaller one of its limit and the world's applies, and a removed limit lets it fall again.
static void a_deformable_has_its_own_speed_limit(void **state)
{
    (void)state;
    enum { FRAMES = 60 };
    const double g = 9.81, limits[] = {2.0, 5.0, 4.0}, worlds[] = {INFINITY, INFINITY, 3.0},
                 effective[] = {2.0, 5.0, 3.0};
    for (int32_t k = 0; k < 3; k++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.gravity = (pli_vec3){0, (float)-g, 0}, def.settings.substeps = 10;
        def.settings.speed_limit = (float)worlds[k];
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_hilly(4);
        pli_deformable other = deform(world, mesh, NULL), body = deform(world, mesh, NULL);
        pli_deformable_def own;
        must(pli_deformable_get_def(world, body, &own, &problem));
        own.speed_limit = (float)limits[k], own.mask = 0;
        must(pli_deformable_set_def(world, body, &own, &problem));
        const double start = position_of(world, body, 3).y, h = 1.0 / 60.0 / 10.0, u = effective[k];
        for (int32_t frame = 0; frame < FRAMES; frame++)
            step(world, 1.0 / 60.0);
        const double slowest = fmin(g, worlds[k]);
        near(length(velocity_of(world, body, 3)), u, 1e-4 * u, "terminal speed");
        near(length(velocity_of(world, other, 3)), slowest, 1e-4 * g, "speed of the other sheet");
        near(start - position_of(world, body, 3).y, u * (1.0 - u / (2.0 * g)), u * h, "distance fallen");
        own.speed_limit = INFINITY;
        must(pli_deformable_set_def(world, body, &own, &problem));
        step(world, 1.0 / 60.0);
        near(length(velocity_of(world, body, 3)), fmin(u + g / 60.0, worlds[k]), 1e-4 * g, "speed without its limit");
        own.speed_limit = 0.0f;
        holds(pli_deformable_set_def(world, body, &own, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no motion at all");
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

/* ---- attachments ----------------------------------------------------------------------------- */

static vec placed(pli_transform pose, vec axis, double angle, vec local)
{
    return add(turned(local, axis, angle), vec_of_floats(&pose.position.x));
}

static void held_particles_follow_the_frame(void **state)
{
    (void)state;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = 5;
    def.settings.gravity = (pli_vec3){0, -9.81f, 0};
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_hilly(5);
    pli_deformable body = deform(world, mesh, NULL);
    constrain(world, body, "distance", NULL);
    const int32_t particles[3] = {0, 7, 24};
    vec axis = unit((vec){1, 2, -1}), start[3];
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = body;
    hold.particles = particles;
    hold.particle_count = 3;
    // The frame does not start at the identity: what counts is each particle's place in it.
    hold.pose = (pli_transform){{0.3f, 0.1f, -0.2f}, quat_about(axis, 0.4)};
    pli_attachment attachment;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    for (int32_t k = 0; k < 3; k++) {
        start[k] = turned(sub(position_of(world, body, particles[k]), vec_of_floats(&hold.pose.position.x)), axis,
                          -0.4);
        near(mass_of(world, body, particles[k]), 0.0, 0.0, "held particles have no inverse mass");
    }
    vec before[3];
    for (int32_t frame = 1; frame <= 30; frame++) {
        pli_transform pose = {{0.3f + 0.02f * (float)frame, 0.1f, -0.2f - 0.01f * (float)frame},
                              quat_about(axis, 0.4 + 0.05 * frame)};
        for (int32_t k = 0; k < 3; k++)
            before[k] = position_of(world, body, particles[k]);
        must(pli_attachment_set_pose(world, attachment, pose, &problem));
        step(world, 1.0 / 60.0);
        for (int32_t k = 0; k < 3; k++) {
            vec expected = placed(pose, axis, 0.4 + 0.05 * frame, start[k]), p = position_of(world, body, particles[k]);
            near(distance(p, expected), 0.0, 3e-6, "frame %d, particle %d", frame, particles[k]);
            // The velocity is the last substep's: a chord of the turn differs a little from the mean.
            vec mean = scale(sub(p, before[k]), 60.0);
            near(distance(velocity_of(world, body, particles[k]), mean), 0.0, 0.06 * length(mean) + 1e-3,
                 "frame %d, velocity of %d", frame, particles[k]);
        }
    }
    step(world, 1.0 / 60.0);
    for (int32_t k = 0; k < 3; k++)
        near(length(velocity_of(world, body, particles[k])), 0.0, 1e-5, "at rest after the move: %d", particles[k]);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void frames_move_evenly_during_a_step(void **state)
{
    (void)state;
    // One substep of ten shows where the frame is at a tenth of the way: through a step with a tenth of the move.
    pli_mesh *mesh = mesh_hilly(3);
    const int32_t particle[1] = {4};
    vec ends[2];
    for (int32_t fine = 0; fine < 2; fine++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.substeps = fine ? 1 : 10;
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, NULL);
        // Undamped links turn the neighbours' motion into a trace of the frame's path.
        tune(world, constrain(world, body, "distance", NULL), "compliance", 1e-3);
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = body, hold.particles = particle, hold.particle_count = 1;
        pli_attachment attachment;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
        for (int32_t i = 1; i <= (fine ? 10 : 1); i++) {
            pli_transform pose = pli_transform_identity();
            pose.position.y = fine ? 0.02f * (float)i : 0.2f;
            must(pli_attachment_set_pose(world, attachment, pose, &problem));
            step(world, fine ? 0.01 : 0.1);
        }
        ends[fine] = position_of(world, body, 3);
        pli_world_destroy(world);
    }
    near(distance(ends[0], ends[1]), 0.0, 2e-6, "a step of ten substeps and ten steps");
    pli_mesh_destroy(mesh);
}

static void letting_go_returns_the_mass(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_hilly(4);
    pli_deformable body = deform(world, mesh, NULL);
    double mass = mass_of(world, body, 6);
    const int32_t particles[2] = {6, 9};
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = body, hold.particles = particles, hold.particle_count = 2;
    pli_attachment attachment, second;
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    holds(pli_attachment_create(world, &hold, &second, &problem) == PLI_STATUS_INVALID_ARGUMENT, "held twice");
    const float heavier[1] = {3.0f};
    must(pli_deformable_set_inverse_masses(world, body, 9, 1, heavier, &problem));
    near(mass_of(world, body, 9), 0.0, 0.0, "what is held stays held");
    must(pli_attachment_destroy(world, attachment, &problem));
    near(mass_of(world, body, 6), mass, 1e-6 * mass, "mass after letting go");
    near(mass_of(world, body, 9), 1.0 / 3.0, 1e-6, "mass set while held");
    holds(pli_attachment_destroy(world, attachment, &problem) == PLI_STATUS_NOT_FOUND, "let go twice");
    holds(pli_attachment_set_pose(world, attachment, hold.pose, &problem) == PLI_STATUS_NOT_FOUND, "moved when gone");
    must(pli_attachment_create(world, &hold, &second, &problem));
    holds(second.id != attachment.id, "handles are not used again");
    const int32_t wrong[][2] = {{-1, 2}, {3, 16}, {4, 4}};
    for (int32_t i = 0; i < 3; i++) {
        hold.particles = wrong[i];
        holds(pli_attachment_create(world, &hold, &attachment, &problem) == PLI_STATUS_INVALID_ARGUMENT, "list %d", i);
    }
    hold.particles = particles, hold.particle_count = 0;
    holds(pli_attachment_create(world, &hold, &attachment, &problem) == PLI_STATUS_INVALID_ARGUMENT, "an empty list");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// A soft attachment is a spring of the given compliance under XPBD; under PBD it removes k of the way a step.
static void soft_attachments_pull(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_hilly(4);
    const int32_t particle[1] = {5};
    for (int32_t method = 0; method < 2; method++) {
        pli_world_def def = plain_world_def((pli_method)method);
        def.settings.gravity = (pli_vec3){0, method ? 0.0f : -9.81f, 0};
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, NULL);
        vec start = position_of(world, body, 5);
        const float w[1] = {4.0f};
        must(pli_deformable_set_inverse_masses(world, body, 5, 1, w, &problem));
        pli_attachment_def pull = pli_attachment_def_default();
        pull.deformable = body, pull.particles = particle, pull.particle_count = 1;
        pull.fixed = false, pull.compliance = 0.01, pull.stiffness = 0.25;
        pli_attachment attachment;
        must(pli_attachment_create(world, &pull, &attachment, &problem));
        near(mass_of(world, body, 5), 0.25, 1e-6, "not held");
        if (method == PLI_METHOD_PBD) {
            pli_transform pose = pli_transform_identity();
            pose.position.x = 0.4f;
            must(pli_attachment_set_pose(world, attachment, pose, &problem));
            step(world, 0.1);
            near(position_of(world, body, 5).x, start.x + 0.25 * 0.4, 1e-5, "a quarter of the way");
        } else {
            for (int32_t i = 0; i < 2000; i++) {
                rest_velocities(world, body);
                step(world, 1.0 / 60.0);
            }
            near(position_of(world, body, 5).y, start.y - 0.01 * 0.25 * 9.81, 1e-4, "the load of 0.25 kg");
        }
        must(pli_attachment_destroy(world, attachment, &problem));
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

static void isolated_vertices_are_held(void **state)
{
    (void)state;
    const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 0, -1, 5, 5, 5};
    const int32_t corners[3] = {0, 1, 2};
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 4, def.face_vertices = corners, def.face_count = 1;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    pli_world_def world_def = pli_world_def_default();
    pli_world *world = world_from(&world_def);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    for (int32_t i = 0; i < 30; i++)
        step(world, 1.0 / 60.0);
    near(position_of(world, body, 3).y, 5.0, 0.0, "the isolated vertex stays");
    holds(position_of(world, body, 0).y < -0.5, "the triangle falls");
    near(mass_of(world, body, 0), 0.2 * 0.5 / 3.0, 1e-7, "a third of the triangle's mass");
    pli_world_destroy(world);
}

// A vertex with the factor f falls by f g h^2 n (n + 1) / 2 in n substeps; a fixed one stays.
static void painted_gravity_follows_the_closed_form(void **state)
{
    (void)state;
    enum { SIDE = 9, STEPS = 30, SUBSTEPS = 4 };
    for (int32_t order = 0; order < 2; order++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.order = order ? PLI_ORDER_COLOURED : PLI_ORDER_SEQUENTIAL;
        def.settings.gravity.y = -9.81f, def.settings.substeps = SUBSTEPS;
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING);
        pli_deformable_def sheet = pli_deformable_def_default();
        sheet.mesh = mesh, sheet.self_collision = false;
        pli_deformable cloth;
        must(pli_deformable_create(world, &sheet, &cloth, &problem));
        const int32_t count = pli_mesh_topology(mesh)->vertex_count;
        float factors[(SIDE + 1) * (SIDE + 1)], fixed = 0.0f;
        for (int32_t v = 0; v < count; v++)
            factors[v] = (float)uniform(-2.0, 2.0);
        must(pli_deformable_paint(world, cloth, "gravity", PLI_ELEMENT_VERTEX, factors, count, &problem));
        must(pli_deformable_set_inverse_masses(world, cloth, 5, 1, &fixed, &problem));
        for (int32_t i = 0; i < STEPS; i++)
            step(world, 1.0 / 60.0);
        const double h = 1.0 / 60.0 / SUBSTEPS, n = STEPS * SUBSTEPS;
        for (int32_t v = 0; v < count; v++)
            near(position_of(world, cloth, v).y, v == 5 ? 0.0 : -9.81 * (double)factors[v] * h * h * n * (n + 1) / 2.0,
                 2e-5, "vertex %d with the factor %g", (int)v, (double)factors[v]);
        must(pli_deformable_paint(world, cloth, "gravity", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
        const double before = velocity_of(world, cloth, 7).y;
        step(world, 1.0 / 60.0);
        near(velocity_of(world, cloth, 7).y - before, -9.81 / 60.0, 2e-6, "cleared");
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(free_fall_is_symplectic_euler),
        property(no_air_is_no_wind),
        property(wind_carries_along),
        property(still_air_brakes),
        property(forces_act_for_one_step),
        property(painted_gravity_follows_the_closed_form),
        property(the_speed_limit_holds),
        property(a_deformable_has_its_own_speed_limit),
        property(held_particles_follow_the_frame),
        property(frames_move_evenly_during_a_step),
        property(letting_go_returns_the_mass),
        property(soft_attachments_pull),
        property(isolated_vertices_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
