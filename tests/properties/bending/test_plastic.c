// Plastic bending against closed forms and a scalar return mapping: strips are bent to cylinders, let go and bent again. The bend that stays must
// depend neither on the mesh nor on frame rates, substeps and iterations.
#include "scenery.h"
#include "sheets.h"

#include "model/handles.h"
#include "bending/creases.h"

#include <string.h>

#define LENGTH 0.2
#define DENSITY 0.08
#define RIGIDITY 2.5e-4

typedef struct strip {
    int32_t cells, substeps, iterations;
    pli_grid_pattern pattern;
    double jitter, yield, hardening, poisson;
    const char *type; // Null for a plate.
} strip;

static const strip usual = {16, 10, 1, PLI_GRID_DIAGONAL, 0.0, 5.0, 0.25, 0.3, NULL};

/* ---- bending ------------------------------------------------------------------------------------ */

// A strip along x.
static pli_mesh *strip_mesh(const strip *s)
{
    const int32_t columns = s->cells + 1, rows = s->cells / 4 + 1;
    const double edge = LENGTH / s->cells;
    pli_mesh *grid = NULL;
    must(pli_mesh_create_grid(columns, rows, (float)(edge * (columns - 1)), (float)(edge * (rows - 1)), s->pattern,
                              &grid, &problem));
    if (!(s->jitter > 0.0))
        return grid;
    float *positions = copied_positions(grid);
    for (int32_t i = 0; i < columns * rows; i++)
        if (i % columns > 0 && i % columns < columns - 1 && i / columns > 0 && i / columns < rows - 1) {
            positions[3 * i] += (float)(uniform(-s->jitter, s->jitter) * edge);
            positions[3 * i + 2] += (float)(uniform(-s->jitter, s->jitter) * edge);
        }
    pli_mesh *moved = mesh_moved(grid, positions);
    free(positions);
    pli_mesh_destroy(grid);
    return moved;
}

static pli_world *strip_world(const strip *s, int32_t threads, pli_simd simd, pli_deformable *sheet)
{
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.substeps = s->substeps, world_def.settings.iterations = s->iterations;
    world_def.settings.damping = 138.0f, world_def.settings.gravity = (pli_vec3){0, 0, 0};
    world_def.thread_count = threads, world_def.simd = simd;
    pli_world *world = world_from(&world_def);
    pli_mesh *mesh = strip_mesh(s);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.density = (float)DENSITY, def.self_collision = false;
    if (!s->type) {
        def.plate.rigidity = (float)RIGIDITY, def.plate.poisson = (float)s->poisson;
        def.plate.yield = (float)s->yield, def.plate.hardening = (float)s->hardening;
    }
    must(pli_deformable_create(world, &def, sheet, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *sheet, "distance", NULL);
    if (s->type) {
        pli_constraints set = constrain(world, *sheet, s->type, NULL);
        tune(world, set, "rigidity", RIGIDITY);
        tune(world, set, "yield", s->yield);
        tune(world, set, "hardening", s->hardening);
    }
    return world;
}

// Lays the strip onto a cylinder; its columns stay straight, and the cells between them as long as they are.
static void bend_to(pli_world *world, pli_deformable sheet, int32_t cells, double curvature)
{
    const double edge = LENGTH / cells, turn = 2.0 * asin(0.5 * curvature * edge) / edge;
    const float *rest = pli_deformable_get(world, sheet, NULL)->shape.positions;
    for (int32_t i = 0; i < vertex_count_of(world, sheet); i++) {
        const double x = (double)rest[3 * i], angle = turn * x, c = fabs(curvature) > 1e-9 ? curvature : 1e-9;
        const float at[3] = {(float)(sin(angle) / c), (float)((1.0 - cos(angle)) / c), rest[3 * i + 2]};
        const float still[3] = {0, 0, 0};
        must(pli_deformable_set_positions(world, sheet, i, 1, at, &problem));
        must(pli_deformable_set_velocities(world, sheet, i, 1, still, &problem));
    }
}

// Holds all vertices, as long as an excess flows.
static void bend_held(pli_world *world, pli_deformable sheet, int32_t cells, double curvature)
{
    const int32_t count = vertex_count_of(world, sheet);
    float *masses = malloc(sizeof *masses * (size_t)count), *zeros = calloc((size_t)count, sizeof *zeros);
    for (int32_t i = 0; i < count; i++)
        masses[i] = (float)(1.0 / mass_of(world, sheet, i));
    bend_to(world, sheet, cells, curvature);
    weigh(world, sheet, zeros, count);
    step(world, 1.0);
    weigh(world, sheet, masses, count);
    free(masses);
    free(zeros);
}

// Curvature of the middle half: the angle between its ends over its length.
static double curvature_of(const pli_world *world, pli_deformable sheet, int32_t cells)
{
    const int32_t a = cells / 4, b = 3 * cells / 4, row = (cells / 4 + 1) / 2 * (cells + 1);
    vec before = sub(position_of(world, sheet, row + a + 1), position_of(world, sheet, row + a - 1));
    vec after = sub(position_of(world, sheet, row + b + 1), position_of(world, sheet, row + b - 1));
    return atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y) / (LENGTH / 2.0);
}

