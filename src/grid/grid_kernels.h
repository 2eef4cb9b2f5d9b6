// Particles of a grid by coordinate, while constraints run over them.
//
// Rows lie one after the other. In each, columns are dealt out to PLI_INTERLEAVE parts, column j to part j mod PLI_INTERLEAVE, so
// that constraints that are alike have their particles side by side and share none. Kernels load whole registers:
// behind a part lies the next one, and behind the last one slack, so that they see nothing of the next row.
#ifndef PLI_GRID_GRID_KERNELS_H
#define PLI_GRID_GRID_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

enum { PLI_INTERLEAVE = 4 };

typedef struct pli_grid_layout {
    int32_t rows, columns;
    int32_t part, pitch;  // Floats from one part to the next, and from row to row.
    pli_soa at, previous; // Positions while sets are projected; previous ones, without w, where damping reads them.
    float *memory;
} pli_grid_layout;

// Ropes from particles of a grid to anchors, at most one from each.
typedef struct pli_grid_tethers {
    const pli_grid_layout *grid;
    const float *lengths;   // [rows * pitch] of each place, infinite where there is none [m].
    const int32_t *anchors; // [rows * pitch] number of each place's anchor.
    const float *x, *y, *z; // Where anchors are.
    float slack;            // Length over rest length that is let be.
} pli_grid_tethers;

// Particles that are copied to a grid's layout or back.
typedef struct pli_grid_copy {
    const pli_grid_layout *grid;
    pli_particle *particles; // Of the deformable, row by row.
} pli_grid_copy;

// On the rows begin..end-1.
typedef void (*pli_grid_pass)(void *data, int32_t begin, int32_t end);

typedef struct pli_grid_kernels {
    pli_grid_pass enter, leave;   // Positions; data is a pli_grid_copy.
    pli_grid_pass enter_previous; // Previous positions, which are only read; data is a pli_grid_copy.
    pli_grid_pass tether;         // Data is a pli_grid_tethers.
} pli_grid_kernels;

extern const pli_grid_kernels PLI_NAMED(pli_grid_layout);

static inline int32_t pli_grid_place(const pli_grid_layout *grid, int32_t row, int32_t column)
{
    return row * grid->pitch + column % PLI_INTERLEAVE * grid->part + column / PLI_INTERLEAVE;
}

// Of the particle at an internal place of the deformable.
static inline int32_t pli_grid_at(const pli_grid_layout *grid, int32_t place)
{
    return pli_grid_place(grid, place / grid->columns, place % grid->columns);
}

// The other way: the internal place of the particle that lies at `at`.
static inline int32_t pli_grid_particle(const pli_grid_layout *grid, int32_t at)
{
    int32_t in_row = at % grid->pitch;
    return at / grid->pitch * grid->columns + in_row % grid->part * PLI_INTERLEAVE + in_row / grid->part;
}

#endif
