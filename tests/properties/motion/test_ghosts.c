// Bodies under stress neither push nor turn themselves: whole steps, on bodies at rest that are stretched, inflated or
// crumpled, free and held, whole and torn, touched and not.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.3: ghost forces are those that drag or turn an object from
//   inside. The oracle is conservation, of sums in double over the public state.
#include "samples.h"
#include "worlds.h"

typedef struct momenta {
    double mass, energy;
    vec centre, linear, angular; ///< Angular about the centre of mass, or about `pivot` of the call.
    double inertia;              ///< Mean moment of inertia about the same point [kg m2].
} momenta;

// Momenta of the vertices whose mark is `piece`, or of all where `marks` is null, about `pivot`, or about the centre of
// mass where that is null.
static momenta momenta_of(const pli_world *world, pli_deformable body, const int32_t *marks, int32_t piece,
                          const vec *pivot)
{
    momenta m = {0};
    int32_t count = vertex_count_of(world, body);
    for (int32_t i = 0; i < count; i++) {
        double mass = marks && marks[i] != piece ? 0.0 : mass_of(world, body, i);
        m.mass += mass;
        m.centre = add(m.centre, scale(position_of(world, body, i), mass));
        m.linear = add(m.linear, scale(velocity_of(world, body, i), mass));
    }
    m.centre = scale(m.centre, 1.0 / m.mass);
    for (int32_t i = 0; i < count; i++) {
        double mass = marks && marks[i] != piece ? 0.0 : mass_of(world, body, i);
        vec v = velocity_of(world, body, i), r = sub(position_of(world, body, i), pivot ? *pivot : m.centre);
        vec u = pivot ? v : sub(v, scale(m.linear, 1.0 / m.mass));
        m.angular = add(m.angular, scale(cross(r, u), mass));
        m.inertia += 2.0 / 3.0 * mass * dot(r, r);
        m.energy += 0.5 * mass * dot(v, v);
    }
    return m;
}

static double spin_of(momenta m) { return length(m.angular) / m.inertia; }

/* ---- balloons --------------------------------------------------------------------------------- */

typedef struct balloon {
    pli_world *world;
    pli_deformable body;
    pli_constraints volume;
} balloon;

// A sphere of 642 vertices with rigid edges, whose pressure is still 1.
static balloon balloon_in(const pli_world_def *def, const pli_deformable_def *like)
{
    balloon b = {.world = world_from(def)};
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_sphere(3, 0.5f, &mesh, &problem));
    pli_deformable_def full = *like;
    full.mesh = mesh;
    full.density = 0.1f;
    full.stretch = PLI_STRETCH_SWEPT;
    must(pli_deformable_create(b.world, &full, &b.body, &problem));
    pli_mesh_destroy(mesh);
    constrain(b.world, b.body, "distance", NULL);
    tune(b.world, constrain(b.world, b.body, "dihedral", NULL), "compliance", 1.0);
    b.volume = constrain(b.world, b.body, "volume", NULL);
    return b;
}

// One frame at a pressure.
static void press(balloon b, double pressure)
{
    tune(b.world, b.volume, "pressure", pressure);
    step(b.world, 1.0 / 60.0);
}

static void blow_up(balloon b, double pressure, int32_t frames)
{
    for (int32_t i = 0; i < frames; i++)
        press(b, fmin(pressure, 1.0 + (pressure - 1.0) * (i + 1) / 30.0));
}

static pli_world_def world_without_gravity(void)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    return def;
}

// As printed, Algorithm 1 spins it up: 9 rad/s after 1 s. Restored, it rests.
static void a_free_balloon_rests(void **state)
{
    (void)state;
    double seconds = shortened() ? 6.0 : 60.0;
    pli_world_def def = world_without_gravity();
    const pli_deformable_def like = pli_deformable_def_default();
    balloon b = balloon_in(&def, &like);
    blow_up(b, 2.2, (int32_t)(60.0 * seconds));
    momenta m = momenta_of(b.world, b.body, NULL, 0, NULL);
    holds(spin_of(m) < 1e-3 * seconds / 60.0, "%g rad/s after %g s", spin_of(m), seconds);
    holds(m.energy < 1e-6, "%g J after %g s", m.energy, seconds);
    holds(length(m.centre) < 0.005, "%g m from where it was", length(m.centre));
    pli_world_destroy(b.world);

    def.settings.keep_momentum = false;
    b = balloon_in(&def, &like);
    blow_up(b, 2.2, 60);
    m = momenta_of(b.world, b.body, NULL, 0, NULL);
    holds(spin_of(m) > 1.0, "as printed: %g rad/s after 1 s", spin_of(m));
    pli_world_destroy(b.world);
}

