// Edges and tethers as elements of the equations (stretch/membrane.h), against the catenary, bounds of a paper bag, and conservation.
#include "samples.h"
#include "worlds.h"

typedef struct solved {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_constraints set;
} solved;

static solved make(const pli_world_def *def, pli_mesh *mesh, const float *positions, pli_stretch stretch)
{
    solved s = {.world = world_from(def), .mesh = mesh};
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh, cloth.positions = positions, cloth.stretch = stretch;
    must(pli_deformable_create(s.world, &cloth, &s.cloth, &problem));
    return s;
}

static void unmake(solved *s)
{
    pli_world_destroy(s->world);
    pli_mesh_destroy(s->mesh);
}

static void pin(const solved *s, int32_t vertex)
{
    const float none = 0.0f;
    must(pli_deformable_set_inverse_masses(s->world, s->cloth, vertex, 1, &none, &problem));
}

static double lowest(const solved *s)
{
    double low = 0.0;
    for (int32_t i = 0; i < vertex_count_of(s->world, s->cloth); i++)
        low = fmin(low, position_of(s->world, s->cloth, i).y);
    return low;
}

/* ---- a chain ---------------------------------------------------------------------------------- */

enum { LINKS = 32 };

// 1 m of rigid links, held at both ends; a zigzag of .1 mm gives the strip's faces area.
static solved chain_make(double span, double sag, pli_stretch stretch)
{
    double rest[LINKS + 1][3] = {{0}};
    float positions[3 * (LINKS + 1)], w[LINKS + 1];
    int32_t links[2 * LINKS];
    for (int32_t i = 0; i <= LINKS; i++) {
        double u = 2.0 * i / LINKS - 1.0;
        rest[i][0] = (double)i / LINKS, rest[i][2] = 1e-4 * (i % 2);
        positions[3 * i] = (float)(0.5 * span * u), positions[3 * i + 1] = (float)(-sag * (1.0 - u * u));
        positions[3 * i + 2] = (float)rest[i][2];
        w[i] = i > 0 && i < LINKS ? (float)LINKS : 0.0f;
    }
    for (int32_t i = 0; i < LINKS; i++)
        links[2 * i] = i, links[2 * i + 1] = i + 1;
    const pli_world_def def = damped_world_def(10, 21.4);
    solved s = make(&def, mesh_of_points((const double(*)[3])rest, LINKS + 1), positions, stretch);
    weigh(s.world, s.cloth, w, LINKS + 1);
    s.set = constrain_list(s.world, s.cloth, "distance", links, LINKS);
    return s;
}

// Sags of a catenary of 1 m by its span (math of hanging chains; design/validation.md B7), at 10 substeps of one iteration.
static void a_chain_hangs_as_a_catenary(void **state)
{
    (void)state;
    static const double cases[][2] = {{0.5, 0.39819}, {0.8, 0.26544}, {0.95, 0.13590}};
    for (int32_t i = shortened() ? 2 : 0; i < COUNT_OF(cases); i++) {
        solved s = chain_make(cases[i][0], cases[i][1], PLI_STRETCH_SOLVED);
        for (int32_t f = 0; f < 300; f++)
            step(s.world, 1.0 / 60.0);
        near(-lowest(&s), cases[i][1], 0.002 * cases[i][1], "sag at a span of %g", cases[i][0]);
        unmake(&s);
    }
}

/* ---- cloth -------------------------------------------------------------------------------------- */

static solved hammock(int32_t side, int32_t substeps, double compliance, pli_stretch stretch)
{
    const pli_world_def def = damped_world_def(substeps, 21.4);
    solved s = make(&def, mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING), NULL, stretch);
    const int32_t corners[] = {0, side - 1, side * (side - 1), side * side - 1};
    for (int32_t k = 0; k < 4; k++)
        pin(&s, corners[k]);
    s.set = constrain(s.world, s.cloth, "distance", NULL);
    tune(s.world, s.set, "compliance", compliance);
    return s;
}

static double sag_of(int32_t substeps, double compliance)
{
    solved s = hammock(7, substeps, compliance, PLI_STRETCH_SOLVED);
    for (int32_t f = 0; f < 150; f++)
        step(s.world, 1.0 / 60.0);
    double sag = -lowest(&s);
    unmake(&s);
    return sag;
}

