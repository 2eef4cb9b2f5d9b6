// Sparse factorisation in blocks: sparse/factor.h. The structure is found first, then the values, node by node.
#include "sparse/factor.h"

#include "base/sort.h"
#include "sparse/front.h"

#include <string.h>

// The Schur complement that a node passes to its parent: the lower triangle by columns, over its rows without padding.
typedef struct remainder_matrix {
    int32_t size;
    double *values;
} remainder_matrix;

typedef struct factoring {
    pli_memory *memory;
    const pli_symmetric_matrix *matrix;
    pli_factor *factor;
    int32_t *first_child, *next_child; // [nodes] the tree downwards; -1 ends a list.
    int32_t *local;                    // [unknowns] index in the front of a place, or the node that marked it.
    remainder_matrix *remainders;      // [nodes]
    double *front, *inverse, *coupling;
    int32_t place_capacity;
} factoring;

static int32_t padded(int32_t count) { return pli_factor_padded(count, PLI_FACTOR_ROWS); }

static int32_t *rows_of(const pli_factor *factor, int32_t node)
{
    return factor->places + factor->nodes[node].places + factor->nodes[node].count;
}

/* ---- structure ---------------------------------------------------------------------------------- */

static void link_children(const factoring *f)
{
    const pli_dissection *d = &f->factor->dissection;
    for (int32_t i = 0; i < d->node_count; i++)
        f->first_child[i] = f->next_child[i] = -1;
    for (int32_t i = d->node_count - 1; i >= 0; i--)
        if (d->nodes[i].parent >= 0) {
            f->next_child[i] = f->first_child[d->nodes[i].parent];
            f->first_child[d->nodes[i].parent] = i;
        }
}

// Adds a place to the rows of a node if it is after the columns of the node and not yet among its rows.
static void add_row(const factoring *f, int32_t node, int32_t *rows, int32_t end, int32_t place)
{
    if (place < end || f->local[place] == node)
        return;
    f->local[place] = node;
    rows[f->factor->nodes[node].row_count++] = place;
}

// Finds the rows of a node: neighbours of its unknowns and rows of its children that come after it in the order.
static bool find_rows(factoring *f, int32_t i)
{
    pli_factor *factor = f->factor;
    const pli_dissection *d = &factor->dissection;
    const pli_dissection_node node = d->nodes[i];
    const int32_t end = node.first + node.count;
    int64_t most = factor->place_total + node.count + PLI_FACTOR_PLACES;
    for (int32_t place = node.first; place < end; place++)
        most += f->matrix->offsets[d->order[place] + 1] - f->matrix->offsets[d->order[place]];
    for (int32_t child = f->first_child[i]; child >= 0; child = f->next_child[child])
        most += factor->nodes[child].row_count;
    if (!pli_reserve_unset(f->memory, &factor->places, &f->place_capacity, most, sizeof *factor->places))
        return false;
    factor->nodes[i] = (pli_factor_node){.first = node.first, .count = node.count, .places = factor->place_total};
    int32_t *rows = rows_of(factor, i);
    for (int32_t place = node.first; place < end; place++)
        rows[place - end] = place;
    for (int32_t place = node.first; place < end; place++)
        for (int32_t k = f->matrix->offsets[d->order[place]]; k < f->matrix->offsets[d->order[place] + 1]; k++)
            add_row(f, i, rows, end, d->places[f->matrix->columns[k]]);
    for (int32_t child = f->first_child[i]; child >= 0; child = f->next_child[child])
        for (int32_t k = 0; k < factor->nodes[child].row_count; k++)
            add_row(f, i, rows, end, rows_of(factor, child)[k]);
    const int32_t count = factor->nodes[i].row_count;
    pli_sort_integers(rows, count);
    const int32_t length = pli_factor_padded(node.count + count, PLI_FACTOR_PLACES);
    for (int32_t k = node.count + count; k < length; k++)
        rows[k - node.count] = d->count;
    factor->place_total += length;
    return true;
}

