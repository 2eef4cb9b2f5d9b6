// Peirce's test (ASTM D1388) the other way round: five fabrics hang over an edge by the length at which their chord should fall by
// 41.5 degrees, and the rigidity that acts is recovered from the angle by which it does.
#include "base/clamped_strip.h"

#include <math.h>

enum { FABRICS = 5, DENIM = 2, CELLS = 3, FRAMES = 900, FRAMES_QUICK = 700 };

#define GRAVITY 9.81
#define WIDTH 0.025 // [m]
#define GAMMA 8.004 // The bending length is half the overhang.

typedef struct fabric {
    const char *name;
    double density, rigidity; // [kg/m2], [N m], of usual fabrics.
} fabric;

static const fabric fabrics[FABRICS] = {{"silk", 0.06, 2e-6},
                                        {"cotton", 0.15, 1e-5},
                                        {"denim", 0.4, 1.5e-4},
                                        {"paper", 0.08, 2.5e-4},
                                        {"leather", 0.9, 5e-3}};
static const double cells[CELLS] = {0.01, 0.005, 0.0025}; // [m]

// The rigidity that acts over the one asked for.
static double recover(lab *l, const char *model, const fabric *f, double cell)
{
    const double overhang = pow(GAMMA * f->rigidity / (f->density * GRAVITY), 1.0 / 3.0);
    const int32_t count = (int32_t)fmax(3.0, floor(overhang / cell + 0.5));
    const lab_strip strip = {.model = model,
                             .length = count * cell,
                             .cells = count,
                             .across = (int32_t)(WIDTH / cell + 0.5),
                             .density = f->density,
                             .rigidity = f->rigidity,
                             .pattern = PLI_GRID_ALTERNATING,
                             .automatic = true};
    const lab_elastica_end end = lab_strip_hang(l, &strip, lab_long_or_quick(l, FRAMES, FRAMES_QUICK));
    if (!lab_ok(l))
        return NAN;
    const double asked = f->density * GRAVITY * pow(count * cell, 3.0) / f->rigidity;
    return asked / lab_elastica_gamma(atan2(end.drop, end.reach));
}

static double farthest(double a, double b) { return fabs(log(fmax(b, 1e-9))) > fabs(log(fmax(a, 1e-9))) ? b : a; }

static void run(lab *l)
{
    const char *models[LAB_MODELS_MAX];
    const int32_t count = lab_rigid_models(models), shown = lab_long_or_quick(l, count, 1);
    pli_text *csv = lab_file_add(l, "rigidity.csv");
    pli_text_add(csv, "model,fabric,cell,effective_over_requested\n");
    lab_say(l, "Rigidity that acts over the one asked for, with cells of 10, 5 and 2.5 mm, where it is swept of 10 and "
               "5.\n\n| model |");
    for (int32_t i = 0; i < FABRICS; i++)
        lab_say(l, " %s: %g kg/m2, %g N m |", fabrics[i].name, fabrics[i].density, fabrics[i].rigidity);
    lab_say(l, "\n| --- | --- | --- | --- | --- | --- |");
    for (int32_t model = 0; model < shown && lab_ok(l); model++) {
        double worst_of_all = 1.0;
        lab_say(l, "\n| %s |", models[model]);
        for (int32_t i = 0; i < FABRICS; i++) {
            double worst = 1.0;
            for (int32_t k = 0; k < lab_long_or_quick(l, model ? CELLS - 1 : CELLS, i < 3 ? 1 : 0) && lab_ok(l); k++) {
                const double acting = recover(l, models[model], &fabrics[i], cells[k]);
                lab_say(l, "%s %.3f", k ? "," : "", acting);
                pli_text_add(csv, "%s,%s,%g,%.4g\n", models[model], fabrics[i].name, cells[k], acting);
                worst = farthest(worst, acting);
            }
            lab_say(l, " |");
            worst_of_all = farthest(worst_of_all, worst);
            if (model == 0 && (i < 3 || !lab_is_quick(l)))
                lab_row_near(l,
                             lab_format(l, "plate, %s, D acting over D asked, worst of 10, 5, 2.5 mm", fabrics[i].name),
                             1.0, worst, "", 0.03, i > DENIM ? NULL : lab_nearly);
            lab_progress(l, (model * FABRICS + i + 1.0) / (shown * FABRICS));
        }
        if (model > 0)
            lab_row_near(l, lab_format(l, "%s, D acting over D asked, worst of five fabrics", models[model]), 1.0,
                         worst_of_all, "", 0.03, lab_swept);
    }
    lab_say(l, "\n\n");
}

const lab_experiment lab_check_peirce = {
    .name = "peirce",
    .title = "Bending length of five fabrics: the rigidity that acts",
    .source = "Peirce 1930, ASTM D1388; the elastica at a chord of 41.5 degrees",
    .run = run,
};
