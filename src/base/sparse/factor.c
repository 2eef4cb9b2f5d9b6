// Sparse factorisation in blocks: base/sparse/factor.h. The structure is found first, then the values, node by node.
#include "base/sparse/factor.h"

#include "base/sort.h"
#include "base/sparse/front.h"

#include <string.h>

typedef struct factoring {
    pli_memory *memory;
    const pli_panel_kernels *kernels;
    const pli_symmetric_matrix *matrix;
    pli_factor *factor;
    int32_t *first_child, *next_child; // [nodes] the tree downwards; -1 ends a list.
    int32_t *marks;                    // [unknowns] the node that listed a place last.
    // [nodes] the Schur complement that a node passes to its parent: the lower triangle by columns, over its rows without padding.
    double **remainders;
    int32_t place_capacity;
} factoring;

// Scratch memory for nodes that are factored one after the other.
typedef struct factor_worker {
    const factoring *f;
    size_t most, most_columns; // Largest front, and most columns of a front.
    double *front, *inverse, *coupling;
    int32_t *local; // [unknowns] index in the front of a place.
} factor_worker;

// Subtrees of the dissection, which threads factor independently.
typedef struct subtree_work {
    const factoring *f;
    int32_t count; // Workers.
    factor_worker workers[PLI_DISSECTION_SUBTREES];
    double *stacks[PLI_DISSECTION_SUBTREES]; // Remainders of each subtree.
    bool done[PLI_DISSECTION_SUBTREES];      // False if it is not positive definite.
} subtree_work;

static int32_t padded_rows(int32_t count) { return pli_factor_padded(count, PLI_FACTOR_ROWS); }

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
    if (place < end || f->marks[place] == node)
        return;
    f->marks[place] = node;
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
        f->marks[place] = -1;
    for (int32_t i = 0; i < d->node_count; i++) {
        if (!find_rows(f, i))
            return false;
        pli_factor_node *node = &factor->nodes[i];
        const int32_t columns = padded_rows(node->count), rows = node->count > 0 ? padded_rows(node->row_count) : 0;
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
        factor->value_total += (int64_t)padded_rows(node->count) * padded_rows(node->count + node->row_count);
    }
    return true;
}

/* ---- values ------------------------------------------------------------------------------------- */

static void number_front(const factor_worker *w, int32_t i)
{
    const pli_factor *factor = w->f->factor;
    const pli_factor_node node = factor->nodes[i];
    for (int32_t k = 0; k < node.count; k++)
        w->local[node.first + k] = k;
    for (int32_t k = 0; k < node.row_count; k++)
        w->local[rows_of(factor, i)[k]] = node.count + k;
}

static void add_matrix(const factor_worker *w, pli_front front, const pli_factor_node *node)
{
    const factoring *f = w->f;
    const pli_dissection *d = &f->factor->dissection;
    for (int32_t c = 0; c < node->count; c++) {
        const int32_t unknown = d->order[node->first + c];
        for (int32_t k = f->matrix->offsets[unknown]; k < f->matrix->offsets[unknown + 1]; k++) {
            const int32_t place = d->places[f->matrix->columns[k]];
            if (place >= node->first + c)
                front.values[(size_t)c * (size_t)front.size + (size_t)w->local[place]] += f->matrix->values[k];
        }
    }
}

static void add_child(const factor_worker *w, pli_front front, int32_t child)
{
    const int32_t *rows = rows_of(w->f->factor, child), *local = w->local;
    const int32_t size = w->f->factor->nodes[child].row_count;
    for (int32_t c = 0; c < size; c++) {
        double *to = front.values + (size_t)local[rows[c]] * (size_t)front.size;
        const double *column = w->f->remainders[child] + (size_t)c * (size_t)size;
        for (int32_t r = c; r < size; r++)
            to[local[rows[r]]] += column[r];
    }
}

