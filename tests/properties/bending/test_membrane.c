// Membranes: a sheet under uniform tension or shear has the strain of the closed form, on any mesh and for any direction of the
// warp; its strain limit; the same bits whatever the machine.
#include "samples.h"
#include "worlds.h"

// A free sheet of 1 m x 1 m whose borders carry forces.
typedef struct sheet {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_constraints set;
} sheet;

typedef enum mesh_kind { DIAGONAL, ALTERNATING, QUADS, IRREGULAR, MESH_KINDS } mesh_kind;

static const char *const mesh_names[] = {"one diagonal", "alternating", "quads", "irregular"};

// Interior vertices are moved by up to .3 of an edge, so that angles go from some 15 to 140 degrees.
static pli_mesh *mesh_of_kind(mesh_kind kind, int32_t side)
{
    static const pli_grid_pattern patterns[] = {PLI_GRID_DIAGONAL, PLI_GRID_ALTERNATING, PLI_GRID_QUADS,
                                                PLI_GRID_DIAGONAL};
    pli_mesh *mesh = mesh_grid(side, side, 1.0, patterns[kind]);
    if (kind != IRREGULAR)
        return mesh;
    float *positions = copied_positions(mesh);
    for (int32_t i = 0; i < side * side; i++)
        for (int32_t d = 0; d < 3; d += 2)
            if (i % side > 0 && i % side < side - 1 && i / side > 0 && i / side < side - 1)
                positions[3 * i + d] += (float)(uniform(-0.3, 0.3) / (side - 1));
    pli_mesh *moved = mesh_moved(mesh, positions);
    free(positions);
    pli_mesh_destroy(mesh);
    return moved;
}

static sheet sheet_make(mesh_kind kind, int32_t side, pli_order order)
{
    sheet s;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.iterations = 20;
    def.settings.sweeps = PLI_SWEEPS_BACK_AND_FORTH;
    def.order = order;
    s.world = world_from(&def);
    s.mesh = mesh_of_kind(kind, side);
    pli_deformable_def cloth = pli_deformable_def_default();
    // So heavy that sweeps converge: stiffness over mass and step is about 1.
    cloth.mesh = s.mesh, cloth.density = 0.03f * (float)((side - 1) * (side - 1));
    must(pli_deformable_create(s.world, &cloth, &s.cloth, &problem));
    s.set = constrain(s.world, s.cloth, "membrane", NULL);
    return s;
}

static void sheet_free(sheet *s)
{
    pli_world_destroy(s->world);
    pli_mesh_destroy(s->mesh);
}

// Adds the traction f of the border whose outward normal is along `axis`, 0 for x and 2 for z, at `side` +-1 [N/m].
static void pull_border(const sheet *s, int32_t axis, double side, vec f)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    for (int32_t e = 0; e < t->edge_count; e++) {
        const int32_t *ends = t->edges + 2 * e;
        const float *a = t->positions + 3 * ends[0], *b = t->positions + 3 * ends[1];
        if (side * (double)a[axis] < 0.4999 || side * (double)b[axis] < 0.4999)
            continue;
        double half = 0.5 * distance(vec_of_floats(a), vec_of_floats(b));
        for (int32_t k = 0; k < 2; k++)
            must(pli_deformable_add_force(s->world, s->cloth, ends[k], to_vec3(scale(f, half)), &problem));
    }
}

// The mean of du/dx over the sheet, where u is along axis `row` and x along `column`: from borders, by Gauss's theorem.
static double mean_gradient(const sheet *s, int32_t row, int32_t column)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    double sum = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const int32_t *ends = t->edges + 2 * e;
        const float *a = t->positions + 3 * ends[0], *b = t->positions + 3 * ends[1];
        double at = (double)a[column];
        if (fabs(at) < 0.4999 || fabs((double)b[column]) < 0.4999 || at * (double)b[column] < 0.0)
            continue;
        for (int32_t k = 0; k < 2; k++) {
            vec moved = sub(position_of(s->world, s->cloth, ends[k]), vec_of_floats(t->positions + 3 * ends[k]));
            double share = 0.5 * distance(vec_of_floats(a), vec_of_floats(b)) * (at < 0.0 ? -1.0 : 1.0);
            sum += share * (row == 0 ? moved.x : moved.z);
        }
    }
    return sum;
}

