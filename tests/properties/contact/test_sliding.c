// Cloth that slides and cloth that rests, on flat surfaces of triangles and on other cloth, against Newton's and
// Coulomb's laws: without friction nothing slows it or lifts it; with friction mu on a slope of tangent s it slides with
// g (sin - mu cos) if s > mu, and stays otherwise. Planes as shapes do all that; triangles must not show.
#include "sheets.h"

enum { SIDE = 11 };
static const double GRAVITY = 9.81, THICKNESS = 0.005, PATCH = 0.5;

// What lies below. MESH may move; PINNED is cloth that is fixed, LYING is loose cloth on a plane that is fixed at its
// border. The last two are other parts of the same cloth, which keeps
// clear of itself by particles.
typedef enum below_kind { PLANE, MESH, PINNED, LYING, PINNED_PART, LYING_PART, KINDS } below_kind;
static const char *const kind_names[KINDS] = {"plane",       "mesh",           "pinned cloth", "cloth on a plane",
                                              "pinned part", "part on a plane"};

typedef struct setting {
    below_kind kind;
    double cell, turn;     // Cells of what lies below [m], and its turn about the vertical [degrees].
    double half;           // Half of its size [m].
    double mu, slope;      // Friction, and the tangent of the slope.
    double speed, carried; // Of the cloth and of what lies below, at the start [m/s].
    double seconds;
    int32_t substeps, iterations; // No iterations are one.
    double restitution;
    bool turned_collider; // The collider slopes, not gravity.
} setting;

// What came of it: of the cloth along the slope, and above the surface.
typedef struct slide {
    double way, speed, rate; // [m], [m/s], and the change of speed in the last four fifths [m/s2].
    double hop;              // Of the highest vertex [m].
} slide;

static vec normal_of(const setting *s)
{
    double angle = s->turned_collider ? atan(s->slope) : 0.0;
    return (vec){-sin(angle), cos(angle), 0.0};
}

static vec downhill_of(const setting *s)
{
    vec n = normal_of(s);
    return s->turned_collider ? (vec){-n.y, n.x, 0.0} : (vec){1, 0, 0};
}

static pli_collider floor_of(pli_world *world, const setting *s)
{
    pli_collider_def def = pli_collider_def_default();
    double degrees = acos(-1.0) / 180.0;
    pli_quat about_y = quat_about((vec){0, 1, 0}, s->turn * degrees),
             about_z = quat_about((vec){0, 0, 1}, s->turned_collider ? atan(s->slope) : 0.0);
    def.friction = s->kind == LYING || s->kind == LYING_PART ? 2.0f : (float)s->mu;
    def.restitution = (float)s->restitution;
    def.pose.rotation = (pli_quat){
        about_z.w * about_y.x - about_z.z * about_y.y, about_z.w * about_y.y + about_z.z * about_y.x,
        about_z.z * about_y.w + about_z.w * about_y.z, about_z.w * about_y.w - about_z.z * about_y.z};
    def.shape = s->kind == MESH ? PLI_SHAPE_MESH : PLI_SHAPE_PLANE;
    pli_mesh *mesh = NULL;
    int32_t count = (int32_t)lround(2.0 * s->half / s->cell) + 1;
    if (s->kind == MESH)
        def.mesh = mesh = mesh_grid(count, count, 2.0 * s->half, PLI_GRID_ALTERNATING);
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    pli_mesh_destroy(mesh);
    return collider;
}

// Cloth of the setting's size.
static void lay_cloth(pli_world *world, const setting *s)
{
    int32_t count = (int32_t)lround(2.0 * s->half / s->cell) + 1;
    pli_mesh *mesh = mesh_grid(count, count, 2.0 * s->half, PLI_GRID_ALTERNATING);
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = malloc(3 * sizeof *positions * (size_t)t->vertex_count);
    float *masses = malloc(sizeof *masses * (size_t)t->vertex_count);
    for (int32_t i = 0; i < 3 * t->vertex_count; i++)
        positions[i] = t->positions[i] + (s->kind == LYING && i % 3 == 1 ? (float)THICKNESS : 0.0f);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.positions = positions;
    def.friction = (float)s->mu;
    def.thickness = (float)THICKNESS;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    for (int32_t i = 0; i < t->vertex_count; i++)
        masses[i] = s->kind == PINNED || t->vertex_boundary[i] ? 0.0f : (float)(1.0 / mass_of(world, cloth, i));
    weigh(world, cloth, masses, t->vertex_count);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, cloth, "dihedral", NULL), "compliance", 1e-2);
    pli_mesh_destroy(mesh);
    free(positions);
    free(masses);
}