static double work_of(const pli_world *world)
{
    pli_statistics statistics;
    pli_world_get_statistics(world, &statistics);
    return statistics.plastic_work;
}

/* ---- a scalar reference ------------------------------------------------------------------------- */

// Return mapping with isotropic hardening, for one curvature (Simo and Hughes 1998, box 1.4); work over area and rigidity.
typedef struct reference {
    double rest, bent, work;
} reference;

static void follow(reference *r, const strip *s, double curvature)
{
    const double trial = curvature - r->rest, limit = s->yield + s->hardening * r->bent;
    if (fabs(trial) <= limit)
        return;
    const double stays = (fabs(trial) - limit) / (1.0 + s->hardening);
    r->work += (limit + 0.5 * s->hardening * stays) * stays;
    r->bent += stays;
    r->rest += trial < 0.0 ? -stays : stays;
}

static const double cycle[] = {4, 9, 3, -5, -11, 1, 15, 14, -15, 0, 15.5, -15.5, 22, 5};
enum { CYCLE = sizeof cycle / sizeof *cycle };

// Triangles of a plate between two inner columns bend as the reference does, to the work.
static void test_plates_follow_a_scalar_reference(void **state)
{
    (void)state;
    strip s = usual;
    for (int kind = 0; kind < 4; kind++) {
        reference r = {0};
        pli_deformable sheet;
        s.hardening = kind == 1 ? 0.0 : 0.25, s.substeps = kind == 2 ? 3 : 10, s.cells = kind == 3 ? 32 : 16;
        pli_world *world = strip_world(&s, 1, PLI_SIMD_AUTO, &sheet);
        for (int32_t i = 0; i < CYCLE; i++) {
            follow(&r, &s, cycle[i]);
            bend_held(world, sheet, s.cells, cycle[i]);
        }
        const pli_deformable_data *data = pli_deformable_get(world, sheet, NULL);
        double least = 1e9, most = 0.0;
        for (int32_t t = 0; t < data->plastic->creases->count; t++) {
            const double bent = (double)data->plastic->creases->bends[t];
            least = bent > 0.0 ? fmin(least, bent) : least, most = fmax(most, bent);
        }
        near(least / r.bent, 1.0, 2e-3, "kind %d: least bend that has stayed", kind);
        near(most / r.bent, 1.0, 2e-3, "kind %d: largest bend that has stayed", kind);
        // The triangle at the border of the last column bears no moment.
        const double area = LENGTH * (LENGTH / 4.0) * (1.0 - 1.0 / s.cells);
        near(work_of(world) / (area * RIGIDITY * r.work), 1.0, 5e-3, "kind %d: plastic work", kind);
        pli_world_destroy(world);
    }
}

