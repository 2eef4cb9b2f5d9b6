// Kelager, Niebe, Erleben 2010, Table 1: time of a constraint projection by bending model.
//
// The fabric is run with each model from a crumpled state, and its first frames are kept. Each is then given to a
// world that has the bending constraints alone, so that the projection stage of its step is the time asked for.
// Models take turns, frame by frame, many times over; the median counts. Nothing is compared across runs.
#include "scenes/fabric_scene.h"
#include "lab/lab_measures.h"
#include "lab/plot.h"

#include <math.h>

enum { ROWS = 8, REPETITIONS = 400, REPETITIONS_QUICK = 40, PAPER_ROWS = 3 };
enum { SEQUENTIAL, COLOURED, WIDE, WAYS };

typedef struct row {
    const char *name, *type;
    int32_t paper_count;
    double paper_average, paper_total; // [ms]
    // Found:
    int32_t count, degenerate;
    double average, least, most; // [ns] a projection; the spread is the middle half.
    double coloured, wide;       // [ns], by colours: scalar, and with the widest instructions.
} row;

static const row table[ROWS] = {
    {.name = "triangle", .type = "triangle", .paper_count = 160, .paper_average = 0.000158, .paper_total = 0.405987},
    {.name = "dihedral as printed",
     .type = "dihedral_printed",
     .paper_count = 144,
     .paper_average = 0.000503,
     .paper_total = 1.159640},
    {.name = "stick", .type = "stick", .paper_count = 160, .paper_average = 0.000113, .paper_total = 0.288305},
    {.name = "dihedral, signed", .type = "dihedral"},
    {.name = "triangle, signed", .type = "triangle_signed"},
    {.name = "triangle, linear", .type = "triangle_linear"},
    {.name = "isometric", .type = "isometric"},
    {.name = "isometric energy", .type = "isometric_energy"},
};

typedef struct bench {
    lab_body bodies[WAYS]; // Bending alone.
    float *frames;         // [FABRIC_FRAMES * 3 * FABRIC_COUNT]
    double *times[WAYS];   // [ns] a projection.
} bench;

static const float frame_time = 1.0f / 60.0f;

static void record_frames(lab *l, const pli_mesh *fabric, const char *type, float *frames)
{
    lab_body_def def = lab_fabric_def(fabric, type);
    lab_fabric_crumple(fabric, 0.5, 1, frames);
    def.positions = frames;
    lab_body body = lab_body_make(l, &def);
    for (int32_t frame = 0; frame < FABRIC_FRAMES; frame++) {
        lab_positions(&body, &frames[3 * FABRIC_COUNT * frame]);
        lab_step(l, body.world, frame_time);
    }
}

static bench prepare(lab *l, const pli_mesh *fabric, row *r, int32_t repetitions)
{
    bench b = {0};
    lab_body_def def = lab_paper_def(fabric, FABRIC_ITERATIONS);
    def.sets[0] = (lab_set){.type = r->type};
    for (int32_t way = 0; way < WAYS; way++) {
        def.order = way == SEQUENTIAL ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        def.simd = way == WIDE ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
        b.bodies[way] = lab_body_make(l, &def);
        b.times[way] = lab_memory(l, (size_t)repetitions * FABRIC_FRAMES, sizeof *b.times[way]);
    }
    r->count = lab_set_count(l, &b.bodies[SEQUENTIAL], 0);
    b.frames = lab_memory(l, (size_t)FABRIC_FRAMES * 3 * FABRIC_COUNT, sizeof *b.frames);
    record_frames(l, fabric, r->type, b.frames);
    return b;
}

static double time_step(lab *l, const lab_body *body, const float *frame)
{
    lab_place(l, body, frame);
    lab_stop(l, body);
    lab_step(l, body->world, frame_time);
    pli_statistics s = lab_statistics(l, body);
    return s.projection_count > 0 ? 1e9 * s.stage_seconds[PLI_STAGE_PROJECT] / (double)s.projection_count : NAN;
}

static void time_all(lab *l, row rows[ROWS])
{
    int32_t repetitions = lab_long_or_quick(l, REPETITIONS, REPETITIONS_QUICK);
    const pli_mesh *fabric = lab_fabric(l);
    bench benches[ROWS];
    for (int32_t i = 0; i < ROWS && lab_ok(l); i++)
        benches[i] = prepare(l, fabric, &rows[i], repetitions);
    int32_t n = 0;
    for (int32_t r = 0; r < repetitions && lab_ok(l); r++) {
        for (int32_t frame = 0; frame < FABRIC_FRAMES; frame++, n++)
            for (int32_t i = 0; i < ROWS; i++) {
                const float *state = &benches[i].frames[3 * FABRIC_COUNT * frame];
                for (int32_t way = 0; way < WAYS; way++)
                    benches[i].times[way][n] = time_step(l, &benches[i].bodies[way], state);
            }
        lab_progress(l, (double)r / repetitions);
    }
    for (int32_t i = 0; i < ROWS && lab_ok(l); i++) {
        rows[i].average = lab_median(benches[i].times[SEQUENTIAL], n);
        rows[i].least = lab_quantile(benches[i].times[SEQUENTIAL], n, 0.25);
        rows[i].most = lab_quantile(benches[i].times[SEQUENTIAL], n, 0.75);
        rows[i].coloured = lab_median(benches[i].times[COLOURED], n);
        rows[i].wide = lab_median(benches[i].times[WIDE], n);
    }
}

