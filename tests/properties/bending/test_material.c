// Materials: numbers that follow from one another, edges of a sheet, painted values, and what acts of what was asked for. Sheets are hung
// and slid, and compared with closed forms.
#include "scenery.h"
#include "sheets.h"
#include "tears.h"

#include "model/handles.h"
#include "sweep/constraint_slots.h"

#include <string.h>

static const double gravity = 9.81;

/* ---- numbers ------------------------------------------------------------------------------------ */

static void test_presets_have_numbers_and_sources(void **state)
{
    (void)state;
    holds(pli_material_count() >= 8, "%d presets", (int)pli_material_count());
    for (int32_t i = 0; i < pli_material_count(); i++) {
        const pli_material *m = pli_material_at(i);
        pli_material_def def = m->def;
        holds(pli_material_find(m->name) == m && m->label[0] && m->source[0], "%s", m->name);
        must(pli_material_resolve(&def, &problem));
        holds(def.rigidity > 1e-7f && def.rigidity < 1e-1f, "%s: D is %g", m->name, (double)def.rigidity);
        holds(def.tensile_stiffness > 100.0f && def.tensile_stiffness < 1e6f, "%s: Y is %g", m->name,
              (double)def.tensile_stiffness);
        // A sheet of one stuff cannot be stiffer in bending than Y t^2 / (12 (1 - nu^2)); fabrics slip and are softer.
        const double most = (double)(def.tensile_stiffness * def.thickness * def.thickness) / 12.0 /
                            (1.0 - (double)(def.poisson * def.poisson));
        holds((double)def.rigidity <= 1.05 * most, "%s: D is %g of at most %g", m->name, (double)def.rigidity, most);
    }
    assert_null(pli_material_at(-1));
    assert_null(pli_material_at(pli_material_count()));
    assert_null(pli_material_find(NULL));
    assert_null(pli_material_find("denm"));
}

// One call has the state of the four calls that it stands for, in every bit.
static void test_cloth_of_a_name_is_that_of_four_calls(void **state)
{
    (void)state;
    pli_mesh *mesh;
    must(pli_mesh_create_grid(12, 9, 1.0f, 0.8f, PLI_GRID_ALTERNATING, &mesh, &problem));
    const pli_material *denim = pli_material_find("denim");
    pli_world *one = plain_world(PLI_METHOD_XPBD), *four = plain_world(PLI_METHOD_XPBD);
    pli_deformable cloth, sheet;
    pli_constraints set;
    must(pli_cloth_create(one, mesh, "denim", &cloth, &problem));
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    must(pli_material_apply(&denim->def, &def, &problem));
    must(pli_deformable_create(four, &def, &sheet, &problem));
    must(pli_material_create_constraints(four, sheet, &denim->def, &set, &problem));
    const float held = 0.0f;
    for (int32_t corner = 0; corner < 12; corner += 11) {
        must(pli_deformable_set_inverse_masses(one, cloth, corner, 1, &held, &problem));
        must(pli_deformable_set_inverse_masses(four, sheet, corner, 1, &held, &problem));
    }
    for (int32_t frame = 0; frame < 20; frame++) {
        must(pli_world_step(one, 1.0f / 60.0f, &problem));
        must(pli_world_step(four, 1.0f / 60.0f, &problem));
        holds(pli_world_hash(one) == pli_world_hash(four), "frame %d: other bits", (int)frame);
    }
    holds(pli_cloth_create(one, mesh, "denmi", &cloth, &problem) == PLI_STATUS_NOT_FOUND && cloth.id == 0 &&
              strstr(problem.message, "did you mean 'denim'?"),
          "a slip: %.150s", problem.message);
    holds(pli_cloth_create(one, mesh, NULL, &cloth, &problem) == PLI_STATUS_NOT_FOUND, "no name");
    holds(pli_cloth_create(one, NULL, "denim", &cloth, &problem) == PLI_STATUS_INVALID_ARGUMENT && cloth.id == 0,
          "no mesh: %.150s", problem.message);
    near(pli_world_deformable_count(one), 1, 0.0, "deformables after errors");
    pli_mesh_destroy(mesh);
    pli_world_destroy(one);
    pli_world_destroy(four);
}

static void test_numbers_follow_from_one_another(void **state)
{
    (void)state;
    pli_material_def steel = pli_material_def_default();
    steel.young = 2e11f, steel.thickness = 1e-4f, steel.poisson = 0.3f, steel.density = 0.785f;
    must(pli_material_resolve(&steel, &problem));
    near((double)steel.tensile_stiffness, 2e7, 10.0, "Y of a steel foil");
    near((double)steel.rigidity, 2e11 * 1e-12 / (12.0 * 0.91), 1e-8, "D of a steel foil");
    pli_material_def strip = pli_material_def_default();
    strip.density = 0.2f, strip.bending_length = 0.02f, strip.rigidity = 1.0f, strip.young = 1e6f;
    must(pli_material_resolve(&strip, &problem));
    // A strip that bends freely has D (1 - nu^2), with the default nu of 0.3.
    near(0.91 * (double)strip.rigidity, 0.2 * 9.80665 * 8e-6, 1e-10, "D (1 - nu^2) of Peirce's bending length");
    near((double)strip.tensile_stiffness, 1e6 * 5e-4, 1e-3, "Y beside it");
    pli_material_def bad = pli_material_def_default();
    bad.density = -1.0f;
    assert_int_equal(pli_material_resolve(&bad, &problem), PLI_STATUS_INVALID_ARGUMENT);
    bad.density = 1e9f, bad.bending_length = 50.0f;
    assert_int_equal(pli_material_resolve(&bad, &problem), PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "rigidity") != NULL, "says: %.200s", problem.message);
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_material_apply(&pli_material_find("denim")->def, &def, &problem));
    near((double)def.density, 0.4, 1e-6, "density of denim");
    near((1.0 - 0.25 * 0.25) * (double)def.plate.rigidity, 1.5e-4, 1e-10, "rigidity of a strip of denim");
    near((double)def.thickness, 9.9e-4, 1e-9, "thickness of denim");
    assert_int_equal(pli_material_apply(&bad, &def, &problem), PLI_STATUS_INVALID_ARGUMENT);
    near((double)def.density, 0.4, 1e-6, "density after a refusal");
}