// One particle that is held, fixed or tied, takes up the push but not the turn; two take up all turns but one.
static void a_held_balloon_rests(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 3; kind++) {
        pli_world_def def = world_without_gravity();
        const pli_deformable_def like = pli_deformable_def_default();
        balloon b = balloon_in(&def, &like);
        const int32_t held[2] = {3, 7};
        pli_attachment_def tie = pli_attachment_def_default();
        tie.deformable = b.body;
        tie.particles = held;
        tie.particle_count = kind == 2 ? 2 : 1;
        tie.fixed = kind != 1;
        pli_attachment attachment;
        must(pli_attachment_create(b.world, &tie, &attachment, &problem));
        blow_up(b, 2.2, shortened() ? 120 : 600);
        vec pivot = position_of(b.world, b.body, held[0]), other = position_of(b.world, b.body, held[1]);
        momenta m = momenta_of(b.world, b.body, NULL, 0, &pivot);
        double spin = kind < 2 ? spin_of(m) : fabs(dot(m.angular, unit(sub(other, pivot)))) / m.inertia;
        holds(spin < 1e-3, "held in way %d: %g rad/s", kind, spin);
        pli_world_destroy(b.world);
    }
}

// The order of colours is that of the mesh, and so differs between orientations.
static void a_free_balloon_rests_however_it_is_turned(void **state)
{
    (void)state;
    for (int32_t trial = 0; trial < 6; trial++) {
        pli_world_def def = world_without_gravity();
        pli_deformable_def turned = pli_deformable_def_default();
        turned.pose.rotation = quat_about(unit((vec){0.3, 0.2 * trial - 0.5, -0.5}), 0.9 * trial + 0.4);
        turned.pose.position = (pli_vec3){0.3f, -0.2f, 0.1f * (float)trial};
        balloon b = balloon_in(&def, &turned);
        momenta start = momenta_of(b.world, b.body, NULL, 0, NULL);
        blow_up(b, 2.2, shortened() ? 90 : 600);
        momenta m = momenta_of(b.world, b.body, NULL, 0, NULL);
        holds(spin_of(m) < 2e-4, "turned in way %d: %g rad/s", trial, spin_of(m));
        holds(length(m.linear) < 1e-5 * m.mass, "turned in way %d: %g m/s", trial, length(m.linear) / m.mass);
        holds(distance(m.centre, start.centre) < 1e-4, "turned in way %d: moved by %g m", trial,
              distance(m.centre, start.centre));
        pli_world_destroy(b.world);
    }
}

/* ---- sheets ----------------------------------------------------------------------------------- */

// Edges of a sheet 30 % too long or too short, in double the momenta are those of the start: none.
static void a_crumpled_sheet_leaves_without_spin(void **state)
{
    (void)state;
    enum { SIDE = 16, COUNT = SIDE * SIDE };
    for (int32_t trial = 0; trial < 4; trial++) {
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, trial % 2 ? PLI_GRID_DIAGONAL : PLI_GRID_ALTERNATING);
        float positions[3 * COUNT];
        for (int32_t i = 0; i < 3 * COUNT; i++)
            positions[i] = pli_mesh_topology(mesh)->positions[i] + (float)uniform(-0.3, 0.3) / SIDE;
        pli_world_def def = world_without_gravity();
        def.order = trial / 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, positions);
        pli_mesh_destroy(mesh);
        constrain(world, body, "distance", NULL);
        tune(world, constrain(world, body, "isometric", NULL), "compliance", 1e-3);
        double most = 0.0;
        for (int32_t i = 0; i < 120; i++) {
            step(world, 1.0 / 60.0);
            momenta m = momenta_of(world, body, NULL, 0, NULL);
            most = fmax(most, fmax(spin_of(m), length(m.linear) / m.mass));
        }
        holds(most < 1e-4, "trial %d: %g rad/s or m/s", trial, most);
        pli_world_destroy(world);
    }
}

enum { TORN_MOST = 2000 };

