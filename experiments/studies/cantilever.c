// A strip that is clamped at one end and hangs under its weight, for every model of bending that takes a rigidity in newton metres:
// Romero et al. 2021, Physical Validation of Simulators in Computer Graphics, test 1.
//
// With s along the strip of length L, angle theta and Gamma = w g L^3 / D for a mass w per area and a rigidity D, the elastica is
// theta'' = -Gamma (1 - s) cos theta, theta(0) = theta'(1) = 0 on unit length; its end hangs by the integral of sin theta. That closed form,
// solved here by shooting, is what every model is held against: with the same numbers, at default settings, on finer and finer meshes.
#include "lab/lab_measures.h"
#include "lab/plot.h"

#include <math.h>
#include <string.h>

enum { MODELS = 5, GAMMAS = 3, SIZES = 3, FRAMES = 1500, FRAMES_QUICK = 700 };

#define LENGTH 0.2f  // [m]
#define DENSITY 0.2f // [kg/m2]
#define GRAVITY 9.81f

static const double gammas[GAMMAS] = {1.0, 10.0, 100.0};
static const int32_t sizes[SIZES] = {16, 32, 64};
static const char *const models[MODELS] = {"plate", "isometric", "ring_laplacian", "triangle_linear", "dihedral"};

/* ---- the closed form ---------------------------------------------------------------------------- */

// Integrates from the clamp with theta'(0) = `curvature`; returns theta'(1), and the drop.
static double shoot(double gamma, double curvature, double *drop)
{
    enum { STEPS = 4000 };
    const double h = 1.0 / STEPS;
    double theta = 0.0, slope = curvature;
    *drop = 0.0;
    for (int32_t i = 0; i < STEPS; i++) {
        // The rule of the middle, whose error is some h^2.
        const double s = (i + 0.5) * h, middle = theta + 0.5 * h * slope;
        const double turn = -gamma * (1.0 - s) * cos(middle);
        *drop += h * sin(theta + 0.5 * h * (slope + 0.25 * h * turn));
        theta += h * (slope + 0.5 * h * turn);
        slope += h * turn;
    }
    return slope;
}

static double elastica(double gamma)
{
    double low = 0.0, high = gamma, drop = 0.0;
    for (int32_t i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (shoot(gamma, middle, &drop) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return drop;
}

/* ---- the strip ---------------------------------------------------------------------------------- */

// The drop of the end over the length.
static double hang(lab *l, const char *model, double gamma, int32_t cells)
{
    const int32_t mark = lab_mark(l), columns = cells + 2, rows = cells / 4 + 1, count = columns * rows;
    const float edge = LENGTH / (float)cells;
    const double rigidity = (double)DENSITY * (double)GRAVITY * pow((double)LENGTH, 3.0) / gamma;
    lab_body_def def = {
        .mesh = lab_grid(l, columns, rows, edge * (float)(columns - 1), edge * (float)(rows - 1), PLI_GRID_ALTERNATING),
        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
        .density = DENSITY,
        .limit = PLI_STRETCH_HIERARCHY};
    def.settings.gravity = (pli_vec3){0.0f, -GRAVITY, 0.0f};
    def.settings.damping = 0.9f;
    def.sets[0] = (lab_set){.type = "distance"};
    if (strcmp(model, "plate") == 0)
        def.plate = (pli_plate){.rigidity = (float)rigidity};
    else
        def.sets[1] = (lab_set){.type = model, .values = {{"rigidity", rigidity}}};
    float *positions = lab_memory(l, 3 * (size_t)count, sizeof *positions);
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < count; i++)
        if (i % columns < 2)
            lab_hold(l, &body, i);
    const int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    lab_positions(&body, positions);
    double low = 0.0;
    for (int32_t i = 0; i < count; i++)
        low = fmin(low, (double)positions[3 * i + 1]);
    lab_release_to(l, mark);
    return -low / (double)LENGTH;
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
               "one iteration and the multilevel stretch limit.\n\n| model | Gamma | elastica |");
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
    lab_plot drops = {.title = "Drop of a clamped strip against Gamma",
                      .x_label = "Gamma = w g L^3 / D",
                      .y_label = "drop over length",
                      .x_logarithmic = true};
    for (int32_t i = 0; i < POINTS; i++) {
        curve_x[i] = pow(10.0, -0.5 + 3.0 * i / (POINTS - 1));
        curve_y[i] = elastica(curve_x[i]);
    }
    lab_plot_curve(&drops, (lab_curve){.name = "elastica", .x = curve_x, .y = curve_y, .count = POINTS});
    double *all = lab_memory(l, MODELS * GAMMAS, sizeof *all);
    for (int32_t model = 0; model < MODELS; model++) {
        for (int32_t gamma = 0; gamma < GAMMAS; gamma++)
            all[model * GAMMAS + gamma] = r->drops[model][gamma][r->size_count - 1];
        lab_plot_curve(
            &drops,
            (lab_curve){.name = models[model], .x = gammas, .y = all + model * GAMMAS, .count = GAMMAS, .marks = true});
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
        r.exact[gamma] = elastica(gammas[gamma]);
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