static pli_deformable throw_cloth(pli_world *world, const setting *s)
{
    vec up = scale(normal_of(s), s->kind == LYING ? 2.0 * THICKNESS : THICKNESS);
    pli_deformable_def def = pli_deformable_def_default();
    pli_mesh *mesh = mesh_grid(SIDE, SIDE, PATCH, PLI_GRID_ALTERNATING);
    def.mesh = mesh;
    def.thickness = (float)THICKNESS;
    def.friction = (float)s->mu;
    def.velocity = to_vec3(scale(downhill_of(s), s->speed));
    def.pose.position = to_vec3(add(up, (vec){0, 0, 0.013}));
    def.pose.rotation = quat_about((vec){0, 0, 1}, s->turned_collider ? atan(s->slope) : 0.0);
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, cloth, "dihedral", NULL), "compliance", 1e-2);
    return cloth;
}

/* ---- two parts of one cloth ------------------------------------------------------------------- */

// A mesh of two meshes that share nothing; the second one is lowered.
static pli_mesh *mesh_joined(pli_mesh *first, pli_mesh *second, double lowered)
{
    const pli_topology *parts[2] = {pli_mesh_topology(first), pli_mesh_topology(second)};
    int32_t count = parts[0]->vertex_count, vertices = count + parts[1]->vertex_count,
            triangles = parts[0]->triangle_count + parts[1]->triangle_count;
    float *positions = malloc(3 * sizeof *positions * (size_t)vertices);
    int32_t *corners = malloc(3 * sizeof *corners * (size_t)triangles);
    for (int32_t i = 0; i < 3 * vertices; i++)
        positions[i] = i < 3 * count ? parts[0]->positions[i]
                                     : parts[1]->positions[i - 3 * count] - (i % 3 == 1 ? (float)lowered : 0.0f);
    for (int32_t i = 0, own = 3 * parts[0]->triangle_count; i < 3 * triangles; i++)
        corners[i] = i < own ? parts[0]->triangles[i] : count + parts[1]->triangles[i - own];
    pli_mesh *mesh;
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = vertices;
    int32_t *sizes = malloc(sizeof *sizes * (size_t)triangles);
    for (int32_t i = 0; i < triangles; i++)
        sizes[i] = 3;
    def.face_sizes = sizes, def.face_vertices = corners, def.face_count = triangles;
    must(pli_mesh_create(&def, &mesh, &problem));
    pli_mesh_destroy(first), pli_mesh_destroy(second);
    free(positions), free(corners), free(sizes);
    return mesh;
}

// Both parts, with the thrown one first. They are far from one another at rest.
static pli_deformable throw_part(pli_world *world, const setting *s)
{
    enum { PATCH_COUNT = SIDE * SIDE };
    int32_t count = (int32_t)lround(2.0 * s->half / s->cell) + 1;
    pli_mesh *mesh = mesh_joined(mesh_grid(SIDE, SIDE, PATCH, PLI_GRID_ALTERNATING),
                                 mesh_grid(count, count, 2.0 * s->half, PLI_GRID_ALTERNATING), 1.0);
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = copied_positions(mesh), *velocities = calloc((size_t)t->vertex_count, 3 * sizeof *velocities),
          *masses = malloc(sizeof *masses * (size_t)t->vertex_count);
    double distance = 0.75 * mean_edge(mesh), lies = s->kind == LYING_PART ? THICKNESS : 0.0;
    for (int32_t i = 0; i < t->vertex_count; i++) {
        positions[3 * i + 1] = (float)(i < PATCH_COUNT ? lies + distance : lies);
        positions[3 * i + 2] += i < PATCH_COUNT ? 0.013f : 0.0f;
        velocities[3 * i] = i < PATCH_COUNT ? (float)s->speed : 0.0f;
    }
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.positions = positions;
    def.thickness = (float)THICKNESS;
    def.friction = (float)s->mu;
    def.self_collision = true;
    def.self_contact = PLI_SELF_CONTACT_PARTICLES;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    must(pli_deformable_set_velocities(world, cloth, 0, t->vertex_count, velocities, &problem));
    for (int32_t i = 0; i < t->vertex_count; i++)
        masses[i] = i >= PATCH_COUNT && (s->kind == PINNED_PART || t->vertex_boundary[i])
                        ? 0.0f
                        : (float)(1.0 / mass_of(world, cloth, i));
    weigh(world, cloth, masses, t->vertex_count);
    tune(world, constrain(world, cloth, "distance", NULL), "compliance", 1e-7);
    tune(world, constrain(world, cloth, "dihedral", NULL), "compliance", 1e-2);
    pli_mesh_destroy(mesh);
    free(positions), free(velocities), free(masses);
    return cloth;
}

