// The order, factor and substitution of a band: tension/tension_band.h. All sums are in double and have one order.
#include "tension/tension_band.h"

#include <string.h>

/* ---- order -------------------------------------------------------------------------------------- */

static int32_t degree_of(const pli_tension *t, int32_t row)
{
    return t->graph.offsets[row + 1] - t->graph.offsets[row];
}

// Adds the neighbours of a row that have no place yet, those with few neighbours first; equal ones in their own order.
static int32_t add_neighbours(const pli_tension *t, int32_t row, int32_t *order, int32_t *places, int32_t count)
{
    const int32_t first = count;
    for (int32_t k = t->graph.offsets[row]; k < t->graph.offsets[row + 1]; k++) {
        const int32_t column = t->graph.columns[k];
        if (places[column] >= 0)
            continue;
        places[column] = 0;
        int32_t at = count++;
        for (; at > first && degree_of(t, order[at - 1]) > degree_of(t, column); at--)
            order[at] = order[at - 1];
        order[at] = column;
    }
    return count;
}

// Breadth first from a row, behind the first `begin` places; returns the number of places then.
static int32_t spread(const pli_tension *t, int32_t start, int32_t begin, int32_t *order, int32_t *places)
{
    int32_t count = begin;
    order[count++] = start;
    places[start] = 0;
    for (int32_t at = begin; at < count; at++)
        count = add_neighbours(t, order[at], order, places, count);
    return count;
}

// A piece from a row of it: what is found last lies at an end of it, and so does what is found last from there.
static int32_t order_piece(const pli_tension *t, int32_t start, int32_t begin, int32_t *order, int32_t *places)
{
    enum { LOOKS = 3 };
    int32_t end = begin;
    for (int32_t look = 0; look < LOOKS; look++) {
        for (int32_t k = begin; k < end; k++)
            places[order[k]] = -1;
        end = spread(t, look ? order[end - 1] : start, begin, order, places);
    }
    return end;
}

bool pli_tension_order_band(pli_memory *memory, pli_tension *t)
{
    pli_dissection *d = &t->dissection;
    d->order = PLI_ALLOCATE_UNSET(memory, int32_t, t->free_count + 1);
    d->places = PLI_ALLOCATE_UNSET(memory, int32_t, t->free_count + 1);
    if (!d->order || !d->places)
        return false;
    d->count = t->free_count;
    for (int32_t i = 0; i < d->count; i++)
        d->places[i] = -1;
    for (int32_t i = 0, ordered = 0; i < d->count; i++)
        if (d->places[i] < 0)
            ordered = order_piece(t, i, ordered, d->order, d->places);
    for (int32_t place = 0; place < d->count; place++)
        d->places[d->order[place]] = place;
    t->band = 0;
    for (int32_t row = 0; row < d->count; row++)
        for (int32_t k = t->graph.offsets[row]; k < t->graph.offsets[row + 1]; k++) {
            const int32_t reach = d->places[t->graph.columns[k]] - d->places[row];
            t->band = reach > t->band ? reach : t->band;
        }
    return true;
}

/* ---- values ------------------------------------------------------------------------------------- */

// Column c begins at c * width with its diagonal, and has the entries below it one after another.
static int32_t width_of(const pli_tension *t) { return 3 * t->band + 3; }

bool pli_tension_find_band(pli_memory *memory, pli_tension *t)
{
    // Behind the last column lies what its updates of rows that are not there would reach.
    t->column_total = (3 * (int64_t)t->free_count + width_of(t)) * width_of(t);
    t->columns = PLI_ALLOCATE_UNSET(memory, double, t->column_total + 1);
    return t->columns != NULL;
}

static void fill_columns(pli_tension *t)
{
    const pli_dissection *d = &t->dissection;
    const int32_t width = width_of(t);
    memset(t->columns, 0, (size_t)t->column_total * sizeof *t->columns);
    for (int32_t row = 0; row < t->free_count; row++)
        for (int32_t k = t->graph.offsets[row]; k < t->graph.offsets[row + 1]; k++) {
            const int32_t ahead = d->places[t->graph.columns[k]] - d->places[row];
            if (ahead < 0)
                continue;
            for (int32_t a = 0; a < 3; a++)
                for (int32_t b = ahead ? 0 : a; b < 3; b++)
                    t->columns[(int64_t)(3 * d->places[row] + a) * width + 3 * ahead + b - a] = t->blocks[k][3 * a + b];
        }
}

bool pli_tension_factor_band(pli_tension *t)
{
    const int32_t width = width_of(t);
    fill_columns(t);
    for (int32_t c = 0; c < 3 * t->free_count; c++) {
        double *column = t->columns + (int64_t)c * width;
        if (!(column[0] > 0.0))
            return false;
        for (int32_t r = 1; r < width; r++) {
            const double share = column[r] / column[0];
            double *to = column + (int64_t)r * width;
            for (int32_t k = r; k < width && share != 0.0; k++)
                to[k - r] -= share * column[k];
        }
        for (int32_t r = 1; r < width; r++)
            column[r] /= column[0];
    }
    return true;
}

void pli_tension_substitute_band(pli_tension *t)
{
    const pli_dissection *d = &t->dissection;
    const int32_t width = width_of(t), count = 3 * t->free_count;
    double *x = t->ordered;
    for (int32_t place = 0; place < d->count; place++)
        memcpy(x + 3 * (size_t)place, t->vector + 3 * (size_t)d->order[place], 3 * sizeof *x);
    for (int32_t c = 0; c < count; c++) {
        const double *column = t->columns + (int64_t)c * width;
        for (int32_t r = 1; r < width && c + r < count; r++)
            x[c + r] -= column[r] * x[c];
    }
    for (int32_t c = count - 1; c >= 0; c--) {
        const double *column = t->columns + (int64_t)c * width;
        double value = x[c] / column[0];
        for (int32_t r = 1; r < width && c + r < count; r++)
            value -= column[r] * x[c + r];
        x[c] = value;
    }
    for (int32_t place = 0; place < d->count; place++)
        memcpy(t->vector + 3 * (size_t)d->order[place], x + 3 * (size_t)place, 3 * sizeof *x);
}