// Steps with velocities taken out: a static solution of the stepping rule. The substep is such that a particle weighs about as
// much as its triangles are stiff, which is where sweeps converge.
static void settle(const sheet *s, void (*load)(const sheet *s, double size), double size, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        rest_velocities(s->world, s->cloth);
        load(s, size);
        step(s->world, 1.0 / 60.0);
    }
}

static void pull_x(const sheet *s, double f)
{
    pull_border(s, 0, 1.0, (vec){f, 0, 0});
    pull_border(s, 0, -1.0, (vec){-f, 0, 0});
}

static void pull_z(const sheet *s, double f)
{
    pull_border(s, 2, 1.0, (vec){0, 0, f});
    pull_border(s, 2, -1.0, (vec){0, 0, -f});
}

static void shear(const sheet *s, double f)
{
    pull_border(s, 0, 1.0, (vec){0, 0, f});
    pull_border(s, 0, -1.0, (vec){0, 0, -f});
    pull_border(s, 2, 1.0, (vec){f, 0, 0});
    pull_border(s, 2, -1.0, (vec){-f, 0, 0});
}

// Sheets that are stretched by a and b and sheared by c store A / 2 (Y1 a^2 + 2 nu Y a b + Y2 b^2) / (1 - nu^2) + A / 2 G (2 c)^2, with
// Y = sqrt(Y1 Y2): Hooke's law of an orthotropic sheet.
static void energy_is_that_of_an_orthotropic_sheet(void **state)
{
    (void)state;
    const double warp = 300.0, weft = 120.0, poisson = 0.2, shear_stiffness = 40.0;
    const double mean = sqrt(warp * weft), minor = 1.0 - poisson * poisson;
    for (mesh_kind kind = 0; kind < MESH_KINDS; kind++) {
        sheet s = sheet_make(kind, 6, PLI_ORDER_COLOURED);
        tune(s.world, s.set, "warp", warp), tune(s.world, s.set, "weft", weft);
        tune(s.world, s.set, "poisson", poisson), tune(s.world, s.set, "shear", shear_stiffness);
        const double a = 0.04, b = -0.02, c = 0.015;
        for (int32_t i = 0; i < vertex_count_of(s.world, s.cloth); i++) {
            // A symmetric deformation gradient is its own stretch.
            const vec x = position_of(s.world, s.cloth, i);
            const float to[3] = {(float)((1.0 + a) * x.x + c * x.z), (float)x.y, (float)(c * x.x + (1.0 + b) * x.z)};
            must(pli_deformable_set_positions(s.world, s.cloth, i, 1, to, &problem));
        }
        const double expected = 0.5 * (warp * a * a + 2.0 * poisson * mean * a * b + weft * b * b) / minor +
                                0.5 * shear_stiffness * 4.0 * c * c;
        const double energy = pli_constraints_energy(s.world, s.set);
        near(energy, expected, 1e-4 * expected, "energy, %s", mesh_names[kind]);
        sheet_free(&s);
    }
}

static double residual_motion(const sheet *s, void (*load)(const sheet *, double), double size)
{
    double before = mean_gradient(s, 0, 0);
    settle(s, load, size, 10);
    return fabs(mean_gradient(s, 0, 0) - before);
}

enum { SIDE = 9, STEPS = 300 };

// Y = warp 100 N/m, weft 50, shear 10, nu = .3: strains of 5 % and more, in which Biot's strain is that of the lengths.
static void tune_fabric(const sheet *s)
{
    tune(s->world, s->set, "warp", 100.0);
    tune(s->world, s->set, "weft", 50.0);
    tune(s->world, s->set, "shear", 10.0);
    tune(s->world, s->set, "poisson", 0.3);
}

