// Dense elimination of columns: base/sparse/front.h. Sums run in the same order on every machine.
#include "base/sparse/front.h"

#include <math.h>
#include <string.h>

enum {
    FRONT_BLOCK = 8
}; // The number of columns that are subtracted from the rest together, so that it is read and written once for all of them.

static double *column_of(pli_front front, int32_t column) { return front.values + (size_t)column * (size_t)front.size; }

// to -= a[k] columns[k] for the columns of a block, and rows begin..size-1.
static void subtract_block(pli_front front, const pli_panel_kernels *kernels, int32_t first, int32_t count,
                           int32_t to_column, int32_t begin)
{
    double *to = column_of(front, to_column) + begin;
    const int32_t rows = front.size - begin;
    for (int32_t k = first; k + 4 <= first + count; k += 4) {
        const double *columns[4];
        double weights[4];
        for (int32_t i = 0; i < 4; i++)
            columns[i] = column_of(front, k + i) + begin, weights[i] = column_of(front, k + i)[to_column];
        kernels->subtract_four(to, columns, weights, rows);
    }
    for (int32_t k = first + count / 4 * 4; k < first + count; k++)
        kernels->add_scaled(to, column_of(front, k) + begin, -column_of(front, k)[to_column], rows);
}

static bool eliminate_block(pli_front front, const pli_panel_kernels *kernels, int32_t first, int32_t count)
{
    for (int32_t k = first; k < first + count; k++) {
        subtract_block(front, kernels, first, k - first, k, k);
        double *column = column_of(front, k);
        if (!(column[k] > 0.0) || !isfinite(column[k]))
            return false;
        const double scale = 1.0 / sqrt(column[k]);
        for (int32_t row = k; row < front.size; row++)
            column[row] *= scale;
    }
    for (int32_t to = first + count; to < front.size; to++)
        subtract_block(front, kernels, first, count, to, to);
    return true;
}

bool pli_front_eliminate(pli_front front, const pli_panel_kernels *kernels)
{
    for (int32_t first = 0; first < front.count; first += FRONT_BLOCK)
        if (!eliminate_block(front, kernels, first,
                             front.count - first < FRONT_BLOCK ? front.count - first : FRONT_BLOCK))
            return false;
    return true;
}

// The inverse of the triangle, by columns, in the lower triangle of `inverse`.
static void invert_triangle(pli_front front, const pli_panel_kernels *kernels, double *inverse)
{
    const int32_t n = front.count;
    for (int32_t c = 0; c < n; c++) {
        double *x = inverse + (size_t)c * (size_t)n;
        memset(x, 0, (size_t)n * sizeof *x);
        x[c] = 1.0;
        for (int32_t k = c; k < n; k++) {
            const double *column = column_of(front, k), value = x[k] / column[k];
            x[k] = value;
            kernels->add_scaled(x + k + 1, column + k + 1, -value, n - k - 1);
        }
    }
}

// Overwrites a lower triangle T with the product T^T T, whose upper triangle and diagonal are stored there: entry (i, j) reads the columns
// i and j of T from the larger of i and j on, which no earlier entry has overwritten.
static void square_triangle(double *t, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i; j < n; j++) {
            const double *a = t + (size_t)i * (size_t)n, *b = t + (size_t)j * (size_t)n;
            double sum = 0.0;
            for (int32_t k = j; k < n; k++)
                sum += a[k] * b[k];
            t[(size_t)j * (size_t)n + (size_t)i] = sum;
        }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            t[(size_t)i * (size_t)n + (size_t)j] = t[(size_t)j * (size_t)n + (size_t)i];
}

void pli_front_invert(pli_front front, const pli_panel_kernels *kernels, double *inverse, double *coupling)
{
    const int32_t n = front.count, rows = front.size - front.count;
    invert_triangle(front, kernels, inverse);
    memset(coupling, 0, (size_t)n * (size_t)rows * sizeof *coupling);
    for (int32_t c = 0; c < n; c++) {
        double *to = coupling + (size_t)c * (size_t)rows;
        for (int32_t k = c; k < n; k++)
            kernels->add_scaled(to, column_of(front, k) + n, inverse[(size_t)c * (size_t)n + (size_t)k], rows);
    }
    square_triangle(inverse, n);
}
