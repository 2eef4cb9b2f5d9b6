// The air. Sums over triangles, against sums in double over the faces as they are now: normals of vertices and the push
// of the wind, of all kinds of meshes, before and after cuts, in every width. Then what the laws of pressure and skin
// friction say of sheets: the exact solutions of quadratic drag, terminal speeds across and along a sheet, the speed of
// the free leg of a folded sheet, and that light cloth is not faster than that allows, free and held.
#include "tears.h"

static const vec air = {1.5, -0.7, 2.2};
static const double density = 1.2, duration = 0.01, friction = 0.3;

static pli_world *windy_world(pli_simd simd)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = 1;
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    def.settings.air_density = (float)density;
    def.settings.air_friction = (float)friction;
    def.settings.wind = to_vec3(air);
    def.simd = simd;
    return world_from(&def);
}

static pli_deformable loose_cloth(pli_world *world, int32_t kind)
{
    pli_mesh *mesh = mesh_of_kind(kind, 19);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    return cloth;
}

// Every vertex somewhere else, at its own speed; the same in every width.
static void stir(pli_world *world, pli_deformable cloth)
{
    int32_t count = vertex_count_of(world, cloth);
    for (int32_t i = 0; i < count; i++) {
        vec p = add(position_of(world, cloth, i), random_vec(0.01)), v = random_vec(1.0);
        const float at[3] = {(float)p.x, (float)p.y, (float)p.z}, speed[3] = {(float)v.x, (float)v.y, (float)v.z};
        must(pli_deformable_set_positions(world, cloth, i, 1, at, &problem));
        must(pli_deformable_set_velocities(world, cloth, i, 1, speed, &problem));
    }
}

// Twice the area times the unit normal.
static vec doubled_area(const pli_world *world, pli_deformable cloth, const int32_t *corners)
{
    vec a = position_of(world, cloth, corners[0]);
    return cross(sub(position_of(world, cloth, corners[1]), a), sub(position_of(world, cloth, corners[2]), a));
}

// What the air adds to the velocity of a vertex: h w rho / 3 times the sum of A |u| u n over the faces around it, where
// u = (air - v) . n, divided by 1 plus h w rho / 3 times the sum of A |u|; and the same of the part of air - v along the
// faces, times the friction.
typedef struct push {
    vec sum, along;
    double total, rubbed;
} push;

static void add_push(const pli_world *world, pli_deformable cloth, const int32_t *corners, int32_t vertex, push *p)
{
    vec doubled = doubled_area(world, cloth, corners), n = unit(doubled);
    vec relative = sub(air, velocity_of(world, cloth, vertex));
    double speed = dot(relative, n), flux = 0.5 * length(doubled) * fabs(speed);
    vec along = sub(relative, scale(n, speed));
    double rub = 0.5 * length(doubled) * friction * length(along);
    p->sum = add(p->sum, scale(n, flux * speed));
    p->along = add(p->along, scale(along, rub));
    p->total += flux;
    p->rubbed += rub;
}

static vec velocity_after(const pli_world *world, pli_deformable cloth, int32_t vertex, const push *p)
{
    double share = duration * density / 3.0 / mass_of(world, cloth, vertex);
    vec pressed = scale(p->sum, share / (1.0 + share * p->total));
    vec rubbed = scale(p->along, share / (1.0 + share * p->rubbed));
    return add(velocity_of(world, cloth, vertex), add(pressed, rubbed));
}

static void check_normals(pli_world *world, pli_deformable cloth, const char *when)
{
    const pli_topology *t = pli_mesh_topology(current(world, cloth));
    vec *sums = calloc((size_t)t->vertex_count, sizeof *sums);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        vec n = doubled_area(world, cloth, t->triangles + i - i % 3);
        sums[t->triangles[i]] = add(sums[t->triangles[i]], n);
    }
    pli_view normals = pli_deformable_normals(world, cloth);
    holds(normals.count == t->vertex_count, "%s: %d normals", when, (int)normals.count);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        vec n = vec_of_floats(pli_view_at(normals, i));
        near(distance(n, unit(sums[i])), 0.0, 1e-4, "%s: normal %d", when, (int)i);
    }
    free(sums);
}

