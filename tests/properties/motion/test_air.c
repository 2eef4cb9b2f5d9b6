// Coefficients of the air by deformable, gusts, and the host's field: sums in double, terminal speeds and glides by closed forms, what
// turbulence without divergence must have, and how a callback may end a step.
#include "samples.h"
#include "worlds.h"

static const double density = 1.2;

static pli_world_def airy_def(int32_t substeps, vec wind, double gravity)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    def.settings.gravity = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    def.settings.air_density = (float)density;
    def.settings.air_friction = 0.0f;
    def.settings.wind = to_vec3(wind);
    return def;
}

static pli_deformable sheet_of(pli_world *world, int32_t side, double size, double area_density, double drag,
                               double lift)
{
    pli_mesh *mesh = mesh_grid(side, side, size, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.density = (float)area_density;
    def.air_drag = (float)drag, def.air_lift = (float)lift;
    pli_deformable sheet;
    must(pli_deformable_create(world, &def, &sheet, &problem));
    pli_mesh_destroy(mesh);
    return sheet;
}

static void place_all(pli_world *world, pli_deformable sheet, double jitter, double speed)
{
    for (int32_t i = 0; i < vertex_count_of(world, sheet); i++) {
        const vec p = add(position_of(world, sheet, i), random_vec(jitter)), v = random_vec(speed);
        const float at[3] = {(float)p.x, (float)p.y, (float)p.z}, u[3] = {(float)v.x, (float)v.y, (float)v.z};
        must(pli_deformable_set_positions(world, sheet, i, 1, at, &problem));
        must(pli_deformable_set_velocities(world, sheet, i, 1, u, &problem));
    }
}

/* ---- coefficients ------------------------------------------------------------------------------- */

// v + sum of F over 1 + sum of weights, both in double, around each vertex: F along the flow u and across it by the angle of attack a,
// sin a = u_n / |u|: rho A |u|^2 (D sin^3 a along u, L sin^2 a cos a across).
static uint64_t check_sums(double drag, double lift, pli_simd simd)
{
    const vec wind = {1.5, -0.7, 2.2};
    random_state = 11;
    pli_world_def def = airy_def(1, wind, 0.0);
    def.simd = simd;
    pli_world *world = world_from(&def);
    pli_deformable sheet = sheet_of(world, 8, 1.0, 0.2, drag, lift);
    place_all(world, sheet, 0.02, 1.0);
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, sheet));
    const int32_t count = t->vertex_count;
    vec *forces = calloc((size_t)count, sizeof *forces), *expected = calloc((size_t)count, sizeof *expected);
    double *weights = calloc((size_t)count, sizeof *weights);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        const int32_t *c = t->triangles + i - i % 3, v = t->triangles[i];
        const vec a = position_of(world, sheet, c[0]);
        const vec n2 = cross(sub(position_of(world, sheet, c[1]), a), sub(position_of(world, sheet, c[2]), a));
        const vec n = unit(n2), u = sub(wind, velocity_of(world, sheet, v));
        const double speed = length(u), sine = dot(u, n) / speed, area = 0.5 * length(n2);
        const vec across = sub(scale(n, sine), scale(u, sine * sine / speed)); // Its length is |sin a| cos a.
        const vec force = add(scale(u, drag * fabs(sine) * sine * sine * speed),
                              scale(across, lift * fabs(sine) * speed * speed));
        forces[v] = add(forces[v], scale(force, area));
        weights[v] += area * dot(force, force) / dot(force, u); // The same by the definition of the bound.
    }
    for (int32_t i = 0; i < count; i++) {
        const double share = 0.01 * density / 3.0 / mass_of(world, sheet, i);
        expected[i] = add(velocity_of(world, sheet, i), scale(forces[i], share / (1.0 + share * weights[i])));
    }
    step(world, 0.01);
    for (int32_t i = 0; i < count; i++)
        near(distance(velocity_of(world, sheet, i), expected[i]), 0.0, 1e-4, "drag %g, lift %g: velocity %d", drag,
             lift, i);
    free(forces), free(expected), free(weights);
    const uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void faces_are_dragged_and_lifted_as_sums_say(void **state)
{
    (void)state;
    static const double pairs[][2] = {{1, 1}, {0.4, 0.4}, {2, 0.5}, {0.3, 1.5}, {1, 0}};
    for (int32_t i = 0; i < COUNT_OF(pairs); i++) {
        const uint64_t expected = check_sums(pairs[i][0], pairs[i][1], PLI_SIMD_SCALAR);
        for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
            if (pli_simd_available((pli_simd)simd))
                holds(check_sums(pairs[i][0], pairs[i][1], (pli_simd)simd) == expected, "%s: other bits",
                      pli_choice_name("simd", simd));
    }
}