static void sag_does_not_depend_on_substeps(void **state)
{
    (void)state;
    static const double compliances[] = {1e-1, 1e-2, 1e-3, 1e-4};
    for (int32_t i = 0; i < COUNT_OF(compliances); i += shortened() ? 2 : 1) {
        double at10 = sag_of(10, compliances[i]), at30 = sag_of(30, compliances[i]);
        near(at10, at30, 0.02 * at30, "sag at compliance %g", compliances[i]);
    }
}

/* ---- a bag -------------------------------------------------------------------------------------- */

enum {
    CELLS = 8,
    BAG_VERTICES = (CELLS + 1) * (CELLS + 1) + (CELLS - 1) * (CELLS - 1),
    BAG_TRIANGLES = 4 * CELLS * CELLS
};

// The vertex of a sheet, 0 or 1, at column i and row j: both share their border.
static int32_t bag_vertex(int32_t sheet, int32_t i, int32_t j)
{
    const int32_t border = i == 0 || j == 0 || i == CELLS || j == CELLS;
    return sheet && !border ? (CELLS + 1) * (CELLS + 1) + (j - 1) * (CELLS - 1) + i - 1 : j * (CELLS + 1) + i;
}

// Two unit squares joined along their border, with diagonals towards the middle.
static pli_mesh *bag_make(float *bulged)
{
    float positions[3 * BAG_VERTICES] = {0};
    int32_t corners[3 * BAG_TRIANGLES], count = 0;
    for (int32_t sheet = 0; sheet < 2; sheet++)
        for (int32_t j = 0; j <= CELLS; j++)
            for (int32_t i = 0; i <= CELLS; i++) {
                float *p = positions + 3 * bag_vertex(sheet, i, j), *b = bulged + 3 * bag_vertex(sheet, i, j);
                p[0] = b[0] = (float)i / CELLS - 0.5f, p[2] = b[2] = (float)j / CELLS - 0.5f;
                b[1] = (sheet ? -1.0f : 1.0f) * (0.25f - p[0] * p[0]) * (0.25f - p[2] * p[2]);
                if (i == CELLS || j == CELLS)
                    continue;
                const int32_t q[4] = {bag_vertex(sheet, i, j), bag_vertex(sheet, i + 1, j),
                                      bag_vertex(sheet, i + 1, j + 1), bag_vertex(sheet, i, j + 1)};
                const int32_t turn = (i < CELLS / 2) == (j < CELLS / 2) ? 0 : 1;
                for (int32_t k = 0; k < 2; k++, count++) {
                    corners[3 * count] = q[turn];
                    corners[3 * count + 1 + sheet] = q[(turn + 2 + k) % 4];
                    corners[3 * count + 2 - sheet] = q[(turn + 1 + k) % 4];
                }
            }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = BAG_VERTICES;
    def.face_vertices = corners, def.face_count = BAG_TRIANGLES;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

// Adds a third of the pressure [Pa] on each face to its corners, and returns the volume.
static double press(const solved *s, double pressure)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    double volume = 0.0;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        vec x[3];
        for (int32_t k = 0; k < 3; k++)
            x[k] = position_of(s->world, s->cloth, t->triangles[3 * i + k]);
        vec n = cross(sub(x[1], x[0]), sub(x[2], x[0]));
        volume += dot(x[0], n) / 6.0;
        for (int32_t k = 0; k < 3; k++)
            must(pli_deformable_add_force(s->world, s->cloth, t->triangles[3 * i + k],
                                          to_vec3(scale(n, pressure / 6.0)), &problem));
    }
    return volume;
}

// The paper bag of a unit square: between Robin's formula of .1905 and the best numbers of .206, for paper that folds and does not
// stretch, as tethers along edges do.
static void a_tea_bag_holds_its_volume(void **state)
{
    (void)state;
    float bulged[3 * BAG_VERTICES] = {0};
    pli_world_def def = damped_world_def(10, 6.3);
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    pli_mesh *mesh = bag_make(bulged);
    solved s = make(&def, mesh, bulged, PLI_STRETCH_SOLVED);
    s.set = constrain(s.world, s.cloth, "tether", "edges");
    double sign = press(&s, 0.0) < 0.0 ? -1.0 : 1.0, volume = 0.0;
    for (int32_t f = 0; f < 240; f++) {
        volume = sign * press(&s, sign * 5.0);
        step(s.world, 1.0 / 60.0);
    }
    holds(volume > 0.18 && volume < 0.21, "volume %g", volume);
    holds(residual_of(s.world, s.set).max < 0.005 / CELLS, "an edge is longer by %g", residual_of(s.world, s.set).max);
    unmake(&s);
}

/* ---- bits --------------------------------------------------------------------------------------- */

