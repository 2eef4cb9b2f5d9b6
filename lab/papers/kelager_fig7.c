// Kelager, Niebe, Erleben 2010, Fig. 7: constraint error against iterations.
//
// Frames of Fig. 3's runs, each model's own, are handed to a solver that sweeps over tension and bending as the
// simulation does and on to the plot's end, without time passing in between. The error is the root mean square of the
// bending constraints' values, over its own at the start: the plot's "normalised relative constraint error". A rate is
// fitted to its logarithm; Q-linear convergence is a straight line there.
//
// The paper plots one frame, "a random frame from the first part of the simulation". Here one is plotted too, the same
// for all models, and then the medians over all frames, which tell another story. Each model's frames are of its own
// run, so that states of two models are never compared one by one: only medians are.
#include "scenes/fabric_scene.h"
#include "base/lab_measures.h"
#include "base/plots.h"

#include <math.h>

enum {
    MODELS = 6,
    PAPER_MODELS = 2,
    ITERATIONS = 100,
    FRAMES = 20,
    SEEDS = 5,
    SEEDS_QUICK = 1,
    SAMPLES = FRAMES * SEEDS
};
enum { FIT_FIRST = 1, FIT_LAST = 16 }; // The iterations that a frame of the paper has.
enum { EARLY = 3, MIDDLE = 6 };        // Frames of the first part of the run, and of its first third.
enum { SHOWN = 2 };                    // The frame plotted, of the first seed.

static const char *const models[MODELS] = {"triangle", "dihedral_printed", "stick",
                                           "dihedral", "isometric",        "triangle_linear"};
static const char *const names[MODELS] = {"triangle",         "dihedral as printed", "stick",
                                          "dihedral, signed", "isometric",           "triangle, linear"};

typedef struct convergence {
    double error[ITERATIONS + 1][SAMPLES];
    double rate[SAMPLES];
    double left[SAMPLES]; // Error at the state over that of the crumpled fabric.
    double median[ITERATIONS + 1], low[ITERATIONS + 1], high[ITERATIONS + 1]; // The middle half.
} convergence;

static const float frame_time = 1.0f / 60.0f;

// Sweeps on from this state and notes the error after each sweep.
static void converge(lab *l, const lab_body *solver, const float *state, int32_t sample, convergence *c)
{
    double logarithms[FIT_LAST + 1], iterations[FIT_LAST + 1], first = 0.0;
    lab_place(l, solver, state);
    for (int32_t i = 0; i <= ITERATIONS && lab_ok(l); i++) {
        double error = lab_residual(l, solver, 1).rms;
        first = i == 0 ? error : first;
        c->left[sample] = i == 0 ? error : c->left[sample];
        c->error[i][sample] = first > 0.0 ? error / first : NAN;
        if (i <= FIT_LAST) {
            iterations[i] = i;
            logarithms[i] = log(fmax(c->error[i][sample], 1e-12));
        }
        lab_stop(l, solver);
        lab_step(l, solver->world, frame_time);
    }
    c->rate[sample] = exp(lab_slope(&iterations[FIT_FIRST], &logarithms[FIT_FIRST], FIT_LAST - FIT_FIRST + 1));
}

// The positions that the solver is handed in the first frames of the model's own run from a crumpled fabric: where
// the velocities alone would take it.
static void record(lab *l, const pli_mesh *fabric, const char *model, int32_t seed, float *states)
{
    lab_body_def def = lab_fabric_def(fabric, model);
    lab_fabric_crumple(fabric, 1.0, (uint64_t)seed + 1, states);
    def.positions = states;
    lab_body body = lab_body_make(l, &def);
    for (int32_t frame = 0; frame < FRAMES && lab_ok(l); frame++) {
        float *state = &states[3 * FABRIC_COUNT * frame];
        pli_view velocities = pli_deformable_velocities(body.world, body.deformable);
        lab_positions(&body, state);
        for (int32_t i = 0; i < 3 * FABRIC_COUNT; i++)
            state[i] += frame_time * pli_view_at(velocities, i / 3)[i % 3];
        lab_step(l, body.world, frame_time);
    }
}

// Quantile over the states of the frames from `begin` to before `end`.
static double quantile_of(const double *values, int32_t samples, int32_t begin, int32_t end, double share)
{
    double chosen[SAMPLES];
    int32_t count = 0;
    for (int32_t s = 0; s < samples; s++)
        if (s % FRAMES >= begin && s % FRAMES < end)
            chosen[count++] = values[s];
    return lab_quantile(chosen, count, share);
}

static double left_over(const convergence *c, int32_t samples)
{
    return quantile_of(c->left, samples, FRAMES - 1, FRAMES, 0.5);
}

