// The limit of the machine: the projections of a square grid of cloth by plain loops over contiguous runs, without an
// engine.
//
// The layout makes them fast, and is impossible for meshes of any shape: structures of arrays,
// and columns interleaved into `residues` segments of a row (column modulo residues), so that constraints of
// one class and residue access contiguous floats and no two of them share a particle: no index, no
// gather, no conflict between lanes. Rows are processed in order, all kinds of constraints at a
// time, so that a sweep passes over memory once; with one iteration a substep, prediction and
// velocities run in the same pass, three rows around the sweep.
//
//     row i of 7 columns, 2 residues:   0 2 4 6 . . | 1 3 5 . . .      padded by at least LIMIT_LANES
//
// The arithmetic obeys the engine's rules: exact roots and divisions, no fused multiply-add.
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum { LIMIT_LANES = 16, LIMIT_PARTS_MAX = 2 };

typedef enum limit_kind {
    LIMIT_DISTANCE,
    LIMIT_TRIANGLE,  // Height over the centroid of three points.
    LIMIT_DIHEDRAL,  // Signed dihedral angle.
    LIMIT_ISOMETRIC, // Vector of a weighted sum, three values.
    LIMIT_NONE
} limit_kind;

// Constraints of one class and residue in one row. Rest values of padding lanes keep their particles still.
typedef struct limit_run {
    int32_t count;     // A multiple of LIMIT_LANES.
    int32_t points[4]; // First particle of each point.
    int32_t slot;      // First index in rest and lambda.
} limit_run;

typedef struct limit_part {
    limit_kind kind;
    int32_t constraint_count, run_count, slot_count;
    limit_run *runs;
    int32_t *row_runs; // [rows + 1] ranges of runs.
    float *rest[4], *lambda[3];
} limit_part;

typedef struct limit_grid {
    int32_t rows, residues, pitch; // Floats of a segment are `pitch`; those of a row residues * pitch.
    float *x, *y, *z, *w;
    float *velocity[3], *previous[3];
    limit_part parts[LIMIT_PARTS_MAX];
    int32_t part_count;
    double bytes_per_sweep, bytes_per_motion; // Memory read and written [bytes].
} limit_grid;

// Creates a sheet with `rows` rows and columns of the given kinds (LIMIT_NONE: only the first). Null without memory.
limit_grid *limit_grid_create(int32_t rows, limit_kind first, limit_kind second);
void limit_grid_destroy(limit_grid *grid);

// One frame, or sweeps alone when substeps is 0. Compiled for several instruction sets.
typedef void limit_frame(limit_grid *grid, int32_t substeps, int32_t iterations);

// a[i] = b[i] + 3 c[i]
typedef void limit_triad(float *a, const float *b, const float *c, int64_t count);

// The kernels of one instruction set.
typedef struct limit_kernels {
    limit_frame *frame;
    limit_triad *triad;
} limit_kernels;

// The i-th set that this processor has, widest first; null beyond the last.
const limit_kernels *limit_variant(int32_t i);

#endif