// Rest values of sets follow the reference, in the curvature that each type's rigidity goes by.
static void test_sets_follow_a_scalar_reference(void **state)
{
    (void)state;
    static const char *const types[] = {"dihedral", "isometric", "triangle_linear", "triangle"};
    for (int kind = 0; kind < 4; kind++) {
        strip s = usual;
        s.type = types[kind];
        reference r = {0};
        pli_deformable sheet;
        pli_world *world = strip_world(&s, 1, PLI_SIMD_AUTO, &sheet);
        for (int32_t i = 0; i < (kind == 3 ? 2 : CYCLE); i++) { // Heights of triangles have no sign.
            follow(&r, &s, cycle[i]);
            bend_held(world, sheet, s.cells, cycle[i]);
        }
        const pli_constraints_data *set = pli_constraints_get(world, pli_world_constraints_find(world, s.type), NULL);
        double most = 0.0, work = 0.0;
        for (int32_t i = 0; i < set->count; i++)
            most = fmax(most, (double)set->bends[set->slot_of ? set->slot_of[i] : i]);
        near(most / r.bent, 1.0, 0.01, "%s: largest bend that has stayed", s.type);
        work = work_of(world) / (LENGTH * LENGTH / 4.0 * RIGIDITY * r.work);
        // Hinges across the strip cover it but for its ends; triples overlap at their corners.
        holds(work > 0.8 && work < 1.25, "%s: plastic work over that of the reference is %g", s.type, work);
        pli_world_destroy(world);
    }
}

/* ---- springing back ------------------------------------------------------------------------------ */

// Bent to kappa and let go, a strip keeps (kappa - y) / (1 + H).
static double kept_of(const strip *s, double curvature)
{
    return fmax(curvature - s->yield, 0.0) / (1.0 + s->hardening);
}

static double kept(const strip *s, double curvature)
{
    pli_deformable sheet;
    pli_world *world = strip_world(s, 1, PLI_SIMD_AUTO, &sheet);
    bend_held(world, sheet, s->cells, curvature);
    // Let go at once, its ends would bend the middle further (Audoly and Neukirch 2005).
    bend_held(world, sheet, s->cells, kept_of(s, curvature) + 0.2 * s->yield);
    for (int32_t frame = 0; frame < 150; frame++)
        step(world, 1.0 / 60.0);
    const double found = curvature_of(world, sheet, s->cells);
    pli_world_destroy(world);
    return found;
}

