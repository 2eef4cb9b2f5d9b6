// Kelager, Niebe, Erleben 2010, Fig. 8: kappa against the stiffness k.
//
// The rigid fabric, fixed at the four vertices in its middle, sags under gravity: for kappa at k = 1 (a to c) and for k
// at kappa = 0 (d to f), as in the figure. kappa is a length and the paper gives no units, so first the side of the
// fabric is varied: at 1 m a kappa of 0.06 is four fifths of the largest height that an edge allows, and the fabric
// hangs in strings. At the size of the panels both parameters are then swept over their range.
#include "scenes/fabric_scene.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/plots.h"

#include <math.h>
#include <stdlib.h>

enum { PANELS = 3, EVEN = 60, EVEN_QUICK = 20, FINE = 24, SWEEP = EVEN + FINE + 1, FRAMES = 400, FRAMES_QUICK = 150 };
enum { SIZES = 5 };

static const double kappas[PANELS] = {0.004, 0.01, 0.06}, stiffnesses[PANELS] = {1.0, 0.999, 0.8};
static const double sizes[SIZES] = {1.0, 2.0, 5.0, 10.0, 20.0};
static const double side = 5.0;                      // Side of the fabric in the panels [m].
static const double edge = side / (FABRIC_SIDE - 1); // The range of kappa: beyond it nothing is left to resist.
static const float frame_time = 1.0f / 60.0f;

typedef struct shape {
    double curvature, sag; // Mean [1/m], and of the mean vertex below the middle, over the side.
} shape;

typedef struct sweep {
    const char *name, *file;
    double range;
    double values[SWEEP], curvature[SWEEP], sag[SWEEP];
    int32_t count;
} sweep;

// Sags until it rests; the positions may be null.
static shape sag(lab *l, const pli_mesh *fabric, double size, double kappa, double stiffness, float *out)
{
    float positions[3 * FABRIC_COUNT];
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK), middle = FABRIC_SIDE / 2;
    lab_body_def def = lab_fabric_def(fabric, "triangle");
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.sets[1].values[0] = (pli_parameter_value){"relation", 1}; // At most.
    def.sets[1].values[1] = (pli_parameter_value){"kappa", kappa};
    def.sets[1].values[2] = (pli_parameter_value){"stiffness", stiffness};
    lab_body body = lab_body_make(l, &def);
    for (int32_t row = middle - 1; row <= middle; row++)
        for (int32_t column = middle - 1; column <= middle; column++)
            lab_hold(l, &body, row * FABRIC_SIDE + column);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        lab_step(l, body.world, frame_time);
        lab_slow(l, &body, 0.93);
    }
    lab_positions(&body, positions);
    shape found = {lab_mean_curvature(l, &body), 0.0};
    for (int32_t i = 0; i < FABRIC_COUNT; i++)
        found.sag -= (double)positions[3 * i + 1] / (FABRIC_COUNT * size);
    for (int32_t i = 0; out && i < 3 * FABRIC_COUNT; i++)
        out[i] = positions[i];
    lab_release_to(l, mark);
    return found;
}

// How much of the side the panels' fabric sags, by side: kappa at k = 1, then k at kappa = 0.
static void vary_size(lab *l)
{
    pli_text *csv = lab_file_add(l, "sizes.csv");
    pli_text_add(csv, "side,kappa,stiffness,sag\n");
    lab_say(l, "Mean sag over the side of the fabric, by its side [m]:\n\n| side |");
    for (int32_t i = 0; i < 2 * PANELS; i++)
        lab_say(l, i < PANELS ? " kappa %g |" : " k %g |", i < PANELS ? kappas[i] : stiffnesses[i - PANELS]);
    lab_say(l, "\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int32_t s = 0; s < SIZES && lab_ok(l); s++) {
        const pli_mesh *fabric = lab_grid(l, FABRIC_SIDE, FABRIC_SIDE, (float)sizes[s], (float)sizes[s],
                                          PLI_GRID_QUADS);
        lab_say(l, "| %g |", sizes[s]);
        for (int32_t i = 0; i < 2 * PANELS && lab_ok(l); i++) {
            double kappa = i < PANELS ? kappas[i] : 0.0, stiffness = i < PANELS ? 1.0 : stiffnesses[i - PANELS];
            shape found = sag(l, fabric, sizes[s], kappa, stiffness, NULL);
            lab_say(l, " %.3f |", found.sag);
            pli_text_add(csv, "%g,%g,%g,%.6g\n", sizes[s], kappa, stiffness, found.sag);
        }
        lab_say(l, "\n");
    }
    lab_say(l, "\n");
}