/* ---- edges of a sheet --------------------------------------------------------------------------- */

static double stiffness_of(const pli_world *world, pli_constraints handle, int32_t i)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, NULL);
    return 1.0 /
           (set->parameters[PLI_PARAMETER_COMPLIANCE] * (double)set->compliance_scale[pli_constraints_slot(set, i)]);
}

// An equilateral triangle under any strain has the energy of a sheet with Poisson's ratio 1/3.
static void test_edges_have_the_energy_of_a_sheet(void **state)
{
    (void)state;
    const double Y = 250.0, side = 0.37, nu = 1.0 / 3.0, area = sqrt(3.0) / 4.0 * side * side;
    const double corners[3][3] = {{0, 0, 0}, {side, 0, 0}, {side / 2, side * sqrt(3.0) / 2.0, 0}};
    pli_mesh *mesh = mesh_of_points(corners, 3);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_constraints set = constrain(world, deform(world, mesh, NULL), "distance", NULL);
    must(pli_constraints_set_tensile_stiffness(world, set, Y, &problem));
    for (int round = 0; round < 20; round++) {
        const double ex = uniform(-1e-3, 1e-3), ey = uniform(-1e-3, 1e-3), shear = uniform(-1e-3, 1e-3);
        double energy = 0.0;
        for (int32_t i = 0; i < 3; i++) {
            int32_t at[2], count;
            must(pli_constraints_stencil(world, set, i, at, &count, NULL, NULL, &problem));
            const double dx = (corners[at[1]][0] - corners[at[0]][0]) / side,
                         dy = (corners[at[1]][1] - corners[at[0]][1]) / side;
            const double longer = side * (ex * dx * dx + ey * dy * dy + shear * dx * dy);
            energy += 0.5 * stiffness_of(world, set, i) * longer * longer;
        }
        const double sheet = 0.5 * area * Y / (1.0 - nu * nu) *
                             (ex * ex + ey * ey + 2.0 * nu * ex * ey + 0.5 * (1.0 - nu) * shear * shear);
        near(energy / sheet, 1.0, 1e-4, "energy over that of the sheet");
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// A strip that hangs by its first row, at rest. Returns how much longer it is than 1 m.
static double hanging(pli_world *world, pli_deformable sheet, int32_t columns, int32_t frames)
{
    int32_t held[16];
    for (int32_t i = 0; i < columns; i++)
        held[i] = i;
    pli_attachment_def def = pli_attachment_def_default();
    pli_attachment attachment;
    def.deformable = sheet, def.particles = held, def.particle_count = columns;
    must(pli_attachment_create(world, &def, &attachment, &problem));
    for (int32_t frame = 0; frame < frames; frame++)
        step(world, 1.0 / 60.0);
    double low = 0.0;
    for (int32_t i = 0; i < vertex_count_of(world, sheet); i++)
        low = fmin(low, position_of(world, sheet, i).y);
    return -low - 1.0;
}

static pli_deformable strip(pli_world *world, int32_t cells, pli_grid_pattern pattern)
{
    pli_mesh *mesh;
    must(pli_mesh_create_grid(5, cells + 1, 4.0f / (float)cells, 1.0f, pattern, &mesh, &problem));
    pli_deformable_def def = pli_deformable_def_default();
    pli_deformable sheet;
    def.mesh = mesh, def.stretch = PLI_STRETCH_SWEPT;
    def.pose = pose_turned(90.0, (vec){1, 0, 0}, (vec){0, -0.5, 0});
    must(pli_deformable_create(world, &def, &sheet, &problem));
    pli_mesh_destroy(mesh);
    return sheet;
}

// A strip of tensile stiffness Y that hangs is longer by rho g L^2 / (2 Y): whether what acts is what pli_deformable_get_effective_stiffness says, soft and saturated.
static void test_what_acts_in_stretching_is_what_is_said(void **state)
{
    (void)state;
    const struct {
        double stiffness;
        int32_t substeps, iterations;
        pli_sweeps sweeps;
    } cases[] = {{3e4, 10, 1, PLI_SWEEPS_BACK_AND_FORTH},
                 {3e4, 20, 1, PLI_SWEEPS_BACK_AND_FORTH},
                 {3e4, 10, 4, PLI_SWEEPS_BACK_AND_FORTH},
                 {3e4, 10, 3, PLI_SWEEPS_FORWARD},
                 {300, 10, 1, PLI_SWEEPS_BACK_AND_FORTH}};
    for (int32_t i = 0; i < (shortened() ? 2 : COUNT_OF(cases)); i++) {
        pli_world_def def = pli_world_def_default();
        def.settings.substeps = cases[i].substeps, def.settings.iterations = cases[i].iterations;
        def.settings.sweeps = cases[i].sweeps, def.settings.damping = 1.2f;
        pli_world *world = world_from(&def);
        pli_deformable sheet = strip(world, 16, PLI_GRID_QUADS);
        must(pli_constraints_set_tensile_stiffness(world, constrain(world, sheet, "distance", NULL), cases[i].stiffness,
                                                   &problem));
        pli_effective_stiffness r;
        must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
        const double longer = hanging(world, sheet, 5, 300), acting = 0.2 * gravity / (2.0 * longer);
        near(r.tensile_requested / cases[i].stiffness, 1.0, 1e-6, "case %d, asked", (int)i);
        near(acting / r.tensile_effective, 1.0, cases[i].stiffness > 1e4 ? 0.12 : 0.3, "case %d, acting", (int)i);
        pli_world_destroy(world);
    }
}

// Rigid hinges droop as a sheet of the limit that is said.
static void test_what_acts_in_bending_is_what_is_said(void **state)
{
    (void)state;
    enum { CELLS = 8 };
    const double dx = 1.0 / CELLS;
    for (int32_t i = 0; i < 2; i++) {
        pli_mesh *mesh;
        must(pli_mesh_create_grid(CELLS + 2, 5, (float)(1.0 + dx), 4.0f / CELLS,
                                  i ? PLI_GRID_ALTERNATING : PLI_GRID_DIAGONAL, &mesh, &problem));
        pli_world_def world_def = pli_world_def_default();
        world_def.settings.gravity = (pli_vec3){0.0f, -5.0f, 0.0f}, world_def.settings.damping = 21.4f;
        pli_world *world = world_from(&world_def);
        pli_deformable_def def = pli_deformable_def_default();
        pli_deformable sheet;
        def.mesh = mesh, def.stretch = PLI_STRETCH_SWEPT;
        must(pli_deformable_create(world, &def, &sheet, &problem));
        constrain(world, sheet, "distance", NULL);
        tune(world, constrain(world, sheet, "isometric", NULL), "rigidity", 100.0);
        float fixed = 0.0f;
        for (int32_t v = 0; v < vertex_count_of(world, sheet); v++)
            if (position_of(world, sheet, v).x < -0.5 * (1.0 + dx) + 1.5 * dx)
                must(pli_deformable_set_inverse_masses(world, sheet, v, 1, &fixed, &problem));
        for (int32_t frame = 0; frame < 480; frame++)
            step(world, 1.0 / 60.0);
        double low = 0.0;
        for (int32_t v = 0; v < vertex_count_of(world, sheet); v++)
            low = fmin(low, position_of(world, sheet, v).y);
        pli_effective_stiffness r;
        must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
        near(0.2 * 5.0 / (8.0 * -low) / r.rigidity_effective, 1.0, 1.0 / 3.0, "pattern %d, acting", (int)i);
        near(r.rigidity_requested, 100.0, 1e-9, "asked");
        holds(r.substeps_needed > 100 && !r.has_plate, "%d substeps", (int)r.substeps_needed);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// The same of membranes, which have it whatever the triangles.
static void test_membranes_act_as_said(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        pli_world_def def = pli_world_def_default();
        def.settings.damping = 1.2f;
        pli_world *world = world_from(&def);
        pli_deformable sheet = strip(world, 16, PLI_GRID_ALTERNATING);
        pli_constraints set = constrain(world, sheet, "membrane", NULL);
        tune(world, set, "warp", i ? 30 : 3e4), tune(world, set, "weft", i ? 30 : 3e4);
        pli_effective_stiffness r;
        must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
        near(r.tensile_requested / (i ? 30 : 3e4), 1.0, 1e-6, "asked");
        const double longer = hanging(world, sheet, 5, 300), acting = 0.2 * gravity / (2.0 * longer);
        near(acting / r.tensile_effective, 1.0, 1.0 / 3.0, "membrane %d, acting", (int)i);
        pli_world_destroy(world);
    }
}

static void test_plates_act_as_asked(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_DIAGONAL);
    pli_deformable_def def = pli_deformable_def_default();
    pli_deformable sheet;
    pli_constraints set;
    pli_effective_stiffness r;
    def.mesh = mesh;
    must(pli_material_apply(&pli_material_find("paper")->def, &def, &problem));
    must(pli_deformable_create(world, &def, &sheet, &problem));
    must(pli_material_create_constraints(world, sheet, &pli_material_find("paper")->def, &set, &problem));
    must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
    near(0.91 * r.rigidity_effective / 2.5e-4, 1.0, 1e-6, "D of a plate of paper");
    near(0.91 * r.rigidity_requested / 2.5e-4, 1.0, 1e-6, "D asked of it");
    near(r.tensile_requested / (2.92e9 * 1.1e-4), 1.0, 1e-5, "Y asked of it");
    holds(r.has_plate && r.substeps_needed == 0, "plate");
    tune(world, constrain(world, sheet, "dihedral", NULL), "compliance", 1.0);
    must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
    holds(r.has_compliant_bending, "bending by a compliance");
    assert_int_equal(pli_deformable_get_effective_stiffness(world, sheet, 0.0, &r, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_deformable_get_effective_stiffness(world, (pli_deformable){99, 99}, 1.0, &r, &problem),
                     PLI_STATUS_NOT_FOUND);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

/* ---- painted numbers ---------------------------------------------------------------------------- */

static void test_painted_density_is_mass(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_QUADS);
    pli_deformable sheet = deform(world, mesh, NULL);
    float faces[16], vertices[25];
    for (int i = 0; i < 16; i++)
        faces[i] = i % 4 < 2 ? 0.1f : 0.5f; // Columns 0 and 1 of cells, and 2 and 3.
    must(pli_deformable_paint(world, sheet, "density", PLI_ELEMENT_FACE, faces, 16, &problem));
    const double mass = pli_deformable_mass(world, sheet);
    near(mass, 0.3, 1e-6, "mass of half and half");
    near(mass_of(world, sheet, 6), 0.1 / 16.0, 1e-8, "within the light half");
    near(mass_of(world, sheet, 8), 0.5 / 16.0, 1e-8, "within the heavy half");
    near(mass_of(world, sheet, 7), 0.3 / 16.0, 1e-8, "between them");
    for (int i = 0; i < 25; i++)
        vertices[i] = 0.25f * (float)(1 + i);
    must(pli_deformable_paint(world, sheet, "density", PLI_ELEMENT_VERTEX, vertices, 25, &problem));
    near(mass_of(world, sheet, 12), 0.25 * 13.0 / 16.0, 1e-6, "by vertex");
    assert_int_equal(pli_deformable_paint(world, sheet, "density", PLI_ELEMENT_FACE, faces, 15, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "15") && strstr(problem.message, "16 faces"), "says: %.200s", problem.message);
    vertices[3] = -1.0f;
    assert_int_equal(pli_deformable_paint(world, sheet, "density", PLI_ELEMENT_VERTEX, vertices, 25, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "vertex 3") != NULL, "says: %.200s", problem.message);
    near(mass_of(world, sheet, 12), 0.25 * 13.0 / 16.0, 1e-6, "after refusals");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// Two patches on one inclined sheet, whose halves have other coefficients: one stays, one slides with g (sin a - mu cos a).
static void test_painted_friction_holds_and_lets_slide(void **state)
{
    (void)state;
    const double angle = 0.3, low = 0.05, seconds = 0.5;
    pli_world_def world_def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    world_def.settings.gravity = (pli_vec3){(float)(gravity * sin(angle)), (float)(-gravity * cos(angle)), 0.0f};
    pli_world *world = world_from(&world_def);
    pli_mesh *bottom = mesh_grid(11, 11, 2.0, PLI_GRID_ALTERNATING), *top = mesh_grid(3, 3, 0.2, PLI_GRID_ALTERNATING);
    pli_deformable patches[2], sheet = drop_cloth(world, bottom, pli_transform_identity(), 0.01, false);
    float frictions[121], fixed[121] = {0};
    for (int v = 0; v < 121; v++)
        frictions[v] = position_of(world, sheet, v).z > 0.0 ? (float)low : 0.8f;
    must(pli_deformable_paint(world, sheet, "friction", PLI_ELEMENT_VERTEX, frictions, 121, &problem));
    must(pli_deformable_set_inverse_masses(world, sheet, 0, 121, fixed, &problem));
    for (int i = 0; i < 2; i++) {
        float own[9];
        pli_transform pose = pli_transform_identity();
        pose.position = (pli_vec3){-0.5f, 0.0101f, i ? 0.6f : -0.6f};
        patches[i] = drop_cloth(world, (pli_mesh *)(uintptr_t)pli_mesh_retain(top), pose, 0.01, false);
        for (int v = 0; v < 9; v++)
            own[v] = i ? (float)low : 0.8f;
        must(pli_deformable_paint(world, patches[i], "friction", PLI_ELEMENT_VERTEX, own, 9, &problem));
    }
    for (int frame = 0; frame < (int)(60 * seconds); frame++)
        step(world, 1.0 / 60.0);
    const double way = 0.5 * gravity * (sin(angle) - low * cos(angle)) * seconds * seconds;
    near(position_of(world, patches[0], 4).x, -0.5, 2e-3, "the patch on the rough half");
    near(position_of(world, patches[1], 4).x + 0.5, way, 0.05 * way, "the patch on the smooth half");
    must(pli_deformable_paint(world, sheet, "friction", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
    step(world, 1.0 / 60.0);
    assert_int_equal(pli_deformable_paint(world, sheet, "friction", PLI_ELEMENT_FACE, frictions, 121, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    pli_world_destroy(world);
    pli_mesh_destroy(top);
}

/* ---- painted thickness and pressure -------------------------------------------------------------- */

static const double thin = 0.004, thick = 0.012;

// Paints what is at x < 0 thin and the rest thick.
static void paint_halves(pli_world *world, pli_deformable sheet)
{
    const pli_mesh *mesh = pli_deformable_rest_mesh(world, sheet);
    const pli_topology *t = pli_mesh_topology(mesh);
    float *values = calloc((size_t)t->vertex_count, sizeof *values);
    assert_non_null(values);
    for (int32_t v = 0; v < t->vertex_count; v++)
        values[v] = (float)(t->positions[3 * v] < 0.0f ? thin : thick);
    must(pli_deformable_paint(world, sheet, "thickness", PLI_ELEMENT_VERTEX, values, t->vertex_count, &problem));
    free(values);
}

// A sheet without constraints, whose particles come to rest each by itself.
static pli_deformable loose_sheet(pli_world *world, int32_t side, double height, double thickness)
{
    pli_mesh *mesh = mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.thickness = (float)thickness;
    def.pose.position = (pli_vec3){0.013f, (float)height, 0.017f};
    pli_deformable sheet;
    must(pli_deformable_create(world, &def, &sheet, &problem));
    pli_mesh_destroy(mesh);
    return sheet;
}

// Runs until all is at rest and compares heights with those of either half; where the halves meet edges are of both.
static void rests_at(pli_world *world, pli_deformable sheet, double low, double high, const char *what)
{
    for (int32_t frame = 0; frame < 40; frame++)
        step(world, 1.0 / 60.0);
    for (int32_t v = 0; v < vertex_count_of(world, sheet); v++) {
        const vec at = position_of(world, sheet, v);
        if (fabs(at.x) > 0.2)
            near(at.y, at.x < 0.0 ? low : high, 1e-4, "%s: vertex %d", what, (int)v);
    }
}

// Particles keep their own thickness from shapes, in all widths with the same bits, and pairs of surfaces the mean or the sum.
static void test_painted_thickness_is_what_contact_keeps(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1 + simd % 2);
        def.simd = (pli_simd)simd;
        pli_world *world = world_from(&def);
        pli_deformable sheet = loose_sheet(world, 12, 0.03, 0.02);
        ground(world);
        paint_halves(world, sheet);
        rests_at(world, sheet, thin, thick, "on a plane");
        holds(hash == 0 || hash == pli_world_hash(world), "width %d: another hash", (int)simd);
        hash = pli_world_hash(world);
        pli_world_destroy(world);
    }
    for (int32_t mesh = 0; mesh < 2; mesh++) {
        pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
        pli_world *world = world_from(&def);
        pli_deformable sheet = loose_sheet(world, 12, 0.03, 0.02);
        paint_halves(world, sheet);
        double other = 0.006;
        if (mesh) {
            pli_collider_def of = pli_collider_def_default();
            pli_collider floor_mesh = mesh_collider(world, mesh_grid(5, 5, 2.0, PLI_GRID_DIAGONAL),
                                                    pli_transform_identity(), 0.5);
            other = (double)of.thickness;
            (void)floor_mesh;
            rests_at(world, sheet, thin + other, thick + other, "on a mesh");
        } else {
            const float fixed[121] = {0};
            pli_deformable bottom = loose_sheet(world, 11, 0.0, other);
            must(pli_deformable_set_inverse_masses(world, bottom, 0, 121, fixed, &problem));
            rests_at(world, sheet, 0.5 * (thin + other), 0.5 * (thick + other), "on a sheet");
        }
        pli_world_destroy(world);
    }
}

// Two layers of one deformable, the lower one fixed.
static pli_deformable two_layers(pli_world *world, int32_t side)
{
    const int32_t half = side * side;
    pli_mesh *one = mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING), *both;
    const pli_topology *t = pli_mesh_topology(one);
    float *positions = calloc(6 * (size_t)half, sizeof *positions);
    int32_t *triangles = calloc(6 * (size_t)t->triangle_count, sizeof *triangles);
    assert_true(positions && triangles);
    for (int32_t k = 0; k < 6 * half; k++)
        positions[k] = t->positions[k % (3 * half)] + (k >= 3 * half ? k % 3 == 1 ? 0.03f : 0.011f : 0.0f);
    for (int32_t k = 0; k < 6 * t->triangle_count; k++)
        triangles[k] = t->triangles[k % (3 * t->triangle_count)] + (k >= 3 * t->triangle_count ? half : 0);
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 2 * half;
    def.face_vertices = triangles, def.face_count = 2 * t->triangle_count;
    must(pli_mesh_create(&def, &both, &problem));
    pli_deformable sheet;
    pli_deformable_def of = pli_deformable_def_default();
    of.mesh = both, of.thickness = 0.02f, of.self_collision = true;
    must(pli_deformable_create(world, &of, &sheet, &problem));
    float *fixed = calloc((size_t)half, sizeof *fixed);
    assert_non_null(fixed);
    must(pli_deformable_set_inverse_masses(world, sheet, 0, half, fixed, &problem));
    free(fixed), free(positions), free(triangles);
    pli_mesh_destroy(one), pli_mesh_destroy(both);
    return sheet;
}

// Self-contact keeps the painted thickness; definitions do not undo it, null does, and a snapshot goes on with the same bits.
static void test_painted_thickness_holds_within_a_surface(void **state)
{
    (void)state;
    enum { SIDE = 12, HALF = SIDE * SIDE };
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    pli_deformable sheet = two_layers(world, SIDE);
    paint_halves(world, sheet);
    size_t size = 0;
    void *bytes = NULL;
    uint64_t after = 0;
    for (int32_t frame = 0; frame < 40; frame++) {
        if (frame == 10)
            bytes = snapshot_of(world, &size);
        step(world, 1.0 / 60.0);
        after = frame == 20 ? pli_world_hash(world) : after;
    }
    for (int32_t v = HALF; v < 2 * HALF; v++) {
        const vec at = position_of(world, sheet, v);
        if (fabs(at.x) > 0.2)
            near(at.y, at.x < 0.0 ? thin : thick, 1e-4, "layer: vertex %d", (int)v);
    }
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    for (int32_t frame = 10; frame <= 20; frame++)
        step(world, 1.0 / 60.0);
    holds(pli_world_hash(world) == after, "another hash behind a snapshot");
    free(bytes);
    pli_deformable_def of;
    must(pli_deformable_get_def(world, sheet, &of, &problem));
    of.thickness = 0.001f;
    must(pli_deformable_set_def(world, sheet, &of, &problem));
    for (int32_t frame = 0; frame < 40; frame++)
        step(world, 1.0 / 60.0);
    near(position_of(world, sheet, 2 * HALF - 1).y, thick, 1e-4, "behind another definition");
    must(pli_deformable_paint(world, sheet, "thickness", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
    for (int32_t frame = 0; frame < 40; frame++)
        step(world, 1.0 / 60.0);
    near(position_of(world, sheet, 2 * HALF - 1).y, 0.001, 1e-4, "without paint");
    pli_world_destroy(world);
}

// Pulls a sheet until it tears. With `again`, goes back to when it was whole, paints it anew, and goes on from behind the tears.
static pulled torn_halves(bool again)
{
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    pulled p = pulled_cloth(&def, mesh_grid(12, 6, 1.0, PLI_GRID_DIAGONAL),
                            (pli_tearing){.stretch = 1.1f, .force = INFINITY, .max_tears = 20});
    paint_halves(p.world, p.cloth);
    size_t whole_size, torn_size;
    void *whole = snapshot_of(p.world, &whole_size);
    pull(&p, 20);
    void *torn = snapshot_of(p.world, &torn_size);
    if (again) {
        must(pli_world_snapshot_read(p.world, whole, whole_size, &problem));
        paint_halves(p.world, p.cloth);
        must(pli_world_snapshot_read(p.world, torn, torn_size, &problem));
    }
    free(whole), free(torn);
    return p;
}

// A vertex that a tear adds has the thickness of the one that it is a copy of, also behind a snapshot.
static void test_copies_are_as_thick_as_their_sources(void **state)
{
    (void)state;
    for (int32_t again = 0; again < 2; again++) {
        pulled p = torn_halves(again);
        holds(vertex_count_of(p.world, p.cloth) > 75, "%d vertices: torn", (int)vertex_count_of(p.world, p.cloth));
        for (int32_t k = 0; k < 2; k++)
            must(pli_attachment_destroy(p.world, p.ends[k], &problem));
        pli_collider_def floor_def = pli_collider_def_default();
        floor_def.shape = PLI_SHAPE_PLANE, floor_def.pose.position.y = -0.3f, floor_def.thickness = 0.0f;
        pli_collider floor_plane;
        must(pli_collider_create(p.world, &floor_def, &floor_plane, &problem));
        double least[2] = {INFINITY, INFINITY};
        for (int32_t frame = 0; frame < 90; frame++)
            step(p.world, 1.0 / 60.0);
        const pli_topology *t = pli_mesh_topology(current(p.world, p.cloth));
        for (int32_t v = 72; v < t->vertex_count; v++) {
            const int32_t half = t->positions[3 * v] >= 0.0f;
            least[half] = fmin(least[half], position_of(p.world, p.cloth, v).y + 0.3);
        }
        holds(least[0] > 0.99 * thin && least[0] < 0.7 * thick, "thin copies are %g high", least[0]);
        holds(least[1] > 0.99 * thick && least[1] < 1.0, "thick copies are %g high", least[1]);
        let_go(&p);
    }
}

// One substep of a hilly sheet against the sum over its triangles in double, by face and by vertex; and a flat sheet's flight.
static void test_painted_pressure_pushes_along_normals(void **state)
{
    (void)state;
    for (int32_t by_face = 0; by_face < 2; by_face++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
        def.settings.substeps = 1, def.settings.damping = 0.0f;
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_hilly(9);
        const pli_topology *t = pli_mesh_topology(mesh);
        pli_deformable sheet = deform(world, mesh, NULL);
        const int32_t count = by_face ? t->face_count : t->vertex_count;
        float *values = calloc((size_t)count, sizeof *values);
        vec *sums = calloc((size_t)t->vertex_count, sizeof *sums);
        assert_true(values && sums);
        for (int32_t i = 0; i < count; i++)
            values[i] = (float)uniform(-5.0, 20.0);
        for (int32_t i = 0; i < t->triangle_count; i++) {
            const int32_t *c = t->triangles + 3 * (size_t)i;
            vec at[3];
            for (int32_t k = 0; k < 3; k++)
                at[k] = position_of(world, sheet, c[k]);
            const double pressure = by_face
                                        ? (double)values[t->triangle_faces[i]]
                                        : ((double)values[c[0]] + (double)values[c[1]] + (double)values[c[2]]) / 3.0;
            const vec push = scale(cross(sub(at[1], at[0]), sub(at[2], at[0])), pressure / 6.0);
            for (int32_t k = 0; k < 3; k++)
                sums[c[k]] = add(sums[c[k]], push);
        }
        must(pli_deformable_paint(world, sheet, "pressure", by_face ? PLI_ELEMENT_FACE : PLI_ELEMENT_VERTEX, values,
                                  count, &problem));
        step(world, 0.01);
        for (int32_t v = 0; v < t->vertex_count; v++) {
            const vec expected = scale(sums[v], 0.01 / mass_of(world, sheet, v));
            holds(distance(velocity_of(world, sheet, v), expected) < 1e-4 * (1.0 + length(expected)), "vertex %d",
                  (int)v);
        }
        must(pli_deformable_paint(world, sheet, "pressure", PLI_ELEMENT_VERTEX, NULL, 0, &problem));
        rest_velocities(world, sheet);
        step(world, 0.01);
        near(length(velocity_of(world, sheet, 5)), 0.0, 1e-12, "without paint");
        values[1] = INFINITY;
        assert_int_equal(pli_deformable_paint(world, sheet, "pressure", by_face ? PLI_ELEMENT_FACE : PLI_ELEMENT_VERTEX,
                                              values, count, &problem),
                         PLI_STATUS_INVALID_ARGUMENT);
        free(values), free(sums);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// The radius over that at rest of a soft ball under a pressure of 20 Pa, painted or of the gas within; momentum stays, and so do bits behind a snapshot.
static double radius_under_pressure(bool painted)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    def.settings.substeps = 10, def.settings.damping = 5.0f;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_ball(2, 0.0);
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_deformable ball = deform(world, mesh, NULL);
    tune(world, constrain(world, ball, "distance", NULL), "compliance", 0.02);
    float *values = calloc((size_t)t->face_count, sizeof *values);
    assert_non_null(values);
    for (int32_t i = 0; i < t->face_count; i++)
        values[i] = 20.0f;
    if (painted)
        must(pli_deformable_paint(world, ball, "pressure", PLI_ELEMENT_FACE, values, t->face_count, &problem));
    else
        tune(world, constrain(world, ball, "volume", NULL), "gauge_pressure", 20.0);
    size_t size = 0;
    void *bytes = NULL;
    uint64_t hash = 0;
    for (int32_t frame = 0; frame < 400; frame++) {
        bytes = frame == 30 ? snapshot_of(world, &size) : bytes;
        step(world, 1.0 / 60.0);
        hash = frame == 40 ? pli_world_hash(world) : hash;
    }
    double sum = 0.0, rest = 0.0;
    vec drift = {0, 0, 0};
    for (int32_t v = 0; v < t->vertex_count; v++) {
        sum += length(position_of(world, ball, v)), rest += length(vec_of_floats(t->positions + 3 * (size_t)v));
        drift = add(drift, scale(velocity_of(world, ball, v), mass_of(world, ball, v)));
    }
    holds(length(drift) < 1e-4, "momentum %g", length(drift));
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    for (int32_t frame = 30; frame <= 40; frame++)
        step(world, 1.0 / 60.0);
    holds(pli_world_hash(world) == hash, "another hash behind a snapshot");
    free(bytes), free(values);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return sum / rest;
}

static void test_painted_pressure_blows_up_as_gas_does(void **state)
{
    (void)state;
    const double painted = radius_under_pressure(true), gas = radius_under_pressure(false);
    print_message("radius under 20 Pa over that at rest: %.5f painted, %.5f by gas\n", painted, gas);
    holds(painted > 1.02, "it grows to %g", painted);
    near(painted, gas, 2e-3 * gas, "painted against gas");
}

// Factors of a power of two are, bit for bit, the same as the parameter: in both orders, on grids and off, in lists that grow.
static uint64_t hash_of_painted(pli_order order, bool regular, const char *type, const char *parameter, double value,
                                float factor)
{
    pli_world_def def = pli_world_def_default();
    def.order = order, def.settings.substeps = 3, def.settings.iterations = 2;
    pli_world *world = world_from(&def);
    random_state = 1; // The same hills each time.
    pli_mesh *mesh = regular ? mesh_grid(9, 9, 1.0, PLI_GRID_ALTERNATING) : mesh_hilly(9);
    pli_deformable sheet = deform(world, mesh, NULL);
    tune(world, constrain(world, sheet, "distance", NULL), "compliance", 1e-3);
    pli_constraints set = constrain(world, sheet, type, NULL);
    tune(world, set, parameter, value);
    const int32_t count = vertex_count_of(world, sheet);
    float *factors = calloc((size_t)count, sizeof *factors), fixed = 0.0f;
    assert_non_null(factors);
    for (int32_t v = 0; v < count; v++)
        factors[v] = factor;
    step(world, 1.0 / 60.0); // Whatever was planned for it is planned.
    if (factor != 1.0f)
        must(pli_constraints_paint(world, set, "stiffness", PLI_ELEMENT_VERTEX, factors, count, &problem));
    must(pli_deformable_set_inverse_masses(world, sheet, 0, 1, &fixed, &problem));
    if (factor == 1.0f)
        tune(world, set, parameter, strcmp(parameter, "rigidity") == 0 ? 4.0 * value : 0.25 * value);
    for (int frame = 0; frame < 10; frame++)
        step(world, 1.0 / 60.0);
    const uint64_t hash = pli_world_hash(world);
    free(factors);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return hash;
}

static void test_painted_stiffness_is_that_of_the_parameter(void **state)
{
    (void)state;
    const struct {
        const char *type, *parameter;
        double value;
    } sets[] = {{"opposite_distance", "compliance", 0.01},
                {"isometric", "rigidity", 1e-4},
                {"ring_laplacian", "rigidity", 1e-4}};
    for (int32_t order = 0; order < 2; order++)
        for (int32_t regular = 0; regular < 2; regular++)
            for (int32_t i = 0; i < COUNT_OF(sets); i++) {
                uint64_t painted = hash_of_painted((pli_order)order, regular, sets[i].type, sets[i].parameter,
                                                   sets[i].value, 4.0f);
                uint64_t given = hash_of_painted((pli_order)order, regular, sets[i].type, sets[i].parameter,
                                                 sets[i].value, 1.0f);
                uint64_t other = hash_of_painted((pli_order)order, regular, sets[i].type, sets[i].parameter,
                                                 sets[i].value, 2.0f);
                holds(painted == given && other != given, "%s, order %d, regular %d: %llx %llx %llx", sets[i].type,
                      (int)order, (int)regular, (unsigned long long)painted, (unsigned long long)given,
                      (unsigned long long)other);
            }
}

// Painted and hung, the soft half of a strip is longer; and after a cut on a grid each constraint keeps its stiffness.
static void test_painted_edges_stretch_where_they_are_soft(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 20, def.settings.damping = 3.1f;
    pli_world *world = world_from(&def);
    pli_deformable sheet = strip(world, 16, PLI_GRID_QUADS);
    pli_constraints set = constrain(world, sheet, "distance", NULL);
    must(pli_constraints_set_tensile_stiffness(world, set, 200.0, &problem));
    float factors[85];
    for (int v = 0; v < 85; v++)
        factors[v] = v < 43 ? 1.0f : 0.25f;
    must(pli_constraints_paint(world, set, "stiffness", PLI_ELEMENT_VERTEX, factors, 85, &problem));
    hanging(world, sheet, 5, 300);
    // From the middle downwards the weight below s is rho g s: halves are longer by 3/8 and by 1/8 of rho g L^2 / Y.
    const double upper = position_of(world, sheet, 2).y - position_of(world, sheet, 42).y - 0.5;
    const double lower = position_of(world, sheet, 42).y - position_of(world, sheet, 82).y - 0.5;
    near(lower / upper, 4.0 / 3.0, 0.3, "longer below over longer above");
    double before[400];
    int32_t count = 0;
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &problem));
    for (; count < info.constraint_count; count++)
        before[count] = stiffness_of(world, set, count);
    pli_cut_def cut = pli_cut_def_default();
    cut.point = (pli_vec3){0.01f, -0.5f, 0.0f}, cut.normal = (pli_vec3){1.0f, 0.0f, 0.0f};
    must(pli_deformable_cut(world, sheet, &cut, NULL, &problem));
    assert_true(vertex_count_of(world, sheet) > 85);
    for (int32_t i = 0; i < count; i++)
        near(stiffness_of(world, set, i) / before[i], 1.0, 1e-6, "constraint %d after a cut", (int)i);
    assert_int_equal(pli_constraints_paint(world, set, "stiffness", PLI_ELEMENT_VERTEX, factors, 85, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    holds(strstr(problem.message, "torn") != NULL, "says: %.200s", problem.message);
    for (int frame = 0; frame < 10; frame++)
        step(world, 1.0 / 60.0);
    assert_true(all_finite(world));
    pli_world_destroy(world);
}

static void test_bad_paint_is_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_ball(1, 0.0);
    pli_deformable ball = deform(world, mesh, NULL);
    pli_constraints volume = constrain(world, ball, "volume", NULL), bending = constrain(world, ball, "dihedral", NULL);
    const int32_t count = vertex_count_of(world, ball);
    float factors[100];
    for (int i = 0; i < 100; i++)
        factors[i] = 1.0f;
    assert_int_equal(pli_constraints_paint(world, volume, "stiffness", PLI_ELEMENT_VERTEX, factors, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_constraints_set_tensile_stiffness(world, bending, 10.0, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_constraints_paint(world, bending, "stiffness", (pli_element)7, factors, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    factors[1] = 0.0f;
    assert_int_equal(pli_constraints_paint(world, bending, "stiffness", PLI_ELEMENT_VERTEX, factors, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    factors[1] = NAN;
    assert_int_equal(pli_constraints_paint(world, bending, "stiffness", PLI_ELEMENT_VERTEX, factors, count, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(
        pli_constraints_set_tensile_stiffness(world, constrain(world, ball, "distance", NULL), 0.0, &problem),
        PLI_STATUS_INVALID_ARGUMENT);
    step(world, 1.0 / 60.0);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

/* ---- warp --------------------------------------------------------------------------------------- */

static pli_constraints woven(pli_world *world, pli_deformable sheet, vec warp)
{
    const pli_parameter_value values[] = {{"warp", 1000},     {"weft", 100},      {"shear", 10},
                                          {"warp_x", warp.x}, {"warp_y", warp.y}, {"warp_z", warp.z}};
    pli_constraints_def def = pli_constraints_def_default();
    pli_constraints set;
    def.deformable = sheet, def.type = "membrane", def.parameters = values, def.parameter_count = COUNT_OF(values);
    must(pli_constraints_create(world, &def, &set, &problem));
    return set;
}

static double rest_difference(const pli_world *world, pli_constraints a, pli_constraints b)
{
    pli_constraints_info info;
    double most = 0.0;
    must(pli_constraints_get_info(world, a, &info, &problem));
    for (int32_t i = 0; i < info.constraint_count; i++) {
        float one[PLI_REST_MAX], other[PLI_REST_MAX];
        must(pli_constraints_stencil(world, a, i, NULL, NULL, one, NULL, &problem));
        must(pli_constraints_stencil(world, b, i, NULL, NULL, other, NULL, &problem));
        for (int32_t k = 0; k < info.type->rest_count; k++)
            most = fmax(most, fabs((double)(one[k] - other[k])));
    }
    return most;
}

// Directions by face are those of a set that was made with them, also when a cut is taken back.
static void test_a_warp_goes_by_faces(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_jittered(mesh_grid(7, 6, 1.0, PLI_GRID_ALTERNATING), 0.2, 0.1);
    pli_deformable sheet = deform(world, mesh, NULL);
    const int32_t faces = pli_mesh_topology(mesh)->face_count;
    const vec turned = {0.6, 0.1, 0.9};
    pli_constraints set = woven(world, sheet, (vec){1, 0, 0}), other = woven(world, sheet, turned);
    pli_constraints third = woven(world, sheet, (vec){1, 0, 0});
    float *directions = calloc(3 * (size_t)faces, sizeof *directions);
    holds(rest_difference(world, set, other) > 0.1, "they differ");
    must(pli_constraints_set_warp(world, set, directions, faces, &problem));
    near(rest_difference(world, set, third), 0.0, 0.0, "directions of 0 keep that of the set");
    for (int32_t i = 0; i < faces; i++)
        directions[3 * i] = (float)turned.x, directions[3 * i + 1] = (float)turned.y,
                       directions[3 * i + 2] = (float)turned.z;
    must(pli_constraints_set_warp(world, set, directions, faces, &problem));
    near(rest_difference(world, set, other), 0.0, 0.0, "rest values by faces");
    const size_t size = pli_world_snapshot_size(world);
    void *snapshot = malloc(size);
    must(pli_world_snapshot_write(world, snapshot, size, &problem));
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1, 0, 0};
    must(pli_deformable_cut(world, sheet, &cut, NULL, &problem));
    near(rest_difference(world, set, other), 0.0, 0.0, "rest values after a cut");
    assert_int_equal(pli_constraints_set_warp(world, set, directions, faces, &problem), PLI_STATUS_INVALID_ARGUMENT);
    must(pli_world_snapshot_read(world, snapshot, size, &problem));
    near(rest_difference(world, set, other), 0.0, 0.0, "rest values before the cut");
    near(rest_difference(world, set, third), rest_difference(world, other, third), 0.0, "and not those of the set");
    assert_int_equal(pli_constraints_set_warp(world, set, directions, faces - 1, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    directions[4] = NAN;
    assert_int_equal(pli_constraints_set_warp(world, set, directions, faces, &problem), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(
        pli_constraints_set_warp(world, constrain(world, sheet, "distance", NULL), directions, faces, &problem),
        PLI_STATUS_INVALID_ARGUMENT);
    free(snapshot);
    free(directions);
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

// A material makes a membrane that is solved by default; a deformable that a force tears, or that has no triangles, has edges.
static void test_materials_make_membranes(void **state)
{
    (void)state;
    static const float points[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    pli_mesh_def line = pli_mesh_def_default();
    line.positions = points, line.vertex_count = 3;
    for (int32_t i = 0; i < 3; i++) {
        const pli_world_def usual = pli_world_def_default();
        pli_world *world = world_from(&usual);
        pli_mesh *mesh = i < 2 ? mesh_grid(4, 4, 1.0, PLI_GRID_DIAGONAL) : NULL;
        if (!mesh)
            must(pli_mesh_create(&line, &mesh, &problem));
        pli_deformable_def def = pli_deformable_def_default();
        def.mesh = mesh;
        if (i == 1)
            def.tearing.force = 20.0f;
        pli_deformable sheet;
        pli_constraints set;
        pli_constraints_info info;
        pli_stretch stretch;
        must(pli_deformable_create(world, &def, &sheet, &problem));
        must(pli_material_create_constraints(world, sheet, &pli_material_find("denim")->def, &set, &problem));
        must(pli_constraints_get_info(world, set, &info, &problem));
        must(pli_deformable_get_stretch(world, sheet, NULL, &stretch, &problem));
        assert_string_equal(info.type->name, i == 0 ? "membrane" : "distance");
        holds((stretch == PLI_STRETCH_SOLVED) == (i != 1), "%s", pli_choice_name("stretch", (int32_t)stretch));
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

// A woven material makes a membrane, along whose warp, weft and bias it is as stiff as it says.
static void test_woven_materials_make_membranes(void **state)
{
    (void)state;
    pli_material_def cloth = pli_material_def_default();
    cloth.tensile_stiffness = 900.0f, cloth.weft_stiffness = 400.0f, cloth.shear_stiffness = 20.0f;
    cloth.warp[0] = 0.0f, cloth.warp[2] = 1.0f;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_grid(4, 4, 1.0, PLI_GRID_DIAGONAL);
    pli_deformable sheet = deform(world, mesh, NULL);
    pli_constraints set;
    must(pli_material_create_constraints(world, sheet, &cloth, &set, &problem));
    const char *const names[] = {"warp", "weft", "shear", "poisson", "warp_x", "warp_z"};
    const double expected[] = {900, 400, 20, 0.3, 0, 1};
    for (int k = 0; k < 6; k++) {
        double value;
        must(pli_constraints_get_parameter(world, set, names[k], &value, &problem));
        near(value, expected[k], 1e-6, "%s", names[k]);
    }
    pli_effective_stiffness r;
    must(pli_deformable_get_effective_stiffness(world, sheet, 1.0 / 60.0, &r, &problem));
    near(r.warp_requested + r.weft_requested + r.shear_requested, 1320.0, 1e-6, "asked");
    pli_deformable_def def = pli_deformable_def_default();
    must(pli_material_apply(&pli_material_find("paper")->def, &def, &problem));
    near((double)def.plate.yield, 73.0, 1e-6, "yield of paper");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(test_presets_have_numbers_and_sources),
        property(test_cloth_of_a_name_is_that_of_four_calls),
        property(test_numbers_follow_from_one_another),
        property(test_edges_have_the_energy_of_a_sheet),
        property(test_what_acts_in_stretching_is_what_is_said),
        property(test_what_acts_in_bending_is_what_is_said),
        property(test_membranes_act_as_said),
        property(test_plates_act_as_asked),
        property(test_painted_density_is_mass),
        property(test_painted_friction_holds_and_lets_slide),
        property(test_painted_thickness_is_what_contact_keeps),
        property(test_painted_thickness_holds_within_a_surface),
        property(test_copies_are_as_thick_as_their_sources),
        property(test_painted_pressure_pushes_along_normals),
        property(test_painted_pressure_blows_up_as_gas_does),
        property(test_painted_stiffness_is_that_of_the_parameter),
        property(test_painted_edges_stretch_where_they_are_soft),
        property(test_bad_paint_is_refused),
        property(test_a_warp_goes_by_faces),
        property(test_materials_make_membranes),
        property(test_woven_materials_make_membranes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