// The least vertex that edges lead to from each.
static void mark_pieces(const pli_topology *t, int32_t count, int32_t *marks)
{
    bool changed = true;
    for (int32_t i = 0; i < count; i++)
        marks[i] = i;
    while (changed) {
        changed = false;
        for (int32_t e = 0; e < t->edge_count; e++) {
            const int32_t *ends = (const int32_t *)(const void *)t->edges + 2 * e;
            int32_t least = marks[ends[0]] < marks[ends[1]] ? marks[ends[0]] : marks[ends[1]];
            changed = changed || marks[ends[0]] != marks[ends[1]];
            marks[ends[0]] = marks[ends[1]] = least;
        }
    }
}

// A stretched cloth of side x side vertices cut in two, whose pieces part, each with a spin of its own. Returns the mark
// of the second piece.
static int32_t part(pli_world *world, int32_t side, pli_deformable *body, int32_t *marks)
{
    static float start[2 * 3 * TORN_MOST];
    pli_mesh *mesh = mesh_grid(side, side, 1.0, PLI_GRID_DIAGONAL);
    pli_deformable_def full = pli_deformable_def_default();
    full.mesh = mesh;
    full.tearing.stretch = 50.0f;
    must(pli_deformable_create(world, &full, body, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *body, "distance", NULL);
    tune(world, constrain(world, *body, "dihedral", NULL), "compliance", 1e-3);
    pli_cut_def cut = pli_cut_def_default();
    cut.point = (pli_vec3){0.1f, 0.0f, 0.05f}, cut.normal = (pli_vec3){1.0f, 0.0f, 0.4f};
    must(pli_deformable_cut(world, *body, &cut, NULL, &problem));
    int32_t count = vertex_count_of(world, *body), second = 0;
    holds(count <= TORN_MOST, "%d vertices", count);
    const pli_mesh *now = NULL;
    must(pli_deformable_get_mesh(world, *body, &now, &problem));
    mark_pieces(pli_mesh_topology(now), count, marks);
    random_state = 7;
    for (int32_t i = 0; i < count; i++) {
        second = marks[i] > second ? marks[i] : second;
        vec p = add(scale(position_of(world, *body, i), 1.2), random_vec(0.15 / side));
        vec v = add(cross((vec){0.3, marks[i] ? 1.0 : -0.5, 0.2}, p), (vec){0.2, marks[i] ? 0.3 : -0.3, 0.1});
        const double both[2][3] = {{p.x, p.y, p.z}, {v.x, v.y, v.z}};
        for (int32_t k = 0; k < 6; k++)
            start[(k / 3) * 3 * count + 3 * i + k % 3] = (float)both[k / 3][k % 3];
    }
    must(pli_deformable_set_positions(world, *body, 0, count, start, &problem));
    must(pli_deformable_set_velocities(world, *body, 0, count, start + 3 * count, &problem));
    return second;
}

static void expect_kept(momenta now, momenta before, const char *whose, int32_t number)
{
    near(distance(now.linear, before.linear), 0.0, 1e-6 * length(before.linear), "%s %d: linear", whose, number);
    near(distance(now.angular, before.angular), 0.0, 1e-5 * length(before.angular), "%s %d: angular", whose, number);
}

// Each piece leaves with the momenta of its own, though both are one deformable, of one chunk or of several, and with
// the same bits by any number of threads and any width.
static void each_torn_piece_keeps_its_momenta(void **state)
{
    (void)state;
    static int32_t marks[TORN_MOST];
    for (int32_t large = 0; large < 2; large++) {
        uint64_t expected = 0;
        for (int32_t way = 0; way < (int32_t)PLI_SIMD_COUNT + 2; way++) {
            pli_world_def def = world_without_gravity();
            def.simd = way < (int32_t)PLI_SIMD_COUNT ? (pli_simd)way : PLI_SIMD_AUTO;
            def.thread_count = way < (int32_t)PLI_SIMD_COUNT ? 1 : way - (int32_t)PLI_SIMD_COUNT + 2;
            if (def.simd != PLI_SIMD_AUTO && !pli_simd_available(def.simd))
                continue;
            pli_world *world = world_from(&def);
            pli_deformable body;
            int32_t second = part(world, large ? 40 : 15, &body, marks);
            momenta before[2];
            for (int32_t k = 0; k < 2; k++)
                before[k] = momenta_of(world, body, marks, k ? second : 0, NULL);
            holds(second > 0 && before[0].mass > 0.2 * before[1].mass && before[1].mass > 0.2 * before[0].mass,
                  "masses of the pieces: %g and %g kg", before[0].mass, before[1].mass);
            for (int32_t i = 0; i < (large ? 20 : 120); i++)
                step(world, 1.0 / 60.0);
            for (int32_t k = 0; k < 2; k++)
                expect_kept(momenta_of(world, body, marks, k ? second : 0, NULL), before[k], "piece", k);
            expected = way == 0 ? pli_world_hash(world) : expected;
            holds(pli_world_hash(world) == expected, "%s, %d threads: hash %016llx",
                  pli_choice_name("simd", (int32_t)def.simd), def.thread_count,
                  (unsigned long long)pli_world_hash(world));
            pli_world_destroy(world);
        }
    }
}

/* ---- with other settings -------------------------------------------------------------------------- */

static pli_world *stretched_cloth(const pli_settings *settings, pli_deformable *body)
{
    enum { SIDE = 12, COUNT = SIDE * SIDE };
    float positions[3 * COUNT], velocities[3 * COUNT];
    pli_world_def def = world_without_gravity();
    def.settings = *settings;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING);
    random_state = 11;
    for (int32_t i = 0; i < COUNT; i++) {
        vec p = add(scale(vec_of_floats(pli_mesh_topology(mesh)->positions + 3 * i), 1.1), random_vec(0.01));
        vec v = add(add(cross((vec){0.4, 0.9, -0.3}, p), random_vec(0.3)), (vec){0.2, 0.1, -0.3});
        positions[3 * i] = (float)p.x, positions[3 * i + 1] = (float)p.y, positions[3 * i + 2] = (float)p.z;
        velocities[3 * i] = (float)v.x, velocities[3 * i + 1] = (float)v.y, velocities[3 * i + 2] = (float)v.z;
    }
    *body = deform(world, mesh, positions);
    pli_mesh_destroy(mesh);
    must(pli_deformable_set_velocities(world, *body, 0, COUNT, velocities, &problem));
    constrain(world, *body, "distance", NULL);
    tune(world, constrain(world, *body, "isometric", NULL), "compliance", 1e-3);
    return world;
}