static void report(lab *l, const row rows[ROWS])
{
    pli_text *csv = lab_file_add(l, "times.csv");
    lab_bar bars[ROWS];
    pli_text_add(csv, "model,constraints,ns_per_projection,quarter,three_quarters,ns_by_colours,ns_wide,paper_"
                      "constraints,paper_ns\n");
    lab_say(l,
            "The fabric has 100 vertices and %d iterations. Times are of the projection stage alone, scalar, in "
            "order of creation, all models in turn in one run of one program, so compiled with the same flags: the "
            "median over all repetitions, with the middle half. By colours, no constraint waits for the one "
            "before it; wide is that in the widest instructions of this processor.\n\n"
            "| model | constraints | ns per projection | middle half | total of a frame [ms] | by colours [ns] | wide "
            "[ns] | paper: "
            "constraints | paper: ns | paper: total [ms] |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | "
            "--- |\n",
            FABRIC_ITERATIONS);
    for (int32_t i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        double total = 1e-6 * r->average * r->count * FABRIC_ITERATIONS;
        lab_say(l, "| %s | %d | %.1f | %.1f to %.1f | %.4f | %.1f | %.1f |", r->name, (int)r->count, r->average,
                r->least, r->most, total, r->coloured, r->wide);
        if (i < PAPER_ROWS)
            lab_say(l, " %d | %.0f | %.3f |\n", (int)r->paper_count, 1e6 * r->paper_average, r->paper_total);
        else
            lab_say(l, " – | – | – |\n");
        pli_text_add(csv, "%s,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%.0f\n", r->type, (int)r->count, r->average, r->least,
                     r->most, r->coloured, r->wide, (int)r->paper_count, 1e6 * r->paper_average);
        // Scales the paper's times so that its stick takes as long as ours, since only ratios can be compared.
        double scale = rows[2].average / rows[2].paper_average;
        bars[i] = (lab_bar){r->name, r->average, i < PAPER_ROWS ? scale * r->paper_average : NAN};
    }
    lab_say(l, "\n");
    lab_bars_write(l, "times.svg", "Time of a projection (paper scaled to the same stick)", "ns", bars, ROWS);
}

static void claim_count(lab *l, const row *r, const char *claim)
{
    lab_claim_add(l, (lab_claim){claim, "Table 1", r->paper_count, r->count, "", LAB_NEAR, 0.0,
                                 "The mesh is not the paper's quad fabric."});
}

static void run(lab *l)
{
    row rows[ROWS];
    for (int32_t i = 0; i < ROWS; i++)
        rows[i] = table[i];
    time_all(l, rows);
    if (!lab_ok(l))
        return;
    report(l, rows);
    claim_count(l, &rows[0], "The fabric has as many triangle bending constraints.");
    claim_count(l, &rows[1], "The fabric has as many dihedral constraints.");
    claim_count(l, &rows[2], "The fabric has as many sticks.");
    const row *triangle = &rows[0], *dihedral = &rows[1], *stick = &rows[2];
    const char *faster = lab_format(
        l,
        "The formulas are the same. What differs is the processor and the code: here the "
        "angle comes from a polynomial without a call, and in the order of creation "
        "every constraint waits for the results of the one before, which hides part of "
        "the arithmetic of the dihedral model. By colours, where none waits (but places are left empty), the ratio is "
        "%.2f.",
        dihedral->coloured / triangle->coloured);
    const char *dearer = lab_format(l,
                                    "In the order of creation neighbours in the list share particles, and each waits "
                                    "for the one before; triples round a vertex do so more often than sticks. By "
                                    "colours, where none waits (but places are left empty), the ratio is %.2f.",
                                    triangle->coloured / stick->coloured);
    lab_claim_add(l, (lab_claim){"A triangle bending projection is more than a factor 3 faster than a dihedral one.",
                                 "3.18 in Table 1, \"more than a factor 3\"",
                                 dihedral->paper_average / triangle->paper_average,
                                 dihedral->average / triangle->average, "", LAB_AT_LEAST, 3.0, faster});
    lab_claim_add(l, (lab_claim){"A triangle bending projection costs little more than a stick.", "1.40 in Table 1",
                                 triangle->paper_average / stick->paper_average, triangle->average / stick->average, "",
                                 LAB_AT_MOST, 1.75, dearer});
}

const lab_experiment lab_row_kelager_table1 = {
    .name = "kelager-table1",
    .title = "Time of a constraint projection by bending model",
    .source = "Kelager, Niebe, Erleben 2010, Table 1",
    .run = run,
};