/* ---- slides ----------------------------------------------------------------------------------- */

static vec mean_of(const pli_world *world, pli_deformable cloth,
                   vec (*what)(const pli_world *, pli_deformable, int32_t))
{
    vec sum = {0, 0, 0};
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        sum = add(sum, scale(what(world, cloth, i), 1.0 / (SIDE * SIDE)));
    return sum;
}

static slide let_slide(const setting *s)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    double angle = atan(s->slope);
    def.settings.substeps = s->substeps;
    def.settings.iterations = s->iterations > 0 ? s->iterations : 1;
    if (!s->turned_collider)
        def.settings.gravity = to_vec3((vec){GRAVITY * sin(angle), -GRAVITY * cos(angle), 0});
    pli_world *world = world_from(&def);
    pli_collider below = {0};
    if (s->kind != PINNED && s->kind != PINNED_PART)
        below = floor_of(world, s);
    if (s->kind >= PINNED && s->kind < PINNED_PART)
        lay_cloth(world, s);
    pli_deformable cloth = s->kind < PINNED_PART ? throw_cloth(world, s) : throw_part(world, s);
    vec along = downhill_of(s), up = normal_of(s), start = mean_of(world, cloth, position_of);
    double top = dot(start, up), early = 0.0;
    slide result = {0};
    int32_t frames = (int32_t)lround(60.0 * s->seconds), later = frames / 5;
    for (int32_t frame = 0; frame < frames; frame++) {
        if (s->carried != 0.0)
            must(pli_collider_set_pose(
                world, below, pose_turned(s->turn, (vec){0, 1, 0}, (vec){s->carried * (frame + 1) / 60.0, 0, 0}),
                &problem));
        step(world, 1.0 / 60.0);
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            result.hop = fmax(result.hop, dot(position_of(world, cloth, i), up) - top);
        if (frame + 1 == later)
            early = dot(mean_of(world, cloth, velocity_of), along);
    }
    result.way = dot(sub(mean_of(world, cloth, position_of), start), along);
    result.speed = dot(mean_of(world, cloth, velocity_of), along);
    result.rate = (result.speed - early) * 60.0 / (frames - later);
    pli_world_destroy(world);
    return result;
}

/* ---- without friction ----------------------------------------------------------------------- */

static void keeps_going(const setting *s)
{
    slide r = let_slide(s);
    double lost = 1.0 - (r.speed - s->carried) / (s->speed - s->carried);
    holds(fabs(lost) < 0.01 && r.hop < 0.1 * THICKNESS,
          "%s, cells of %g m turned by %g, %g m/s over %g m/s, %d substeps: %.2f %% of the speed lost, %.3f mm up",
          kind_names[s->kind], s->cell, s->turn, s->speed, s->carried, (int)s->substeps, 100.0 * lost, 1e3 * r.hop);
}

static setting throw_at(below_kind kind, double speed)
{
    double seconds = shortened() ? 0.2 : 0.5;
    return (setting){.kind = kind,
                     .cell = 0.05,
                     .half = ceil(2.0 * (speed * seconds + 0.5)) / 2.0,
                     .speed = speed,
                     .seconds = seconds,
                     .substeps = 10};
}