static void test_strips_spring_back(void **state)
{
    (void)state;
    const strip strips[] = {
        {16, 10, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
        {16, 20, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
        {16, 40, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
        {16, 10, 8, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
        {32, 10, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
        {16, 10, 1, PLI_GRID_ALTERNATING, 0, 5, 0.0, 0.0, NULL},
        {16, 10, 1, PLI_GRID_QUADS, 0, 5, 0.0, 0.3, NULL},
        {16, 10, 1, PLI_GRID_DIAGONAL, 0.25, 5, 0.0, 0.3, NULL},
        {16, 10, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, "dihedral"},
        {16, 40, 4, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, "dihedral"},
        {16, 10, 4, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, "isometric"},
        {64, 10, 1, PLI_GRID_DIAGONAL, 0, 5, 0.25, 0.3, NULL},
    };
    const size_t count = sizeof strips / sizeof *strips - (shortened() ? 1 : 0);
    for (size_t i = 0; i < count; i++) {
        const strip *s = &strips[i];
        const double expected = kept_of(s, 12.0), found = kept(s, 12.0);
        near(found / expected, 1.0, 0.05, "%d cells, %d substeps, %d iterations, pattern %d, jitter %g, %s: kept",
             (int)s->cells, (int)s->substeps, (int)s->iterations, (int)s->pattern, s->jitter,
             s->type ? s->type : "plate");
    }
    // A strip that does not yield springs back whole.
    near(kept(&usual, 4.9) * LENGTH, 0.0, 0.01, "angle that an elastic strip keeps");
}

/* ---- frame rates --------------------------------------------------------------------------------- */

// A strip whose first two columns stay is bent to a cylinder within a second and let go at once, with the settings of a bare world. Returns the
// angle between its ends [degrees], as a mean over the last second.
static double kept_at(double rate, int32_t substeps, double yield, double curvature)
{
    strip s = usual;
    s.cells = 12, s.substeps = substeps, s.yield = yield, s.hardening = 0.0;
    const int32_t frames = (int32_t)rate, columns = s.cells + 1, row = s.cells / 8 * columns;
    const pli_world_def bare = pli_world_def_default();
    pli_deformable sheet;
    pli_deformable_def def;
    double sum = 0.0;
    pli_world *world = strip_world(&s, 1, PLI_SIMD_AUTO, &sheet);
    pli_settings settings = pli_world_settings(world);
    settings.damping = bare.settings.damping;
    must(pli_world_set_settings(world, &settings, &problem));
    must(pli_deformable_get_def(world, sheet, &def, &problem));
    def.plate.rigidity = 0.044f; // It moves as a strip of 55 mm with 2.5e-4 N m.
    must(pli_deformable_set_def(world, sheet, &def, &problem));
    const int32_t count = vertex_count_of(world, sheet);
    float *masses = calloc((size_t)count, sizeof *masses), *zeros = calloc((size_t)count, sizeof *zeros);
    for (int32_t i = 0; i < count; i++)
        masses[i] = i % columns < 2 ? 0.0f : (float)(1.0 / mass_of(world, sheet, i));
    weigh(world, sheet, zeros, count);
    for (int32_t frame = 1; frame <= frames; frame++) {
        bend_to(world, sheet, s.cells, curvature * (0.5 - 0.5 * cos(acos(-1.0) * frame / frames)));
        step(world, 1.0 / rate);
    }
    weigh(world, sheet, masses, count);
    for (int32_t frame = 0; frame < 4 * frames; frame++) {
        step(world, 1.0 / rate);
        vec a = sub(position_of(world, sheet, row + 1), position_of(world, sheet, row));
        vec b = sub(position_of(world, sheet, row + s.cells), position_of(world, sheet, row + s.cells - 1));
        sum += frame < 3 * frames ? 0.0 : atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
    }
    free(masses), free(zeros);
    pli_world_destroy(world);
    return sum / frames * 180.0 / acos(-1.0);
}

// It keeps kappa - y, at any frame rate.
static void test_frame_rates_have_no_say(void **state)
{
    (void)state;
    const double rates[] = {24.0, 60.0, 240.0}, yields[] = {5.5, 2.2}, curvature = 7.425;
    for (int32_t k = 0; k < 2; k++) {
        const double formula = (curvature - yields[k]) * LENGTH * 11.0 / 12.0 * 180.0 / acos(-1.0);
        double least = INFINITY, most = 0.0;
        for (int32_t i = 0; i < 3; i++)
            for (int32_t substeps = 10; substeps <= (shortened() ? 10 : 40); substeps *= 2) {
                const double found = kept_at(rates[i], substeps, yields[k], curvature);
                near(found / formula, 1.0, 0.06, "yield %g, %g frames/s, %d substeps: kept", yields[k], rates[i],
                     (int)substeps);
                least = fmin(least, found), most = fmax(most, found);
            }
        near(most - least, 0.0, 2.0, "yield %g: differences [degrees]", yields[k]);
    }
}

/* ---- painted ------------------------------------------------------------------------------------- */

// Curvature between two columns: the angle between them over their distance.
static double curvature_between(const pli_world *world, pli_deformable sheet, int32_t cells, int32_t a, int32_t b)
{
    const int32_t row = (cells / 4 + 1) / 2 * (cells + 1);
    vec before = sub(position_of(world, sheet, row + a + 1), position_of(world, sheet, row + a - 1));
    vec after = sub(position_of(world, sheet, row + b + 1), position_of(world, sheet, row + b - 1));
    return atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y) /
           (LENGTH * (b - a) / cells);
}

// Gives the half at lower x the first of two numbers, the other one the second.
static void paint_halves(pli_world *world, pli_deformable sheet, const strip *s, bool faces, const double numbers[2],
                         const char *name)
{
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, sheet));
    const int32_t count = faces ? t->face_count : t->vertex_count;
    float *values = calloc((size_t)count, sizeof *values);
    assert_non_null(values);
    for (int32_t i = 0; i < count; i++) {
        double x = 0.0;
        for (int32_t k = 0; k < 3; k++)
            x += (double)t->positions[3 * (faces ? t->triangles[3 * i + k] : i)] / 3.0;
        values[i] = (float)numbers[x < 1e-6 * LENGTH / s->cells ? 0 : 1];
    }
    must(pli_deformable_paint(world, sheet, name, faces ? PLI_ELEMENT_FACE : PLI_ELEMENT_VERTEX, values, count,
                              &problem));
    free(values);
}

// Bent to kappa and let go, each half of a strip keeps (kappa - y) / (1 + H) of its own, or nothing where it is elastic.
static void test_halves_keep_bends_of_their_own(void **state)
{
    (void)state;
    const double yields[2][2] = {{5, 8}, {5, 1e9}}, hardenings[2] = {0.25, 0.6};
    const struct {
        const char *type;
        bool faces;
    } kinds[] = {{NULL, true}, {NULL, false}, {"dihedral", false}};
    for (int32_t kind = 0; kind < 3; kind++)
        for (int32_t row = 0; row < 2; row++) {
            strip s = {16, 10, 1, PLI_GRID_DIAGONAL, 0.0, 0.0, 0.1, 0.3, kinds[kind].type};
            pli_deformable sheet;
            pli_world *world = strip_world(&s, 1, PLI_SIMD_AUTO, &sheet);
            paint_halves(world, sheet, &s, kinds[kind].faces, yields[row], "yield");
            paint_halves(world, sheet, &s, kinds[kind].faces, hardenings, "hardening");
            pli_effective_stiffness found;
            must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &found, &problem));
            near(found.yield, 5.0, 1e-6, "least yield");
            bend_held(world, sheet, s.cells, 12.0);
            bend_held(world, sheet, s.cells, 6.6);
            for (int32_t frame = 0; frame < 150; frame++)
                step(world, 1.0 / 60.0);
            for (int32_t half = 0; half < 2; half++) {
                const double expected = fmax(12.0 - yields[row][half], 0.0) / (1.0 + hardenings[half]);
                near(curvature_between(world, sheet, s.cells, 8 * half + 2, 8 * half + 6), expected, 0.05 * 5.6,
                     "%s, by %s, yield %g: kept", s.type ? s.type : "plate", kinds[kind].faces ? "face" : "vertex",
                     yields[row][half]);
            }
            pli_world_destroy(world);
        }
}