static void check_push(pli_world *world, pli_deformable cloth, const char *when)
{
    const pli_topology *t = pli_mesh_topology(current(world, cloth));
    int32_t count = t->vertex_count;
    push *pushes = calloc((size_t)count, sizeof *pushes);
    vec *expected = calloc((size_t)count, sizeof *expected);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        add_push(world, cloth, t->triangles + i - i % 3, t->triangles[i], &pushes[t->triangles[i]]);
    for (int32_t i = 0; i < count; i++)
        expected[i] = velocity_after(world, cloth, i, &pushes[i]);
    step(world, duration);
    for (int32_t i = 0; i < count; i++)
        near(distance(velocity_of(world, cloth, i), expected[i]), 0.0, 1e-3, "%s: velocity %d", when, (int)i);
    free(pushes);
    free(expected);
}

static uint64_t check_kind(int32_t kind, pli_simd simd)
{
    random_state = 5;
    pli_world *world = windy_world(simd);
    pli_deformable cloth = loose_cloth(world, kind);
    stir(world, cloth);
    check_normals(world, cloth, "whole");
    check_push(world, cloth, "whole");
    for (int32_t i = 0; i < 2; i++) {
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){1.0f - (float)i, 0.2f, 0.3f + (float)i};
        int32_t copies = 0;
        must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
        holds(copies > 0, "kind %d was cut", (int)kind);
        stir(world, cloth);
        check_normals(world, cloth, "cut");
        check_push(world, cloth, "cut");
    }
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void faces_push_and_rub_as_sums_say(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < KINDS; kind++) {
        uint64_t expected = check_kind(kind, PLI_SIMD_SCALAR);
        for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
            if (pli_simd_available((pli_simd)simd))
                holds(check_kind(kind, (pli_simd)simd) == expected, "kind %d, %s: other bits", (int)kind,
                      pli_choice_name("simd", simd));
    }
}

/* ---- sheets in the air ---------------------------------------------------------------------------- */

enum { FAN = KINDS, SPOKES = 12, RINGS = 6 }; ///< One more kind: a round sheet whose middle has SPOKES faces.

static pli_mesh *mesh_disc(void)
{
    float positions[3 * (1 + SPOKES * RINGS)] = {0.0f};
    int32_t faces[3 * SPOKES * (2 * RINGS - 1)], count = 0;
    for (int32_t i = 0; i < SPOKES * RINGS; i++) {
        double angle = 2.0 * acos(-1.0) * (i % SPOKES) / SPOKES + uniform(0.0, 0.1),
               radius = 0.5 * (i / SPOKES + 1) / RINGS;
        positions[3 * i + 3] = (float)(radius * cos(angle));
        positions[3 * i + 5] = (float)(radius * sin(angle));
    }
    for (int32_t i = 0; i < SPOKES * RINGS; i++) {
        int32_t a = 1 + i, b = (i + 1) % SPOKES ? a + 1 : a + 1 - SPOKES;
        const int32_t inner[3] = {i < SPOKES ? 0 : a - SPOKES, b, a}, outer[3] = {a - SPOKES, b - SPOKES, b};
        for (int32_t k = 0; k < 3; k++)
            faces[count++] = inner[k];
        for (int32_t k = 0; i >= SPOKES && k < 3; k++)
            faces[count++] = outer[k];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = 1 + SPOKES * RINGS;
    def.face_vertices = faces;
    def.face_count = count / 3;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

static pli_world *airy_world(int32_t substeps, vec wind, double gravity, double rough)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    def.settings.gravity = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    def.settings.air_density = (float)density;
    def.settings.air_friction = (float)rough;
    def.settings.wind = to_vec3(wind);
    return world_from(&def);
}

static pli_deformable sheet_from(pli_world *world, pli_mesh *mesh, double area_density)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.density = (float)area_density;
    pli_deformable sheet;
    must(pli_deformable_create(world, &def, &sheet, &problem));
    pli_mesh_destroy(mesh);
    return sheet;
}

static pli_deformable sheet_of(pli_world *world, int32_t kind, double area_density)
{
    return sheet_from(world, kind == FAN ? mesh_disc() : mesh_of_kind(kind, 11), area_density);
}

