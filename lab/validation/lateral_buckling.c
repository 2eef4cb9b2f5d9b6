// Lateral buckling: a strip that is clamped upright at one end turns aside under its own weight above a Gamma that depends on
// Poisson's ratio. Romero et al. 2021, test 3.
//
// In the terms of rods w L^3 / sqrt(EI GJ) = 12.854, w being the weight per length; for a strip EI = D (1 - nu^2) b and GJ = 2 D (1 - nu) b, so
// that Gamma = w L^3 / EI is 12.854 sqrt(2 / (1 + nu)). It is found by bisection: what is set aside a little goes far within five seconds, or not.
//
// The strip must not stretch: one that sags in its own plane hangs before it turns aside. Sweeps carry tension a few edges far, so that there
// are many short substeps of one sweep (the strip of 40 cells sags by 35 % of its length in 20 substeps of 16 sweeps).
#include "base/clamped_strip.h"

#include <math.h>
#include <string.h>

enum {
    SUBSTEPS = 160,
    ITERATIONS = 1,
    CELLS = 40,
    ACROSS = 4,
    POISSONS = 3,
    MESHES = 2,
    HALVINGS = 7,
    FRAMES = 300,
    DAMPINGS = 2
};

#define LENGTH 0.2
#define DENSITY 0.2
#define GRAVITY 9.81
#define ASIDE 1e-3 // At the start, over the length;
#define FAR 0.05   // what counts as turned aside.
#define LOWEST 5.0
#define HIGHEST 80.0

static const double poissons[POISSONS] = {0.0, 0.3, 0.5};
// [1/s]. The first is that of all rows; the other shows how much the time of growth matters.
static const double dampings[DAMPINGS] = {1.0, 12.0};
static const pli_grid_pattern patterns[MESHES] = {PLI_GRID_ALTERNATING, PLI_GRID_DIAGONAL};

// The farthest from the plane.
static double aside(const lab_body *body)
{
    const pli_view view = pli_deformable_positions(body->world, body->deformable);
    double most = 0.0;
    for (int32_t i = 0; i < view.count; i++)
        most = fmax(most, fabs((double)pli_view_at(view, i)[1]));
    return most;
}

// Whether what is a little aside goes far.
static bool buckles(lab *l, const char *model, double poisson, pli_grid_pattern pattern, double damping, double gamma)
{
    const int32_t mark = lab_mark(l), columns = CELLS + 2;
    const float edge = (float)(LENGTH / CELLS);
    const pli_mesh *mesh = lab_grid(l, columns, ACROSS + 1, edge * (float)(columns - 1), edge * ACROSS, pattern);
    if (!lab_ok(l))
        return false;
    const float *rest = pli_mesh_topology(mesh)->positions;
    float *start = lab_memory(l, 3 * (size_t)columns * (ACROSS + 1), sizeof *start);
    for (int32_t i = 0; i < columns * (ACROSS + 1); i++) {
        const float along = fmaxf(0.0f, rest[3 * i] - rest[0] - edge) / (float)LENGTH;
        memcpy(start + 3 * i, rest + 3 * i, 3 * sizeof *start);
        start[3 * i + 1] += (float)(ASIDE * LENGTH) * along * along;
    }
    lab_body_def def = {.mesh = mesh,
                        .positions = start,
                        .settings = lab_settings(PLI_METHOD_XPBD, SUBSTEPS, ITERATIONS),
                        .density = (float)DENSITY,
                        .stretch = PLI_STRETCH_SWEPT};
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, (float)-GRAVITY};
    def.settings.damping = (float)damping;
    lab_bend(&def, model, DENSITY * GRAVITY * pow(LENGTH, 3.0) / (gamma * (1.0 - poisson * poisson)));
    def.plate.poisson = (float)poisson;
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < body.count; i++)
        if (i % columns < 2)
            lab_hold(l, &body, i);
    bool grows = false;
    for (int32_t frame = 0; frame < FRAMES && !grows && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        grows = lab_ok(l) && aside(&body) > FAR * LENGTH;
    }
    lab_release_to(l, mark);
    return grows;
}

static double threshold(lab *l, const char *model, double poisson, pli_grid_pattern pattern, double damping)
{
    double low = LOWEST, high = HIGHEST;
    for (int32_t i = 0; i < lab_long_or_quick(l, HALVINGS, 3) && lab_ok(l); i++) {
        const double middle = sqrt(low * high);
        if (buckles(l, model, poisson, pattern, damping, middle))
            high = middle;
        else
            low = middle;
    }
    return sqrt(low * high);
}

static void add_row(lab *l, pli_text *csv, const char *model, double poisson, double damping, const char *reason)
{
    const double exact = 12.854 * sqrt(2.0 / (1.0 + poisson));
    double worst = exact;
    for (int32_t mesh = 0; mesh < lab_long_or_quick(l, MESHES, 1) && lab_ok(l); mesh++) {
        const double found = threshold(l, model, poisson, patterns[mesh], damping);
        worst = fabs(log(found / exact)) > fabs(log(worst / exact)) ? found : worst;
        pli_text_add(csv, "%s,%g,%g,%s,%.4g,%.4g\n", model, poisson, damping, mesh ? "diagonal" : "alternating", found,
                     exact);
    }
    lab_row_near(
        l,
        lab_format(l,
                   "%s, Poisson's ratio %g, damping %g per second, Gamma at which it turns aside, worse of two "
                   "meshes, %d substeps of %d iteration",
                   model, poisson, damping, SUBSTEPS, ITERATIONS),
        exact, worst, "", 0.15, reason);
}

static const char damped[] =
    "Growth is slow near the threshold and slower with damping, so that it is not seen within five seconds.";

static void run(lab *l)
{
    const char *models[LAB_MODELS_MAX];
    const int32_t count = lab_rigid_models(models), shown = lab_long_or_quick(l, count, 1);
    pli_text *csv = lab_file_add(l, "thresholds.csv");
    pli_text_add(csv, "model,poisson,damping,mesh,threshold,exact\n");
    for (int32_t model = 0; model < shown && lab_ok(l); model++) {
        for (int32_t i = 0; i < (model || lab_is_quick(l) ? 1 : POISSONS) && lab_ok(l); i++)
            add_row(l, csv, models[model], poissons[i], dampings[0], model ? lab_swept : NULL);
        for (int32_t i = 1; i < DAMPINGS && !model && lab_ok(l); i++)
            add_row(l, csv, models[model], poissons[0], dampings[i], damped);
        lab_progress(l, (model + 1.0) / shown);
    }
    lab_say(l,
            "Found by bisection between %g and %g; a value near an end means that it turned aside, or stayed straight, "
            "everywhere.\n\n",
            LOWEST, HIGHEST);
}

const lab_experiment lab_check_lateral_buckling = {
    .name = "lateral-buckling",
    .title = "An upright strip that turns aside under its weight",
    .source = "Romero et al. 2021, test 3",
    .run = run,
};