static bool find_structure(factoring *f)
{
    pli_factor *factor = f->factor;
    const pli_dissection *d = &factor->dissection;
    link_children(f);
    for (int32_t place = 0; place < d->count; place++)
        f->local[place] = -1;
    for (int32_t i = 0; i < d->node_count; i++) {
        if (!find_rows(f, i))
            return false;
        pli_factor_node *node = &factor->nodes[i];
        const int32_t columns = padded(node->count), rows = node->count > 0 ? padded(node->row_count) : 0;
        const int32_t all = pli_factor_padded(node->count + node->row_count, PLI_FACTOR_PLACES);
        node->forward = factor->value_total;
        factor->value_total += (int64_t)columns * rows;
        factor->most_columns = all > factor->most_columns ? all : factor->most_columns;
        factor->most_rows = columns > factor->most_rows ? columns : factor->most_rows;
        factor->most_rows = rows > factor->most_rows ? rows : factor->most_rows;
    }
    for (int32_t i = d->node_count - 1; i >= 0; i--) {
        pli_factor_node *node = &factor->nodes[i];
        node->backward = factor->value_total;
        factor->value_total += (int64_t)padded(node->count) * padded(node->count + node->row_count);
    }
    return true;
}

/* ---- values ------------------------------------------------------------------------------------- */

static void number_front(const factoring *f, int32_t i)
{
    const pli_factor_node node = f->factor->nodes[i];
    for (int32_t k = 0; k < node.count; k++)
        f->local[node.first + k] = k;
    for (int32_t k = 0; k < node.row_count; k++)
        f->local[rows_of(f->factor, i)[k]] = node.count + k;
}

static void add_matrix(const factoring *f, pli_front front, const pli_factor_node *node)
{
    const pli_dissection *d = &f->factor->dissection;
    for (int32_t c = 0; c < node->count; c++) {
        const int32_t unknown = d->order[node->first + c];
        for (int32_t k = f->matrix->offsets[unknown]; k < f->matrix->offsets[unknown + 1]; k++) {
            const int32_t place = d->places[f->matrix->columns[k]];
            if (place >= node->first + c)
                front.values[(size_t)c * (size_t)front.size + (size_t)f->local[place]] += f->matrix->values[k];
        }
    }
}

static void add_child(const factoring *f, pli_front front, int32_t child)
{
    const int32_t *rows = rows_of(f->factor, child);
    const remainder_matrix from = f->remainders[child];
    for (int32_t c = 0; c < from.size; c++) {
        double *to = front.values + (size_t)f->local[rows[c]] * (size_t)front.size;
        const double *column = from.values + (size_t)c * (size_t)from.size;
        for (int32_t r = c; r < from.size; r++)
            to[f->local[rows[r]]] += column[r];
    }
    pli_release(f->memory, from.values);
    f->remainders[child].values = NULL;
}

// Copies the inverse and the coupling, which are by columns, into the panels of a node, in floats; padding stays 0.
static void put_panels(const factoring *f, const pli_factor_node *node)
{
    const int32_t columns = padded(node->count), rows = padded(node->row_count);
    const int32_t all = padded(node->count + node->row_count);
    float *forward = f->factor->values + node->forward, *backward = f->factor->values + node->backward;
    for (int32_t c = 0; c < node->count; c++) {
        const double *inverse = f->inverse + (size_t)c * (size_t)node->count;
        const double *coupling = f->coupling + (size_t)c * (size_t)node->row_count;
        for (int32_t r = 0; r < node->count; r++)
            backward[pli_factor_at(columns, all, c, r)] = (float)inverse[r];
        for (int32_t r = 0; r < node->row_count; r++) {
            forward[pli_factor_at(rows, columns, r, c)] = (float)coupling[r];
            backward[pli_factor_at(columns, all, c, node->count + r)] = -(float)coupling[r];
        }
    }
}

