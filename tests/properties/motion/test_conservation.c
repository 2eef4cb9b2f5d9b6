// Momenta over a thousand steps, and what Algorithm 1 does to them when it is left alone.
#include "samples.h"
#include "worlds.h"

typedef struct motion {
    vec linear, angular;          ///< Angular about the centre of mass.
    double speeds, turns, energy; ///< Sums of magnitudes: what the momenta are compared with.
} motion;

static motion motion_of(const pli_world *world, pli_deformable body)
{
    motion m = {{0, 0, 0}, {0, 0, 0}, 0.0, 0.0, 0.0};
    vec centre = {0, 0, 0};
    double mass = 0.0;
    int32_t count = vertex_count_of(world, body);
    for (int32_t i = 0; i < count; i++) {
        mass += mass_of(world, body, i);
        centre = add(centre, scale(position_of(world, body, i), mass_of(world, body, i)));
        m.linear = add(m.linear, scale(velocity_of(world, body, i), mass_of(world, body, i)));
    }
    for (int32_t i = 0; i < count; i++) {
        vec x = sub(position_of(world, body, i), scale(centre, 1.0 / mass)), v = velocity_of(world, body, i);
        double one = mass_of(world, body, i);
        m.angular = add(m.angular, scale(cross(x, v), one));
        m.speeds += one * length(v);
        m.turns += one * length(x) * length(v);
        m.energy += 0.5 * one * dot(v, v);
    }
    return m;
}

static const vec spin = {0.31, 0.94, 0.17}, drift = {0.03, 0.07, -0.1};

// A spinning, drifting cloth about the point `from`, with masses from 1 to e^2, a little out of its rest shape, in a world with defaults but for
// gravity.
static pli_world *free_cloth(const pli_constraint_type *type, pli_method method, pli_order order, int32_t substeps,
                             vec from)
{
    enum { SIDE = 12, COUNT = SIDE * SIDE };
    pli_mesh *mesh = mesh_jittered(mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_DIAGONAL), 0.2, 0.05);
    float positions[3 * COUNT], velocities[3 * COUNT], w[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        vec p = vec_of_floats(pli_mesh_topology(mesh)->positions + 3 * i), v = add(cross(spin, p), drift);
        p = add(add(p, random_vec(0.005)), from);
        w[i] = (float)(300.0 * exp(uniform(-1.0, 1.0)));
        const float x[3] = {(float)p.x, (float)p.y, (float)p.z}, u[3] = {(float)v.x, (float)v.y, (float)v.z};
        memcpy(positions + 3 * i, x, sizeof x);
        memcpy(velocities + 3 * i, u, sizeof u);
    }
    pli_world_def def = plain_world_def(method);
    def.order = order;
    def.settings.substeps = substeps;
    pli_world *world = world_from(&def);
    pli_deformable body = deform(world, mesh, positions);
    pli_mesh_destroy(mesh);
    weigh(world, body, w, COUNT);
    must(pli_deformable_set_velocities(world, body, 0, COUNT, velocities, &problem));
    constrain(world, body, "distance", NULL);
    pli_constraints set = constrain(world, body, type->name, NULL);
    tune(world, set, "stiffness", 0.5);
    tune(world, set, "compliance", 1e-4);
    return world;
}

// Of every type that a cloth can have, in free flight: the bars of issue 15, of the sum of m |v| and of the angular
// momentum. The path is centred at the origin, since the positions of 6 m away are rounded to 5e-7 m, which alone turns
// the angular momentum by 3e-5.
static void momenta_are_kept_by_each_type(void **state)
{
    (void)state;
    int32_t frames = shortened() ? 100 : 1000;
    for (int32_t row = 0; row < 2 * pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row / 2);
        pli_method method = (pli_method)(row % 2);
        if (type->world_anchored || !type->generator || strcmp(type->name, "volume") == 0)
            continue;
        pli_world *world = free_cloth(type, method, method ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED, 10,
                                      scale(drift, -8.0));
        pli_deformable body = pli_world_deformable_at(world, 0);
        motion before = motion_of(world, body), after = before;
        double early = 0.0, late = 0.0;
        for (int32_t i = 0; i < frames; i++) {
            step(world, 1.0 / 60.0);
            after = motion_of(world, body);
            early = i < frames / 10 ? fmax(early, after.energy) : early;
            late = i >= frames / 2 ? fmax(late, after.energy) : late;
        }
        const char *name = method ? "PBD" : "XPBD";
        near(distance(after.linear, before.linear), 0.0, 1e-6 * before.speeds, "%s, %s: linear momentum", type->name,
             name);
        // triangle_signed misses the bar: 1.2e-5 after 1000 frames, it seems by the rounding of positions along the
        // path, for other starts end at 1.2e-6 where they spin in place (docs/decisions/momentum-and-integration.md).
        // triangle_linear misses it under PBD since its target is a vector: 6.2e-5, of its standing stress
        // (docs/decisions/bending.md).
        double bar = strcmp(type->name, "triangle_signed") == 0             ? 2e-5
                     : method && strcmp(type->name, "triangle_linear") == 0 ? 1e-4
                                                                            : 1e-5;
        near(distance(after.angular, before.angular), 0.0, bar * length(before.angular), "%s, %s: angular momentum",
             type->name, name);
        holds(late < 1.1 * early, "%s, %s: kinetic energy %g, early %g", type->name, name, late, early);
        pli_world_destroy(world);
    }
}

