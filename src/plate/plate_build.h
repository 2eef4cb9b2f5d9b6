// The lists, the matrix and the factorisation of a plate are made from its shape at rest and its masses.
#ifndef PLI_PLATE_PLATE_BUILD_H
#define PLI_PLATE_PLATE_BUILD_H

#include "model/model.h"
#include "plate/plate_kernels.h"
#include "sparse/solve.h"

// A plate serves as long as this is the same.
typedef struct pli_plate_key {
    float interval, rigidity, poisson; // H [s], D [N m], nu.
    int32_t count, capacity;
    uint64_t shape; // Hash of its triangles where it may be cut.
} pli_plate_key;

typedef struct pli_plate_state {
    pli_plate_key key;
    float *masses; // [count] inverse masses in effect [1/kg].
    pli_plate_lists lists;
    int32_t edge_batches, triangle_batches;
    int32_t interval; // Substeps in an interval.
    // Unknowns: the particles that are not fixed, then the derivatives of all edges, times `unit` [m].
    int32_t free_count, derivative_count;
    float unit;
    int32_t *free_particles;                 // [free_count] internal places.
    int32_t *pull_begins, *pull_places;      // [free_count + 1] ranges of the places of its forces in lists.pulls.
    int32_t *first_moments, *second_moments; // [derivative_count] places in lists.moments; the second is -1 at borders.
    pli_particle *ahead;                     // [count] lists.ahead.
    pli_factor factor;
    pli_solve_scratch scratch; // Its vector has the residual, then the correction d.
} pli_plate_state;

// Fills a zeroed state whose key is set. PLI_FACTOR_NOT_POSITIVE where a triangle is degenerate or numbers are out of range.
pli_factor_result pli_plate_state_build(pli_world *world, const pli_deformable_data *deformable,
                                        pli_plate_state *state);
void pli_plate_state_clear(pli_memory *memory, pli_plate_state *state);

#endif