/* ---- under load ---------------------------------------------------------------------------------- */

// A strip that is clamped at one end is loaded slowly with its weight, and unloaded. Returns how far its end stays down.
static double sagging(const strip *s, double rigidity, bool loaded)
{
    pli_deformable sheet;
    pli_world *world = strip_world(s, 1, PLI_SIMD_AUTO, &sheet);
    pli_deformable_def def;
    must(pli_deformable_get_def(world, sheet, &def, &problem));
    def.plate.rigidity = (float)rigidity;
    must(pli_deformable_set_def(world, sheet, &def, &problem));
    const float zero = 0.0f;
    for (int32_t i = 0; i < vertex_count_of(world, sheet); i++)
        if (i % (s->cells + 1) < 2)
            must(pli_deformable_set_inverse_masses(world, sheet, i, 1, &zero, &problem));
    for (int32_t frame = 0; frame < (loaded ? 290 : 560); frame++) {
        pli_settings settings = pli_world_settings(world);
        const double rises = fmin(1.0, frame / 250.0), falls = fmax(0.0, fmin(1.0, (440 - frame) / 150.0));
        const double share = 0.5 - 0.5 * cos(acos(-1.0) * fmin(rises, falls));
        settings.gravity = (pli_vec3){0, (float)(-9.81 * share), 0};
        must(pli_world_set_settings(world, &settings, &problem));
        step(world, 1.0 / 60.0);
    }
    const double down = -position_of(world, sheet, s->cells).y;
    pli_world_destroy(world);
    return down;
}

// The moment rho g (L - x)^2 / 2 over D is the elastic curvature c; (c - y) / H stays where it is above y.
static void test_moments_bend_for_good(void **state)
{
    (void)state;
    const double rigidity = 0.01;
    const strip strips[] = {
        {16, 10, 1, PLI_GRID_DIAGONAL, 0, 0.7, 1.0, 0.0, NULL}, {16, 20, 1, PLI_GRID_DIAGONAL, 0, 0.7, 1.0, 0.0, NULL},
        {16, 40, 1, PLI_GRID_DIAGONAL, 0, 0.7, 1.0, 0.0, NULL}, {16, 10, 4, PLI_GRID_DIAGONAL, 0, 0.7, 1.0, 0.0, NULL},
        {32, 10, 4, PLI_GRID_DIAGONAL, 0, 0.7, 1.0, 0.0, NULL},
    };
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++) {
        const strip *s = &strips[i];
        const double clamp = LENGTH / s->cells, free_length = LENGTH - clamp;
        double expected = 0.0, elastic = 0.0;
        for (int32_t k = 0; k < 10000; k++) {
            const double arm = free_length * (k + 0.5) / 10000.0, curvature = DENSITY * 9.81 * arm * arm / 2 / rigidity;
            elastic += curvature * arm * free_length / 10000.0;
            expected += fmax(curvature - s->yield, 0.0) / s->hardening * arm * free_length / 10000.0;
        }
        const double found = sagging(s, rigidity, false), most = sagging(s, rigidity, true);
        near(most / (expected + elastic), 1.0, 0.03, "%d cells, %d substeps, %d iterations: under load", (int)s->cells,
             (int)s->substeps, (int)s->iterations);
        near(found / expected, 1.0, 0.05, "%d cells, %d substeps, %d iterations: what stays", (int)s->cells,
             (int)s->substeps, (int)s->iterations);
    }
}