// The paper's models in the frame shown.
static void plot_one(lab *l, const convergence *found)
{
    static double axis[ITERATIONS + 1], errors[PAPER_MODELS][ITERATIONS + 1];
    pli_plot plot = {.title = lab_format(l, "Relative constraint error in frame %d of the first seed", SHOWN),
                     .x_label = "iterations",
                     .y_label = "error over the error at the start",
                     .y_logarithmic = true};
    for (int32_t m = 0; m < PAPER_MODELS; m++) {
        for (int32_t i = 0; i <= ITERATIONS; i++)
            axis[i] = i, errors[m][i] = found[m].error[i][SHOWN];
        pli_plot_add_curve(&plot,
                           (pli_plot_curve){.name = names[m], .x = axis, .y = errors[m], .count = ITERATIONS + 1});
    }
    lab_plot_write(l, "frame.svg", &plot);
}

static void report(lab *l, const convergence *found, int32_t samples)
{
    static double axis[ITERATIONS + 1];
    pli_plot plot = {.title = "Median of the relative constraint error over all frames",
                     .x_label = "iterations",
                     .y_label = "error over the error at the start",
                     .y_logarithmic = true};
    pli_text *csv = lab_file_add(l, "convergence.csv");
    pli_text_add(csv, "model,iteration,median,quarter,three_quarters\n");
    for (int32_t m = 0; m < MODELS; m++) {
        const convergence *c = &found[m];
        pli_plot_add_curve(
            &plot,
            (pli_plot_curve){.name = names[m], .x = axis, .y = c->median, .count = ITERATIONS + 1, .dashed = m > 1});
        for (int32_t i = 0; i <= ITERATIONS; i++) {
            axis[i] = i;
            pli_text_add(csv, "%s,%d,%.6g,%.6g,%.6g\n", models[m], (int)i, c->median[i], c->low[i], c->high[i]);
        }
    }
    lab_plot_write(l, "convergence.svg", &plot);
    lab_say(l,
            "Medians over the states of %d seeds. The rate is the factor by which the error shrinks per iteration, "
            "fitted over iterations %d to %d; the first iteration is left out of the fit and stands beside it. What is "
            "left is the error at the start of the last frame over that of the crumpled fabric.\n\n"
            "| model | frames | rate | middle half | error after 1 iteration | after %d | after %d | left after %d "
            "frames |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
            (int)samples / FRAMES, FIT_FIRST, FIT_LAST, FIT_LAST, ITERATIONS, FRAMES - 1);
    pli_text *rates = lab_file_add(l, "rates.csv");
    pli_text_add(rates, "model,seed,frame,rate,after_1,after_%d,left\n", FIT_LAST);
    static const int32_t parts[][2] = {{0, EARLY}, {EARLY, MIDDLE}, {0, FRAMES}};
    for (int32_t m = 0; m < MODELS; m++) {
        const convergence *c = &found[m];
        for (int32_t s = 0; s < samples; s++)
            pli_text_add(rates, "%s,%d,%d,%.6g,%.6g,%.6g,%.6g\n", models[m], (int)s / FRAMES + 1, (int)s % FRAMES,
                         c->rate[s], c->error[1][s], c->error[FIT_LAST][s], c->left[s]);
        for (int32_t p = 0; p < 3; p++) {
            int32_t begin = parts[p][0], end = parts[p][1];
            lab_say(l, "| %s | %d to %d | %.4f | %.4f to %.4f | %.3g | %.3g | %.3g |", names[m], (int)begin,
                    (int)end - 1, quantile_of(c->rate, samples, begin, end, 0.5),
                    quantile_of(c->rate, samples, begin, end, 0.25), quantile_of(c->rate, samples, begin, end, 0.75),
                    quantile_of(c->error[1], samples, begin, end, 0.5),
                    quantile_of(c->error[FIT_LAST], samples, begin, end, 0.5),
                    quantile_of(c->error[ITERATIONS], samples, begin, end, 0.5));
            if (end == FRAMES)
                lab_say(l, " %.3g |\n", left_over(c, samples));
            else
                lab_say(l, " |\n");
        }
    }
    lab_say(l, "\n");
}

// The share of the change of the logarithm of the error that the fitted line explains, in the frame shown.
static double straightness(const convergence *c)
{
    double x[FIT_LAST], y[FIT_LAST], residual = 0.0, total = 0.0;
    for (int32_t i = 0; i < FIT_LAST; i++)
        x[i] = i + 1, y[i] = log(c->error[i + 1][SHOWN]);
    double slope = lab_slope(x, y, FIT_LAST), mx = lab_mean(x, FIT_LAST), my = lab_mean(y, FIT_LAST);
    for (int32_t i = 0; i < FIT_LAST; i++) {
        double off = y[i] - my - slope * (x[i] - mx);
        residual += off * off;
        total += (y[i] - my) * (y[i] - my);
    }
    return 1.0 - residual / total;
}

// How much of the error an iteration takes out by the one model's rate over the other's.
static double ratio_of(const convergence *a, const convergence *b, int32_t samples, int32_t frames)
{
    return (1.0 - quantile_of(a->rate, samples, 0, frames, 0.5)) /
           (1.0 - quantile_of(b->rate, samples, 0, frames, 0.5));
}

