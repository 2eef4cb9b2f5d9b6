// Square matrices of 3 x 3 blocks in compressed rows, in floats: a row and a column for each node of a level of the membrane solver.
// Vectors have a pli_particle for each node, whose w is 0.
#ifndef PLI_STRETCH_BLOCK_MATRIX_H
#define PLI_STRETCH_BLOCK_MATRIX_H

#include "base/memory.h"
#include "base/simd/wide.h"

#include <stdint.h>

// A block as its three columns, each padded by a 0.
typedef struct pli_block {
    float at[12];
} pli_block;

typedef struct pli_block_matrix {
    int32_t count;      // Rows.
    int32_t *offsets;   // [count + 1] first block of each row.
    int32_t *columns;   // [blocks] ascending within a row.
    int32_t *diagonal;  // [count] the diagonal block of each row.
    int32_t *mirror;    // [blocks] the block with row and column exchanged.
    pli_block *blocks;  // [blocks]
    pli_block *inverse; // [count] inverses of the diagonal blocks; 0 for singular blocks.
} pli_block_matrix;

// The index of a number in an ascending list that contains it.
int32_t pli_sorted_place(const int32_t *numbers, int32_t count, int32_t number);

// Makes a symmetric matrix with these offsets and columns. It takes ownership of both, also when memory ran out, and returns false then.
bool pli_block_matrix_make(pli_memory *memory, int32_t count, int32_t *offsets, int32_t *columns,
                           pli_block_matrix *matrix);
void pli_block_matrix_free(pli_memory *memory, pli_block_matrix *matrix);

// Copies the blocks above the diagonal to the blocks below it in these rows.
void pli_block_matrix_mirror(const pli_block_matrix *matrix, int32_t begin, int32_t end);
// Inverts the diagonal blocks of these rows.
void pli_block_matrix_invert(const pli_block_matrix *matrix, int32_t begin, int32_t end);

static inline pli_particle pli_block_times(const float *block, pli_particle x)
{
    return (pli_particle){
        block[0] * x.x + block[4] * x.y + block[8] * x.z, block[1] * x.x + block[5] * x.y + block[9] * x.z,
        block[2] * x.x + block[6] * x.y + block[10] * x.z, block[3] * x.x + block[7] * x.y + block[11] * x.z};
}

// to += a b^T, where `to` is neither a nor b.
static inline void pli_block_add_product(float *restrict to, const float *restrict a, const float *restrict b)
{
    for (int32_t c = 0; c < 3; c++) {
        const float x = b[c], y = b[4 + c], z = b[8 + c];
        for (int32_t r = 0; r < 4; r++)
            to[4 * c + r] += a[r] * x + a[4 + r] * y + a[8 + r] * z;
    }
}

static inline pli_block pli_block_transposed(const float *a)
{
    return (pli_block){{a[0], a[4], a[8], 0.0f, a[1], a[5], a[9], 0.0f, a[2], a[6], a[10], 0.0f}};
}

static inline pli_particle pli_block_transposed_times(const float *block, pli_particle x)
{
    return (pli_particle){block[0] * x.x + block[1] * x.y + block[2] * x.z,
                          block[4] * x.x + block[5] * x.y + block[6] * x.z,
                          block[8] * x.x + block[9] * x.y + block[10] * x.z, 0.0f};
}

static inline pli_particle pli_particle_sum(pli_particle a, pli_particle b)
{
    return (pli_particle){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

static inline pli_particle pli_particle_add_scaled(pli_particle a, pli_particle b, float s)
{
    return (pli_particle){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w};
}

// b - A x with the blocks from `begin` to `end` - 1 of a row.
static inline pli_particle pli_block_row_left(const pli_block_matrix *matrix, int32_t begin, int32_t end,
                                              pli_particle b, const pli_particle *x)
{
    for (int32_t k = begin; k < end; k++)
        b = pli_particle_add_scaled(b, pli_block_times(matrix->blocks[k].at, x[matrix->columns[k]]), -1.0f);
    return b;
}

#endif