// Speed relative to the air never grows, with any coefficients.
static void speeds_relative_to_the_air_never_grow(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 24; i++) {
        const vec wind = scale(unit(random_vec(1.0)), 100.0);
        pli_world_def def = airy_def(1 + i % 4, wind, 0.0);
        def.settings.air_friction = i % 3 == 0 ? 0.0f : 0.05f;
        pli_world *world = world_from(&def);
        pli_deformable sheet = sheet_of(world, 7, 1.0, 0.002, i % 5 ? uniform(0.0, 3.0) : 0.0, uniform(0.0, 6.0));
        place_all(world, sheet, 0.05, 20.0);
        for (int32_t frame = 0; frame < 4; frame++) {
            double before[49];
            for (int32_t v = 0; v < 49; v++)
                before[v] = distance(wind, velocity_of(world, sheet, v));
            step(world, 1.0 / 60.0);
            for (int32_t v = 0; v < 49; v++)
                holds(distance(wind, velocity_of(world, sheet, v)) <= before[v] * (1.0 + 1e-5) + 1e-4,
                      "case %d: vertex %d, %g m/s after %g", i, v, distance(wind, velocity_of(world, sheet, v)),
                      before[v]);
        }
        pli_world_destroy(world);
    }
}

// A flat plate falls at sqrt(rho_s g / (rho D)), whose drag coefficient is 2 D, and edgewise at sqrt(rho_s g / (rho c)).
static void plates_fall_at_their_terminal_speed(void **state)
{
    (void)state;
    static const struct {
        double drag, friction;
    } rows[] = {{0.6, 0.0}, {2.0, 0.0}, {1.0, 0.5}, {1.0, 3.0}};
    for (int32_t i = 0; i < COUNT_OF(rows); i++) {
        const bool edgewise = rows[i].friction > 0.0;
        pli_world_def def = airy_def(10, (vec){0, 0, 0}, 0.0);
        def.settings.air_friction = 0.1f;
        def.settings.gravity = edgewise ? (pli_vec3){-9.81f, 0, 0} : (pli_vec3){0, -9.81f, 0};
        pli_world *world = world_from(&def);
        pli_deformable sheet = sheet_of(world, 5, 0.4, 0.2, rows[i].drag, 1.0);
        constrain(world, sheet, "distance", NULL);
        constrain(world, sheet, "dihedral", NULL);
        pli_deformable_def of;
        must(pli_deformable_get_def(world, sheet, &of, &problem));
        of.air_friction = (float)rows[i].friction, of.mesh = NULL;
        must(pli_deformable_set_def(world, sheet, &of, &problem));
        for (int32_t k = 0; k < 420; k++)
            step(world, 1.0 / 60.0);
        const vec v = velocity_of(world, sheet, 12);
        const double exact = sqrt(0.2 * 9.81 / (density * (edgewise ? 0.1 * rows[i].friction : rows[i].drag)));
        near(edgewise ? -v.x : -v.y, exact, 0.005 * exact, "row %d: terminal speed", i);
        pli_world_destroy(world);
    }
}

// A plate whose nose is down by t glides down at the angle g where drag over lift, r tan a with r = D / L and the angle of attack a = g - t,
// is tan g: at sin(2 g - t) = (r + 1) / (r - 1) sin t. With more lift than drag the flat glide is the stable one, with the nose up.
static void the_glide_angle_is_lift_over_drag(void **state)
{
    (void)state;
    const double ratio = 0.5, pitch = -0.12;
    const double low = 0.5 * (pitch + asin((ratio + 1.0) / (ratio - 1.0) * sin(pitch)));
    pli_world_def def = airy_def(40, (vec){0, 0, 0}, 9.81);
    pli_world *world = world_from(&def);
    pli_deformable sheet = sheet_of(world, 5, 0.4, 0.05, 1.0, 1.0 / ratio);
    constrain(world, sheet, "distance", NULL);
    constrain(world, sheet, "dihedral", NULL);
    float v[75];
    for (int32_t i = 0; i < 25; i++) {
        const vec p = turned(position_of(world, sheet, i), (vec){0, 0, 1}, -pitch);
        const float at[3] = {(float)p.x, (float)p.y, (float)p.z};
        must(pli_deformable_set_positions(world, sheet, i, 1, at, &problem));
        v[3 * i] = (float)(3.0 * cos(low)), v[3 * i + 1] = (float)(-3.0 * sin(low)), v[3 * i + 2] = 0.0f;
    }
    must(pli_deformable_set_velocities(world, sheet, 0, 25, v, &problem));
    const double attack = low - pitch, sine = sin(attack);
    const double speed = sqrt(0.05 * 9.81 * sin(low) / (density * sine * sine * sine));
    for (int32_t i = 0; i < 900; i++)
        step(world, 1.0 / 60.0);
    const vec u = velocity_of(world, sheet, 12);
    print_message("glide: %.4f rad of %.4f, %.3f m/s of %.3f\n", atan2(-u.y, u.x), low, length(u), speed);
    near(atan2(-u.y, u.x), low, 0.02 * low, "glide angle");
    near(length(u), speed, 0.02 * speed, "speed of the glide");
    pli_world_destroy(world);
}

