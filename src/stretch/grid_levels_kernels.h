// Kernels of the multilevel solver on grids: coarser grids whose nodes are centres of mass of the finer nodes, without
// index lists. Compiled once for each SIMD back end.
//
// Nodes are a structure of arrays. Columns are interleaved into PLI_INTERLEAVE parts like those of the particles
// (grid/grid_kernels.h), and rows into two planes, even and odd. So pairs of one kind, along rows, down columns or
// diagonal, whose first nodes are in one plane and part, have their second nodes in another: two contiguous runs from
// end to end of the level, which share no node.
//
//   plane 0    | part 0: rows 0, 2, 4, ... | part 1 | part 2 | part 3 |
//   plane 1    | part 0: rows 1, 3, 5, ... | part 1 | part 2 | part 3 |
#ifndef PLI_STRETCH_GRID_LEVELS_KERNELS_H
#define PLI_STRETCH_GRID_LEVELS_KERNELS_H

#include "grid/grid_kernels.h"

// Layout of the nodes of a level, or of the particles.
typedef struct pli_grid_levels {
    int32_t rows, columns;
    int32_t planes;             // Planes that rows are interleaved into: 1 for particles, 2 for levels.
    int32_t plane, part, pitch; // Floats from plane to plane, from part to part, and from row to row of a plane.
    pli_soa at;                 // Positions [m] and inverse masses [1/kg].
} pli_grid_levels;

// A level over a finer one, or over the particles. Finer row r lies between the coarse rows r / PLI_INTERLEAVE and the
// next one, and is interpolated between them; columns likewise.
typedef struct pli_grid_level {
    pli_grid_levels nodes;
    const pli_grid_levels *finer;
    float *masses;         // By layout index of the finer nodes: mass, 0 for fixed nodes and padding [kg].
    float *row_shares;     // [finer rows] weight of the next coarse row, 0 to 1.
    float *column_shares;  // [PLI_INTERLEAVE * pitch] weight of the next coarse column, by part and index in it.
    int32_t pitch;         // Floats from row to row of the arrays below, whose rows are not interleaved.
    float *inverse_masses; // [rows * pitch] one over the mass of the finer nodes that move a node [1/kg].
    // [(rows + 1) * pitch] mass times position of the finer nodes in the four quadrants of a node: right and below,
    // left and below, right and above, left and above.
    float *sums[4][3];
    // [(rows + 1) * pitch] displacement by projection; before that, the position at restriction [m].
    float *displacements[3];
} pli_grid_level;

// Pairs of one kind: nodes a + i and b + i.
typedef struct pli_grid_levels_pairs {
    pli_soa at;
    const float *lengths; // Greatest length by layout index of the first node; INFINITY where there is no pair [m].
    int32_t a, b;
    float slack; // Allowed length over rest length, >= 1.
} pli_grid_levels_pairs;

typedef void (*pli_grid_levels_pass)(void *data, int32_t begin, int32_t end);

// Passes over the rows begin..end-1 of a pli_grid_level, and over pairs.
typedef struct pli_grid_levels_kernels {
    pli_grid_levels_pass sum;   // Restriction, first half: sums the finer rows between each row of nodes and the next.
    pli_grid_levels_pass place; // Restriction, second half: moves the nodes to their centres of mass.
    pli_grid_levels_pass find_displacements; // Displacement of nodes since restriction.
    pli_grid_levels_pass prolong;            // Prolongation over finer rows: adds the interpolated displacements.
    // Shortens the pairs of a pli_grid_levels_pairs that are too long; `begin` is a multiple of PLI_BATCH.
    pli_grid_levels_pass project_pairs;
} pli_grid_levels_kernels;

extern const pli_grid_levels_kernels PLI_NAMED(pli_grid_levels);

// Layout index of the first node of a row.
static inline int32_t pli_grid_levels_row(const pli_grid_levels *l, int32_t row)
{
    return (row & (l->planes - 1)) * l->plane + (row >> (l->planes - 1)) * l->pitch;
}

// Layout index of a row and column.
static inline int32_t pli_grid_levels_place(const pli_grid_levels *l, int32_t row, int32_t column)
{
    return pli_grid_levels_row(l, row) + column % PLI_INTERLEAVE * l->part + column / PLI_INTERLEAVE;
}

#endif