// Copies the inverse and the coupling, which are by columns, into the panels of a node, in floats; padding stays 0.
static void put_panels(const factor_worker *w, const pli_factor_node *node)
{
    const int32_t columns = padded_rows(node->count), rows = padded_rows(node->row_count);
    const int32_t all = padded_rows(node->count + node->row_count);
    float *values = w->f->factor->values, *forward = values + node->forward, *backward = values + node->backward;
    memset(forward, 0, (size_t)columns * (size_t)(node->count > 0 ? rows : 0) * sizeof *forward);
    memset(backward, 0, (size_t)columns * (size_t)all * sizeof *backward);
    for (int32_t c = 0; c < node->count; c++) {
        const double *inverse = w->inverse + (size_t)c * (size_t)node->count;
        const double *coupling = w->coupling + (size_t)c * (size_t)node->row_count;
        for (int32_t r = 0; r < node->count; r++)
            backward[pli_factor_at(columns, all, c, r)] = (float)inverse[r];
        for (int32_t r = 0; r < node->row_count; r++) {
            forward[pli_factor_at(rows, columns, r, c)] = (float)coupling[r];
            backward[pli_factor_at(columns, all, c, node->count + r)] = -(float)coupling[r];
        }
    }
}

// Moves the remainder of a node to `to`, over those of its children, which the front has taken.
static void keep_remainder(const factor_worker *w, pli_front front, int32_t i, double *to)
{
    const int32_t size = front.size - front.count;
    for (int32_t c = 0; c < size; c++)
        memcpy(to + (size_t)c * (size_t)size,
               front.values + (size_t)(front.count + c) * (size_t)front.size + front.count, (size_t)size * sizeof *to);
    w->f->remainders[i] = to;
}

// Factors a node. `to` is the memory for its remainder.
static bool factor_node(const factor_worker *w, int32_t i, double *to)
{
    const factoring *f = w->f;
    const pli_factor_node *node = &f->factor->nodes[i];
    const pli_front front = {node->count + node->row_count, node->count, w->front};
    memset(front.values, 0, (size_t)front.size * (size_t)front.size * sizeof *front.values);
    number_front(w, i);
    add_matrix(w, front, node);
    for (int32_t child = f->first_child[i]; child >= 0; child = f->next_child[child])
        add_child(w, front, child);
    if (!pli_front_eliminate(front, f->kernels))
        return false;
    pli_front_invert(front, f->kernels, w->inverse, w->coupling);
    put_panels(w, node);
    keep_remainder(w, front, i, to);
    return true;
}

static size_t remainder_size(const factoring *f, int32_t i)
{
    return (size_t)f->factor->nodes[i].row_count * (size_t)f->factor->nodes[i].row_count;
}

// Remainders of a range of nodes are a stack, since each node follows the nodes of its subtrees: it replaces those of its children, which
// are the last. Returns where the remainder of a node begins; `end` is the end of the stack before the node.
static size_t entries_begin(const factoring *f, int32_t first, int32_t i, size_t end)
{
    for (int32_t child = f->first_child[i]; child >= 0; child = f->next_child[child])
        end -= child >= first ? remainder_size(f, child) : 0;
    return end;
}

static size_t highest_stack(const factoring *f, int32_t first, int32_t end)
{
    size_t highest = 0, at = 0;
    for (int32_t i = first; i < end; i++) {
        at = entries_begin(f, first, i, at) + remainder_size(f, i);
        highest = at > highest ? at : highest;
    }
    return highest;
}

// Factors the nodes first..end-1, whose remainders are a stack from `stack` on.
static bool factor_range(const factor_worker *w, int32_t first, int32_t end, double *stack)
{
    size_t at = 0;
    for (int32_t i = first; i < end; i++) {
        at = entries_begin(w->f, first, i, at);
        if (!factor_node(w, i, stack + at))
            return false;
        at += remainder_size(w->f, i);
    }
    return true;
}

// Enlarges the sizes of a worker's arrays so that they hold the nodes first..end-1.
static void factor_fit(factor_worker *w, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; i++) {
        const size_t columns = (size_t)w->f->factor->nodes[i].count,
                     size = columns + (size_t)w->f->factor->nodes[i].row_count;
        w->most = size > w->most ? size : w->most;
        w->most_columns = columns > w->most_columns ? columns : w->most_columns;
    }
}

static bool reserve_worker(factor_worker *w)
{
    pli_memory *memory = w->f->memory;
    w->front = PLI_ALLOCATE_UNSET(memory, double, w->most * w->most);
    w->inverse = PLI_ALLOCATE_UNSET(memory, double, w->most_columns * w->most_columns);
    w->coupling = PLI_ALLOCATE_UNSET(memory, double, w->most_columns *(w->most + 1));
    w->local = PLI_ALLOCATE_UNSET(memory, int32_t, w->f->matrix->count);
    return w->front && w->inverse && w->coupling && w->local;
}

static void release_worker(const factor_worker *w)
{
    void *const all[] = {w->front, w->inverse, w->coupling, w->local};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(w->f->memory, all[i]);
}