// A sheet with the factor 0.25 falls at twice the terminal speed; a material gives its coefficients.
static void painted_drag_pulls_by_vertex(void **state)
{
    (void)state;
    pli_world_def def = airy_def(10, (vec){0, 0, 0}, 9.81);
    pli_world *world = world_from(&def);
    pli_material_def material = pli_material_def_default();
    material.air_drag = 0.5f, material.air_lift = 0.5f, material.density = 0.2f;
    pli_mesh *mesh = mesh_grid(5, 5, 0.4, PLI_GRID_ALTERNATING);
    pli_deformable_def of = pli_deformable_def_default();
    of.mesh = mesh;
    must(pli_material_apply(&material, &of, &problem));
    of.plate.rigidity = 0.0f;
    pli_deformable sheet;
    must(pli_deformable_create(world, &of, &sheet, &problem));
    constrain(world, sheet, "distance", NULL);
    constrain(world, sheet, "dihedral", NULL);
    float factors[25];
    for (int32_t v = 0; v < 25; v++)
        factors[v] = 0.25f;
    for (int32_t round = 0; round < 2; round++) {
        if (round == 0)
            must(pli_deformable_paint(world, sheet, "drag", PLI_ELEMENT_VERTEX, factors, 25, &problem));
        else
            must(pli_deformable_paint(world, sheet, "drag", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
        for (int32_t k = 0; k < 400; k++)
            step(world, 1.0 / 60.0);
        const double exact = sqrt(0.2 * 9.81 / (density * 0.5 * (round ? 1.0 : 0.25)));
        near(-velocity_of(world, sheet, 12).y, exact, 0.005 * exact, "terminal speed, round %d", round);
    }
    holds(pli_deformable_paint(world, sheet, "drag", PLI_ELEMENT_VERTEX, factors, 24, &problem) ==
              PLI_STATUS_INVALID_ARGUMENT,
          "another count");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

/* ---- gusts -------------------------------------------------------------------------------------- */

// The air at the vertices of a sheet so light that it goes with the air at once.
static pli_world *tracer_world(double length, int32_t seed, double strength, vec wind, pli_deformable *sheet)
{
    pli_world_def def = airy_def(1, wind, 0.0);
    def.settings.air_density = 1e4f, def.settings.air_friction = 10.0f;
    def.settings.gust_strength = (float)strength;
    def.gust_length = (float)length, def.gust_seed = seed;
    pli_world *world = world_from(&def);
    *sheet = sheet_of(world, 41, 40.0, 1e-4, 1.0, 1.0);
    return world;
}

static void gusts_are_turbulence(void **state)
{
    (void)state;
    double square = 0.0, near_by = 0.0, far_off = 0.0;
    int32_t count = 0;
    for (int32_t seed = 0; seed < 6; seed++) {
        pli_deformable sheet;
        pli_world *world = tracer_world(4.0, seed, 3.0, (vec){0, 0, 0}, &sheet);
        step(world, 1e-4);
        for (int32_t i = 0; i < 41 * 41 - 20; i++, count++) {
            const vec u = velocity_of(world, sheet, i);
            square += dot(u, u);
            near_by += i % 41 < 40 ? dot(u, velocity_of(world, sheet, i + 1)) : dot(u, u);
            far_off += i % 41 < 21 ? 2.0 * dot(u, velocity_of(world, sheet, i + 20)) : 0.0;
        }
        pli_world_destroy(world);
    }
    print_message("gusts: %.3f m/s of 3, correlation %.3f at 1 m, %.3f at 20 m\n", sqrt(square / count),
                  near_by / square, far_off / square);
    near(sqrt(square / count), 3.0, 0.3, "root mean square speed");
    holds(near_by / square > 0.3 && fabs(far_off / square) < 0.15, "correlation %g at a metre, %g at 20",
          near_by / square, far_off / square);
}

// Six sheets of four vertices a small way apart give the divergence by central differences.
static void gusts_have_no_divergence(void **state)
{
    (void)state;
    const double way = 0.05;
    pli_world_def def = airy_def(1, (vec){0, 0, 0}, 0.0);
    def.settings.air_density = 1e4f, def.settings.air_friction = 10.0f, def.settings.gust_strength = 2.0f;
    def.settings.origin = PLI_ORIGIN_FIXED;
    pli_world *world = world_from(&def);
    pli_deformable sheets[6];
    for (int32_t k = 0; k < 6; k++) {
        sheets[k] = sheet_of(world, 2, 1e-3, 1e-6, 1.0, 1.0);
        const double side = k % 2 ? way : -way;
        const pli_transform pose = {
            .position = to_vec3((vec){k / 2 == 0 ? side : 0, k / 2 == 1 ? side : 0, k / 2 == 2 ? side : 0}),
            .rotation = {0, 0, 0, 1}};
        must(pli_deformable_reset(world, sheets[k], &pose, &problem));
    }
    step(world, 1e-4);
    double divergence = 0.0, slopes = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        const vec d = scale(sub(velocity_of(world, sheets[2 * k + 1], 0), velocity_of(world, sheets[2 * k], 0)),
                            0.5 / way);
        divergence += k == 0 ? d.x : k == 1 ? d.y : d.z;
        slopes += length(d);
    }
    near(divergence, 0.0, 0.05 * slopes, "divergence, of slopes of %g 1/s", slopes);
    pli_world_destroy(world);
}

// The same gusts at any SIMD width, of any number of threads, from a snapshot, and wherever the origin is; others with another seed.
static uint64_t gusty_hash(pli_simd simd, int32_t threads, int32_t seed, bool restored)
{
    pli_world_def def = airy_def(5, (vec){2, 0, 1}, 9.81);
    def.simd = simd, def.thread_count = threads, def.gust_seed = seed;
    def.settings.gust_strength = 2.5f;
    pli_world *worlds[2] = {world_from(&def), world_from(&def)};
    for (int32_t i = 0; i < 2; i++) {
        pli_deformable sheet = sheet_of(worlds[i], 40, 1.0, 0.1, 0.8, 1.2);
        constrain(worlds[i], sheet, "distance", NULL);
        attach_every(worlds[i], sheet, 0, 40, 1);
    }
    for (int32_t i = 0; i < 20; i++) {
        step(worlds[0], 1.0 / 60.0);
        if (i != 9 || !restored)
            continue;
        size_t size;
        void *bytes = snapshot_of(worlds[0], &size);
        must(pli_world_snapshot_read(worlds[1], bytes, size, &problem));
        free(bytes);
        pli_world *first = worlds[0];
        worlds[0] = worlds[1], worlds[1] = first;
    }
    const uint64_t hash = pli_world_hash(worlds[0]);
    pli_world_destroy(worlds[0]);
    pli_world_destroy(worlds[1]);
    return hash;
}

static void gusts_have_the_same_bits(void **state)
{
    (void)state;
    const uint64_t expected = gusty_hash(PLI_SIMD_SCALAR, 1, 3, false);
    for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd))
            holds(gusty_hash((pli_simd)simd, 3, 3, false) == expected, "%s: other bits", pli_choice_name("simd", simd));
    holds(gusty_hash(PLI_SIMD_AUTO, 1, 3, true) == expected, "other gusts from a snapshot");
    holds(gusty_hash(PLI_SIMD_AUTO, 1, 4, false) != expected, "the same gusts with another seed");
}