/* ---- the same bits ------------------------------------------------------------------------------- */

enum { SHEETS = 3 };

// A plate, hinges that tear and a flat isometric sheet, all of which are thrown about and yield.
static pli_world *crumpled_world(int32_t threads, pli_simd simd, pli_order order)
{
    pli_world_def def = pli_world_def_default();
    def.thread_count = threads, def.simd = simd, def.order = order;
    random_state = 9;
    pli_world *world = world_from(&def);
    for (int32_t kind = 0; kind < SHEETS; kind++) {
        pli_mesh *mesh = mesh_grid(18 + kind, 18, 1.0, PLI_GRID_ALTERNATING);
        pli_deformable_def sheet_def = pli_deformable_def_default();
        pli_deformable sheet;
        sheet_def.mesh = mesh, sheet_def.pose.position.y = (float)kind;
        sheet_def.plate.rigidity = kind == 0 ? 1e-3f : 0.0f;
        sheet_def.plate.yield = 3.0f, sheet_def.plate.hardening = 0.1f;
        must(pli_deformable_create(world, &sheet_def, &sheet, &problem));
        pli_mesh_destroy(mesh);
        constrain(world, sheet, "distance", NULL);
        if (kind > 0) {
            pli_constraints set = constrain(world, sheet, kind == 1 ? "dihedral" : "isometric", NULL);
            tune(world, set, "rigidity", 1e-3);
            tune(world, set, "yield", 3.0);
            tune(world, set, "hardening", 0.1);
        }
        const float zero = 0.0f;
        must(pli_deformable_set_inverse_masses(world, sheet, 0, 1, &zero, &problem));
        scatter(world, sheet, 0.02);
    }
    return world;
}

static void run(pli_world *world, int32_t frames)
{
    for (int32_t frame = 0; frame < frames; frame++)
        step(world, 1.0 / 60.0);
}

static void cut_in_half(pli_world *world, int32_t sheet)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1.0f, 0.0f, 0.0f};
    must(pli_deformable_cut(world, pli_world_deformable_at(world, sheet), &cut, NULL, &problem));
}

static void test_threads_and_back_ends_agree(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t threads = 1; threads <= 3; threads += 2)
        for (pli_simd simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available(simd) || (threads == 1 && simd != PLI_SIMD_SCALAR && shortened()))
                continue;
            pli_world *world = crumpled_world(threads, simd, PLI_ORDER_COLOURED);
            run(world, 3);
            cut_in_half(world, 0), cut_in_half(world, 1);
            run(world, 3);
            first = first ? first : pli_world_hash(world);
            holds(pli_world_hash(world) == first, "%d threads, %s", (int)threads,
                  pli_choice_name("simd", (int32_t)simd));
            holds(work_of(world) > 0.0, "it has yielded");
            pli_world_destroy(world);
        }
}

static void *saved(const pli_world *world, size_t *size)
{
    *size = pli_world_snapshot_size(world);
    void *snapshot = malloc(*size);
    must(pli_world_snapshot_write(world, snapshot, *size, &problem));
    return snapshot;
}