// Gravity may change the momentum, by exactly its impulse.
static void gravity_gives_its_impulse(void **state)
{
    (void)state;
    pli_world *world = free_cloth(pli_constraint_type_find("isometric"), PLI_METHOD_XPBD, PLI_ORDER_COLOURED, 1,
                                  (vec){0, 10, 0});
    pli_deformable body = pli_world_deformable_at(world, 0);
    pli_settings settings = pli_world_settings(world);
    settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    settings.substeps = 4;
    must(pli_world_set_settings(world, &settings, &problem));
    motion before = motion_of(world, body);
    double mass = 0.0;
    for (int32_t i = 0; i < vertex_count_of(world, body); i++)
        mass += mass_of(world, body, i);
    for (int32_t i = 0; i < 120; i++)
        step(world, 1.0 / 60.0);
    motion after = motion_of(world, body);
    double impulse = mass * (double)9.81f * 2.0;
    near(after.linear.y - before.linear.y, -impulse, 2e-6 * impulse, "momentum along gravity");
    near(hypot(after.linear.x - before.linear.x, after.linear.z - before.linear.z), 0.0, 2e-6 * impulse, "and across");
    near(distance(after.angular, before.angular), 0.0, 1e-5 * length(before.angular), "angular momentum");
    pli_world_destroy(world);
}

// Three held particles that lie in no line leave no rigid motion: the setting must not act.
static void what_is_held_fast_keeps_nothing(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t keep = 0; keep < 2; keep++) {
        random_state = 20;
        pli_world *world = free_cloth(pli_constraint_type_find("isometric"), PLI_METHOD_XPBD, PLI_ORDER_COLOURED, 1,
                                      (vec){0, 10, 0});
        pli_settings settings = pli_world_settings(world);
        settings.keep_momentum = keep;
        must(pli_world_set_settings(world, &settings, &problem));
        const float held[13] = {0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.0f};
        must(pli_deformable_set_inverse_masses(world, pli_world_deformable_at(world, 0), 0, 13, held, &problem));
        for (int32_t i = 0; i < 20; i++)
            step(world, 1.0 / 60.0);
        hashes[keep] = pli_world_hash(world);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "hashes %016llx and %016llx", (unsigned long long)hashes[0],
          (unsigned long long)hashes[1]);
}

// Line 12, v = (x - x_old)/dt, is the chord of the turn by theta of the last substep. The next one starts along that
// chord, which leads outwards, and so turns by less: tan theta' = sin theta / (2 - cos theta). The setting mends it.
static void a_rod_loses_spin_as_the_chord_says(void **state)
{
    (void)state;
    const double resting[3][3] = {{-0.5, 0, 0}, {0.5, 0, 0}, {0, 0, 5}};
    const int32_t ends[2] = {0, 1};
    for (int32_t keep = 0; keep < 2; keep++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.keep_momentum = keep;
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_of_points(resting, 3);
        pli_deformable body = deform(world, mesh, NULL);
        pli_mesh_destroy(mesh);
        // The third particle is next to nothing: it only gives the mesh its face.
        const float w[3] = {2.0f, 2.0f, 1e6f}, v[9] = {0, 1.0f, 0, 0, -1.0f, 0, 0, 0, 0};
        weigh(world, body, w, 3);
        must(pli_deformable_set_velocities(world, body, 0, 3, v, &problem));
        constrain_list(world, body, "distance", ends, 1);
        double dt = 1.0 / 60.0, theta = atan(2.0 * dt);
        for (int32_t i = 0; i < 60; i++) {
            step(world, dt);
            theta = i ? atan(sin(theta) / (2.0 - cos(theta))) : theta;
        }
        vec arm = sub(position_of(world, body, 0), position_of(world, body, 1));
        vec speed = sub(velocity_of(world, body, 0), velocity_of(world, body, 1));
        near(length(cross(arm, speed)), keep ? 2.0 : sin(theta) / dt, 2e-4, "spin after 1 s%s", keep ? ", kept" : "");
        pli_world_destroy(world);
    }
}

// The loss of energy of a pendulum in 10 s with this many substeps, as a share of that of its height.
static double loss_of_pendulum(int32_t substeps, bool keep)
{
    const double resting[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const int32_t ends[2] = {0, 1};
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = substeps;
    def.settings.gravity = (pli_vec3){0, -9.81f, 0};
    def.settings.keep_momentum = keep;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_of_points(resting, 3);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    const float w[3] = {0.0f, 1.0f, 0.0f};
    weigh(world, body, w, 3);
    constrain_list(world, body, "distance", ends, 1);
    double most = -1e9;
    for (int32_t frame = 0; frame < 600; frame++) {
        step(world, 1.0 / 60.0);
        vec v = velocity_of(world, body, 1);
        double energy = 0.5 * dot(v, v) + 9.81 * position_of(world, body, 1).y;
        most = frame < 480 ? -1e9 : fmax(most, energy);
        holds(energy < 0.1, "frame %d: energy %g, 0 at the start", frame, energy);
    }
    pli_world_destroy(world);
    return -most / 9.81;
}

// As printed, the loss of the small-step scheme is bounded and shrinks with the substep. A pendulum that keeps its
// momentum about the pivot loses next to nothing.
static void a_pendulum_loses_little(void **state)
{
    (void)state;
    double lost[2] = {loss_of_pendulum(10, false), loss_of_pendulum(40, false)};
    print_message("pendulum of 1 m, 10 s: %.1f %% of the energy lost with 10 substeps, %.1f %% with 40\n",
                  100 * lost[0], 100 * lost[1]);
    holds(lost[1] < 0.5 * lost[0] && lost[0] < 0.5, "lost %g and %g", lost[0], lost[1]);
    near(loss_of_pendulum(10, true), 0.0, 0.01, "energy lost with 10 substeps about the pivot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(momenta_are_kept_by_each_type),   property(gravity_gives_its_impulse),
        property(what_is_held_fast_keeps_nothing), property(a_rod_loses_spin_as_the_chord_says),
        property(a_pendulum_loses_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