// Held cloth of 5 g/m2 in gusts, by coefficients of its own, is no faster than docs/decisions/air.md bounds it by the fastest air.
static void held_cloth_stays_within_bounds(void **state)
{
    (void)state;
    static const double pairs[][2] = {{1, 1}, {0.5, 1.5}, {2, 0.3}};
    const double fastest_air = 100.0 + 3.0 * 30.0;
    for (int32_t i = 0; i < COUNT_OF(pairs); i++) {
        pli_world_def def = airy_def(10, (vec){0, 100, 0}, 0.0);
        def.settings.gust_strength = 30.0f, def.settings.air_friction = 0.02f, def.gust_length = 1.0f;
        pli_world *world = world_from(&def);
        pli_deformable sheet = sheet_of(world, 11, 1.0, 0.005, pairs[i][0], pairs[i][1]);
        constrain(world, sheet, "distance", NULL);
        attach_every(world, sheet, 0, 11, 1);
        double most = 0.0;
        for (int32_t k = 0; k < 60; k++) {
            step(world, 1.0 / 60.0);
            for (int32_t v = 0; v < 121; v++)
                most = fmax(most, length(velocity_of(world, sheet, v)));
        }
        print_message("held, drag %g, lift %g: %.2f of the fastest air\n", pairs[i][0], pairs[i][1],
                      most / fastest_air);
        holds(most < 2.15 * fastest_air, "drag %g, lift %g: %g m/s", pairs[i][0], pairs[i][1], most);
        pli_world_destroy(world);
    }
}