static void fix(pli_world *world, pli_deformable sheet, int32_t vertex)
{
    const float fixed = 0.0f;
    must(pli_deformable_set_inverse_masses(world, sheet, vertex, 1, &fixed, &problem));
}

static double fastest(const pli_world *world, pli_deformable sheet)
{
    double most = 0.0;
    for (int32_t i = 0; i < vertex_count_of(world, sheet); i++)
        most = fmax(most, length(velocity_of(world, sheet, i)));
    return most;
}

// A loose particle's velocity relative to the air never grows, whatever its mass, its neighbours and the substeps.
static void check_relative_speeds(int32_t kind, int32_t substeps, double rough)
{
    vec wind = scale(unit(random_vec(1.0)), 100.0);
    pli_world *world = airy_world(substeps, wind, 0.0, rough);
    pli_deformable sheet = sheet_of(world, kind, 0.005);
    stir(world, sheet);
    int32_t count = vertex_count_of(world, sheet);
    double *before = malloc(sizeof *before * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        float inverse_mass = (float)(i % 7 ? uniform(0.01, 3.0) / fmax(1e-9, mass_of(world, sheet, i)) : 0.0);
        must(pli_deformable_set_inverse_masses(world, sheet, i, 1, &inverse_mass, &problem));
        before[i] = inverse_mass > 0.0f ? distance(wind, velocity_of(world, sheet, i)) : INFINITY;
    }
    for (int32_t frame = 0; frame < 3; frame++) {
        step(world, 1.0 / 60.0);
        for (int32_t i = 0; i < count; i++) {
            double after = distance(wind, velocity_of(world, sheet, i));
            holds(after <= before[i] + 1e-3, "kind %d, %d substeps: vertex %d, %g m/s from the air after %g", (int)kind,
                  (int)substeps, (int)i, after, before[i]);
            before[i] = after;
        }
    }
    free(before);
    pli_world_destroy(world);
}

static void velocities_approach_the_air(void **state)
{
    (void)state;
    const double roughs[] = {0.0, 0.01, 10.0};
    for (int32_t kind = 0; kind <= FAN; kind++)
        for (int32_t substeps = 1; substeps <= 40; substeps = substeps * 3 + 1)
            for (int32_t k = 0; k < COUNT_OF(roughs); k++)
                check_relative_speeds(kind, substeps, roughs[k]);
}

