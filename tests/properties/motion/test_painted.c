// Painted damping: halves of a mesh decay at two rates, which are those of the stepping rule; and factors act as the parameter does.
#include "samples.h"
#include "worlds.h"

/* ---- two rates ------------------------------------------------------------------------------------ */

// Springs along x from a fixed vertex to a free one, of two triangles that nothing joins.
static pli_mesh *two_triangles(void)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 4, 0, 0, 3, 0, 1};
    static const int32_t corners[] = {0, 1, 2, 3, 4, 5};
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh = NULL;
    def.positions = positions, def.vertex_count = 6, def.face_vertices = corners, def.face_count = 2;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

typedef struct decay {
    pli_order order;
    pli_element domain;
    bool painted;
} decay;

// A spring of frequency w and damping time d obeys x'' h^2 = -w^2 h^2 (x + d x') at the end of each step, so that x_n x_n+2 - x_n+1^2 is
// multiplied by 1 / (1 + w^2 h (h + d)) in each.
static void expect_rates(const decay *row)
{
    const double h = 1.0 / 60.0, square = 400.0, time = 0.01, factors[2] = {1.0, 3.0};
    const float fixed = 0.0f;
    enum { STEPS = 12 };
    double moved[2][STEPS + 2];
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = row->order;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = two_triangles();
    pli_deformable_def sheet_def = pli_deformable_def_default();
    sheet_def.mesh = mesh, sheet_def.stretch = PLI_STRETCH_SWEPT, sheet_def.self_collision = false;
    pli_deformable sheet;
    must(pli_deformable_create(world, &sheet_def, &sheet, &problem));
    const int32_t ends[] = {0, 1, 3, 4};
    pli_constraints springs = constrain_list(world, sheet, "distance", ends, 2);
    tune(world, springs, "compliance", 1.0 / (square * mass_of(world, sheet, 1)));
    tune(world, springs, "damping", time);
    for (int32_t v = 0; v < 6; v++)
        if (v % 3 != 1)
            must(pli_deformable_set_inverse_masses(world, sheet, v, 1, &fixed, &problem));
    float values[6];
    const int32_t count = row->domain == PLI_ELEMENT_FACE ? 2 : 6;
    for (int32_t i = 0; i < count; i++)
        values[i] = (float)factors[i / (count / 2)];
    if (row->painted)
        must(pli_deformable_paint(world, sheet, "damping", row->domain, values, count, &problem));
    const float out[2][3] = {{1.1f, 0, 0}, {4.1f, 0, 0}};
    for (int32_t k = 0; k < 2; k++)
        must(pli_deformable_set_positions(world, sheet, 3 * k + 1, 1, out[k], &problem));
    for (int32_t n = 0; n < STEPS + 2; n++) {
        step(world, h);
        for (int32_t k = 0; k < 2; k++)
            moved[k][n] = position_of(world, sheet, 3 * k + 1).x - (k == 0 ? 1.0 : 4.0);
    }
    for (int32_t k = 0; k < 2; k++) {
        const double *x = moved[k], first = x[0] * x[2] - x[1] * x[1];
        const double last = x[STEPS - 1] * x[STEPS + 1] - x[STEPS] * x[STEPS], factor = row->painted ? factors[k] : 1.0;
        near(log(first / last) / (STEPS - 1), log(1.0 + square * h * (h + factor * time)), 1e-3,
             "order %d, domain %d, painted %d: rate of half %d", (int)row->order, (int)row->domain, (int)row->painted,
             (int)k);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void halves_decay_at_two_rates(void **state)
{
    (void)state;
    for (int32_t order = 0; order < 2; order++)
        for (int32_t painted = 0; painted < 3; painted++) {
            const decay row = {order ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED,
                               painted == 2 ? PLI_ELEMENT_FACE : PLI_ELEMENT_VERTEX, painted > 0};
            expect_rates(&row);
        }
}

/* ---- the same bits --------------------------------------------------------------------------------- */

typedef struct scene {
    pli_order order;
    pli_simd simd;
    bool regular, curved;
    pli_stretch stretch;
} scene;

// Each kind of kernel that damps, and the solve; a factor of a power of two on the damping times divided by it.
static pli_world *damped_world(const scene *s, float factor)
{
    static const char *const types[] = {"distance", "isometric", "membrane", "dihedral", "ring_laplacian"};
    pli_world_def def = pli_world_def_default();
    def.order = s->order, def.simd = s->simd, def.settings.substeps = 3, def.settings.iterations = 2;
    pli_world *world = world_from(&def);
    random_state = 1; // The same hills each time.
    pli_mesh *mesh = s->curved ? mesh_hilly(9)
                               : mesh_grid(9, 9, 1.0, s->regular ? PLI_GRID_DIAGONAL : PLI_GRID_ALTERNATING);
    pli_deformable_def sheet_def = pli_deformable_def_default();
    pli_deformable sheet;
    sheet_def.mesh = mesh, sheet_def.tearing.stretch = 100.0f, sheet_def.stretch = s->stretch;
    must(pli_deformable_create(world, &sheet_def, &sheet, &problem));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        pli_constraints set = constrain(world, sheet, types[i], NULL);
        tune(world, set, "compliance", 1e-3);
        tune(world, set, "damping", 0.02 / (double)factor);
    }
    step(world, 1.0 / 60.0); // Whatever was planned for it is planned.
    const int32_t count = vertex_count_of(world, sheet);
    float *factors = calloc((size_t)count, sizeof *factors), fixed = 0.0f;
    assert_non_null(factors);
    for (int32_t v = 0; v < count; v++)
        factors[v] = factor;
    if (factor != 1.0f)
        must(pli_deformable_paint(world, sheet, "damping", PLI_ELEMENT_VERTEX, factors, count, &problem));
    for (int32_t v = 0; v < count; v++)
        factors[v] = 1.0f;
    for (int32_t i = 0; factor != 1.0f && i < pli_world_constraints_count(world); i++) // Scales are slots as well.
        must(pli_constraints_paint(world, pli_world_constraints_at(world, i), "stiffness", PLI_ELEMENT_VERTEX, factors,
                                   count, &problem));
    // The first step was one of other damping.
    for (int32_t v = 0; v < count; v++)
        must(pli_deformable_set_positions(world, sheet, v, 1, pli_mesh_topology(mesh)->positions + 3 * v, &problem));
    rest_velocities(world, sheet);
    must(pli_deformable_set_inverse_masses(world, sheet, 0, 1, &fixed, &problem));
    free(factors);
    pli_mesh_destroy(mesh);
    return world;
}

static void frames(pli_world *world, int32_t count)
{
    for (int32_t frame = 0; frame < count; frame++)
        step(world, 1.0 / 60.0);
}

static void cut_across(pli_world *world)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1.0f, 0.0f, 0.0f};
    must(pli_deformable_cut(world, pli_world_deformable_at(world, 0), &cut, NULL, &problem));
}

