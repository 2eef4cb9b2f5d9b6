// The benchmark: cases, measurement, and the limit of the machine beside each figure. `pliant-lab bench` prints, writes and
// compares these figures. It uses public headers of the library only.
//
// A case is one figure. Its name describes it completely (scene/edges+dihedral/100/16x1/2-threads), so that
// two files of results are joined by names. Figures of one run are comparable with each other;
// those of two runs only through the limits that were measured beside them.
#ifndef BENCH_H
#define BENCH_H

#include <pliant/pliant.h>

enum { BENCH_NAME_MAX = 80, BENCH_TYPES_MAX = 16, BENCH_FRAMES_MAX = 120 };

// Unit of the figures of a case.
typedef enum bench_unit {
    BENCH_NANOSECONDS,          // Nanoseconds for a constraint projection.
    BENCH_NANOSECONDS_A_VERTEX, // Nanoseconds for a vertex, in a frame.
    BENCH_MILLISECONDS,         // Milliseconds for a frame, or for creating a world.
    BENCH_GIGABYTES,            // Gigabytes a second.
} bench_unit;

// Order of vertices and constraints in memory.
typedef enum bench_layout {
    BENCH_GRID,     // Rows and columns, which the engine detects.
    BENCH_LISTS,    // Index lists: the same sheet with one more triangle at a corner, so that it is no grid.
    BENCH_SHUFFLED, // Index lists over vertices numbered at random, as in bad meshes.
    // Typical meshes, of as many vertices, numbered at random (scenarios/irregular_mesh.h).
    BENCH_IRREGULAR, // A sheet.
    BENCH_CLOSED,    // A sphere.
    BENCH_LAYOUT_COUNT
} bench_layout;

// Forces on the sheet besides gravity.
typedef enum bench_company {
    BENCH_ALONE,
    BENCH_IN_WIND,
    BENCH_DAMPED, // Motion other than rigid is damped.
    BENCH_COMPANY_COUNT
} bench_company;

// A world of sheets to measure: square sheets of cloth with particles of 1 kg, the first fixed at two corners of its
// first row, under gravity, in frames of 1/60 s.
typedef struct bench_scene {
    const char *types[BENCH_TYPES_MAX]; // Constraint types, one set each; null at the end.
    int32_t columns, rows;              // Vertices of each sheet.
    int32_t sheets;                     // If more than 1, they are free, one above the other, over a plane.
    pli_grid_pattern pattern;
    bench_layout layout;
    bench_company company;
    pli_method method;
    pli_order order;
    pli_simd simd;
    int32_t substeps, iterations, threads;
    bool self_collision;
    pli_self_contact self_contact;
    bool solved; // Edges are solved, as is the default, and not swept as in other engines.
    bool loose;  // Nothing is fixed: two corners of a hundredth of the sheet's mass fly apart, without gravity.
    bool uneven; // Starts with noise, without gravity.
} bench_scene;

typedef struct bench_case bench_case;
typedef struct bench_figure bench_figure;
typedef struct bench_run bench_run;
struct bench_scenario;

struct bench_case {
    char name[BENCH_NAME_MAX];
    bench_unit unit;
    // Measures the figure. False with the error: the case then has no figure.
    bool (*measure)(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
    bench_scene scene;
    const struct bench_scenario *scenario; // Replaces the scene, of which only threads and width are then used.
    int32_t warm;                          // Frames before the first that is measured; the state is read after them.
    // Measured once, since frames differ so much that only the one after the warm-up counts, or since it takes long.
    bool is_single;
    int64_t bytes;       // Memory that the triad passes over [bytes].
    const char *summary; // Description for tables, or null.
};

typedef struct bench_sample {
    double median, least, most;
    int32_t repetitions;
} bench_sample;

// A measured figure. Values that do not apply to a case are NaN or 0.
struct bench_figure {
    bench_sample sample; // Time or bandwidth, in the unit of the case.
    double limit;        // Time of the same work by plain kernels without an engine.
    double bandwidth;    // Time of the memory traffic of those kernels.
    int32_t vertices;
    int64_t projections;               // Constraint projections in a frame.
    double stretch_rms, stretch_max;   // Strain after the warm-up, as are the values below.
    double residual_rms, residual_max; // Residual of the last set, in the unit of its C.
    int32_t contacts; // Surface contacts of the last substep; in scenarios the mean of all contacts over the frames.
    double bytes_per_vertex; // Memory of the world.
    uint64_t hash;           // Hash of the state; 0 for none.
    int32_t threads;
    // Scenarios only: wall time and processor time (all threads) of each frame, and the mean time by stage [ms].
    int32_t frame_count;
    double frame_ms[BENCH_FRAMES_MAX], frame_cpu_ms[BENCH_FRAMES_MAX];
    bench_sample cpu;
    double stage_ms[PLI_STAGE_COUNT];
};

#endif
