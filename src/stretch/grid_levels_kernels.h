// Levels of a grid: coarser grids whose nodes are centres of mass of the finer one's.
//
// Nodes of a level lie by coordinate. Its columns are dealt out to PLI_INTERLEAVE parts like those of the particles
// (wide/columns.h), and its rows to two planes, so that pairs which are alike, along rows, down columns or across,
// are two runs of numbers from end to end of the level and share no node.
#ifndef PLI_STRETCH_GRID_LEVELS_KERNELS_H
#define PLI_STRETCH_GRID_LEVELS_KERNELS_H

#include "grid/grid_kernels.h"

// Where the nodes of a level, or the particles, are.
typedef struct pli_grid_levels {
    int32_t rows, columns;
    int32_t planes;             // That rows are dealt out to: 1 or 2.
    int32_t plane, part, pitch; // Floats from one plane to the next, from part to part, and from row to row of a plane.
    pli_soa at;
} pli_grid_levels;

// A level over a finer one, or over the particles. Node (i, j) is followed by the finer rows and columns between
// those before and behind it; a finer row r follows the coarse rows r / PLI_INTERLEAVE and the next.
typedef struct pli_grid_level {
    pli_grid_levels nodes;
    const pli_grid_levels *finer;
    float *masses;         // By place of the finer; 0 where there is none and of what is held [kg].
    float *row_shares;     // [finer rows] the share of the next row.
    float *column_shares;  // [PLI_INTERLEAVE * pitch] of the next column, by part and place in it.
    int32_t pitch;         // Floats from row to row of what follows, all of a row together.
    float *inverse_masses; // [rows * pitch] of what moves each node, one over their sum [1/kg].
    float *sums[4][3];     // [(rows + 1) * pitch] mass times place of what lies right of and below each node, left and
                           // below, right and above, left and above.
    float *moves[3];       // [(rows + 1) * pitch] how far nodes were moved; before that, from where [m].
} pli_grid_level;

// Pairs that are alike: from a + i to b + i.
typedef struct pli_grid_levels_pairs {
    pli_soa at;
    const float *lengths; // By place of the first; infinite where there is none [m].
    int32_t a, b;
    float slack; // Length over rest length that is let be.
} pli_grid_levels_pairs;

typedef void (*pli_grid_levels_pass)(void *data, int32_t begin, int32_t end);

// Data of all but the last is a pli_grid_level.
typedef struct pli_grid_levels_kernels {
    pli_grid_levels_pass sum;        // Rows of nodes: from the finer rows between each and the next.
    pli_grid_levels_pass place;      // Rows of nodes: brings them to their centres.
    pli_grid_levels_pass find_moves; // Rows of nodes: how far they are from there now.
    pli_grid_levels_pass spread;     // Finer rows: moves them as far as what they follow.
    pli_grid_levels_pass
        pull; // Pairs of a pli_grid_levels_pairs that are too long; ranges begin at multiples of PLI_BATCH.
} pli_grid_levels_kernels;

extern const pli_grid_levels_kernels PLI_NAMED(pli_grid_levels);

// The first of a row.
static inline int32_t pli_grid_levels_row(const pli_grid_levels *l, int32_t row)
{
    return (row & (l->planes - 1)) * l->plane + (row >> (l->planes - 1)) * l->pitch;
}

static inline int32_t pli_grid_levels_place(const pli_grid_levels *l, int32_t row, int32_t column)
{
    return pli_grid_levels_row(l, row) + column % PLI_INTERLEAVE * l->part + column / PLI_INTERLEAVE;
}

#endif