// A strip held at one end, whose free end points at an angle from the wind. Cloth without mass has no tension, so the
// air takes every point along its normal; what has been blown straight lies along the wind, and the fold between it and
// the leg that is still free runs at the wind's speed U. That leg is drawn into the fold along itself at U (cos - 1) and
// blown across itself at U sin: its speed is 2 U sin(angle / 2), above the wind's from 60 degrees on.
static double leg_speed(double angle)
{
    enum { LENGTH = 41, WIDTH = 3 };
    const double speed = 100.0;
    pli_world *world = airy_world(400, (vec){speed * cos(angle), speed * sin(angle), 0.0}, 0.0, 0.0);
    pli_settings settings = pli_world_settings(world);
    settings.iterations = 4;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_grid(LENGTH, WIDTH, 1.0f, 0.05f, PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable strip = sheet_from(world, mesh, 2e-4);
    constrain(world, strip, "distance", NULL);
    for (int32_t row = 0; row < WIDTH; row++)
        fix(world, strip, row * LENGTH);
    step(world, 0.4 / speed); // Of a strip of 1 m, 40 % have gone through the fold.
    double v = length(velocity_of(world, strip, 2 * LENGTH - 1));
    pli_world_destroy(world);
    return v / speed;
}

static void free_legs_outrun_the_wind(void **state)
{
    (void)state;
    const double angles[] = {0.5, 1.0472, 1.5708, 2.0944};
    for (int32_t i = 0; i < COUNT_OF(angles); i++)
        near(leg_speed(angles[i]) / (2.0 * sin(0.5 * angles[i])), 1.0, 0.015, "angle %g", angles[i]);
}

// Cloth of 5 g/m2 in a wind of 100 m/s, and in gusts of 100 m/s from a new side each tenth of a second: the most of the
// air's speed, and with a single substep, in which the air crosses the whole cloth. The bounds of held cloth are above 1
// for the reason of the strip above.
static const struct {
    const char *name;
    double steady, gusts, steady_in_one, gusts_in_one;
} holds_of[] = {{"free", 1.05, 1.1, 1.1, 1.5},
                {"one corner", 1.5, 2.15, 1.25, 1.95},
                {"two corners", 1.25, 2.15, 1.1, 2.1},
                {"an edge", 1.5, 2.15, 1.8, 3.8}};
enum { FREE, ONE_CORNER, TWO_CORNERS, EDGE };

static const char *const bends[] = {NULL,    "dihedral",       "triangle",        "isometric",
                                    "stick", "ring_laplacian", "triangle_linear", "opposite_distance"};

// Holds the rim of the disc, or the first row of a grid.
static void hold(pli_world *world, pli_deformable sheet, int32_t kind, int32_t how)
{
    const int32_t rim = 1 + SPOKES * (RINGS - 1), first = kind == FAN ? rim : 0,
                  last = kind == FAN ? rim + SPOKES / 2 : 10;
    for (int32_t i = first; how != FREE && i <= (how == ONE_CORNER ? first : last); i++)
        if (how == EDGE || i == first || i == last)
            fix(world, sheet, i);
}

// The most of the air's speed that vertices have at the end of a frame, and that they have on average over a frame.
typedef struct speeds {
    double end, mean;
} speeds;

static speeds fastest_in_wind(int32_t kind, int32_t substeps, int32_t how, const char *bend, bool gusts, int32_t frames)
{
    const double speed = 100.0;
    random_state = 7;
    pli_world *world = airy_world(substeps, (vec){0.0, speed, 0.0}, 0.0, pli_world_def_default().settings.air_friction);
    pli_settings settings = pli_world_settings(world);
    pli_deformable sheet = sheet_of(world, kind, 0.005);
    constrain(world, sheet, "distance", NULL);
    if (bend)
        tune(world, constrain(world, sheet, bend, NULL), "compliance", 0.01);
    hold(world, sheet, kind, how);
    int32_t count = vertex_count_of(world, sheet);
    vec *from = malloc(sizeof *from * (size_t)count);
    speeds most = {0.0, 0.0};
    for (int32_t frame = 0; frame < frames; frame++) {
        if (gusts && frame % 6 == 0)
            settings.wind = to_vec3(scale(unit(random_vec(1.0)), speed));
        must(pli_world_set_settings(world, &settings, &problem));
        for (int32_t i = 0; i < count; i++)
            from[i] = position_of(world, sheet, i);
        step(world, 1.0 / 60.0);
        most.end = fmax(most.end, fastest(world, sheet) / speed);
        for (int32_t i = 0; i < count; i++)
            most.mean = fmax(most.mean, 60.0 * distance(position_of(world, sheet, i), from[i]) / speed);
    }
    free(from);
    pli_world_destroy(world);
    return most;
}

static speeds check_hold(int32_t how, bool gusts, int32_t kind, int32_t substeps, const char *bend)
{
    speeds v = fastest_in_wind(kind, substeps, how, bend, gusts, shortened() ? 20 : 60);
    double limit = gusts ? holds_of[how].gusts : holds_of[how].steady;
    double in_one = gusts ? holds_of[how].gusts_in_one : holds_of[how].steady_in_one;
    holds(v.end <= (substeps == 1 ? in_one : limit), "%s, gusts %d, kind %d, %d substeps, %s: %g", holds_of[how].name,
          (int)gusts, (int)kind, (int)substeps, bend ? bend : "no bending", v.end);
    if (!gusts && substeps >= 10)
        holds(v.mean <= 1.12, "%s, kind %d, %d substeps, %s: %g over a frame", holds_of[how].name, (int)kind,
              (int)substeps, bend ? bend : "no bending", v.mean);
    return v;
}

// All types of bending, or two after the other where time is short. PLIANT_TABLE=1 prints the most.
static void light_cloth_stays_near_the_wind(void **state)
{
    (void)state;
    const int32_t kinds[] = {0, 1, 2, 3, 4, FAN};
    for (int32_t how = 0; how < COUNT_OF(holds_of); how++)
        for (int32_t k = 0; k < 8; k++) {
            int32_t substeps = (const int32_t[]){1, 4, 13, 40}[k % 4], turn = k;
            speeds most = {0.0, 0.0};
            for (int32_t i = 0; i < COUNT_OF(kinds); i++)
                for (int32_t b = 0; b < (shortened() ? 1 : COUNT_OF(bends)); b++) {
                    const char *bend = bends[turn++ % COUNT_OF(bends)];
                    speeds v = check_hold(how, k >= 4, kinds[i], substeps, bend);
                    most.end = fmax(most.end, v.end), most.mean = fmax(most.mean, v.mean);
                }
            if (getenv("PLIANT_TABLE"))
                printf("%s, %s, %d substeps: %.3f, over a frame %.3f\n", holds_of[how].name, k < 4 ? "steady" : "gusts",
                       (int)substeps, most.end, most.mean);
        }
}

// A stiff sheet that is held by a corner and twisted turns about it like a windmill in gusts, and gains for as long as
// nothing rubs: up to 14 times the wind's speed within a second.
static void sheets_are_no_windmills(void **state)
{
    (void)state;
    const char *const stiff[] = {"dihedral", "triangle"};
    for (int32_t i = 0; i < COUNT_OF(stiff); i++)
        for (int32_t substeps = 40; substeps <= 160; substeps += 120) {
            speeds v = fastest_in_wind(0, substeps, ONE_CORNER, stiff[i], true, 60);
            holds(v.end <= 2.15, "%s, %d substeps: %g of the wind", stiff[i], (int)substeps, v.end);
        }
}

// The most of the air's speed that any vertex has in the 50 ms after the wind hits a flat sheet.
static double whip(int32_t how, int32_t substeps)
{
    const double speed = 100.0;
    random_state = 7;
    pli_world *world = airy_world(substeps, (vec){0.0, speed, 0.0}, 0.0, pli_world_def_default().settings.air_friction);
    pli_deformable sheet = sheet_of(world, 0, 0.005);
    constrain(world, sheet, "distance", NULL);
    hold(world, sheet, 0, how);
    double most = 0.0;
    for (int32_t i = 0; i < 120; i++) {
        step(world, 1.0 / 2400.0);
        most = fmax(most, fastest(world, sheet));
    }
    pli_world_destroy(world);
    return most / speed;
}

// The speed of what whips is that of the limit of many substeps: 40 a frame bring nothing on top of 640.
static void substeps_add_no_speed(void **state)
{
    (void)state;
    for (int32_t how = FREE; how <= EDGE; how++) {
        double coarse = whip(how, 1), fine = whip(how, 16);
        holds(coarse <= 1.03 * fine && fine < 1.6, "%s: %g of the wind, and %g with 640 substeps", holds_of[how].name,
              coarse, fine);
    }
}

// A flat sheet whose normal makes an angle with the air: along the normal u(t) = u0 / (1 + rho u0 t / rho_s), across it
// nothing.
static void flat_sheets_follow_the_exact_solution(void **state)
{
    (void)state;
    const double area_density = 0.15, time = 0.1;
    const double angles[] = {0.0, 0.5, 1.05, 1.4, 2.5, 3.14159265};
    for (int32_t k = 0; k < COUNT_OF(angles); k++)
        for (int32_t substeps = 1; substeps <= 40; substeps += 39) {
            vec wind = {5.0 * sin(angles[k]), 5.0 * cos(angles[k]), 0.0};
            pli_world *world = airy_world(substeps, wind, 0.0, 0.0);
            pli_deformable sheet = sheet_of(world, k % 4, area_density);
            step(world, time);
            double u = fabs(wind.y), left = u / (1.0 + density * u * time / area_density);
            vec expected = {0.0, wind.y - copysign(left, wind.y), 0.0};
            vec v = velocity_of(world, sheet, 60);
            near(v.y, expected.y, 1e-4 * u, "%d substeps, angle %g: along", (int)substeps, angles[k]);
            near(hypot(v.x, v.z), 0.0, 1e-4, "%d substeps, angle %g: across", (int)substeps, angles[k]);
            pli_world_destroy(world);
        }
}

// A flat sheet in air that moves along it: u(t) = u0 / (1 + c rho u0 t / rho_s).
static void friction_follows_the_exact_solution(void **state)
{
    (void)state;
    const double area_density = 0.15, time = 0.1, roughs[] = {0.01, 0.1, 1.0};
    for (int32_t k = 0; k < COUNT_OF(roughs); k++)
        for (int32_t substeps = 1; substeps <= 40; substeps += 39) {
            pli_world *world = airy_world(substeps, (vec){3.0, 0.0, -4.0}, 0.0, roughs[k]);
            pli_deformable sheet = sheet_of(world, k, area_density);
            step(world, time);
            double gained = 1.0 - 1.0 / (1.0 + roughs[k] * density * 5.0 * time / area_density);
            const vec v = velocity_of(world, sheet, 60), expected = {3.0 * gained, 0.0, -4.0 * gained};
            near(distance(v, expected), 0.0, 5e-4 * gained, "%d substeps, friction %g", (int)substeps, roughs[k]);
            pli_world_destroy(world);
        }
}

// A flat sheet falls at sqrt(rho_s g / rho) in the end, and edgewise at sqrt(rho_s g / (c rho)).
static void sheets_fall_at_their_terminal_speed(void **state)
{
    (void)state;
    const struct {
        double air, sheet;
        int32_t substeps;
        double rough; // 0 for a sheet that falls flat.
    } cases[] = {{1.2, 0.2, 10, 0},     {1.2, 0.05, 10, 0},    {0.3, 0.2, 10, 0},    {1.2, 0.005, 10, 0},
                 {1.2, 0.2, 1, 0},      {1.2, 0.2, 40, 0},     {1.2, 0.05, 10, 0.1}, {1.2, 0.05, 1, 0.1},
                 {1.2, 0.005, 40, 1.0}, {1.2, 0.005, 10, 0.01}};
    for (int32_t i = 0; i < COUNT_OF(cases); i++) {
        bool flat = cases[i].rough == 0.0;
        pli_world *world = airy_world(cases[i].substeps, (vec){0, 0, 0}, 9.81, flat ? 0.01 : cases[i].rough);
        pli_settings settings = pli_world_settings(world);
        settings.air_density = (float)cases[i].air;
        settings.gravity = flat ? settings.gravity : (pli_vec3){9.81f, 0.0f, 0.0f};
        must(pli_world_set_settings(world, &settings, &problem));
        pli_deformable sheet = sheet_of(world, 0, cases[i].sheet);
        constrain(world, sheet, "distance", NULL);
        constrain(world, sheet, "dihedral", NULL);
        for (int32_t frame = 0; frame < 150; frame++)
            step(world, 1.0 / 60.0);
        double expected = sqrt(cases[i].sheet * 9.81 / cases[i].air / (flat ? 1.0 : cases[i].rough));
        near(length(velocity_of(world, sheet, 60)) / expected, 1.0, 5e-3, "air %g, sheet %g, %d substeps, friction %g",
             cases[i].air, cases[i].sheet, (int)cases[i].substeps, cases[i].rough);
        pli_world_destroy(world);
    }
}

static void the_air_is_in_snapshots_and_in_range(void **state)
{
    (void)state;
    pli_world *world = airy_world(1, air, 0.0, 0.25);
    pli_settings settings = pli_world_settings(world);
    size_t size = pli_world_snapshot_size(world);
    void *buffer = malloc(size);
    must(pli_world_snapshot_write(world, buffer, size, &problem));
    const float wrong[] = {-0.01f, 10.1f, NAN};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        settings.air_friction = wrong[i];
        holds(pli_world_set_settings(world, &settings, &problem) == PLI_STATUS_INVALID_ARGUMENT, "friction %g",
              (double)wrong[i]);
    }
    settings.air_friction = 0.5f;
    must(pli_world_set_settings(world, &settings, &problem));
    must(pli_world_snapshot_read(world, buffer, size, &problem));
    near(pli_world_settings(world).air_friction, 0.25, 0.0, "friction of the snapshot");
    free(buffer);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(faces_push_and_rub_as_sums_say),
        property(velocities_approach_the_air),
        property(free_legs_outrun_the_wind),
        property(light_cloth_stays_near_the_wind),
        property(sheets_are_no_windmills),
        property(substeps_add_no_speed),
        property(flat_sheets_follow_the_exact_solution),
        property(friction_follows_the_exact_solution),
        property(sheets_fall_at_their_terminal_speed),
        property(the_air_is_in_snapshots_and_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
