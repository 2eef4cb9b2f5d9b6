// The benchmark: what is measured, how, and the machine's own limit beside it. `pliant bench` prints,
// writes and compares what this measures. Public headers of the library only.
//
// A case is one figure. Its name says all of it (scene/edges+dihedral/100/16x1/2-threads), so that
// two files of results are joined by names. Figures of one run are comparable with each other;
// those of two runs only through the limits that were measured beside them.
#ifndef BENCH_H
#define BENCH_H

#include <pliant/pliant.h>

enum { BENCH_NAME_MAX = 80, BENCH_TYPES_MAX = 16, BENCH_FRAMES_MAX = 120 };

// Unit of the figures of a case.
typedef enum bench_unit {
    BENCH_NANOSECONDS,          // A constraint projection.
    BENCH_NANOSECONDS_A_VERTEX, // In a frame.
    BENCH_MILLISECONDS,         // For a frame, or for making a world.
    BENCH_GIGABYTES,            // A second.
} bench_unit;
const char *bench_unit_name(bench_unit unit);

// Order of vertices and constraints in memory.
typedef enum bench_layout {
    BENCH_GRID,     // Rows and columns, which the engine recognises.
    BENCH_LISTS,    // Index lists: the same with one triangle more at a corner, so that it is no grid.
    BENCH_SHUFFLED, // Lists over vertices numbered at random, as bad meshes are.
    BENCH_LAYOUT_COUNT
} bench_layout;
const char *bench_layout_name(bench_layout layout);

// Forces on the sheet besides gravity.
typedef enum bench_company {
    BENCH_ALONE,
    BENCH_IN_WIND,
    BENCH_DAMPED, // Motion other than rigid is damped.
    BENCH_COMPANY_COUNT
} bench_company;

// A world of sheets to measure: square sheets of cloth with particles of 1 kg, the first held at two corners of its
// first row, under gravity, in frames of 1/60 s.
typedef struct bench_scene {
    const char *types[BENCH_TYPES_MAX]; // Constraint types, each a set; null at the end.
    int32_t columns, rows;              // Vertices of each sheet.
    int32_t sheets;                     // More than 1: free, one above the other, over a plane.
    pli_grid_pattern pattern;
    bench_layout layout;
    bench_company company;
    pli_method method;
    pli_order order;
    pli_simd simd;
    int32_t substeps, iterations, threads;
    bool self_collision;
    pli_self_contact self_contact;
    bool limited; // By the engine's own choice of a limit of stretch; else by none, as other engines are.
    bool loose;   // Nothing is held: two corners, as heavy as a hundredth of the sheet, fly apart, without gravity.
    bool uneven;  // Starts with noise and is not pulled by gravity.
} bench_scene;

typedef struct bench_case bench_case;
typedef struct bench_figure bench_figure;
typedef struct bench_run bench_run;
struct bench_scenario;

struct bench_case {
    char name[BENCH_NAME_MAX];
    bench_unit unit;
    // Fills the figure. False with the error: the case is then not there.
    bool (*measure)(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
    bench_scene scene;
    const struct bench_scenario *scenario; // In place of the scene, which then says threads and width alone.
    int32_t warm; // Frames before the first that is measured; the state is looked at after them.
    // Measured once: frames differ so much that only the one after the warm-up counts, or it takes long.
    bool is_single;
    int64_t bytes;       // Footprint of the triad.
    const char *summary; // For tables, or null.
};

typedef struct bench_sample {
    double median, least, most;
    int32_t repetitions;
} bench_sample;

// A measured figure. Values that do not belong to a case are NaN or 0.
struct bench_figure {
    bench_sample sample; // In the unit of the case.
    double limit;        // The same work by kernels without the engine around them.
    double bandwidth;    // The time that the limit's memory traffic takes.
    int32_t vertices;
    int64_t projections;               // Constraint projections a frame.
    double stretch_rms, stretch_max;   // After the frames of warm-up, as are the next.
    double residual_rms, residual_max; // Residual of the last set, in its unit of C.
    int32_t contacts;        // Between surfaces in the last substep; in scenarios all, the mean of the frames.
    double bytes_per_vertex; // Memory of the world.
    uint64_t hash;           // 0: none.
    int32_t threads;
    // Scenarios alone: each frame by the wall and by the processor (all threads), and the mean frame by stage [ms].
    int32_t frame_count;
    double frame_ms[BENCH_FRAMES_MAX], frame_cpu_ms[BENCH_FRAMES_MAX];
    bench_sample cpu;
    double stage_ms[PLI_STAGE_COUNT];
};

// How thorough.
typedef enum bench_extent { BENCH_QUICK, BENCH_USUAL, BENCH_FULL } bench_extent;

// All cases of an extent, in the order in which they are best measured. Free with free(); null without memory.
bench_case *bench_cases(bench_extent extent, int32_t *count);

// Keeps what consecutive cases share.
bench_run *bench_run_create(int32_t repetitions, double seconds, bool (*cancelled)(void));
void bench_run_destroy(bench_run *run);
// CANCELLED in the error when `cancelled` said so.
bool bench_measure(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

// The machine and the build, as pairs of a key and a value.
enum { BENCH_FACTS = 10, BENCH_FACT_MAX = 160 };
typedef struct bench_fact {
    const char *key;
    char value[BENCH_FACT_MAX];
} bench_fact;
// Writes BENCH_FACTS of them.
void bench_describe(bench_fact *facts);

#endif
