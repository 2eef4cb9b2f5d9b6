// Kelager, Niebe, Erleben 2010, Table 1: time of a constraint projection by bending model.
//
// The fabric is run with each model from a crumpled state, and its first frames are kept. Each is then given to a
// world that has the bending constraints alone, so that the projection stage of its step is the time asked for, and to
// the same formulas as plain loops (plain_loops.h), which are nearest to what the paper's authors will have run.
// Models take turns, frame by frame, many times over. What counts is the least of each frame, which a busy machine
// disturbs the least, and the mean over the frames. Nothing is compared across runs.
#include "papers/plain_loops.h"
#include "scenes/fabric_scene.h"
#include "base/lab_measures.h"
#include "base/plots.h"

#include <pliant/constraint_type.h>
#include <pliant/generator.h>

#include <math.h>
#include <time.h>

enum { ROWS = 9, REPETITIONS = 400, REPETITIONS_QUICK = 40, PAPER_ROWS = 3 };
enum { SEQUENTIAL, COLOURED, WIDE, WAYS, PLAIN = WAYS, TIMES };

typedef struct row {
    const char *name, *type;
    plain_loop plain; // Null for models that the paper does not have.
    int32_t paper_count;
    double paper_average, paper_total; // [ms]
    // Found:
    int32_t count, degenerate;
    double average, median, most;     // [ns] a projection; `most` is the third quarter.
    double coloured, wide;            // [ns], by colours: scalar, and with the widest instructions.
    double plain_average;             // [ns], of the plain loop.
    double plain_away[FABRIC_FRAMES]; // Largest distance of its positions from the engine's after each [edges].
    double away, away_most;           // The median of those, and the largest.
} row;

static const row table[ROWS] = {
    {.name = "triangle",
     .type = "triangle",
     .plain = plain_triangles,
     .paper_count = 160,
     .paper_average = 0.000158,
     .paper_total = 0.405987},
    {.name = "dihedral as printed",
     .type = "dihedral_printed",
     .plain = plain_dihedrals,
     .paper_count = 144,
     .paper_average = 0.000503,
     .paper_total = 1.159640},
    {.name = "stick",
     .type = "stick",
     .plain = plain_sticks,
     .paper_count = 160,
     .paper_average = 0.000113,
     .paper_total = 0.288305},
    {.name = "dihedral, signed", .type = "dihedral"},
    {.name = "triangle, signed", .type = "triangle_signed"},
    {.name = "triangle, signed area", .type = "triangle_area"},
    {.name = "triangle, linear", .type = "triangle_linear"},
    {.name = "isometric", .type = "isometric"},
    {.name = "isometric energy", .type = "isometric_energy"},
};

typedef struct bench {
    lab_body bodies[WAYS]; // Bending alone.
    float *frames;         // [FABRIC_FRAMES * 3 * FABRIC_COUNT]
    double *times[TIMES];  // [ns] a projection.
    plain_loop plain;
    pli_stencils stencils; // Lists of the plain loop.
    float *rest;
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

// Rest values of the plain loops: in the flat fabric heights are 0, and faces are at pi in the order of eq. (2).
static float plain_rest(const pli_mesh *fabric, const pli_stencils *s, int32_t c, plain_loop plain)
{
    const float *a = &pli_mesh_topology(fabric)->positions[3 * s->particles[s->cardinality * c]];
    const float *b = &pli_mesh_topology(fabric)->positions[3 * s->particles[s->cardinality * c + 1]];
    if (plain == plain_sticks)
        return hypotf(b[0] - a[0], b[2] - a[2]);
    return plain == plain_dihedrals ? 3.14159265f : 0.0f;
}

static void prepare_plain(lab *l, const pli_mesh *fabric, const row *r, bench *b)
{
    pli_error error;
    b->plain = r->plain;
    if (!b->plain || !lab_ok(l))
        return;
    const char *generator = pli_constraint_type_find(r->type)->generator;
    lab_note(l, pli_stencils_generate(fabric, generator, &b->stencils, &error), &error);
    b->rest = lab_memory(l, (size_t)b->stencils.count + 1, sizeof *b->rest);
    for (int32_t c = 0; c < b->stencils.count; c++)
        b->rest[c] = plain_rest(fabric, &b->stencils, c, b->plain);
}

// All particles weigh the same, as in the plain loops.
static void weigh_alike(lab *l, const lab_body *body)
{
    float ones[FABRIC_COUNT];
    pli_error error;
    for (int32_t i = 0; i < FABRIC_COUNT; i++)
        ones[i] = 1.0f;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body->world, body->deformable, 0, FABRIC_COUNT, ones, &error),
                 &error);
}