static bool keep_remainder(const factoring *f, pli_front front, int32_t i)
{
    const int32_t size = front.size - front.count;
    double *values = PLI_ALLOCATE_UNSET(f->memory, double, (size_t)size *(size_t)size);
    if (!values)
        return false;
    for (int32_t c = 0; c < size; c++)
        memcpy(values + (size_t)c * (size_t)size,
               front.values + (size_t)(front.count + c) * (size_t)front.size + front.count,
               (size_t)size * sizeof *values);
    f->remainders[i] = (remainder_matrix){size, values};
    return true;
}

static pli_factor_result factor_node(const factoring *f, int32_t i)
{
    const pli_factor_node *node = &f->factor->nodes[i];
    const int32_t rows = node->row_count;
    const pli_front front = {node->count + rows, node->count, f->front};
    memset(front.values, 0, (size_t)front.size * (size_t)front.size * sizeof *front.values);
    number_front(f, i);
    add_matrix(f, front, node);
    for (int32_t child = f->first_child[i]; child >= 0; child = f->next_child[child])
        add_child(f, front, child);
    if (!pli_front_eliminate(front))
        return PLI_FACTOR_NOT_POSITIVE;
    pli_front_invert(front, f->inverse, f->coupling);
    put_panels(f, node);
    return rows == 0 || keep_remainder(f, front, i) ? PLI_FACTOR_OK : PLI_FACTOR_NO_MEMORY;
}

static pli_factor_result find_values(factoring *f)
{
    const pli_dissection *d = &f->factor->dissection;
    size_t most = 0, most_columns = 0;
    for (int32_t i = 0; i < d->node_count; i++) {
        const size_t columns = (size_t)d->nodes[i].count, size = columns + (size_t)f->factor->nodes[i].row_count;
        most = size > most ? size : most;
        most_columns = columns > most_columns ? columns : most_columns;
    }
    f->front = PLI_ALLOCATE_UNSET(f->memory, double, most *most);
    f->inverse = PLI_ALLOCATE_UNSET(f->memory, double, most_columns *most_columns);
    f->coupling = PLI_ALLOCATE_UNSET(f->memory, double, most_columns *(most + 1));
    f->factor->values = PLI_ALLOCATE(f->memory, float, f->factor->value_total);
    pli_factor_result result = f->front && f->inverse && f->coupling && f->factor->values ? PLI_FACTOR_OK
                                                                                          : PLI_FACTOR_NO_MEMORY;
    for (int32_t i = 0; i < d->node_count && result == PLI_FACTOR_OK; i++)
        result = factor_node(f, i);
    for (int32_t i = 0; i < d->node_count; i++)
        pli_release(f->memory, f->remainders[i].values);
    return result;
}

pli_factor_result pli_factor_make(pli_memory *memory, const pli_symmetric_matrix *matrix, const double *points,
                                  pli_factor *factor)
{
    *factor = (pli_factor){0};
    if (!pli_dissection_make(memory, matrix, points, &factor->dissection))
        return PLI_FACTOR_NO_MEMORY;
    const int32_t nodes = factor->dissection.node_count;
    factor->nodes = PLI_ALLOCATE(memory, pli_factor_node, nodes);
    factoring f = {
        .memory = memory,
        .matrix = matrix,
        .factor = factor,
        .first_child = PLI_ALLOCATE(memory, int32_t, nodes),
        .next_child = PLI_ALLOCATE(memory, int32_t, nodes),
        .local = PLI_ALLOCATE(memory, int32_t, matrix->count),
        .remainders = PLI_ALLOCATE(memory, remainder_matrix, nodes),
    };
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (factor->nodes && f.first_child && f.next_child && f.local && f.remainders && find_structure(&f))
        result = find_values(&f);
    void *const scratch[] = {f.first_child, f.next_child, f.local, f.remainders, f.front, f.inverse, f.coupling};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        pli_release(memory, scratch[i]);
    if (result != PLI_FACTOR_OK)
        pli_factor_free(memory, factor);
    return result;
}

void pli_factor_free(pli_memory *memory, pli_factor *factor)
{
    pli_dissection_free(memory, &factor->dissection);
    pli_release(memory, factor->nodes);
    pli_release(memory, factor->places);
    pli_release(memory, factor->values);
    *factor = (pli_factor){0};
}