/* ---- the host's field --------------------------------------------------------------------------- */

typedef struct vortex {
    int32_t asked, points;
    double time;
    int32_t fails; // 0 never, 1 by a number, 2 by its answer.
} vortex;

// A vortex about the vertical axis beside the wind.
static bool turn(void *user, double time, const float *points, float *velocities, int32_t count)
{
    vortex *v = user;
    v->asked++, v->points += count, v->time = time;
    for (int32_t i = 0; i < count; i++) {
        velocities[3 * i] += 2.0f * points[3 * i + 2];
        velocities[3 * i + 2] -= 2.0f * points[3 * i];
    }
    if (v->fails == 1)
        velocities[3 * count - 1] = NAN;
    return v->fails != 2;
}

static void a_field_of_the_host_blows(void **state)
{
    (void)state;
    pli_deformable sheet;
    pli_world *world = tracer_world(1.0, 0, 0.0, (vec){0, 1, 0}, &sheet);
    const double far_off[3] = {100, 0, 0};
    must(pli_world_set_origin(world, far_off, &problem));
    vortex field = {0, 0, 0.0, 0};
    pli_world_set_air_field(world, turn, &field);
    step(world, 1e-4);
    holds(field.asked == 1 && field.points == 41 * 41, "asked %d times, for %d points", field.asked, field.points);
    near(field.time, 0.5e-4, 1e-9, "time of the field");
    for (int32_t i = 0; i < 41 * 41; i += 7) {
        const vec p = position_of(world, sheet, i), u = {2.0 * p.z, 1.0, -2.0 * p.x};
        near(distance(velocity_of(world, sheet, i), u), 0.0, 0.02 * (1.0 + length(u)), "velocity of vertex %d", i);
    }
    const uint64_t before = pli_world_hash(world);
    static const pli_status statuses[] = {PLI_STATUS_OK, PLI_STATUS_INVALID_ARGUMENT, PLI_STATUS_CANCELLED};
    for (field.fails = 1; field.fails <= 2; field.fails++) {
        const pli_status status = pli_world_step(world, 1e-4f, &problem);
        holds(status == statuses[field.fails], "failure %d gives %s", field.fails, pli_status_name(status));
        holds(pli_world_hash(world) == before, "failure %d changes the world", field.fails);
    }
    field.fails = 0, field.asked = 0;
    pli_settings settings = pli_world_settings(world);
    settings.air_density = 0.0f;
    must(pli_world_set_settings(world, &settings, &problem));
    step(world, 1e-4);
    settings.air_density = 1e4f;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_world_set_air_field(world, NULL, NULL);
    step(world, 1e-4);
    holds(field.asked == 0, "asked without air or after it was taken away");
    near(distance(velocity_of(world, sheet, 0), (vec){0, 1, 0}), 0.0, 0.5, "the wind alone again");
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(faces_are_dragged_and_lifted_as_sums_say),
        property(speeds_relative_to_the_air_never_grow),
        property(plates_fall_at_their_terminal_speed),
        property(the_glide_angle_is_lift_over_drag),
        property(painted_drag_pulls_by_vertex),
        property(gusts_are_turbulence),
        property(gusts_have_no_divergence),
        property(gusts_have_the_same_bits),
        property(held_cloth_stays_within_bounds),
        property(a_field_of_the_host_blows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
