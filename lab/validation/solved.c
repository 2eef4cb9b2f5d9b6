// Constraint sets of bending that are solved, on a strip that is clamped at one end and hangs under its weight: beside the same sets swept,
// over meshes and substeps, with the drop of the elastica (Romero et al. 2021, test 1) for comparison.
#include "base/clamped_strip.h"

#include <math.h>

enum { TYPES = 4, GAMMAS = 3, SIZES = 3, STEPS = 3, FRAMES = 1500, FRAMES_QUICK = 250 };

static const char *const types[TYPES] = {"isometric", "dihedral", "triangle_linear", "triangle"};
static const double gammas[GAMMAS] = {1.0, 10.0, 100.0};
static const int32_t sizes[SIZES] = {16, 32, 64}, steps[STEPS] = {10, 20, 40};

static double hang(lab *l, const char *type, double gamma, int32_t cells, int32_t substeps, bool solve)
{
    lab_strip strip = lab_strip_of(type, gamma, cells);
    strip.substeps = substeps, strip.automatic = true, strip.solve = solve;
    return lab_strip_hang(l, &strip, lab_long_or_quick(l, FRAMES, FRAMES_QUICK)).drop;
}

// The largest and the least of the drops that are not NAN.
static void find_range(const double *drops, int32_t count, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int32_t i = 0; i < count; i++)
        *low = fmin(*low, drops[i]), *high = fmax(*high, drops[i]);
}

static void add_rows(lab *l, const char *type, int32_t gamma, double drops[SIZES][STEPS])
{
    static const char edges[] =
        "Bending is taken where edges have not acted yet, as if they gave way by H^2 / m; a hinge and a triple "
        "let a strip bend across for nothing, which is what rigid edges would prevent. Shorter substeps are "
        "nearer to rigid edges (docs/decisions/plates.md).";
    static const char energy[] =
        "The energy is not that of a plate: it lets a strip bend across for nothing and counts borders "
        "by half, so that the strip is softer; a plate is not.";
    double low, high, worst_low = 1.0, worst_high = 1.0;
    for (int32_t size = 0; size < lab_long_or_quick(l, SIZES, 1); size++) {
        find_range(drops[size], STEPS, &low, &high);
        if (high / low > worst_high / worst_low)
            worst_high = high, worst_low = low;
    }
    lab_row_near(
        l,
        lab_format(l, "%s, solved, Gamma = %g, drop with the worst of 10, 20 and 40 substeps over that with the best",
                   type, gammas[gamma]),
        1.0, worst_high / worst_low, "", 0.01, gamma == 0 ? NULL : edges);
    find_range(&drops[0][0], SIZES * STEPS, &low, &high);
    const double exact = lab_elastica(gammas[gamma]).drop;
    const double worst = fabs(high - exact) > fabs(low - exact) ? high : low;
    lab_row_near(l,
                 lab_format(l, "%s, solved, Gamma = %g, drop over length, worst of all meshes and substeps", type,
                            gammas[gamma]),
                 exact, worst, "", 0.01, gamma == 2 && fabs(worst / exact - 1.0) <= 0.01 ? NULL : energy);
}

static void run(lab *l)
{
    const int32_t type_count = lab_long_or_quick(l, TYPES, 1), gamma_count = lab_long_or_quick(l, GAMMAS, 1);
    lab_say(
        l,
        "Drop over length by cells and substeps, solved; in brackets, swept with 10 substeps.\n\n"
        "| type | Gamma | elastica | 16 cells: 10, 20, 40 | 32 cells | 64 cells: 10, 20 |\n| --- | --- | --- | --- | "
        "--- | --- |");
    for (int32_t type = 0; type < type_count && lab_ok(l); type++)
        for (int32_t gamma = 0; gamma < gamma_count && lab_ok(l); gamma++) {
            double drops[SIZES][STEPS];
            lab_say(l, "\n| %s | %g | %.4f |", types[type], gammas[gamma], lab_elastica(gammas[gamma]).drop);
            for (int32_t size = 0; size < SIZES; size++) {
                for (int32_t k = 0; k < STEPS; k++) {
                    // The fewer substeps are the further off: the finest mesh goes without the most.
                    const bool wanted = size < lab_long_or_quick(l, SIZES, 1) &&
                                        k < lab_long_or_quick(l, size == SIZES - 1 ? STEPS - 1 : STEPS, 2);
                    drops[size][k] = wanted ? hang(l, types[type], gammas[gamma], sizes[size], steps[k], true) : NAN;
                    if (wanted)
                        lab_say(l, " %.4f", drops[size][k]);
                }
                if (!lab_is_quick(l) && size < SIZES - 1)
                    lab_say(l, " (%.4f)", hang(l, types[type], gammas[gamma], sizes[size], 10, false));
                lab_say(l, " |");
            }
            add_rows(l, types[type], gamma, drops);
            lab_progress(l, (double)(type * gamma_count + gamma + 1) / (type_count * gamma_count));
        }
    lab_say(l, "\n\n");
}

const lab_experiment lab_check_solved = {
    .name = "solved",
    .title = "Constraint sets of bending that are solved, over meshes and substeps",
    .source = "Romero et al. 2021, test 1",
    .run = run,
};