// From a snapshot of bent sheets, whole or cut, a fresh world and one that has bent otherwise go on alike.
static void test_snapshots_keep_bends(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 3; kind++) {
        const pli_order order = kind == 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        pli_world *world = crumpled_world(1, PLI_SIMD_AUTO, order), *other = crumpled_world(2, PLI_SIMD_AUTO, order);
        size_t size, start_size, again_size;
        void *start = saved(world, &start_size), *again;
        run(world, 3);
        if (kind == 1)
            cut_in_half(world, 0), cut_in_half(world, 1), cut_in_half(world, 2);
        run(world, 1);
        void *snapshot = saved(world, &size);
        const double work = work_of(world);
        run(world, 4);
        const uint64_t expected = pli_world_hash(world);
        must(pli_world_snapshot_read(other, snapshot, size, &problem));
        run(other, 4);
        holds(pli_world_hash(other) == expected, "case %d: a fresh world", (int)kind);
        must(pli_world_snapshot_read(world, snapshot, size, &problem));
        near(work_of(world), work, 0.0, "plastic work");
        again = saved(world, &again_size);
        holds(again_size == size && memcmp(again, snapshot, size) == 0, "case %d: the snapshot again", (int)kind);
        run(world, 4);
        holds(pli_world_hash(world) == expected, "case %d: the same world", (int)kind);
        // Back to the beginning, before anything was bent or cut.
        pli_world *fresh = crumpled_world(1, PLI_SIMD_AUTO, order);
        must(pli_world_snapshot_read(world, start, start_size, &problem));
        run(world, 3), run(fresh, 3);
        holds(pli_world_hash(world) == pli_world_hash(fresh), "case %d: from the beginning", (int)kind);
        for (size_t at = size / 2; at < size; at += 97) {
            ((unsigned char *)snapshot)[at] ^= 0x40;
            pli_world_snapshot_read(fresh, snapshot, size, NULL);
            ((unsigned char *)snapshot)[at] ^= 0x40;
        }
        free(start), free(snapshot), free(again);
        pli_world_destroy(world), pli_world_destroy(other), pli_world_destroy(fresh);
    }
}

// A reset gives back the rest shape that a sheet was made with, also where it was cut.
static void test_resets_forget_bends(void **state)
{
    (void)state;
    pli_world *world = crumpled_world(1, PLI_SIMD_AUTO, PLI_ORDER_COLOURED);
    run(world, 4);
    cut_in_half(world, 1);
    run(world, 2);
    for (int32_t i = 0; i < SHEETS; i++) {
        const pli_deformable_data *data = pli_deformable_get(world, pli_world_deformable_at(world, i), NULL);
        must(pli_deformable_reset(world, pli_world_deformable_at(world, i), NULL, &problem));
        for (int32_t k = 0; data->plastic->creases && k < 9 * data->plastic->creases->count; k++)
            near((double)data->plastic->creases->offsets[k], 0.0, 0.0, "an offset");
        for (const pli_constraints_data *set = data->first_set; set; set = set->next)
            for (int32_t k = 0; set->bends && k < set->count; k++)
                near((double)set->rest[set->type->bend_rest][set->slot_of ? set->slot_of[k] : k], 0.0, 1e-6,
                     "a rest value");
    }
    near(work_of(world), 0.0, 0.0, "plastic work after resets");
    pli_world_destroy(world);
}

// A bent strip that is cut keeps its bend.
static void test_cuts_keep_bends(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        strip s = usual;
        s.type = kind ? "dihedral" : NULL;
        pli_deformable sheet;
        pli_world *world = strip_world(&s, 1, PLI_SIMD_AUTO, &sheet);
        bend_held(world, sheet, s.cells, 12.0);
        bend_held(world, sheet, s.cells, kept_of(&s, 12.0) + 0.5);
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){0.0f, 0.0f, 1.0f}, cut.point.z = (float)(LENGTH / 16.0);
        must(pli_deformable_cut(world, sheet, &cut, NULL, &problem));
        holds(vertex_count_of(world, sheet) > 17 * 5, "it is cut");
        run(world, 150);
        near(curvature_of(world, sheet, s.cells) / kept_of(&s, 12.0), 1.0, 0.05, "kept by a cut strip, kind %d", kind);
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(test_plates_follow_a_scalar_reference),
        property(test_sets_follow_a_scalar_reference),
        property(test_strips_spring_back),
        property(test_frame_rates_have_no_say),
        property(test_halves_keep_bends_of_their_own),
        property(test_moments_bend_for_good),
        property(test_threads_and_back_ends_agree),
        property(test_snapshots_keep_bends),
        property(test_resets_forget_bends),
        property(test_cuts_keep_bends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
