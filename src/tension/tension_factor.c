// Multifrontal factorisation and substitution with blocks of three unknowns a particle: tension/tension_system.h. All sums are in
// double and have one order.
#include "tension/tension_factor.h"

#include "base/array.h"
#include "base/sort.h"
#include "sparse/front.h"

#include <string.h>

/* ---- structure ---------------------------------------------------------------------------------- */

static void link_children(pli_tension *t)
{
    const pli_dissection *d = &t->dissection;
    for (int32_t i = 0; i < d->node_count; i++)
        t->fronts[i].first_child = t->fronts[i].next_child = -1;
    for (int32_t i = d->node_count - 1; i >= 0; i--)
        if (d->nodes[i].parent >= 0) {
            t->fronts[i].next_child = t->fronts[d->nodes[i].parent].first_child;
            t->fronts[d->nodes[i].parent].first_child = i;
        }
}

// Adds a place as a row of the node if it lies behind its columns and is none yet; `local` marks by node.
static void add_row(pli_tension *t, int32_t node, int32_t place)
{
    pli_tension_front *f = &t->fronts[node];
    if (place < f->first + f->count || t->local[place] == node)
        return;
    t->local[place] = node;
    t->rows[f->rows + f->row_count++] = place;
}

static bool find_rows(pli_memory *memory, pli_tension *t, int32_t node)
{
    const pli_dissection *d = &t->dissection;
    pli_tension_front *f = &t->fronts[node];
    int64_t most = t->row_total;
    f->first = d->nodes[node].first, f->count = d->nodes[node].count, f->rows = t->row_total, f->row_count = 0;
    for (int32_t place = f->first; place < f->first + f->count; place++)
        most += t->graph.offsets[d->order[place] + 1] - t->graph.offsets[d->order[place]];
    for (int32_t child = f->first_child; child >= 0; child = t->fronts[child].next_child)
        most += t->fronts[child].row_count;
    if (!pli_reserve_unset(memory, &t->rows, &t->row_capacity, most, sizeof *t->rows))
        return false;
    for (int32_t place = f->first; place < f->first + f->count; place++)
        for (int32_t k = t->graph.offsets[d->order[place]]; k < t->graph.offsets[d->order[place] + 1]; k++)
            add_row(t, node, d->places[t->graph.columns[k]]);
    for (int32_t child = f->first_child; child >= 0; child = t->fronts[child].next_child)
        for (int32_t k = 0; k < t->fronts[child].row_count; k++)
            add_row(t, node, t->rows[t->fronts[child].rows + k]);
    pli_sort_integers(t->rows + f->rows, f->row_count);
    t->row_total += f->row_count;
    return true;
}

static void place_values(pli_tension *t)
{
    for (int32_t i = 0; i < t->dissection.node_count; i++) {
        pli_tension_front *f = &t->fronts[i];
        const int64_t size = 3 * ((int64_t)f->count + f->row_count), left = 3 * (int64_t)f->row_count;
        f->columns = t->column_total;
        t->column_total += 3 * (int64_t)f->count * size;
        t->front_most = size * size > t->front_most ? size * size : t->front_most;
        f->remainder = t->remainder_total;
        t->remainder_total += left * left;
    }
}

bool pli_tension_find_fronts(pli_memory *memory, pli_tension *t)
{
    const int32_t nodes = t->dissection.node_count;
    t->fronts = PLI_ALLOCATE(memory, pli_tension_front, nodes + 1);
    t->local = PLI_ALLOCATE_UNSET(memory, int32_t, t->free_count + 1);
    if (!t->fronts || !t->local)
        return false;
    link_children(t);
    for (int32_t place = 0; place < t->free_count; place++)
        t->local[place] = -1;
    for (int32_t i = 0; i < nodes; i++)
        if (!find_rows(memory, t, i))
            return false;
    place_values(t);
    t->columns = PLI_ALLOCATE_UNSET(memory, double, t->column_total + 1);
    t->remainders = PLI_ALLOCATE_UNSET(memory, double, t->remainder_total + 1);
    t->front = PLI_ALLOCATE_UNSET(memory, double, t->front_most + 1);
    return t->columns && t->remainders && t->front;
}

/* ---- values ------------------------------------------------------------------------------------- */

static void number_front(pli_tension *t, const pli_tension_front *f)
{
    for (int32_t k = 0; k < f->count; k++)
        t->local[f->first + k] = k;
    for (int32_t k = 0; k < f->row_count; k++)
        t->local[t->rows[f->rows + k]] = f->count + k;
}

