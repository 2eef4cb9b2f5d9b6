// Kernels of a solved membrane over triangles, PLI_BATCH at a time, and over particles. They are compiled once for each SIMD back end.
//
// A triangle with the deformation gradient F = (a, b), a = sum p_k x_k and b = sum q_k x_k, has the polar decomposition F = R U, Biot's
// strain U - 1 and the energy of the law in membrane.c. With r1, r2 the columns of R, n the normal and t = U12 / tr U,
//
//   dU11 = a.r1 + t (a.r2 - b.r1),   dU22 = b.r2 - t (a.r2 - b.r1),   2 dU12 = 2 / tr U (U22 a.r2 + U11 b.r1)
//
// where a and b now belong to a displacement. Its matrix is the sum of three terms: J^T K J of these strains, the tensile stress acting on
// displacements normal to the triangle, and the stress acting on in-plane rotation, where a straight displacement is longer than an arc.
//
// An edge of length l is a triangle whose last two corners are its second particle, with a = (x1 - x0) / l, b = 0, and
// k11 = l^2 / compliance as its only stiffness. Any two directions perpendicular to it serve as r2 and n. A slack tether has no directions
// and hence no stiffness.
#ifndef PLI_STRETCH_MEMBRANE_KERNELS_H
#define PLI_STRETCH_MEMBRANE_KERNELS_H

#include "constraints/projection.h"
#include "stretch/block_matrix.h"

// Rows of a batch: the rest shape and the material, and the current shape.
enum {
    PLI_SHEET_P1,
    PLI_SHEET_P2,
    PLI_SHEET_Q1,
    PLI_SHEET_Q2,
    PLI_SHEET_K11,
    PLI_SHEET_K12,
    PLI_SHEET_K22,
    PLI_SHEET_K33,
    PLI_SHEET_DAMPING,
    PLI_SHEET_TETHER, // 1 for an edge that only pulls.
    PLI_SHEET_ROWS
};
enum {
    PLI_SHAPE_R1,
    PLI_SHAPE_R2 = 3,
    PLI_SHAPE_T = 6,
    PLI_SHAPE_C1,
    PLI_SHAPE_C2,
    PLI_SHAPE_TURN,
    PLI_SHAPE_ACROSS,
    PLI_SHAPE_ROWS = PLI_SHAPE_ACROSS + 3
};

// Each row has PLI_BATCH values of one quantity; the rows of a batch follow one another.
typedef struct pli_sheets {
    int32_t *corners; // Rows of 3: particles.
    float *
        sheets; // Rows of PLI_SHEET_ROWS: how a and b follow the corners, stiffness times area [N m], damping time over h.
    float *shapes;          // Rows of PLI_SHAPE_ROWS.
    int32_t *places;        // Rows of 3: the place of each corner when all corners are sorted by particle.
    pli_particle *pulls;    // By place: the force on the corner, or minus the product with a displacement.
    pli_particle *diagonal; // By place: the corner's block of the matrix, xx yy zz xy and xz yz.
    pli_particle *aside;    // Rows of 9: off-diagonal blocks of corners 0 and 1, 0 and 2, 1 and 2, three columns each.
    float *gains;           // The energy gained by each triangle [J].
    bool edges;             // Some triangles are edges.
    const pli_particle *positions, *bases; // Current positions; positions that damping refers to, or null.
    const pli_particle *earlier;           // Positions at the start, for the gains of energy.
    const pli_particle *moves;             // Displacements.
} pli_sheets;

// The diagonal blocks of particles, and the first iterate of Jacobi's method.
typedef struct pli_sheet_nodes {
    pli_particle *blocks; // [2 * particles] xx yy zz xy and xz yz; then the inverses. The inverse of a zero block is 0.
    const pli_particle *right, *left;
    pli_particle *solution; // relaxation * inverse * right; the last step adds the same expression of `left`.
    float *products;        // By piece: three products of vectors for each lane, see find_products in membrane.c.
    float relaxation;
    int32_t batches, piece; // The number of all batches, and of the batches of a piece.
} pli_sheet_nodes;

// Sums the products of rows of blocks with vectors, PLI_BATCH rows at a time. A batch has one slot for each block of its longest row; the
// slots after the last block of a row are 0.
typedef struct pli_block_rows {
    int32_t count;    // Rows.
    int32_t *spans;   // [batches + 1] the slots of each batch.
    int32_t *sources; // By slot and row: the index of the block in `from`,
    int32_t *columns; // and the index of the vector that it multiplies.
    float *values;    // By slot: 9 values for each row, column by column.
    const pli_block *from;
    const float *joins; // 0 for rows that do not change; null where all rows change.
    const pli_particle *x;
    pli_particle *y; // The sums are added to this vector.
} pli_block_rows;

// How nodes follow their parents: blocks by row and slot, stored in the values of `rows`, and transposed in `to`.
typedef struct pli_follow {
    const pli_block_rows *rows;
    const float *weights;                // By slot and row, -1 where there is no parent.
    const pli_particle *points, *coarse; // Positions of the nodes, and of the nodes of the next level.
    pli_block *to;
} pli_follow;

typedef void (*pli_membrane_pass)(void *data, int32_t begin, int32_t end);

typedef struct pli_membrane_kernels {
    // Over batches of a pli_sheets.
    pli_membrane_pass strain;   // Shapes, forces and diagonal blocks.
    pli_membrane_pass measure;  // Energy gained by each triangle.
    pli_membrane_pass multiply; // Products with the displacements.
    pli_membrane_pass couple;   // Off-diagonal blocks.
    // Over batches of particles of a pli_sheet_nodes, whose arrays are padded to full batches.
    pli_membrane_pass begin;
    // Over pieces of particles: the last step of Jacobi's method, and the products for the step length.
    pli_membrane_pass relax;
    // Over batches of a pli_block_rows.
    pli_membrane_pass pack; // Packs the values.
    pli_membrane_pass add_products;
    // Over batches of the rows of a pli_follow.
    pli_membrane_pass follow;
} pli_membrane_kernels;

extern const pli_membrane_kernels PLI_NAMED(pli_membrane);

#endif