static void show_panels(lab *l, const pli_mesh *fabric, shape shapes[2 * PANELS])
{
    float positions[3 * FABRIC_COUNT];
    lab_gallery_def view = {.name = "fabric", .columns = PANELS, .wireframe = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t i = 0; i < 2 * PANELS && lab_ok(l); i++) {
        double kappa = i < PANELS ? kappas[i] : 0.0, stiffness = i < PANELS ? 1.0 : stiffnesses[i - PANELS];
        shapes[i] = sag(l, fabric, side, kappa, stiffness, positions);
        lab_gallery_add(
            gallery,
            lab_format(l, "(%c) kappa %g, k %g: curvature %.2f /m", 'a' + i, kappa, stiffness, shapes[i].curvature),
            fabric, positions);
    }
    lab_gallery_close(gallery);
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void run_sweep(lab *l, const pli_mesh *fabric, bool of_kappa, double begin, sweep *s)
{
    int32_t even = lab_long_or_quick(l, EVEN, EVEN_QUICK);
    for (int32_t i = 0; i <= even; i++)
        s->values[s->count++] = s->range * i / even;
    // And closely where both are rigid.
    for (int32_t i = 1; i < FINE; i++) {
        double near = 0.1 * pow(10.0, -4.0 * i / FINE);
        s->values[s->count++] = of_kappa ? s->range * near : 1.0 - near;
    }
    qsort(s->values, (size_t)s->count, sizeof *s->values, ascending);
    for (int32_t i = 0; i < s->count && lab_ok(l); i++) {
        shape found = of_kappa ? sag(l, fabric, side, s->values[i], 1.0, NULL)
                               : sag(l, fabric, side, 0.0, s->values[i], NULL);
        s->curvature[i] = found.curvature;
        s->sag[i] = found.sag;
        lab_progress(l, begin + 0.5 * i / s->count);
    }
}

// Share of the range in which the sag goes from a tenth to nine tenths of all its change.
static double width_of(const sweep *s)
{
    double first = s->sag[0], change = s->sag[s->count - 1] - first, at[2] = {NAN, NAN};
    const double parts[2] = {0.1, 0.9};
    for (int32_t p = 0; p < 2; p++)
        for (int32_t i = 1; i < s->count && !isfinite(at[p]); i++) {
            double before = (s->sag[i - 1] - first) / change, after = (s->sag[i] - first) / change;
            if (before < parts[p] && after >= parts[p])
                at[p] = s->values[i - 1] + (s->values[i] - s->values[i - 1]) * (parts[p] - before) / (after - before);
        }
    return fabs(at[1] - at[0]) / s->range;
}

static double at(const sweep *s, double value)
{
    for (int32_t i = 1; i < s->count; i++)
        if (value <= s->values[i]) {
            double part = (value - s->values[i - 1]) / (s->values[i] - s->values[i - 1]);
            return s->sag[i - 1] + part * (s->sag[i] - s->sag[i - 1]);
        }
    return s->sag[s->count - 1];
}

static void claims(lab *l, const sweep sweeps[2])
{
    const sweep *kappa = &sweeps[0], *k = &sweeps[1];
    double widths[2] = {width_of(kappa), width_of(k)}, whole = kappa->sag[kappa->count - 1] - kappa->sag[0];
    double near_kappa = (at(kappa, 0.01 * kappa->range) - kappa->sag[0]) / whole;
    double near_k = (at(k, 0.99) - at(k, 1.0)) / whole;
    double largest_drop = 0.0;
    for (int32_t i = 1; i < kappa->count; i++)
        largest_drop = fmax(largest_drop, kappa->sag[i - 1] - kappa->sag[i]);
    lab_say(l,
            "The change of the fabric's sag, from a tenth to nine tenths of all of it, takes %.1f %% of the range of "
            "kappa (0 to an edge length) and %.1f %% of that of k (1 to 0). In the first hundredth from rigid, it is "
            "%.1f %% "
            "with kappa and %.1f %% with k.\n\n",
            100.0 * widths[0], 100.0 * widths[1], 100.0 * near_kappa, 100.0 * near_k);
    lab_claim_add(l, (lab_claim){"Over its whole range, the change of shape fills a wider part of kappa's range than "
                                 "of k's.",
                                 "our measure of \"fine-tune\", not the paper's", NAN, widths[0] / widths[1],
                                 "times as wide", LAB_AT_LEAST, 1.0,
                                 "The paper gives kappa no range; here it ends at an edge, where nothing is left to "
                                 "resist. And k' = 1 - (1 - k)^(1/n) spreads the effect of k over its whole range."});
    lab_claim_add(l, (lab_claim){"A larger kappa never makes the fabric sag less.", "Fig. 8 (a) to (c)", NAN,
                                 1e3 * largest_drop, "thousandths of the side less", LAB_AT_MOST, 2.0,
                                 "Buckled shapes differ from value to value."});
}

static void claim_panels(lab *l, const shape shapes[2 * PANELS])
{
    const shape *k = &shapes[PANELS];
    const char *why = "It depends on the size of the fabric: see the table.";
    lab_claim_add(l, (lab_claim){"The figure's three kappas grade: each sags at least one and a half times as far as "
                                 "the one before.",
                                 "Fig. 8 (a) to (c)", NAN,
                                 fmin(shapes[1].sag / shapes[0].sag, shapes[2].sag / shapes[1].sag), "times",
                                 LAB_AT_LEAST, 1.5, why});
    lab_claim_add(l, (lab_claim){"Even (c) is a bent fabric: it sags by less than a third of its side, where strings "
                                 "would hang by nearly half.",
                                 "Fig. 8 (c), by eye", NAN, shapes[2].sag, "of the side", LAB_AT_MOST, 1.0 / 3.0, why});
    lab_claim_add(l,
                  (lab_claim){"k gives limited control: the figure's values of kappa cover at least twice the change "
                              "of shape that its values of k do.",
                              "Fig. 8: \"a limited control over the bending property\"", NAN,
                              (shapes[2].sag - shapes[0].sag) / (k[2].sag - k[0].sag), "times as much", LAB_AT_LEAST,
                              2.0, why});
    // The power of the parameter with which the sag grows, from panel to panel.
    double of_kappa = log(shapes[2].sag / shapes[0].sag) / log(kappas[2] / kappas[0]);
    double of_k = log(k[2].sag / k[1].sag) / log((1.0 - stiffnesses[2]) / (1.0 - stiffnesses[1]));
    lab_claim_add(l, (lab_claim){"From panel to panel the sag grows nearly in proportion to kappa.",
                                 "Fig. 8: kappa fine-tunes bending \"to a much higher level\"", 1.0, of_kappa,
                                 "is the power", LAB_NEAR, 0.25, why});
    lab_claim_add(l, (lab_claim){"It grows with 1 - k by a power of less than half as much.",
                                 "Fig. 8: \"a limited control over the bending property\"", NAN, of_k / of_kappa,
                                 "of the power", LAB_AT_MOST, 0.5, why});
}

static void report(lab *l, const sweep sweeps[2])
{
    pli_plot plot = {.title = "Mean curvature over each parameter's range",
                     .x_label = "share of the range, from rigid on",
                     .y_label = "mean curvature [1/m]",
                     .y_logarithmic = true};
    for (int32_t k = 0; k < 2; k++) {
        const sweep *s = &sweeps[k];
        pli_text *csv = lab_file_add(l, s->file);
        double *share = lab_memory(l, SWEEP, sizeof *share);
        pli_text_add(csv, "value,mean_curvature,sag\n");
        for (int32_t i = 0; i < s->count; i++) {
            share[i] = k == 0 ? s->values[i] / s->range : 1.0 - s->values[i];
            pli_text_add(csv, "%.9g,%.6g,%.6g\n", s->values[i], s->curvature[i], s->sag[i]);
        }
        pli_plot_add_curve(&plot, (pli_plot_curve){.name = s->name, .x = share, .y = s->curvature, .count = s->count});
    }
    lab_plot_write(l, "sensitivity.svg", &plot);
    claims(l, sweeps);
}

static void run(lab *l)
{
    const pli_mesh *fabric = lab_grid(l, FABRIC_SIDE, FABRIC_SIDE, (float)side, (float)side, PLI_GRID_QUADS);
    shape shapes[2 * PANELS] = {0};
    sweep *sweeps = lab_memory(l, 2, sizeof *sweeps);
    sweeps[0].name = "kappa at k = 1", sweeps[0].file = "kappa.csv", sweeps[0].range = edge;
    sweeps[1].name = "k at kappa = 0", sweeps[1].file = "stiffness.csv", sweeps[1].range = 1.0;
    lab_say_paper(l, FABRIC_ITERATIONS);
    lab_say(l,
            "The fabric is held at the four vertices in its middle, under gravity, with %d iterations and one step of "
            "1/60 s "
            "a frame.\n\n",
            FABRIC_ITERATIONS);
    vary_size(l);
    lab_say(l, "The panels and what follows are of a fabric of %g m, whose edges are %.3f m.\n\n", side, edge);
    show_panels(l, fabric, shapes);
    run_sweep(l, fabric, true, 0.0, &sweeps[0]);
    run_sweep(l, fabric, false, 0.5, &sweeps[1]);
    if (!lab_ok(l))
        return;
    claim_panels(l, shapes);
    report(l, sweeps);
}

const lab_experiment lab_row_kelager_fig8 = {
    .name = "kelager-fig8",
    .title = "Kappa controls bending more finely than k",
    .source = "Kelager, Niebe, Erleben 2010, Fig. 8",
    .run = run,
};