static void tension_gives_the_strain_of_its_stiffness(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < MESH_KINDS; kind++) {
        for (int32_t axis = 0; axis < 2; axis++) {
            sheet s = sheet_make(kind, SIDE, PLI_ORDER_COLOURED);
            tune_fabric(&s);
            void (*const pull)(const sheet *, double) = axis ? pull_z : pull_x;
            settle(&s, pull, 5.0, STEPS);
            double along = axis ? mean_gradient(&s, 2, 2) : mean_gradient(&s, 0, 0);
            double across = axis ? mean_gradient(&s, 0, 0) : mean_gradient(&s, 2, 2);
            double strain = 5.0 / (axis ? 50.0 : 100.0), narrowing = 0.3 * 5.0 / sqrt(100.0 * 50.0);
            near(along, strain, 0.01 * strain, "%s, axis %d: strain", mesh_names[kind], axis);
            near(across, -narrowing, 0.03 * narrowing, "%s, axis %d: narrowing", mesh_names[kind], axis);
            holds(residual_motion(&s, pull, 5.0) < 1e-3 * strain, "%s: at rest", mesh_names[kind]);
            sheet_free(&s);
        }
    }
}

// A shear traction f gives the angle f / G; U12 = sin of half of it.
static void shear_gives_the_angle_of_its_stiffness(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < MESH_KINDS; kind++) {
        sheet s = sheet_make(kind, SIDE, PLI_ORDER_COLOURED);
        tune_fabric(&s);
        settle(&s, shear, 0.5, STEPS);
        double angle = mean_gradient(&s, 0, 2) + mean_gradient(&s, 2, 0);
        near(angle, 0.5 / 10.0, 0.01 * 0.5 / 10.0, "%s: shear", mesh_names[kind]);
        sheet_free(&s);
    }
}

// Without a stiffness of its own, shear is that of a sheet alike in all directions: the warp may then turn as it likes. A warp
// that turns by 30 degrees in a sheet that is not gives 1 / Y = c^4 / Y1 + s^4 / Y2 + c^2 s^2 (1 / G - 2 nu / sqrt(Y1 Y2)).
static void the_warp_lies_where_it_is_asked_for(void **state)
{
    (void)state;
    for (int32_t uniform_sheet = 0; uniform_sheet < 2; uniform_sheet++) {
        sheet s = sheet_make(IRREGULAR, SIDE, PLI_ORDER_COLOURED);
        must(pli_constraints_destroy(s.world, s.set, &problem));
        double c = cos(acos(-1.0) / 6.0), n = 0.5, weft = uniform_sheet ? 100.0 : 50.0, nu = 0.3;
        double g = uniform_sheet ? 100.0 / (2.0 + 2.0 * nu) : 20.0;
        const pli_parameter_value values[] = {{"warp", 100.0}, {"weft", weft},      {"shear", uniform_sheet ? 0.0 : g},
                                              {"poisson", nu}, {"warp_x", 2.0 * c}, {"warp_z", 2.0 * n}};
        pli_constraints_def def = pli_constraints_def_default();
        def.deformable = s.cloth, def.type = "membrane";
        def.parameters = values, def.parameter_count = COUNT_OF(values);
        must(pli_constraints_create(s.world, &def, &s.set, &problem));
        settle(&s, pull_x, 1.0, STEPS);
        double softness = c * c * c * c / 100.0 + n * n * n * n / weft +
                          c * c * n * n * (1.0 / g - 2.0 * nu / sqrt(100.0 * weft));
        near(mean_gradient(&s, 0, 0), softness, 0.03 * softness, "strain across the bias, %s",
             uniform_sheet ? "alike in all directions" : "woven");
        sheet_free(&s);
    }
}

