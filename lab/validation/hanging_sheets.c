// Stretch of sheets that hang: by triangles with a tensile stiffness against the closed form of an elastic strip, on any mesh, and of rigid
// edges under a hundred times their mass. Both are solved.
//
// A strip of stiffness Y [N/m] and density rho that hangs over a length L grows by rho g L^2 / (2 Y). Poisson's ratio is 0, so that the
// row that holds it does not matter.
#include "base/lab_world.h"
#include "base/tessellation.h"

#include <math.h>

enum {
    SIDE = 9,
    ROWS = 21,
    COLUMNS = 3,
    FRAMES = 300,
    FRAMES_QUICK = 200,
    HEAVY_FRAMES = 400,
    HEAVY_FRAMES_QUICK = 120
};

#define GRAVITY 9.81
#define DENSITY 0.2

static lab_body_def hanging_def(const pli_mesh *mesh)
{
    lab_body_def def = {.mesh = mesh,
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .density = (float)DENSITY,
                        .stretch = PLI_STRETCH_SOLVED};
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, (float)-GRAVITY};
    def.settings.damping = 13.4f;
    return def;
}

/* ---- membranes ------------------------------------------------------------------------------------ */

// How far the lower border of a square of 1 m hangs below where it is at rest, with a mass on that border or none [m].
static double growth(lab *l, const pli_mesh *mesh, double stiffness, double load)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = hanging_def(mesh);
    def.sets[0] = (lab_set){.type = "membrane", .values = {{"warp", stiffness}, {"weft", stiffness}}};
    lab_body body = lab_body_make(l, &def);
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    float top = -INFINITY, bottom = INFINITY;
    for (int32_t i = 0; i < t->vertex_count; i++)
        top = fmaxf(top, t->positions[3 * i + 2]), bottom = fminf(bottom, t->positions[3 * i + 2]);
    int32_t below = 0;
    for (int32_t i = 0; i < t->vertex_count; i++)
        below += t->positions[3 * i + 2] == bottom;
    for (int32_t i = 0; i < t->vertex_count && lab_ok(l); i++) {
        const float inverse = (float)(below / load);
        pli_error error;
        if (t->positions[3 * i + 2] == top)
            lab_hold(l, &body, i);
        else if (t->positions[3 * i + 2] == bottom && load > 0.0)
            lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, i, 1, &inverse, &error), &error);
    }
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    double sum = 0.0;
    int32_t count = 0;
    if (lab_ok(l))
        lab_positions(&body, positions);
    for (int32_t i = 0; i < t->vertex_count; i++)
        if (t->positions[3 * i + 2] == bottom)
            sum += (double)bottom - (double)positions[3 * i + 2], count++;
    lab_release_to(l, mark);
    return sum / count;
}

static void hang_membranes(lab *l, const lab_tessellation *sheets, double stiffness, pli_text *csv)
{
    const double exact = DENSITY * GRAVITY / (2.0 * stiffness);
    double worst = exact;
    for (int32_t i = lab_long_or_quick(l, 0, LAB_TESSELLATIONS - 1); i < LAB_TESSELLATIONS && lab_ok(l); i++) {
        const double found = growth(l, sheets[i].mesh, stiffness, 0.0);
        pli_text_add(csv, "membrane,%g,%s,%.6g,%.6g\n", stiffness, sheets[i].name, found, exact);
        if (!(fabs(found - exact) <= fabs(worst - exact)))
            worst = found;
    }
    lab_row_near(l, lab_format(l, "membrane of %g N/m that hangs, growth, worst of six tessellations", stiffness),
                 exact, worst, "m", 0.03, NULL);
}

// Irregular meshes of 49 to 10,201 vertices.
static void hang_sizes(lab *l, pli_text *csv)
{
    enum { SIZES = 4, SIZES_QUICK = 2, STIFFNESSES = 4 };
    static const int32_t sides[SIZES] = {7, 19, 41, 101};
    static const double stiffnesses[STIFFNESSES] = {20.0, 100.0, 1000.0, 1e4};
    double worst[STIFFNESSES] = {0.0};
    for (int32_t i = 0; i < lab_long_or_quick(l, SIZES, SIZES_QUICK) && lab_ok(l); i++) {
        lab_tessellation sheets[LAB_TESSELLATIONS];
        lab_tessellations(l, sides[i], sheets);
        for (int32_t k = 0; k < STIFFNESSES && lab_ok(l); k++) {
            const double exact = DENSITY * GRAVITY / (2.0 * stiffnesses[k]);
            const double found = growth(l, sheets[LAB_TESSELLATIONS - 1].mesh, stiffnesses[k], 0.0);
            pli_text_add(csv, "membrane of side %d,%g,%s,%.6g,%.6g\n", (int)sides[i], stiffnesses[k],
                         sheets[LAB_TESSELLATIONS - 1].name, found, exact);
            if (!(fabs(found / exact - 1.0) <= fabs(worst[k])))
                worst[k] = found / exact - 1.0;
        }
    }
    for (int32_t k = 0; k < STIFFNESSES; k++)
        lab_row_near(l,
                     lab_format(l, "membrane of %g N/m that hangs, growth, worst of 49 to 10,201 vertices, irregular",
                                stiffnesses[k]),
                     DENSITY * GRAVITY / (2.0 * stiffnesses[k]),
                     (1.0 + worst[k]) * DENSITY * GRAVITY / (2.0 * stiffnesses[k]), "m", 0.03, NULL);
}

