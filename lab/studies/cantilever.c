// A strip that is clamped at one end and hangs under its weight, for every model of bending that takes a rigidity in newton metres:
// Romero et al. 2021, Physical Validation of Simulators in Computer Graphics, test 1.
//
// With s along the strip of length L, angle theta and Gamma = w g L^3 / D for a mass w per area and a rigidity D, the elastica is
// theta'' = -Gamma (1 - s) cos theta, theta(0) = theta'(1) = 0 on unit length; its end hangs by the integral of sin theta. That closed form
// (lab/elastica.h) is what every model is held against: with the same numbers, at default settings, on finer and finer meshes.
#include "base/clamped_strip.h"
#include "base/plots.h"

#include <math.h>

enum { MODELS = 5, GAMMAS = 3, SIZES = 3, FRAMES = 1500, FRAMES_QUICK = 700 };

static const double gammas[GAMMAS] = {1.0, 10.0, 100.0};
static const int32_t sizes[SIZES] = {16, 32, 64};
static const char *const models[MODELS] = {"plate", "isometric", "ring_laplacian", "triangle_linear", "dihedral"};

// The drop of the end over the length.
static double hang(lab *l, const char *model, double gamma, int32_t cells)
{
    lab_strip strip = lab_strip_of(model, gamma, cells);
    strip.automatic = true;
    return lab_strip_hang(l, &strip, lab_long_or_quick(l, FRAMES, FRAMES_QUICK)).drop;
}

/* ---- the report --------------------------------------------------------------------------------- */

typedef struct results {
    double exact[GAMMAS], drops[MODELS][GAMMAS][SIZES];
    int32_t size_count;
} results;

static double error_of(const results *r, int32_t model, int32_t gamma, int32_t size)
{
    return fabs(r->drops[model][gamma][size] / r->exact[gamma] - 1.0);
}

static double largest_error(const results *r, int32_t model, int32_t gamma)
{
    double most = 0.0;
    for (int32_t size = 0; size < r->size_count; size++)
        most = fmax(most, error_of(r, model, gamma, size));
    return most;
}

static void report(lab *l, const results *r)
{
    pli_text *csv = lab_file_add(l, "drops.csv");
    pli_text_add(csv, "model,gamma,cells,drop,elastica\n");
    lab_say(l, "Drop of the end over the length, and by how much it differs from the elastica, for D = w g L^3 / Gamma "
               "with 10 substeps of "
               "one iteration, and stretch as the library chooses.\n\n| model | Gamma | elastica |");
    for (int32_t size = 0; size < r->size_count; size++)
        lab_say(l, " %d cells |", (int)sizes[size]);
    lab_say(l, "\n| --- | --- | --- |");
    for (int32_t size = 0; size < r->size_count; size++)
        lab_say(l, " --- |");
    for (int32_t model = 0; model < MODELS; model++)
        for (int32_t gamma = 0; gamma < GAMMAS; gamma++) {
            lab_say(l, "\n| %s | %g | %.4f |", models[model], gammas[gamma], r->exact[gamma]);
            for (int32_t size = 0; size < r->size_count; size++) {
                const double drop = r->drops[model][gamma][size];
                lab_say(l, " %.4f, %+.1f %% |", drop, 100.0 * (drop / r->exact[gamma] - 1.0));
                pli_text_add(csv, "%s,%g,%d,%.6g,%.6g\n", models[model], gammas[gamma], (int)sizes[size], drop,
                             r->exact[gamma]);
            }
        }
    lab_say(l, "\n\n");
}

static void plot(lab *l, const results *r)
{
    static double curve_x[64], curve_y[64];
    enum { POINTS = 64 };
    pli_plot drops = {.title = "Drop of a clamped strip against Gamma",
                      .x_label = "Gamma = w g L^3 / D",
                      .y_label = "drop over length",
                      .x_logarithmic = true};
    for (int32_t i = 0; i < POINTS; i++) {
        curve_x[i] = pow(10.0, -0.5 + 3.0 * i / (POINTS - 1));
        curve_y[i] = lab_elastica(curve_x[i]).drop;
    }
    pli_plot_add_curve(&drops, (pli_plot_curve){.name = "elastica", .x = curve_x, .y = curve_y, .count = POINTS});
    double *all = lab_memory(l, MODELS * GAMMAS, sizeof *all);
    for (int32_t model = 0; model < MODELS; model++) {
        for (int32_t gamma = 0; gamma < GAMMAS; gamma++)
            all[model * GAMMAS + gamma] = r->drops[model][gamma][r->size_count - 1];
        pli_plot_add_curve(
            &drops, (pli_plot_curve){
                        .name = models[model], .x = gammas, .y = all + model * GAMMAS, .count = GAMMAS, .marks = true});
    }
    lab_plot_write(l, "drops.svg", &drops);
}

static void claims(lab *l, const results *r)
{
    const char *source = "Romero et al. 2021, test 1";
    lab_claim_add(
        l, (lab_claim){"A plate at Gamma = 1 hangs as the elastica, on every mesh: largest error of the drop.", source,
                       NAN, largest_error(r, 0, 0), "", LAB_AT_MOST, 0.01, "The short run may not have come to rest."});
    lab_claim_add(l, (lab_claim){"So it does at Gamma = 10.", source, NAN, largest_error(r, 0, 1), "", LAB_AT_MOST,
                                 0.03, "What is left is stretch: one sweep leaves edges too long."});
    lab_claim_add(l, (lab_claim){"So it does at Gamma = 100.", source, NAN, largest_error(r, 0, 2), "", LAB_AT_MOST,
                                 0.03, "What is left is stretch: one sweep leaves edges too long."});
    lab_claim_add(
        l, (lab_claim){
               "Swept isometric bending of the same rigidity does not, at Gamma = 1: its error on the finest mesh.",
               source, NAN, error_of(r, 1, 0, r->size_count - 1), "", LAB_AT_LEAST, 0.5,
               "A sweep a substep would have to reach across the mesh."});
}

static void run(lab *l)
{
    results r = {.size_count = lab_long_or_quick(l, SIZES, 2)};
    int32_t done = 0;
    for (int32_t gamma = 0; gamma < GAMMAS; gamma++)
        r.exact[gamma] = lab_elastica(gammas[gamma]).drop;
    for (int32_t model = 0; model < MODELS; model++)
        for (int32_t gamma = 0; gamma < GAMMAS; gamma++)
            for (int32_t size = 0; size < r.size_count && lab_ok(l); size++) {
                r.drops[model][gamma][size] = hang(l, models[model], gammas[gamma], sizes[size]);
                lab_progress(l, (double)++done / (MODELS * GAMMAS * r.size_count));
            }
    if (!lab_ok(l))
        return;
    report(l, &r);
    plot(l, &r);
    claims(l, &r);
}

const lab_experiment lab_row_cantilever = {
    .name = "cantilever",
    .title = "A clamped strip under its weight, against the elastica",
    .source = "Romero et al. 2021, test 1; Morley 1968 for the plate",
    .run = run,
};