// Alike before a cut and behind it, and in another world that reads a snapshot of the cut sheet.
static void factors_act_as_the_parameter(void **state)
{
    (void)state;
    const scene scenes[] = {{PLI_ORDER_COLOURED, PLI_SIMD_AUTO, true, false, PLI_STRETCH_SWEPT},
                            {PLI_ORDER_COLOURED, PLI_SIMD_AUTO, false, false, PLI_STRETCH_SWEPT},
                            {PLI_ORDER_COLOURED, PLI_SIMD_AUTO, false, false, PLI_STRETCH_SOLVED},
                            {PLI_ORDER_COLOURED, PLI_SIMD_SCALAR, false, true, PLI_STRETCH_SWEPT},
                            {PLI_ORDER_SEQUENTIAL, PLI_SIMD_AUTO, true, false, PLI_STRETCH_SWEPT},
                            {PLI_ORDER_SEQUENTIAL, PLI_SIMD_AUTO, false, true, PLI_STRETCH_SWEPT}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        pli_world *given = damped_world(&scenes[i], 1.0f), *painted = damped_world(&scenes[i], 4.0f);
        pli_world *other = damped_world(&scenes[i], 4.0f);
        must(pli_deformable_paint(other, pli_world_deformable_at(other, 0), "damping", PLI_ELEMENT_VERTEX, NULL, 0,
                                  &problem));
        frames(given, 4), frames(painted, 4), frames(other, 4);
        holds(pli_world_hash(painted) == pli_world_hash(given), "scene %d: painted as given", (int)i);
        holds(pli_world_hash(other) != pli_world_hash(given), "scene %d: the paint is taken off", (int)i);
        cut_across(given), cut_across(painted);
        frames(given, 4), frames(painted, 4);
        holds(pli_world_hash(painted) == pli_world_hash(given), "scene %d: behind a cut", (int)i);
        size_t size;
        void *bytes = snapshot_of(painted, &size);
        pli_world *restored = damped_world(&scenes[i], 4.0f);
        must(pli_world_snapshot_read(restored, bytes, size, &problem));
        frames(given, 4), frames(restored, 4);
        holds(pli_world_hash(restored) == pli_world_hash(given), "scene %d: behind a snapshot", (int)i);
        free(bytes);
        pli_world_destroy(given), pli_world_destroy(painted), pli_world_destroy(other), pli_world_destroy(restored);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------- */

static void what_cannot_be_painted_is_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_ball(1, 0.0);
    pli_deformable ball = deform(world, mesh, NULL);
    const int32_t count = vertex_count_of(world, ball);
    float values[100];
    for (int32_t i = 0; i < 100; i++)
        values[i] = 1.0f;
    constrain(world, ball, "volume", NULL);
    assert_int_equal(pli_deformable_paint(world, ball, "damping", PLI_ELEMENT_VERTEX, values, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "constraints") != NULL, "says: %.200s", problem.message);
    constrain(world, ball, "distance", NULL);
    must(pli_deformable_paint(world, ball, "damping", PLI_ELEMENT_VERTEX, values, count, &problem));
    assert_int_equal(pli_deformable_paint(world, ball, "damping", PLI_ELEMENT_VERTEX, values, count - 1, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_deformable_paint(world, ball, "yield", PLI_ELEMENT_VERTEX, values, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "plate") != NULL, "says: %.200s", problem.message);
    constrain(world, ball, "dihedral", NULL);
    must(pli_deformable_paint(world, ball, "yield", PLI_ELEMENT_VERTEX, values, count, &problem));
    must(pli_deformable_paint(world, ball, "hardening", PLI_ELEMENT_VERTEX, values, count, &problem));
    values[1] = 0.0f;
    assert_int_equal(pli_deformable_paint(world, ball, "yield", PLI_ELEMENT_VERTEX, values, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    values[1] = NAN;
    assert_int_equal(pli_deformable_paint(world, ball, "hardening", PLI_ELEMENT_VERTEX, values, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_deformable_paint(world, ball, "damping", PLI_ELEMENT_VERTEX, values, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    must(pli_deformable_paint(world, ball, "yield", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
    step(world, 1.0 / 60.0);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(halves_decay_at_two_rates),
        property(factors_act_as_the_parameter),
        property(what_cannot_be_painted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