// 1 to 100 kg on the border of 200 g of cotton. The strain is P / Y, which for 100 kg is 10 %.
static void hang_loads(lab *l, pli_text *csv)
{
    static const double loads[] = {1.0, 5.0, 100.0};
    static const int32_t sides[] = {20, 40};
    for (int32_t i = 0; i < 3 && lab_ok(l); i++) {
        const double exact = GRAVITY * (loads[i] + 0.5 * DENSITY) / 1e4;
        double worst = exact;
        for (int32_t k = 0; k < lab_long_or_quick(l, 2, 1) && lab_ok(l); k++) {
            const pli_mesh *mesh = lab_grid(l, sides[k], sides[k], 1.0f, 1.0f, PLI_GRID_ALTERNATING);
            const double found = growth(l, mesh, 1e4, loads[i]);
            pli_text_add(csv, "loaded membrane of side %d,%g,alternating,%.6g,%.6g\n", (int)sides[k], loads[i], found,
                         exact);
            if (!(fabs(found - exact) <= fabs(worst - exact)))
                worst = found;
        }
        lab_row_near(
            l,
            lab_format(l, "membrane of 10000 N/m and 0.2 kg that carries %g kg, growth, worst of 400 and 1600 vertices",
                       loads[i]),
            exact, worst, "m", 0.02, NULL);
    }
}

/* ---- heavy ends ----------------------------------------------------------------------------------- */

// Stretch of a strip of rigid edges of 1 m with `times` its mass at its lower end, as a share.
static double stretched_by(lab *l, double times)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = hanging_def(lab_grid(l, COLUMNS, ROWS, 0.1f, 1.0f, PLI_GRID_ALTERNATING));
    def.sets[0] = (lab_set){.type = "distance"};
    lab_body body = lab_body_make(l, &def);
    float positions[3 * COLUMNS * ROWS];
    const pli_topology *t = pli_mesh_topology(def.mesh);
    float inverse = (float)(COLUMNS / (times * DENSITY * 0.1));
    double lowest = 0.0;
    for (int32_t i = 0; i < COLUMNS * ROWS && lab_ok(l); i++) {
        pli_error error;
        if (t->positions[3 * i + 2] > 0.499f)
            lab_hold(l, &body, i);
        else if (t->positions[3 * i + 2] < -0.499f)
            lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, i, 1, &inverse, &error), &error);
    }
    for (int32_t frame = 0; frame < lab_long_or_quick(l, HEAVY_FRAMES, HEAVY_FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    if (lab_ok(l))
        lab_positions(&body, positions);
    for (int32_t i = 0; i < COLUMNS * ROWS && lab_ok(l); i++)
        lowest = fmin(lowest, (double)positions[3 * i + 2]);
    lab_release_to(l, mark);
    return -lowest - 0.5;
}

static void hang_masses(lab *l, pli_text *csv)
{
    const double found = stretched_by(l, 100.0);
    pli_text_add(csv, "heavy,100,,%.6g,0\n", found);
    lab_row_at_most(l, "strip of 20 cells of rigid edges with 100 times its mass at its end, stretch", found, "", 0.02,
                    NULL);
}

static void run(lab *l)
{
    lab_tessellation sheets[LAB_TESSELLATIONS];
    pli_text *csv = lab_file_add(l, "hanging_sheets.csv");
    pli_text_add(csv, "what,stiffness or times,mesh,measured,exact\n");
    lab_tessellations(l, SIDE, sheets);
    static const double stiffnesses[] = {100.0, 1e4};
    for (int32_t i = 0; i < 2 && lab_ok(l); i++) {
        hang_membranes(l, sheets, stiffnesses[i], csv);
        lab_progress(l, 0.2 * (i + 1));
    }
    if (lab_ok(l))
        hang_sizes(l, csv);
    if (lab_ok(l))
        hang_loads(l, csv);
    hang_masses(l, csv);
}

const lab_experiment lab_check_hanging_sheets = {
    .name = "hanging-sheets",
    .title = "Sheets that hang: tensile stiffness, and a hundred times the mass",
    .source = "rho g L^2 / (2 Y)",
    .run = run,
};