// Damping reduces what deviates from the rigid motion (Mueller et al. 2006, section 3.5), and no more.
static void damping_keeps_momenta(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 3; k++) {
        pli_settings settings = world_without_gravity().settings;
        settings.damping = 6.3f + 35.3f * (float)k;
        settings.iterations = 1 + k;
        pli_deformable body;
        pli_world *world = stretched_cloth(&settings, &body);
        momenta before = momenta_of(world, body, NULL, 0, NULL);
        for (int32_t i = 0; i < 60; i++)
            step(world, 1.0 / 60.0);
        momenta after = momenta_of(world, body, NULL, 0, NULL);
        expect_kept(after, before, "damping", k);
        holds(after.energy < 0.95 * before.energy, "damping %d: %g J of %g J are left", k, after.energy, before.energy);
        pli_world_destroy(world);
    }
}

// The limit of speeds takes from each particle what it has above it, before the prediction; constraints give nothing
// back and take nothing more.
static void a_limit_of_speeds_takes_what_is_above_it(void **state)
{
    (void)state;
    pli_settings settings = world_without_gravity().settings;
    settings.substeps = 1;
    settings.speed_limit = 0.5f;
    pli_deformable body;
    pli_world *world = stretched_cloth(&settings, &body);
    double limited = 0.0;
    for (int32_t i = 0; i < 10; i++) {
        vec linear = {0, 0, 0}, angular = {0, 0, 0};
        for (int32_t p = 0; p < vertex_count_of(world, body); p++) {
            vec v = velocity_of(world, body, p);
            double speed = length(v), share = speed > 0.5 ? 0.5 / speed : 1.0;
            limited = fmax(limited, speed);
            v = scale(v, share * mass_of(world, body, p));
            linear = add(linear, v);
            angular = add(angular, cross(position_of(world, body, p), v));
        }
        step(world, 1.0 / 60.0);
        momenta m = momenta_of(world, body, NULL, 0, &(vec){0, 0, 0});
        near(distance(m.linear, linear), 0.0, 1e-6 * length(linear), "step %d: linear", i);
        near(distance(m.angular, angular), 0.0, 1e-5 * length(angular), "step %d: angular", i);
    }
    holds(limited > 0.6, "the greatest speed was %g m/s", limited);
    pli_world_destroy(world);
}

/* ---- touched ---------------------------------------------------------------------------------- */

