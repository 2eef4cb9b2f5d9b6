// Independence of the numbers of substeps, iterations and cells, which must not change a result. A cloth that is held by its corners sags by what its
// edges' compliance allows, and a strip by what its rigidity does.
#include "base/clamped_strip.h"
#include "base/plots.h"

#include <math.h>

enum { COMPLIANCES = 5, RATES = 4, SIDE = 21, FRAMES = 600, FRAMES_QUICK = 200, STRIP_FRAMES = 1200 };

#define GRAVITY 9.81

static const double compliances[COMPLIANCES] = {1e-1, 1e-2, 2e-3, 1e-4, 0.0};
static const int32_t substeps[RATES] = {5, 10, 20, 40};

// Sag of the middle of a square of 1 m [m].
static double sag(lab *l, int32_t side, double compliance, int32_t count, int32_t iterations, bool solved)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = {.mesh = lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, count, iterations),
                        .stretch = solved ? PLI_STRETCH_SOLVED : PLI_STRETCH_AUTO,
                        .automatic = true};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.damping = 13.4f;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", compliance}}};
    lab_body body = lab_body_make(l, &def);
    lab_hold(l, &body, 0);
    lab_hold(l, &body, side - 1);
    lab_hold(l, &body, side * (side - 1));
    lab_hold(l, &body, side * side - 1);
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const double down = lab_ok(l) ? -(double)pli_view_at(pli_deformable_positions(body.world, body.deformable),
                                                         side * side / 2)[1]
                                  : NAN;
    lab_release_to(l, mark);
    return down;
}

static const char unconverged[] = "One sweep a substep leaves edges too long by about h^2 g n^2: what hangs by n edges "
                                  "in a row sags by that beside what its "
                                  "compliance asks for. Compliances above h^2 / m of a particle are met.";

static void vary_substeps(lab *l, pli_text *csv)
{
    for (int32_t i = 0; i < lab_long_or_quick(l, COMPLIANCES, 1) && lab_ok(l); i++) {
        double sags[RATES];
        for (int32_t k = 0; k < RATES && lab_ok(l); k++) {
            sags[k] = sag(l, SIDE, compliances[i], substeps[k], 1, false);
            pli_text_add(csv, "substeps,%g,%d,%.6g\n", compliances[i], (int)substeps[k], sags[k]);
        }
        lab_row_near(
            l, lab_format(l, "cloth, compliance %g m/N, sag with 10 substeps against that with 40", compliances[i]),
            sags[3], sags[1], "m", 0.02, i == 0 ? NULL : unconverged);
    }
    lab_progress(l, 0.4);
}

static void vary_iterations(lab *l, pli_text *csv)
{
    for (int32_t i = 0; i < lab_long_or_quick(l, COMPLIANCES, 1) && lab_ok(l); i++) {
        const double few = sag(l, SIDE, compliances[i], 10, 5, false),
                     many = sag(l, SIDE, compliances[i], 10, 40, false);
        pli_text_add(csv, "iterations,%g,5,%.6g\niterations,%g,40,%.6g\n", compliances[i], few, compliances[i], many);
        lab_row_near(
            l, lab_format(l, "cloth, compliance %g m/N, sag with 5 iterations against that with 40", compliances[i]),
            many, few, "m", 0.02, i < 2 ? NULL : unconverged);
    }
    lab_progress(l, 0.7);
}

static void vary_cells(lab *l, pli_text *csv)
{
    for (int32_t i = 0; i < lab_long_or_quick(l, COMPLIANCES, 0) && lab_ok(l); i++) {
        const double coarse = sag(l, 11, compliances[i], 10, 1, false), fine = sag(l, 41, compliances[i], 10, 1, false);
        pli_text_add(csv, "vertices,%g,121,%.6g\nvertices,%g,1681,%.6g\n", compliances[i], coarse, compliances[i],
                     fine);
        lab_row_near(
            l,
            lab_format(l, "cloth, compliance %g m/N, sag with 40 x 40 cells against that with 10 x 10", compliances[i]),
            coarse, fine, "m", 0.02, unconverged);
    }
    lab_progress(l, 0.85);
}

// With solved stretch, at half the number of cells: the cost of that grows with it.
static void vary_solved(lab *l, pli_text *csv)
{
    for (int32_t i = 0; i < lab_long_or_quick(l, COMPLIANCES, 0) && lab_ok(l); i++) {
        double sags[RATES];
        for (int32_t k = 1; k < RATES && lab_ok(l); k += 2) {
            sags[k] = sag(l, SIDE / 2 + 1, compliances[i], substeps[k], 1, true);
            pli_text_add(csv, "substeps solved,%g,%d,%.6g\n", compliances[i], (int)substeps[k], sags[k]);
        }
        lab_row_near(l,
                     lab_format(l,
                                "cloth, compliance %g m/N, solved stretch, sag with 10 substeps against that with 40",
                                compliances[i]),
                     sags[3], sags[1], "m", 0.02, NULL);
    }
    lab_progress(l, 0.9);
}

static double hang(lab *l, const char *model, int32_t cells, int32_t count, int32_t iterations)
{
    const lab_strip strip = {.model = model,
                             .length = 0.2,
                             .cells = cells,
                             .density = 0.2,
                             .rigidity = 0.2 * GRAVITY * 0.2 * 0.2 * 0.2 / 10.0,
                             .pattern = PLI_GRID_ALTERNATING,
                             .substeps = count,
                             .iterations = iterations,
                             .automatic = true};
    return lab_strip_hang(l, &strip, lab_long_or_quick(l, STRIP_FRAMES, 300)).drop;
}

static void vary_strip(lab *l, const char *model, bool solved, pli_text *csv)
{
    const double usual = hang(l, model, 16, 10, 1), small_steps = hang(l, model, 16, 40, 1),
                 many = hang(l, model, 16, 10, 16), fine = hang(l, model, 64, 10, 1);
    pli_text_add(csv, "strip_%s,10,1,%.6g\nstrip_%s,40,1,%.6g\nstrip_%s,10,16,%.6g\nstrip_%s_fine,10,1,%.6g\n", model,
                 usual, model, small_steps, model, many, model, fine);
    lab_row_near(l, lab_format(l, "strip of %s, Gamma = 10, drop with 10 substeps against that with 40", model),
                 small_steps, usual, "", 0.01, solved ? NULL : lab_swept);
    lab_row_near(l, lab_format(l, "strip of %s, with 1 iteration against 16", model), many, usual, "", 0.01,
                 solved ? NULL : lab_swept);
    lab_row_near(l, lab_format(l, "strip of %s, with 64 cells against 16", model), usual, fine, "", 0.02,
                 solved ? NULL : lab_swept);
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "sags.csv");
    pli_text_add(csv, "varied,parameter,value,sag\n");
    vary_substeps(l, csv);
    vary_iterations(l, csv);
    vary_cells(l, csv);
    vary_solved(l, csv);
    if (!lab_is_quick(l)) {
        vary_strip(l, "plate", true, csv);
        vary_strip(l, "isometric", false, csv);
    }
}

const lab_experiment lab_check_independence = {
    .name = "independence",
    .title = "Substeps, iterations and cells, which must not matter",
    .source = "Macklin et al. 2016, 2019",
    .run = run,
};