static void cloth_on_meshes_neither_slows_nor_hops(void **state)
{
    (void)state;
    const double speeds[] = {4.0, 0.5, 2.0, 8.0}, cells[] = {0.05, 0.1, 0.2, 0.5}, turns[] = {17.0, 0.0, 45.0};
    for (int32_t i = 0; i < (shortened() ? 1 : 4); i++)
        for (int32_t c = 0; c < (shortened() ? 2 : 4); c++)
            for (int32_t t = 0; t < (shortened() ? 1 : 3); t++) {
                setting s = throw_at(MESH, speeds[i]);
                s.cell = cells[c], s.turn = turns[t];
                keeps_going(&s);
            }
    for (int32_t substeps = 20; substeps <= (shortened() ? 20 : 80); substeps *= 2) {
        setting s = throw_at(MESH, 4.0);
        s.substeps = substeps;
        keeps_going(&s);
    }
    setting carried = throw_at(MESH, 2.0);
    carried.half = 3.0, carried.carried = -2.0;
    keeps_going(&carried);
    setting fine = throw_at(MESH, 8.0);
    fine.cell = 0.02, fine.half = 1.0, fine.seconds = 0.08;
    keeps_going(&fine);
}

static void cloth_on_cloth_neither_slows_nor_hops(void **state)
{
    (void)state;
    const double speeds[] = {4.0, 0.5, 2.0, 8.0};
    for (int32_t i = 0; i < (shortened() ? 1 : 4); i++)
        for (int32_t kind = PINNED; kind < PINNED_PART; kind++) {
            setting s = throw_at((below_kind)kind, speeds[i]);
            keeps_going(&s);
        }
}

static void parts_by_particles_neither_slow_nor_hop(void **state)
{
    (void)state;
    const double speeds[] = {4.0, 2.0, 0.5, 8.0};
    for (int32_t i = 0; i < (shortened() ? 2 : 4); i++)
        for (int32_t kind = PINNED_PART; kind < KINDS; kind++) {
            setting s = throw_at((below_kind)kind, speeds[i]);
            keeps_going(&s);
        }
}

/* ---- with friction -------------------------------------------------------------------------- */

// Where nothing moves, not even by what rounds: corners 1 km away are rounded to 6e-5 m.
static void cloth_stays_on_large_triangles(void **state)
{
    (void)state;
    const double halves[] = {40.0, 1000.0, 2.0, 5.0, 10.0, 200.0};
    for (int32_t i = 0; i < (shortened() ? 2 : 6); i++)
        for (int32_t turned = 0; turned < 2; turned++) {
            setting s = {.kind = MESH,
                         .cell = 2.0 * halves[i],
                         .half = halves[i],
                         .mu = 0.3,
                         .slope = 0.97 * 0.3,
                         .seconds = shortened() ? 1.0 : 10.0,
                         .substeps = 10,
                         .turned_collider = turned};
            slide r = let_slide(&s);
            holds(fabs(r.way) < 1e-4 * s.seconds, "half size %g m, %s: %g mm in %g s", halves[i],
                  turned ? "turned" : "level", 1e3 * r.way, s.seconds);
        }
}

// On a slope of so many times the friction.
static void slides(below_kind kind, double cell, double mu, double times, int32_t substeps, int32_t iterations)
{
    setting s = {.kind = kind,
                 .cell = cell,
                 .half = kind == PINNED_PART || kind == LYING_PART ? 1.0 + 10.0 * cell : 2.0,
                 .mu = mu,
                 .slope = times * mu,
                 .seconds = shortened() ? 0.3 : 0.6,
                 .substeps = substeps,
                 .iterations = iterations};
    slide r = let_slide(&s);
    double angle = atan(s.slope), right = GRAVITY * (sin(angle) - mu * cos(angle));
    double allowed = substeps > 20 ? 0.03 : 0.015;
    holds(fabs(r.rate - right) < allowed * right && r.hop < 0.1 * THICKNESS,
          "%s, cells of %g m, %g of mu %g, %d substeps of %d: %.4f m/s2 for %.4f, %.3f mm up", kind_names[kind], cell,
          times, mu, (int)substeps, (int)iterations, r.rate, right, 1e3 * r.hop);
}

static void friction_is_that_of_coulomb(void **state)
{
    (void)state;
    const below_kind kinds[] = {MESH, LYING, PINNED_PART, PINNED, PLANE};
    for (int32_t k = 0; k < (shortened() ? 3 : 5); k++)
        for (double mu = 0.6; mu > 0.2; mu -= shortened() ? 1.0 : 0.3) {
            slides(kinds[k], 0.05, mu, 2.0, 10, 1);
            slides(kinds[k], 0.05, mu, 1.2, 10, 1);
            setting s = {.kind = kinds[k],
                         .cell = 0.05,
                         .half = 1.0,
                         .mu = mu,
                         .slope = 0.97 * mu,
                         .seconds = 0.5,
                         .substeps = 10};
            // Loose cloth below gives by as much as it stretches, and particles settle between those below.
            near(let_slide(&s).way, 0, kinds[k] == LYING || kinds[k] == PINNED_PART ? 0.012 : 1e-5, "%s holds",
                 kind_names[kinds[k]]);
        }
}