// The sum of the normal impulses of a step of one substep, and of their moments about the origin, each where its particle
// started: velocities count impulses there.
static void impulses_of(const pli_world *world, const vec *starts, vec *impulse, vec *moment)
{
    static pli_contact_point points[4000];
    int32_t count = 0;
    must(pli_world_contacts(world, points, COUNT_OF(points), &count, &problem));
    *impulse = *moment = (vec){0, 0, 0};
    for (int32_t i = 0; i < count && i < COUNT_OF(points); i++) {
        vec push = {(double)points[i].normal.x, (double)points[i].normal.y, (double)points[i].normal.z};
        push = scale(push, (double)points[i].impulse);
        *impulse = add(*impulse, push);
        *moment = add(*moment, cross(starts[points[i].a.vertices[0]], push));
    }
}

// A balloon between two plates that press it, without friction: after each substep its momenta are those before plus the
// impulses that the contacts report.
static void a_pressed_balloon_answers_to_contacts_alone(void **state)
{
    (void)state;
    pli_world_def def = world_without_gravity();
    def.settings.substeps = 1;
    pli_deformable_def like = pli_deformable_def_default();
    balloon b = balloon_in(&def, &like);
    pli_collider plates[2];
    for (int32_t side = 0; side < 2; side++) {
        pli_collider_def plate = pli_collider_def_default();
        plate.shape = PLI_SHAPE_PLANE;
        plate.friction = 0.0f;
        plate.pose.rotation = quat_about((vec){1, 0, 0.1}, side ? 3.14159265358979 : 0.0);
        plate.pose.position = (pli_vec3){0.0f, side ? 0.505f : -0.505f, 0.0f};
        must(pli_collider_create(b.world, &plate, &plates[side], &problem));
    }
    const vec origin = {0, 0, 0};
    vec starts[642];
    double worst[2] = {0.0, 0.0}, total[2] = {0.0, 0.0};
    for (int32_t i = 0; i < 600; i++) {
        momenta before = momenta_of(b.world, b.body, NULL, 0, &origin);
        for (int32_t k = 0; k < COUNT_OF(starts); k++)
            starts[k] = position_of(b.world, b.body, k);
        tune(b.world, b.volume, "pressure", fmin(1.6, 1.0 + 0.002 * i));
        step(b.world, 1.0 / 600.0);
        momenta after = momenta_of(b.world, b.body, NULL, 0, &origin);
        vec impulse, moment;
        impulses_of(b.world, starts, &impulse, &moment);
        worst[0] = fmax(worst[0], distance(sub(after.linear, before.linear), impulse));
        worst[1] = fmax(worst[1], distance(sub(after.angular, before.angular), moment));
        total[0] += length(impulse), total[1] += length(moment);
    }
    holds(total[0] > 0.1, "contacts pushed by %g N s", total[0]);
    near(worst[0], 0.0, 1e-6, "linear momentum that is not of contacts, of %g N s", total[0]);
    near(worst[1], 0.0, 1e-6, "angular momentum that is not of contacts, of %g", total[1]);
    pli_world_destroy(b.world);
}

// Turned about an axis by an angle, on a plane with friction, and with a lever of rolling friction [m].
static balloon balloon_on_ground(const pli_world_def *def, vec axis, double angle, double rolling)
{
    pli_deformable_def turned = pli_deformable_def_default();
    turned.pose.rotation = quat_about(axis, angle);
    turned.pose.position = (pli_vec3){0.0f, 0.51f, 0.0f};
    balloon b = balloon_in(def, &turned);
    pli_collider_def ground = pli_collider_def_default();
    ground.shape = PLI_SHAPE_PLANE;
    ground.friction = 0.5f;
    ground.rolling_friction = (float)rolling;
    pli_collider collider;
    must(pli_collider_create(b.world, &ground, &collider, &problem));
    return b;
}

// Gives the balloon the velocities of a rigid rotation about a point.
static void push_off(balloon b, vec spin, vec about)
{
    float velocities[3 * 642];
    for (int32_t i = 0; i < 642; i++) {
        vec v = cross(spin, sub(position_of(b.world, b.body, i), about));
        velocities[3 * i] = (float)v.x, velocities[3 * i + 1] = (float)v.y, velocities[3 * i + 2] = (float)v.z;
    }
    must(pli_deformable_set_velocities(b.world, b.body, 0, 642, velocities, &problem));
}

static void stop(balloon b) { push_off(b, (vec){0, 0, 0}, (vec){0, 0, 0}); }