static solved swinging(pli_simd simd, int32_t threads)
{
    pli_world_def def = damped_world_def(6, 0.0);
    random_state = 7; // The same hills.
    def.simd = simd, def.thread_count = threads;
    solved s = make(&def, mesh_hilly(8), NULL, PLI_STRETCH_SOLVED);
    pin(&s, 0);
    s.set = constrain(s.world, s.cloth, "distance", NULL);
    constrain(s.world, s.cloth, "dihedral", NULL);
    return s;
}

// Another width, more threads, and a world whose solver was made for other pins on the way.
static void bits_follow_from_the_state_alone(void **state)
{
    (void)state;
    solved plain = swinging(PLI_SIMD_AUTO, 1), others[2] = {swinging(PLI_SIMD_SCALAR, 1), swinging(PLI_SIMD_AUTO, 3)};
    for (int32_t f = 0; f < 40; f++) {
        step(plain.world, 1.0 / 60.0);
        step(others[0].world, 1.0 / 60.0);
        step(others[1].world, 1.0 / 60.0);
        if (f == 20) {
            pin(&plain, 9), pin(&others[0], 9), pin(&others[1], 9);
        }
    }
    same_positions(plain.world, plain.cloth, others[0].world, others[0].cloth, "scalar");
    same_positions(plain.world, plain.cloth, others[1].world, others[1].cloth, "three threads");
    holds(all_finite(plain.world), "finite");
    for (int32_t i = 0; i < 2; i++)
        unmake(&others[i]);
    unmake(&plain);
}

// Nothing is free, nothing pulls, and then all of it does.
static void there_may_be_nothing_to_solve(void **state)
{
    (void)state;
    solved s = hammock(3, 4, 1e-3, PLI_STRETCH_SOLVED);
    float pinned[9] = {0}, free_ones[9];
    for (int32_t i = 0; i < 9; i++)
        free_ones[i] = i > 0 ? 100.0f : 0.0f;
    weigh(s.world, s.cloth, pinned, 9);
    step(s.world, 1.0 / 60.0);
    near(lowest(&s), 0.0, 0.0, "pinned at all vertices");
    must(pli_constraints_destroy(s.world, s.set, &problem));
    weigh(s.world, s.cloth, free_ones, 9);
    step(s.world, 1.0 / 60.0);
    s.set = constrain(s.world, s.cloth, "distance", NULL);
    for (int32_t f = 0; f < 60; f++)
        step(s.world, 1.0 / 60.0);
    holds(all_finite(s.world) && residual_of(s.world, s.set).max < 0.01, "hung by a corner: edges off by %g",
          residual_of(s.world, s.set).max);
    unmake(&s);
}

// Crumpled cloth, whose edges contradict each other, comes to rest and keeps its momentum.
static void crumpled_cloth_calms_down(void **state)
{
    (void)state;
    pli_world_def def = damped_world_def(10, 0.0);
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    pli_mesh *mesh = mesh_grid(9, 9, 1.0, PLI_GRID_ALTERNATING);
    float *positions = copied_positions(mesh);
    for (int32_t i = 0; i < 3 * 81; i++)
        positions[i] += (float)uniform(-0.05, 0.05);
    solved s = make(&def, mesh, positions, PLI_STRETCH_SOLVED);
    s.set = constrain(s.world, s.cloth, "distance", NULL);
    double early = 0.0, late = 0.0;
    for (int32_t f = 0; f < 240; f++) {
        step(s.world, 1.0 / 60.0);
        vec momentum = {0, 0, 0};
        double energy = 0.0;
        for (int32_t i = 0; i < 81; i++) {
            vec v = velocity_of(s.world, s.cloth, i);
            double mass = mass_of(s.world, s.cloth, i);
            energy += 0.5 * mass * dot(v, v);
            momentum = add(momentum, scale(v, mass));
        }
        early = f < 30 ? fmax(early, energy) : early;
        late = f >= 210 ? fmax(late, energy) : late;
        holds(length(momentum) < 1e-5, "momentum %g in frame %d", length(momentum), (int)f);
    }
    holds(late < early, "energy of %g J becomes %g", early, late);
    holds(residual_of(s.world, s.set).max < 1e-3, "edges off by %g", residual_of(s.world, s.set).max);
    free(positions);
    unmake(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_chain_hangs_as_a_catenary), property(sag_does_not_depend_on_substeps),
        property(a_tea_bag_holds_its_volume),  property(bits_follow_from_the_state_alone),
        property(crumpled_cloth_calms_down),   property(there_may_be_nothing_to_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
