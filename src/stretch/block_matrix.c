// Matrices of blocks: stretch/block_matrix.h.
#include "stretch/block_matrix.h"

// A block is singular if its determinant is below this fraction of the cube of its trace.
#define LEAST_DETERMINANT 1e-20

int32_t pli_sorted_place(const int32_t *numbers, int32_t count, int32_t number)
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool pli_block_matrix_make(pli_memory *memory, int32_t count, int32_t *offsets, int32_t *columns,
                           pli_block_matrix *matrix)
{
    *matrix = (pli_block_matrix){.count = count, .offsets = offsets, .columns = columns};
    matrix->diagonal = PLI_ALLOCATE(memory, int32_t, count + 1);
    matrix->blocks = PLI_ALLOCATE(memory, pli_block, offsets[count] + 1);
    matrix->inverse = PLI_ALLOCATE(memory, pli_block, count + 1);
    matrix->mirror = PLI_ALLOCATE(memory, int32_t, offsets[count] + 1);
    if (!matrix->diagonal || !matrix->mirror || !matrix->blocks || !matrix->inverse)
        return false;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = offsets[i]; k < offsets[i + 1]; k++) {
            const int32_t other = columns[k];
            matrix->mirror[k] = offsets[other] +
                                pli_sorted_place(columns + offsets[other], offsets[other + 1] - offsets[other], i);
            if (columns[k] == i)
                matrix->diagonal[i] = k;
        }
    return true;
}

void pli_block_matrix_free(pli_memory *memory, pli_block_matrix *matrix)
{
    void *const arrays[] = {matrix->offsets, matrix->columns, matrix->diagonal,
                            matrix->mirror,  matrix->blocks,  matrix->inverse};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    *matrix = (pli_block_matrix){0};
}

// The inverse of a symmetric positive definite block, or 0 if it is singular.
static pli_block inverse_of(const pli_block *block)
{
    const double a = (double)block->at[0], b = (double)block->at[4], c = (double)block->at[8], d = (double)block->at[5],
                 e = (double)block->at[9], f = (double)block->at[10];
    const double aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
    const double determinant = a * aa + b * ab + c * ac, trace = a + d + f;
    if (!(determinant > LEAST_DETERMINANT * trace * trace * trace))
        return (pli_block){{0.0f}};
    const double s = 1.0 / determinant;
    const float xx = (float)(s * aa), xy = (float)(s * ab), xz = (float)(s * ac);
    const float yy = (float)(s * (a * f - c * c)), yz = (float)(s * (b * c - a * e)), zz = (float)(s * (a * d - b * b));
    return (pli_block){{xx, xy, xz, 0.0f, xy, yy, yz, 0.0f, xz, yz, zz, 0.0f}};
}

void pli_block_matrix_mirror(const pli_block_matrix *matrix, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        for (int32_t k = matrix->offsets[i]; k < matrix->diagonal[i]; k++)
            matrix->blocks[k] = pli_block_transposed(matrix->blocks[matrix->mirror[k]].at);
}

void pli_block_matrix_invert(const pli_block_matrix *matrix, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        matrix->inverse[i] = inverse_of(&matrix->blocks[matrix->diagonal[i]]);
}