// The greatest sum of kinetic energy and weight times height within a second, over the weight [m].
static double greatest_head(balloon b, double pressure)
{
    double greatest = 0.0;
    for (int32_t i = 0; i < 60; i++) {
        press(b, pressure);
        momenta m = momenta_of(b.world, b.body, NULL, 0, NULL);
        greatest = fmax(greatest, m.centre.y + m.energy / (9.81 * m.mass));
    }
    return greatest;
}

// Nothing drives a balloon on the ground. It is not quite round, so it may roll, as a ball with an eccentric centre of
// mass does, but what it has of energy only falls.
static void a_balloon_on_the_ground_only_loses_energy(void **state)
{
    (void)state;
    for (int32_t trial = shortened() ? 1 : 0; trial < (shortened() ? 2 : 4); trial++) {
        pli_world_def def = pli_world_def_default();
        double pressure = trial % 2 ? 2.2 : 1.0;
        balloon b = balloon_on_ground(&def, (vec){0.3, 0.2 * trial, -0.5}, 1.7 * trial, 0.0);
        blow_up(b, pressure, 30);
        double early = 0.0, late = 0.0;
        for (int32_t second = 0; second < 8; second++)
            late = greatest_head(b, pressure), early = second == 3 ? late : early;
        holds(late < early + 1e-4, "turned in way %d: %g m after 8 s, %g m after 4 s", trial, late, early);
        pli_world_destroy(b.world);
    }
}

static void a_balloon_stays_where_rolling_has_friction(void **state)
{
    (void)state;
    const double pressures[3] = {1.0, 1.2, 2.2};
    for (int32_t trial = shortened() ? 1 : 0; trial < (shortened() ? 2 : 12); trial++) {
        pli_world_def def = pli_world_def_default();
        balloon b = balloon_on_ground(&def, (vec){0.3, 0.2 * trial, -0.5}, 1.7 * trial, 0.03);
        momenta start = momenta_of(b.world, b.body, NULL, 0, NULL);
        double furthest = 0.0;
        for (int32_t i = 0; i < 600; i++) {
            press(b, fmin(pressures[trial % 3], 1.0 + (pressures[trial % 3] - 1.0) * (i + 1) / 30.0));
            if (i % 30 != 29)
                continue;
            vec moved = sub(momenta_of(b.world, b.body, NULL, 0, NULL).centre, start.centre);
            furthest = fmax(furthest, hypot(moved.x, moved.z));
        }
        holds(furthest < 0.05, "turned in way %d: %g m in 10 s", trial, furthest);
        pli_world_destroy(b.world);
    }
}

// A balloon that is blown up on a plane with friction, as shipped or as its mesh, skin and pressure come.
typedef struct inflated {
    double jitter, pressure, compliance, damping; // The mesh's irregularity [edges], and the skin.
} inflated;

// A sphere whose vertices lie on it in an irregular way.
static pli_mesh *irregular_sphere(double jitter)
{
    pli_mesh *lumpy = mesh_ball(3, jitter);
    float *positions = copied_positions(lumpy);
    for (int32_t i = 0; i < 642; i++) {
        float *p = positions + 3 * i;
        double r = length((vec){(double)p[0], (double)p[1], (double)p[2]});
        for (int32_t k = 0; k < 3; k++)
            p[k] = (float)(0.5 * (double)p[k] / r);
    }
    pli_mesh *mesh = mesh_moved(lumpy, positions);
    free(positions);
    pli_mesh_destroy(lumpy);
    return mesh;
}

// A plane, or a grid of triangles with cells of 0.4 m.
static void add_ground(pli_world *world, double restitution, bool of_triangles)
{
    pli_collider_def ground = pli_collider_def_default();
    pli_mesh *mesh = NULL;
    ground.shape = PLI_SHAPE_PLANE;
    ground.friction = 0.5f;
    ground.restitution = (float)restitution;
    if (of_triangles) {
        must(pli_mesh_create_grid(11, 11, 4.0f, 4.0f, PLI_GRID_ALTERNATING, &mesh, &problem));
        ground.shape = PLI_SHAPE_MESH, ground.mesh = mesh;
    }
    pli_collider collider;
    must(pli_collider_create(world, &ground, &collider, &problem));
    pli_mesh_destroy(mesh);
}

