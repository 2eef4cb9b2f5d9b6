// Structure-of-arrays layout of the particles of a grid, while constraint runs are projected over it, and its kernels.
// Compiled once for each SIMD back end.
//
// Rows follow one another. In each row the columns are interleaved into PLI_INTERLEAVE parts: column j is in part j mod PLI_INTERLEAVE at
// position j / PLI_INTERLEAVE. Then constraints of one kind on columns of one part have contiguous particles and share none, so that
// kernels load full registers without index lists:
//
//   columns of a row       0 1 2 3 4 5 6 7 8 9
//   in memory (x)        | 0 4 8 . | 1 5 9 . | 2 6 . . | 3 7 . . | slack |      and so y, z, w in arrays of their own
//                          part 0    part 1    part 2    part 3
//                        |<- part ->|                             |
//                        |<------------------ pitch ---------------------->|   one row
//
// A register that extends beyond its part contains the next part, and beyond the last part the slack of PLI_BATCH floats, never the next
// row.
#ifndef PLI_SWEEP_GRID_GRID_KERNELS_H
#define PLI_SWEEP_GRID_GRID_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

// Number of parts of a row: edges, triangles and bending stencils of a grid span less than four columns.
enum { PLI_INTERLEAVE = 4 };

typedef struct pli_grid_layout {
    int32_t rows, columns; // Vertices of the grid in both directions.
    int32_t part, pitch;   // Floats from one part to the next, and from one row to the next.
    // Positions; positions at the start of the substep, for damping, and losses, without w; [rows * pitch] each [m].
    pli_soa at, previous, lost;
    float *memory; // The allocation of all arrays.
} pli_grid_layout;

// Particles that are copied to the layout of a grid or back.
typedef struct pli_grid_copy {
    const pli_grid_layout *grid;
    pli_particle *particles; // Particles of the deformable, row by row.
} pli_grid_copy;

// One pass over the rows begin..end-1.
typedef void (*pli_grid_pass)(void *data, int32_t begin, int32_t end);

typedef struct pli_grid_kernels {
    pli_grid_pass enter, leave;   // Copies particles to the layout, and positions back; `data` is a pli_grid_copy.
    pli_grid_pass enter_previous; // Copies previous positions, which are only read; `data` is a pli_grid_copy.
    pli_grid_pass enter_lost, leave_lost; // Copies losses to the layout, and back; `data` is a pli_grid_copy.
} pli_grid_kernels;

extern const pli_grid_kernels PLI_NAMED(pli_grid_layout);

// Layout index of a row and column.
static inline int32_t pli_grid_place(const pli_grid_layout *grid, int32_t row, int32_t column)
{
    return row * grid->pitch + column % PLI_INTERLEAVE * grid->part + column / PLI_INTERLEAVE;
}

// Layout index of the particle at internal index `place`.
static inline int32_t pli_grid_at(const pli_grid_layout *grid, int32_t place)
{
    return pli_grid_place(grid, place / grid->columns, place % grid->columns);
}

// Inverse of pli_grid_at: internal index of the particle at layout index `at`.
static inline int32_t pli_grid_particle(const pli_grid_layout *grid, int32_t at)
{
    int32_t in_row = at % grid->pitch;
    return at / grid->pitch * grid->columns + in_row % grid->part * PLI_INTERLEAVE + in_row / grid->part;
}

#endif
