// Assembly of symmetric sparse matrices: entries are counted by row and stored there; the entries of a row are then sorted and merged.
#include "base/sparse/symmetric_matrix.h"

#include <string.h>

typedef struct assembling {
    const pli_elements *elements;
    const double *diagonal;
    int32_t *offsets; // [count + 1] of the entries before duplicates are added.
    int32_t *columns;
    double *values;
} assembling;

static int32_t element_size(const pli_elements *e, int32_t element)
{
    return e->offsets ? e->offsets[element + 1] - e->offsets[element] : e->size;
}

// Runs its body for every entry of every element whose row and column are not fixed; k is the index of the entry among the values.
#define FOR_ENTRIES(e, k, row, column, ...)                                                                            \
    for (size_t k = 0, at_ = 0, first_ = 0; at_ < (size_t)(e)->count;                                                  \
         first_ += (size_t)element_size(e, (int32_t)at_++))                                                            \
        for (size_t i_ = 0, size_ = (size_t)element_size(e, (int32_t)at_); i_ < size_; i_++)                           \
            for (size_t j_ = 0; j_ < size_; j_++, k++) {                                                               \
                const int32_t row = (e)->unknowns[first_ + i_], column = (e)->unknowns[first_ + j_];                   \
                if (row >= 0 && column >= 0) {                                                                         \
                    __VA_ARGS__                                                                                        \
                }                                                                                                      \
            }

// The number of entries of all elements, including fixed ones.
static int64_t element_entries(const pli_elements *e)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < e->count; i++)
        sum += (int64_t)element_size(e, i) * element_size(e, i);
    return sum;
}

static void count_entries(const assembling *a, int32_t count)
{
    const pli_elements *e = a->elements;
    for (int32_t row = 0; row < count; row++)
        a->offsets[row + 1] = 1;
    FOR_ENTRIES(e, k, row, column, { (void)k, (void)column, a->offsets[row + 1]++; })
    for (int32_t row = 0; row < count; row++)
        a->offsets[row + 1] += a->offsets[row];
}

// Leaves offsets[row] at the end of the row, where the next row begins.
static void put_entries(const assembling *a, int32_t count)
{
    const pli_elements *e = a->elements;
    for (int32_t row = 0; row < count; row++) {
        a->columns[a->offsets[row]] = row;
        a->values[a->offsets[row]++] = a->diagonal[row];
    }
    FOR_ENTRIES(e, k, row, column, {
        a->columns[a->offsets[row]] = column;
        a->values[a->offsets[row]++] = e->values[k];
    })
}

// Rows are short: insertion sort keeps the order of equal columns, so sums are the same on every machine.
static void sort_row(int32_t *columns, double *values, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        const int32_t column = columns[i];
        const double value = values[i];
        int32_t at = i;
        for (; at > 0 && columns[at - 1] > column; at--)
            columns[at] = columns[at - 1], values[at] = values[at - 1];
        columns[at] = column, values[at] = value;
    }
}

// Appends a sorted row to `matrix` and adds entries of equal columns.
static void append_row(pli_symmetric_matrix *matrix, int32_t row, const int32_t *columns, const double *values,
                       int32_t count)
{
    int32_t end = matrix->offsets[row];
    for (int32_t i = 0; i < count; i++) {
        if (i > 0 && columns[i] == columns[i - 1])
            matrix->values[end - 1] += values[i];
        else
            matrix->columns[end] = columns[i], matrix->values[end++] = values[i];
    }
    matrix->offsets[row + 1] = end;
}

bool pli_symmetric_matrix_assemble(pli_memory *memory, int32_t count, const pli_elements *elements,
                                   const double *diagonal, pli_symmetric_matrix *matrix)
{
    *matrix = (pli_symmetric_matrix){.count = count};
    const int64_t most = element_entries(elements) + count;
    if (most > INT32_MAX)
        return false;
    assembling a = {elements, diagonal, PLI_ALLOCATE(memory, int32_t, count + 1), NULL, NULL};
    matrix->offsets = PLI_ALLOCATE(memory, int32_t, count + 1);
    a.columns = matrix->columns = PLI_ALLOCATE_UNSET(memory, int32_t, most);
    a.values = matrix->values = PLI_ALLOCATE_UNSET(memory, double, most);
    const bool enough = a.offsets && matrix->offsets && matrix->columns && matrix->values;
    if (enough) {
        count_entries(&a, count);
        put_entries(&a, count);
        for (int32_t row = 0, begin = 0; row < count; begin = a.offsets[row++]) {
            sort_row(a.columns + begin, a.values + begin, a.offsets[row] - begin);
            append_row(matrix, row, a.columns + begin, a.values + begin, a.offsets[row] - begin);
        }
    }
    pli_release(memory, a.offsets);
    if (!enough)
        pli_symmetric_matrix_free(memory, matrix);
    return enough;
}

void pli_symmetric_matrix_free(pli_memory *memory, pli_symmetric_matrix *matrix)
{
    pli_release(memory, matrix->offsets);
    pli_release(memory, matrix->columns);
    pli_release(memory, matrix->values);
    *matrix = (pli_symmetric_matrix){0};
}