static double furthest_on_ground(const inflated *r, int32_t way, double restitution, bool of_triangles)
{
    pli_world_def def = pli_world_def_default();
    balloon b = {.world = world_from(&def)};
    pli_mesh *mesh = irregular_sphere(r->jitter);
    pli_deformable_def full = pli_deformable_def_default();
    full.mesh = mesh;
    full.density = 0.1f;
    full.stretch = PLI_STRETCH_SWEPT;
    full.pose.rotation = quat_about((vec){0.3, 0.2 * way, -0.5}, 1.7 * way);
    full.pose.position.y = 0.506f;
    must(pli_deformable_create(b.world, &full, &b.body, &problem));
    pli_mesh_destroy(mesh);
    pli_constraints skin = constrain(b.world, b.body, "distance", NULL);
    tune(b.world, skin, "compliance", r->compliance);
    tune(b.world, skin, "damping", r->damping);
    tune(b.world, constrain(b.world, b.body, "dihedral", NULL), "compliance", 1.0);
    b.volume = constrain(b.world, b.body, "volume", NULL);
    add_ground(b.world, restitution, of_triangles);
    momenta start = momenta_of(b.world, b.body, NULL, 0, NULL);
    double furthest = 0.0;
    for (int32_t i = 0; i < 600; i++) {
        press(b, fmin(r->pressure, 1.0 + (r->pressure - 1.0) * (i + 1) / 60.0));
        vec moved = sub(momenta_of(b.world, b.body, NULL, 0, NULL).centre, start.centre);
        furthest = fmax(furthest, hypot(moved.x, moved.z));
    }
    pli_world_destroy(b.world);
    return furthest;
}

static void a_balloon_stays_on_a_plane(void **state)
{
    (void)state;
    const inflated cases[5] = {
        {0.0, 1.0, 0.0, 0.0},   {0.0, 2.2, 0.0, 0.01}, {0.15, 1.2, 0.0, 0.0},
        {0.15, 2.2, 0.01, 0.0}, {0.0, 1.2, 0.0, 0.0},
    };
    for (int32_t trial = shortened() ? 1 : 0; trial < (shortened() ? 2 : 40); trial++) {
        double furthest = furthest_on_ground(&cases[trial % 5], trial, 0.0, false);
        holds(furthest < 0.05, "case %d, turned in way %d: %g m in 10 s", trial % 5, trial, furthest);
    }
    // A plane that gives back all it takes has no torque for it.
    double furthest = furthest_on_ground(&cases[4], 2, 1.0, false);
    holds(furthest > 0.05, "restitution 1: %g m in 10 s", furthest);
}

static void a_balloon_stays_on_triangles(void **state)
{
    (void)state;
    const inflated cases[3] = {{0.0, 1.2, 0.0, 0.0}, {0.0, 2.2, 0.0, 0.01}, {0.15, 1.2, 0.0, 0.0}};
    for (int32_t trial = 0; trial < (shortened() ? 3 : 12); trial++) {
        double furthest = furthest_on_ground(&cases[trial % 3], trial, 0.0, true);
        holds(furthest < 0.05, "case %d, turned in way %d: %g m in 10 s", trial % 3, trial, furthest);
    }
}

// A crumpled sheet on a plane without friction goes nowhere: what sweeps round does not add up, with contacts between them.
static double drift_of(int32_t substeps, pli_self_contact kind, bool self)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    def.settings.damping = 3.0f;
    pli_world *world = world_from(&def);
    pli_mesh *mesh;
    pli_deformable_def full = pli_deformable_def_default();
    must(pli_mesh_create_grid(16, 22, 0.6f, 0.86f, PLI_GRID_ALTERNATING, &mesh, &problem));
    full.mesh = mesh;
    full.self_collision = self, full.self_contact = kind;
    full.pose.rotation = quat_about((vec){1, 0, 0.2}, 1.4);
    full.pose.position.y = 0.5f;
    pli_deformable cloth;
    must(pli_deformable_create(world, &full, &cloth, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-6);
    tune(world, constrain(world, cloth, "isometric", NULL), "rigidity", 2e-6);
    pli_collider_def ground = pli_collider_def_default();
    pli_collider collider;
    ground.shape = PLI_SHAPE_PLANE, ground.friction = 0.0f;
    must(pli_collider_create(world, &ground, &collider, &problem));
    for (int32_t i = 0; i < (shortened() ? 240 : 900); i++)
        step(world, 1.0 / 60.0);
    momenta m = momenta_of(world, cloth, NULL, 0, NULL);
    pli_world_destroy(world);
    return hypot(m.linear.x, m.linear.z) / m.mass;
}