static bench prepare(lab *l, const pli_mesh *fabric, row *r, int32_t repetitions)
{
    bench b = {0};
    lab_body_def def = lab_paper_def(fabric, FABRIC_ITERATIONS);
    def.sets[0] = lab_paper_set(r->type);
    for (int32_t way = 0; way < WAYS; way++) {
        def.order = way == SEQUENTIAL ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        def.simd = way == WIDE ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
        b.bodies[way] = lab_body_make(l, &def);
        weigh_alike(l, &b.bodies[way]);
    }
    for (int32_t way = 0; way < TIMES; way++)
        b.times[way] = lab_memory(l, (size_t)repetitions * FABRIC_FRAMES, sizeof *b.times[way]);
    prepare_plain(l, fabric, r, &b);
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

static double nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

// Sweeps the plain loop over a frame, and compares with where the engine's body of the same order has come.
static double time_plain(const bench *b, const float *frame, double *away)
{
    plain_particle particles[FABRIC_COUNT];
    float engine[3 * FABRIC_COUNT];
    for (int32_t i = 0; i < FABRIC_COUNT; i++)
        particles[i] = (plain_particle){frame[3 * i], frame[3 * i + 1], frame[3 * i + 2], 1.0f};
    double before = nanoseconds();
    for (int32_t i = 0; i < FABRIC_ITERATIONS; i++)
        b->plain(particles, b->stencils.particles, b->rest, b->stencils.count);
    double time = nanoseconds() - before;
    lab_positions(&b->bodies[SEQUENTIAL], engine);
    for (int32_t i = 0; i < FABRIC_COUNT; i++)
        *away = fmax(*away, (FABRIC_SIDE - 1) * hypot(hypot((double)(particles[i].x - engine[3 * i]),
                                                            (double)(particles[i].y - engine[3 * i + 1])),
                                                      (double)(particles[i].z - engine[3 * i + 2])));
    return time / ((double)FABRIC_ITERATIONS * b->stencils.count);
}

// The least time of each frame over the repetitions, on average over the frames.
static double mean_of_least(const double *times, int32_t repetitions)
{
    double least[FABRIC_FRAMES];
    for (int32_t frame = 0; frame < FABRIC_FRAMES; frame++) {
        least[frame] = INFINITY;
        for (int32_t r = 0; r < repetitions; r++)
            least[frame] = fmin(least[frame], times[r * FABRIC_FRAMES + frame]);
    }
    return lab_mean(least, FABRIC_FRAMES);
}

static void time_all(lab *l, row rows[ROWS])
{
    int32_t repetitions = lab_long_or_quick(l, REPETITIONS, REPETITIONS_QUICK);
    const pli_mesh *fabric = lab_fabric(l);
    bench benches[ROWS] = {0};
    for (int32_t i = 0; i < ROWS && lab_ok(l); i++)
        benches[i] = prepare(l, fabric, &rows[i], repetitions);
    int32_t n = 0;
    for (int32_t r = 0; r < repetitions && lab_ok(l); r++) {
        for (int32_t frame = 0; frame < FABRIC_FRAMES; frame++, n++)
            for (int32_t i = 0; i < ROWS; i++) {
                const float *state = &benches[i].frames[3 * FABRIC_COUNT * frame];
                for (int32_t way = 0; way < WAYS; way++)
                    benches[i].times[way][n] = time_step(l, &benches[i].bodies[way], state);
                benches[i].times[PLAIN][n] = benches[i].plain && lab_ok(l)
                                                 ? time_plain(&benches[i], state, &rows[i].plain_away[frame])
                                                 : NAN;
            }
        lab_progress(l, (double)r / repetitions);
    }
    for (int32_t i = 0; i < ROWS && lab_ok(l); i++) {
        rows[i].average = mean_of_least(benches[i].times[SEQUENTIAL], repetitions);
        rows[i].coloured = mean_of_least(benches[i].times[COLOURED], repetitions);
        rows[i].wide = mean_of_least(benches[i].times[WIDE], repetitions);
        rows[i].plain_average = benches[i].plain ? mean_of_least(benches[i].times[PLAIN], repetitions) : NAN;
        rows[i].away_most = lab_quantile(rows[i].plain_away, FABRIC_FRAMES, 1.0);
        rows[i].away = lab_median(rows[i].plain_away, FABRIC_FRAMES);
        rows[i].median = lab_median(benches[i].times[SEQUENTIAL], n);
        rows[i].most = lab_quantile(benches[i].times[SEQUENTIAL], n, 0.75);
    }
    for (int32_t i = 0; i < ROWS; i++)
        pli_stencils_release(&benches[i].stencils);
}

static void report(lab *l, const row rows[ROWS])
{
    pli_text *csv = lab_file_add(l, "times.csv");
    pli_plot_bar bars[ROWS];
    pli_text_add(csv, "model,constraints,ns_per_projection,median,three_quarters,ns_plain,ns_by_colours,ns_wide,paper_"
                      "constraints,paper_ns\n");
    lab_say(l,
            "The fabric has 100 vertices and %d iterations. Times are of the projection stage alone, scalar, in "
            "order of creation, all models in turn in one run of one program, so compiled with the same flags: the "
            "least over all repetitions of each frame, on average over the frames; beside it the median and the third "
            "quarter of "
            "all. Plain is the same formulas and lists in loops of their "
            "own, without an engine. By colours, no constraint waits for the one "
            "before it; wide is that in the widest instructions of this processor.\n\n"
            "| model | constraints | ns per projection | median, third quarter | plain [ns] | total of a frame [ms] | "
            "by colours "
            "[ns] | wide [ns] | paper: "
            "constraints | paper: ns | paper: total [ms] |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | "
            "--- | --- |\n",
            FABRIC_ITERATIONS);
    for (int32_t i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        double total = 1e-6 * r->average * r->count * FABRIC_ITERATIONS;
        lab_say(l, "| %s | %d | %.1f | %.1f, %.1f |", r->name, (int)r->count, r->average, r->median, r->most);
        lab_say(l, i < PAPER_ROWS ? " %.1f |" : " – |", r->plain_average);
        lab_say(l, " %.4f | %.1f | %.1f |", total, r->coloured, r->wide);
        if (i < PAPER_ROWS)
            lab_say(l, " %d | %.0f | %.3f |\n", (int)r->paper_count, 1e6 * r->paper_average, r->paper_total);
        else
            lab_say(l, " – | – | – |\n");
        pli_text_add(csv, "%s,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%.0f\n", r->type, (int)r->count, r->average,
                     r->median, r->most, r->plain_average, r->coloured, r->wide, (int)r->paper_count,
                     1e6 * r->paper_average);
        // Scales the paper's times so that its stick takes as long as ours, since only ratios can be compared.
        double scale = rows[2].average / rows[2].paper_average;
        bars[i] = (pli_plot_bar){r->name, r->average, i < PAPER_ROWS ? scale * r->paper_average : NAN};
    }
    lab_say(l, "\n");
    lab_bars_write(l, "times.svg", "Time of a projection (paper scaled to the same stick)", "ns", bars, ROWS);
}

static void claim_count(lab *l, const row *r, const char *claim)
{
    lab_claim_add(l, (lab_claim){claim, "Table 1", r->paper_count, r->count, "", LAB_NEAR, 0.0,
                                 "The mesh is not the paper's quad fabric."});
}

static void claim_times(lab *l, const row rows[ROWS])
{
    const row *triangle = &rows[0], *dihedral = &rows[1], *stick = &rows[2];
    double slowest = 0.0, away = 0.0;
    lab_say(l,
            "After a frame the plain loops have the fabric within %.2g, %.2g and %.2g edges of where the engine has "
            "it, by triangles, dihedral angles and sticks: the farthest vertex, in the median of the frames. In the "
            "worst frame it is %.2g, %.2g and %.2g: near a fold the arc cosine makes much of the last digit.\n\n",
            triangle->away, dihedral->away, stick->away, triangle->away_most, dihedral->away_most, stick->away_most);
    for (int32_t i = 0; i < PAPER_ROWS; i++) {
        slowest = fmax(slowest, rows[i].average / rows[i].plain_average);
        away = fmax(away, rows[i].away);
    }
    double paper_ratio = dihedral->paper_average / triangle->paper_average;
    double paper_stick = triangle->paper_average / stick->paper_average;
    lab_claim_add(l, (lab_claim){"The plain loops take the fabric to where the engine takes it.", "not in the paper",
                                 NAN, away, "edges apart, median of the frames, worst model", LAB_AT_MOST, 1e-2,
                                 "The formulas differ."});
    lab_claim_add(l, (lab_claim){"In plain loops a triangle bending projection is about a factor 3 faster than a "
                                 "dihedral one.",
                                 "3.18 in Table 1, \"on average a factor 3\"", paper_ratio,
                                 dihedral->plain_average / triangle->plain_average, "", LAB_NEAR, 0.2,
                                 "It hangs on what square roots, divisions and the arc cosine cost."});
    lab_claim_add(l,
                  (lab_claim){"The engine's scalar path costs what plain loops cost.", "not in the paper", NAN, slowest,
                              "times as much, the dearest model", LAB_AT_MOST, 1.5, "The machine was busy."});
    lab_claim_add(
        l,
        (lab_claim){"In the engine it is more than a factor 3 faster.", "3.18 in Table 1, \"more than a factor 3\"",
                    paper_ratio, dihedral->average / triangle->average, "", LAB_AT_LEAST, 3.0,
                    lab_format(l,
                               "The engine's dihedral projection takes %.2f of the time of the plain one, since its "
                               "angle comes from a polynomial without a call; its triangle takes %.2f of the plain "
                               "one's time. By colours, where none waits (but places are left empty), the ratio is "
                               "%.2f.",
                               dihedral->average / dihedral->plain_average, triangle->average / triangle->plain_average,
                               dihedral->coloured / triangle->coloured)});
    lab_claim_add(
        l, (lab_claim){"A triangle bending projection costs little more than a stick.", "1.40 in Table 1", paper_stick,
                       triangle->plain_average / stick->plain_average, "in plain loops", LAB_AT_MOST, 1.75,
                       lab_format(l,
                                  "Not on a processor of today: triples round a vertex share particles with those "
                                  "before them in the list, so that each waits for the last one's square root and "
                                  "division, where sticks overlap. In the engine the ratio is %.2f, by colours, where "
                                  "none waits, %.2f, and wide %.2f. The paper's stick took 226 cycles, most of which "
                                  "can not have been its arithmetic.",
                                  triangle->average / stick->average, triangle->coloured / stick->coloured,
                                  triangle->wide / stick->wide)});
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
    lab_say_paper(l, FABRIC_ITERATIONS);
    claim_count(l, &rows[0], "The fabric has as many triangle bending constraints.");
    claim_count(l, &rows[1], "The fabric has as many dihedral constraints.");
    claim_count(l, &rows[2], "The fabric has as many sticks.");
    claim_times(l, rows);
}

const lab_experiment lab_row_kelager_table1 = {
    .name = "kelager-table1",
    .title = "Time of a constraint projection by bending model",
    .source = "Kelager, Niebe, Erleben 2010, Table 1",
    .run = run,
};