// Cells below that are finer than those of the patch, iterations, and short substeps, where friction moves by a few
// units in the last place.
static void friction_does_not_depend_on_the_mesh_or_the_step(void **state)
{
    (void)state;
    const below_kind kinds[] = {PINNED_PART, LYING, MESH};
    for (int32_t k = 0; k < (shortened() ? 1 : 3); k++) {
        slides(kinds[k], 1.0 / 27.0, 0.3, 1.2, 10, 1);
        if (!shortened())
            slides(kinds[k], 1.0 / 27.0, 0.6, 1.2, 10, 1);
        if (!shortened())
            slides(kinds[k], 0.05, 0.6, 1.2, 5, 4);
    }
    for (int32_t substeps = shortened() ? 80 : 20; substeps <= 80; substeps *= 2) {
        slides(LYING, 0.05, 0.6, 1.2, substeps, 1);
        for (int32_t k = 0; !shortened() && k < 3; k += 2) {
            slides(kinds[k], 0.05, 0.6, 1.2, substeps, 1);
            slides(kinds[k], 0.05, 0.6, 2.0, substeps, 1);
        }
    }
}

/* ---- impacts -------------------------------------------------------------------------------- */

// A patch that lands flat and at a slant of 2 m/s down leaves with restitution e at 2 e m/s, and the impulse of both
// costs mu (1 + e) 2 m/s of its speed along: Newton's and Coulomb's laws of impact. It does not matter how much of the
// substep is left when it lands.
static void lands(below_kind kind, double mu, double restitution, double height)
{
    enum { COUNT = SIDE * SIDE };
    const double down = 2.0, along = 4.0;
    setting s = {.kind = kind, .cell = 0.05, .half = 1.0, .mu = mu, .restitution = restitution, .speed = along};
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.gravity = (pli_vec3){0, 0, 0};
    pli_world *world = world_from(&def);
    floor_of(world, &s);
    pli_deformable cloth = throw_cloth(world, &s);
    float positions[3 * COUNT], velocities[3 * COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        vec p = position_of(world, cloth, i);
        positions[3 * i] = (float)p.x, positions[3 * i + 1] = (float)(p.y + height), positions[3 * i + 2] = (float)p.z;
        velocities[3 * i] = (float)along, velocities[3 * i + 1] = -(float)down, velocities[3 * i + 2] = 0.0f;
    }
    must(pli_deformable_set_positions(world, cloth, 0, COUNT, positions, &problem));
    must(pli_deformable_set_velocities(world, cloth, 0, COUNT, velocities, &problem));
    for (int32_t frame = 0; frame < 3; frame++)
        step(world, 1.0 / 60.0);
    vec left = mean_of(world, cloth, velocity_of);
    double up = restitution * down, kept = along - mu * (1.0 + restitution) * down;
    holds(fabs(left.y - up) < 0.01 && fabs(left.x - kept) < 0.01,
          "%s, friction %g, restitution %g, from %g m: %.4f m/s up for %g, %.4f m/s along for %g", kind_names[kind], mu,
          restitution, height, left.y, up, left.x, kept);
    pli_world_destroy(world);
}

static void impacts_are_those_of_newton_and_coulomb(void **state)
{
    (void)state;
    const double heights[] = {0.0213, 0.02, 0.0228}, frictions[] = {0.3, 0.0}, restitutions[] = {1.0, 0.5, 0.0};
    for (int32_t h = 0; h < (shortened() ? 1 : 3); h++)
        for (int32_t f = 0; f < 2; f++)
            for (int32_t r = 0; r < 3; r++) {
                lands(MESH, frictions[f], restitutions[r], heights[h]);
                lands(PLANE, frictions[f], restitutions[r], heights[h]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(cloth_on_meshes_neither_slows_nor_hops),
        property(cloth_on_cloth_neither_slows_nor_hops),
        property(parts_by_particles_neither_slow_nor_hop),
        property(cloth_stays_on_large_triangles),
        property(friction_is_that_of_coulomb),
        property(friction_does_not_depend_on_the_mesh_or_the_step),
        property(impacts_are_those_of_newton_and_coulomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