static void claims(lab *l, const convergence *found, int32_t samples)
{
    const convergence *triangle = &found[0], *dihedral = &found[1];
    double left = left_over(triangle, samples), dihedral_left = left_over(dihedral, samples);
    const char *one = "Frames differ: the table has all.";
    const char *why = lab_format(
        l,
        "Over all the frames the picture of the paper is reversed: after %d iterations %.2g of the error are left with "
        "triangles and %.2g with dihedral angles. The rate depends on what there is to take out: after %d frames the "
        "triangle fabric has %.3g of its first error and the dihedral one %.3g of its own, in kinks that are taken out "
        "quickly. Long waves are taken out slowly by any local projection.",
        FIT_LAST, triangle->median[FIT_LAST], dihedral->median[FIT_LAST], FRAMES - 1, left, dihedral_left);
    const char *paper = "Fig. 7, \"a random frame from the first part\"";
    lab_claim_add(
        l, (lab_claim){lab_format(l, "In the frame shown, frame %d, triangle bending has the lower rate.", SHOWN),
                       paper, NAN, (1.0 - triangle->rate[SHOWN]) / (1.0 - dihedral->rate[SHOWN]),
                       "times as much taken out by an iteration", LAB_AT_LEAST, 1.05, one});
    lab_claim_add(l,
                  (lab_claim){"There it converges Q-linearly: the logarithm of its error is a straight line.",
                              "section 5: \"we have Q-linear convergence in both cases\"", NAN, straightness(triangle),
                              "of its change is explained by the line", LAB_AT_LEAST, 0.95, one});
    lab_claim_add(
        l, (lab_claim){"So does dihedral bending.", "section 5: \"we have Q-linear convergence in both cases\"", NAN,
                       straightness(dihedral), "of its change is explained by the line", LAB_AT_LEAST, 0.95, one});
    lab_claim_add(
        l, (lab_claim){lab_format(l, "In frames 0 to %d, of all seeds, its median rate is the lower one.", EARLY - 1),
                       paper, NAN, ratio_of(triangle, dihedral, samples, EARLY),
                       "times as much taken out by an iteration", LAB_AT_LEAST, 1.05, one});
    lab_claim_add(l, (lab_claim){"Over all the frames its median rate is the lower one.",
                                 "section 5: \"our method has a lower convergence rate\"", NAN,
                                 ratio_of(triangle, dihedral, samples, FRAMES),
                                 "times as much taken out by an iteration", LAB_AT_LEAST, 1.05, why});
    lab_claim_add(
        l, (lab_claim){"Over all the frames a frame's iterations leave less of the error that they start with.",
                       "section 5: \"a faster response\"", NAN, triangle->median[FIT_LAST] / dihedral->median[FIT_LAST],
                       "of the dihedral's", LAB_AT_MOST, 0.9, why});
    lab_claim_add(l, (lab_claim){"From the crumpled fabric on, its run takes out more of the error in as many frames.",
                                 "section 5: \"a faster response\"", NAN, left / dihedral_left, "of the dihedral's",
                                 LAB_AT_MOST, 0.5, why});
}

static void run(lab *l)
{
    const pli_mesh *fabric = lab_fabric(l);
    int32_t seeds = lab_long_or_quick(l, SEEDS, SEEDS_QUICK), samples = seeds * FRAMES;
    convergence *found = lab_memory(l, MODELS, sizeof *found);
    float *states = lab_memory(l, (size_t)FRAMES * 3 * FABRIC_COUNT, sizeof *states);
    lab_say_paper(l, FABRIC_ITERATIONS);
    for (int32_t seed = 0; seed < seeds && lab_ok(l); seed++) {
        int32_t mark = lab_mark(l);
        for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
            lab_body_def def = lab_fabric_def(fabric, models[m]);
            record(l, fabric, models[m], seed, states);
            def.settings.iterations = 1;
            lab_body solver = lab_body_make(l, &def);
            for (int32_t frame = 0; frame < FRAMES; frame++)
                converge(l, &solver, &states[3 * FABRIC_COUNT * frame], seed * FRAMES + frame, &found[m]);
            lab_progress(l, (seed * MODELS + m + 1.0) / (seeds * MODELS));
        }
        lab_release_to(l, mark);
    }
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        for (int32_t s = samples - 1; s >= 0; s--)
            found[m].left[s] /= found[m].left[s - s % FRAMES];
        for (int32_t i = 0; i <= ITERATIONS; i++) {
            found[m].median[i] = quantile_of(found[m].error[i], samples, 0, FRAMES, 0.5);
            found[m].low[i] = quantile_of(found[m].error[i], samples, 0, FRAMES, 0.25);
            found[m].high[i] = quantile_of(found[m].error[i], samples, 0, FRAMES, 0.75);
        }
    }
    if (!lab_ok(l))
        return;
    plot_one(l, found);
    report(l, found, samples);
    claims(l, found, samples);
}

const lab_experiment lab_row_kelager_fig7 = {
    .name = "kelager-fig7",
    .title = "Constraint error against iterations",
    .source = "Kelager, Niebe, Erleben 2010, Fig. 7",
    .run = run,
};