// Worker k takes the subtrees k, k + the number of workers, and so on: memory comes from the thread of the caller alone.
static void run_worker(void *data, int32_t k)
{
    subtree_work *s = data;
    const pli_dissection *d = &s->f->factor->dissection;
    for (int32_t i = k; i < d->subtree_count; i += s->count)
        s->done[i] = factor_range(&s->workers[k], d->subtrees[i], d->subtrees[i + 1], s->stacks[i]);
}

static pli_factor_result run_subtrees(subtree_work *s, pli_tasks *tasks)
{
    const pli_dissection *d = &s->f->factor->dissection;
    for (int32_t i = 0; i < d->subtree_count; i++) {
        factor_fit(&s->workers[i % s->count], d->subtrees[i], d->subtrees[i + 1]);
        s->stacks[i] = PLI_ALLOCATE_UNSET(s->f->memory, double,
                                          highest_stack(s->f, d->subtrees[i], d->subtrees[i + 1]));
        if (!s->stacks[i])
            return PLI_FACTOR_NO_MEMORY;
    }
    factor_fit(&s->workers[0], d->subtrees[d->subtree_count], d->node_count); // The first worker also does the top.
    for (int32_t k = 0; k < s->count; k++)
        if (!reserve_worker(&s->workers[k]))
            return PLI_FACTOR_NO_MEMORY;
    pli_tasks_run(tasks, s->count, run_worker, s);
    bool positive = true;
    for (int32_t i = 0; i < d->subtree_count; i++)
        positive = positive && s->done[i];
    return positive ? PLI_FACTOR_OK : PLI_FACTOR_NOT_POSITIVE;
}

static pli_factor_result run_top(const subtree_work *s)
{
    const pli_dissection *d = &s->f->factor->dissection;
    const int32_t first = d->subtrees[d->subtree_count];
    double *stack = PLI_ALLOCATE_UNSET(s->f->memory, double, highest_stack(s->f, first, d->node_count));
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (stack)
        result = factor_range(&s->workers[0], first, d->node_count, stack) ? PLI_FACTOR_OK : PLI_FACTOR_NOT_POSITIVE;
    pli_release(s->f->memory, stack);
    return result;
}

static pli_factor_result find_values(factoring *f, pli_tasks *tasks)
{
    const int32_t width = tasks ? pli_tasks_width(tasks) : 1;
    subtree_work s = {.f = f, .count = width > 0 && width < PLI_DISSECTION_SUBTREES ? width : PLI_DISSECTION_SUBTREES};
    for (int32_t k = 0; k < s.count; k++)
        s.workers[k].f = f;
    f->factor->values = PLI_ALLOCATE_UNSET(f->memory, float, f->factor->value_total);
    pli_factor_result result = f->factor->values ? run_subtrees(&s, tasks) : PLI_FACTOR_NO_MEMORY;
    if (result == PLI_FACTOR_OK)
        result = run_top(&s);
    for (int32_t k = 0; k < s.count; k++)
        release_worker(&s.workers[k]);
    for (int32_t i = 0; i < PLI_DISSECTION_SUBTREES; i++)
        pli_release(f->memory, s.stacks[i]);
    return result;
}

pli_factor_result pli_factor_make(pli_memory *memory, const pli_panel_kernels *kernels, pli_tasks *tasks,
                                  const pli_symmetric_matrix *matrix, const double *points, pli_factor *factor)
{
    *factor = (pli_factor){0};
    if (!pli_dissection_make(memory, matrix, points, &factor->dissection))
        return PLI_FACTOR_NO_MEMORY;
    const int32_t nodes = factor->dissection.node_count;
    factor->nodes = PLI_ALLOCATE(memory, pli_factor_node, nodes);
    factoring f = {
        .memory = memory,
        .kernels = kernels,
        .matrix = matrix,
        .factor = factor,
        .first_child = PLI_ALLOCATE(memory, int32_t, nodes),
        .next_child = PLI_ALLOCATE(memory, int32_t, nodes),
        .marks = PLI_ALLOCATE(memory, int32_t, matrix->count),
        .remainders = PLI_ALLOCATE(memory, double *, nodes),
    };
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (factor->nodes && f.first_child && f.next_child && f.marks && f.remainders && find_structure(&f))
        result = find_values(&f, tasks);
    void *const scratch[] = {f.first_child, f.next_child, f.marks, f.remainders};
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