static void a_crumpled_sheet_does_not_drift(void **state)
{
    (void)state;
    static const int32_t substeps[4] = {9, 18, 36, 72};
    for (int32_t k = 0; k < 4; k++)
        for (int32_t self = 0; self < 3; self++) {
            double speed = drift_of(substeps[k], self == 1 ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_SURFACES,
                                    self > 0);
            holds(speed < 1e-4, "%d substeps, %s: it drifts at %g m/s", (int)substeps[k],
                  self == 0   ? "alone"
                  : self == 1 ? "touching itself by particles"
                              : "touching itself by surfaces",
                  speed);
        }
}

// A ball with a lever d loses torque d M g: its inertia about the contact slows it by d M g R / I.
static void rolling_friction_slows_a_ball_as_its_torque_says(void **state)
{
    (void)state;
    const double lever = 0.01;
    double speeds[2][2];
    for (int32_t with = 0; with < 2; with++) {
        pli_world_def def = pli_world_def_default();
        def.settings.substeps = 20;
        balloon b = balloon_on_ground(&def, (vec){0, 1, 0}, 0.0, with ? lever : 0.0);
        for (int32_t i = 0; i < 180; i++)
            press(b, 1.0), stop(b);
        momenta m = momenta_of(b.world, b.body, NULL, 0, NULL);
        push_off(b, (vec){0, 0, -0.5 / m.centre.y}, (vec){m.centre.x, 0, m.centre.z});
        for (int32_t i = 0; i < 90; i++) {
            press(b, 1.0);
            if (i % 60 == 29)
                speeds[with][i / 60] = dot(momenta_of(b.world, b.body, NULL, 0, NULL).linear, (vec){1 / m.mass, 0, 0});
        }
        pli_world_destroy(b.world);
    }
    double slowed = (speeds[1][0] - speeds[1][1]) - (speeds[0][0] - speeds[0][1]);
    near(slowed, lever * 9.81 / (5.0 / 3.0 * 0.493), 0.015, "m/s2 lost to rolling friction");
}

/* ---- the edges -------------------------------------------------------------------------------- */

// A rod has no inertia about its axis: two masses and what joins them, stretched, turn as they did.
static void a_rod_keeps_its_turn(void **state)
{
    (void)state;
    const double resting[8][3] = {{0, 0, 0},   {0.1, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0},
                                  {0.4, 0, 0}, {0.5, 0, 0}, {0.6, 0, 0}, {0.7, 0, 0}};
    int32_t edges[14];
    for (int32_t i = 0; i < 14; i++)
        edges[i] = i / 2 + i % 2;
    pli_world_def def = world_without_gravity();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_of_points(resting, 8);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    float w[8], v[24], x[24];
    for (int32_t i = 0; i < 8; i++) {
        w[i] = 10.0f + (float)i;
        x[3 * i] = 0.13f * (float)i, x[3 * i + 1] = 0.0f, x[3 * i + 2] = 0.0f;
        v[3 * i] = 0.0f, v[3 * i + 1] = (float)i - 3.5f, v[3 * i + 2] = 0.2f;
    }
    weigh(world, body, w, 8);
    must(pli_deformable_set_positions(world, body, 0, 8, x, &problem));
    must(pli_deformable_set_velocities(world, body, 0, 8, v, &problem));
    constrain_list(world, body, "distance", edges, 7);
    momenta before = momenta_of(world, body, NULL, 0, NULL);
    for (int32_t i = 0; i < 600; i++)
        step(world, 1.0 / 60.0);
    momenta after = momenta_of(world, body, NULL, 0, NULL);
    holds(all_finite(world), "finite");
    near(distance(after.linear, before.linear), 0.0, 1e-5 * length(before.linear), "linear");
    near(distance(after.angular, before.angular), 0.0, 1e-5 * length(before.angular), "angular");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_free_balloon_rests),
        property(a_free_balloon_rests_however_it_is_turned),
        property(a_held_balloon_rests),
        property(a_crumpled_sheet_leaves_without_spin),
        property(each_torn_piece_keeps_its_momenta),
        property(damping_keeps_momenta),
        property(a_limit_of_speeds_takes_what_is_above_it),
        property(a_pressed_balloon_answers_to_contacts_alone),
        property(a_balloon_on_the_ground_only_loses_energy),
        property(a_balloon_stays_where_rolling_has_friction),
        property(a_balloon_stays_on_a_plane),
        property(a_balloon_stays_on_triangles),
        property(a_crumpled_sheet_does_not_drift),
        property(rolling_friction_slows_a_ball_as_its_torque_says),
        property(a_rod_keeps_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