static void add_blocks(const pli_tension *t, const pli_tension_front *f, pli_front front)
{
    const pli_dissection *d = &t->dissection;
    for (int32_t c = 0; c < f->count; c++) {
        const int32_t unknown = d->order[f->first + c];
        for (int32_t k = t->graph.offsets[unknown]; k < t->graph.offsets[unknown + 1]; k++) {
            const int32_t place = d->places[t->graph.columns[k]];
            if (place < f->first + c)
                continue;
            for (int32_t a = 0; a < 3; a++) {
                double *to = front.values + (size_t)(3 * c + a) * (size_t)front.size + 3 * t->local[place];
                for (int32_t b = 0; b < 3; b++)
                    to[b] += t->blocks[k][3 * a + b];
            }
        }
    }
}

static void add_child(const pli_tension *t, pli_front front, const pli_tension_front *child)
{
    const int32_t *rows = t->rows + child->rows, size = 3 * child->row_count;
    for (int32_t c = 0; c < size; c++) {
        double *to = front.values + (size_t)(3 * t->local[rows[c / 3]] + c % 3) * (size_t)front.size;
        const double *column = t->remainders + child->remainder + (int64_t)c * size;
        for (int32_t r = c / 3; r < child->row_count; r++)
            for (int32_t b = 0; b < 3; b++)
                to[3 * t->local[rows[r]] + b] += column[3 * r + b];
    }
}

static bool factor_front(pli_tension *t, int32_t node)
{
    const pli_tension_front *f = &t->fronts[node];
    const int32_t left = 3 * f->row_count;
    const pli_front front = {3 * f->count + left, 3 * f->count, t->front};
    memset(front.values, 0, (size_t)front.size * (size_t)front.size * sizeof *front.values);
    number_front(t, f);
    add_blocks(t, f, front);
    for (int32_t child = f->first_child; child >= 0; child = t->fronts[child].next_child)
        add_child(t, front, &t->fronts[child]);
    if (!pli_front_eliminate(front))
        return false;
    memcpy(t->columns + f->columns, front.values, (size_t)front.count * (size_t)front.size * sizeof *front.values);
    for (int32_t c = 0; c < left; c++)
        memcpy(t->remainders + f->remainder + (int64_t)c * left,
               front.values + (size_t)(front.count + c) * (size_t)front.size + front.count,
               (size_t)left * sizeof *t->remainders);
    return true;
}

bool pli_tension_factor(pli_tension *t)
{
    for (int32_t i = 0; i < t->dissection.node_count; i++)
        if (!factor_front(t, i))
            return false;
    return true;
}

/* ---- substitution ------------------------------------------------------------------------------- */

// Copies the unknowns of a front to its scratch, and back.
static void take(const pli_tension *t, const pli_tension_front *f, double *x)
{
    memcpy(x, t->ordered + 3 * (size_t)f->first, 3 * (size_t)f->count * sizeof *x);
    for (int32_t k = 0; k < f->row_count; k++)
        memcpy(x + 3 * (f->count + k), t->ordered + 3 * (size_t)t->rows[f->rows + k], 3 * sizeof *x);
}

static void forward(pli_tension *t, const pli_tension_front *f)
{
    const int32_t size = 3 * (f->count + f->row_count);
    double *x = t->front;
    take(t, f, x);
    for (int32_t c = 0; c < 3 * f->count; c++) {
        const double *column = t->columns + f->columns + (int64_t)c * size, value = x[c] / column[c];
        x[c] = value;
        for (int32_t r = c + 1; r < size; r++)
            x[r] -= column[r] * value;
    }
    memcpy(t->ordered + 3 * (size_t)f->first, x, 3 * (size_t)f->count * sizeof *x);
    for (int32_t k = 0; k < f->row_count; k++)
        memcpy(t->ordered + 3 * (size_t)t->rows[f->rows + k], x + 3 * (f->count + k), 3 * sizeof *x);
}

static void backward(pli_tension *t, const pli_tension_front *f)
{
    const int32_t size = 3 * (f->count + f->row_count);
    double *x = t->front;
    take(t, f, x);
    for (int32_t c = 3 * f->count - 1; c >= 0; c--) {
        const double *column = t->columns + f->columns + (int64_t)c * size;
        double value = x[c];
        for (int32_t r = c + 1; r < size; r++)
            value -= column[r] * x[r];
        x[c] = value / column[c];
    }
    memcpy(t->ordered + 3 * (size_t)f->first, x, 3 * (size_t)f->count * sizeof *x);
}

void pli_tension_substitute(pli_tension *t)
{
    const pli_dissection *d = &t->dissection;
    for (int32_t place = 0; place < d->count; place++)
        memcpy(t->ordered + 3 * place, t->vector + 3 * d->order[place], 3 * sizeof *t->vector);
    for (int32_t i = 0; i < d->node_count; i++)
        forward(t, &t->fronts[i]);
    for (int32_t i = d->node_count - 1; i >= 0; i--)
        backward(t, &t->fronts[i]);
    for (int32_t place = 0; place < d->count; place++)
        memcpy(t->vector + 3 * d->order[place], t->ordered + 3 * place, 3 * sizeof *t->vector);
}