static double strain_with(int32_t iterations, int32_t side)
{
    sheet s = sheet_make(ALTERNATING, side, PLI_ORDER_COLOURED);
    pli_settings settings = pli_world_settings(s.world);
    settings.iterations = iterations;
    must(pli_world_set_settings(s.world, &settings, &problem));
    tune_fabric(&s);
    settle(&s, pull_x, 5.0, 4 * STEPS);
    double strain = mean_gradient(&s, 0, 0);
    sheet_free(&s);
    return strain;
}

static void strain_hangs_neither_on_iterations_nor_on_the_mesh(void **state)
{
    (void)state;
    static const int32_t iterations[] = {8, 20, 40}, sides[] = {3, 6, 12};
    for (int32_t i = 0; i < 3; i++) {
        near(strain_with(iterations[i], 5), 0.05, 0.02 * 0.05, "%d iterations", (int)iterations[i]);
        near(strain_with(20, sides[i]), 0.05, 0.02 * 0.05, "%d vertices a side", (int)sides[i]);
    }
}

// Soft up to the limit and rigid behind it: ten times the tension that the limit needs.
static void strain_stops_at_its_limit(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < MESH_KINDS; kind++) {
        sheet s = sheet_make(kind, 5, PLI_ORDER_COLOURED);
        tune_fabric(&s);
        tune(s.world, s.set, "strain_limit", 0.08);
        settle(&s, pull_x, 80.0, STEPS);
        near(mean_gradient(&s, 0, 0), 0.08, 0.008, "%s: limited strain", mesh_names[kind]);
        tune(s.world, s.set, "strain_limit", 0.0);
        settle(&s, pull_x, 20.0, STEPS);
        near(mean_gradient(&s, 0, 0), 0.2, 0.004, "%s: strain without limit", mesh_names[kind]);
        sheet_free(&s);
    }
}

// Halves of 100 and 50 N/m, pulled by F, stretch by F L / 2 (1 / Y1 + 1 / Y2), and store half of that times F. Vertices in the middle have
// the factor m of 2 / (1 + m) + 2 / (m + 1/2) = 1 + 2, so that the columns beside them stretch as one of each half.
static void painted_halves_stretch_in_series(void **state)
{
    (void)state;
    for (int32_t order = 0; order < 2; order++) {
        sheet s = sheet_make(DIAGONAL, SIDE, order ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED);
        const pli_topology *t = pli_mesh_topology(s.mesh);
        float factors[SIDE * SIDE];
        double energy = 0.0;
        tune(s.world, s.set, "warp", 100.0);
        tune(s.world, s.set, "weft", 100.0);
        for (int32_t v = 0; v < SIDE * SIDE; v++) {
            const float x = t->positions[3 * v];
            factors[v] = x < -0.01f ? 1.0f : x > 0.01f ? 0.5f : 0.6288f;
        }
        must(pli_constraints_paint(s.world, s.set, "stiffness", PLI_ELEMENT_VERTEX, factors, SIDE * SIDE, &problem));
        settle(&s, pull_x, 5.0, STEPS);
        const double stretch = 5.0 / 2.0 * (1.0 / 100.0 + 1.0 / 50.0);
        near(mean_gradient(&s, 0, 0), stretch, 0.01 * stretch, "order %d: stretch of both halves", (int)order);
        energy = pli_constraints_energy(s.world, s.set);
        near(energy, 2.5 * stretch, 0.02 * 2.5 * stretch, "order %d: energy", (int)order);
        sheet_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(tension_gives_the_strain_of_its_stiffness),
        property(shear_gives_the_angle_of_its_stiffness),
        property(the_warp_lies_where_it_is_asked_for),
        property(strain_hangs_neither_on_iterations_nor_on_the_mesh),
        property(strain_stops_at_its_limit),
        property(painted_halves_stretch_in_series),
        property(energy_is_that_of_an_orthotropic_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
