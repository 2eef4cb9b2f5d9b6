// Solves with a factor: subtrees in parallel, the top of the tree on one thread (sparse/solve.h).
#include "sparse/solve.h"

#include <string.h>

typedef struct solving {
    const pli_factor *factor;
    const pli_panel_kernels *kernels;
    pli_solve_scratch *scratch;
} solving;

static const pli_particle zero = {0.0f, 0.0f, 0.0f, 0.0f};

// Where what a node takes from its rows goes: rows before `top` to the vector, those behind to a sum of the subtree's own.
typedef struct row_target {
    pli_particle *vector, *top_vector;
    int32_t top;
} row_target;

static void subtract(pli_particle *from, pli_particle a) { from->x -= a.x, from->y -= a.y, from->z -= a.z; }

// The node's part of the vector with zeros behind it, where both panels have columns of padding.
static void load_columns(const solving *s, const pli_factor_node *node, pli_particle *columns)
{
    memcpy(columns, s->scratch->vector + node->first, (size_t)node->count * sizeof *columns);
    for (int32_t k = node->count; k < node->columns; k++)
        columns[k] = zero;
}

static void forward(const solving *s, const pli_factor_node *node, row_target to, pli_particle *panel)
{
    const int32_t *rows = s->factor->rows + node->rows;
    pli_particle *products = panel + s->factor->most_columns;
    load_columns(s, node, panel);
    s->kernels->times((pli_panel){s->factor->values + node->coupling, node->row_count / PLI_FACTOR_ROWS, node->columns},
                      panel, products);
    for (int32_t r = 0; r < node->row_count && rows[r] >= 0; r++)
        subtract(rows[r] < to.top ? to.vector + rows[r] : to.top_vector + (rows[r] - to.top), products[r]);
}

static void backward(const solving *s, const pli_factor_node *node, pli_particle *panel)
{
    const int32_t *rows = s->factor->rows + node->rows;
    pli_particle *vector = s->scratch->vector, *columns = panel, *gathered = panel + s->factor->most_columns;
    load_columns(s, node, columns);
    pli_particle *result = gathered;
    s->kernels->times((pli_panel){s->factor->values + node->inverse, node->columns / PLI_FACTOR_ROWS, node->columns},
                      columns, result);
    memcpy(columns, result, (size_t)node->columns * sizeof *columns);
    for (int32_t r = 0; r < node->row_count; r++)
        gathered[r] = rows[r] < 0 ? zero : vector[rows[r]];
    s->kernels->subtract_transposed_times(
        (pli_panel){s->factor->values + node->coupling, node->row_count / PLI_FACTOR_ROWS, node->columns}, gathered,
        gathered + s->factor->most_rows, columns);
    memcpy(vector + node->first, columns, (size_t)node->count * sizeof *columns);
}

static pli_particle *panel_of(const solving *s, int32_t subtree)
{
    return s->scratch->panels + (size_t)subtree * (size_t)s->scratch->panel_size;
}

static void forward_subtree(void *data, int32_t i)
{
    const solving *s = data;
    const pli_dissection *d = &s->factor->dissection;
    const int32_t top_count = d->count - d->top;
    const row_target to = {s->scratch->vector, s->scratch->top + (size_t)i * (size_t)top_count, d->top};
    for (int32_t k = 0; k < top_count; k++)
        to.top_vector[k] = zero;
    for (int32_t node = d->subtrees[i]; node < d->subtrees[i + 1]; node++)
        forward(s, s->factor->nodes + node, to, panel_of(s, i));
}

static void backward_subtree(void *data, int32_t i)
{
    const solving *s = data;
    const pli_dissection *d = &s->factor->dissection;
    for (int32_t node = d->subtrees[i + 1] - 1; node >= d->subtrees[i]; node--)
        backward(s, s->factor->nodes + node, panel_of(s, i));
}

static void solve_top(const solving *s)
{
    const pli_dissection *d = &s->factor->dissection;
    const int32_t top_count = d->count - d->top, first = d->subtrees[d->subtree_count];
    for (int32_t i = 0; i < d->subtree_count; i++)
        for (int32_t k = 0; k < top_count; k++) {
            const pli_particle a = s->scratch->top[(size_t)i * (size_t)top_count + (size_t)k];
            pli_particle *to = s->scratch->vector + d->top + k;
            to->x += a.x, to->y += a.y, to->z += a.z;
        }
    const row_target to = {s->scratch->vector, NULL, d->count};
    for (int32_t node = first; node < d->node_count; node++)
        forward(s, s->factor->nodes + node, to, panel_of(s, 0));
    for (int32_t node = d->node_count - 1; node >= first; node--)
        backward(s, s->factor->nodes + node, panel_of(s, 0));
}

static void run_subtrees(pli_tasks *tasks, int32_t count, pli_task task, solving *s)
{
    if (tasks)
        pli_tasks_run(tasks, count, task, s);
    else
        for (int32_t i = 0; i < count; i++)
            task(s, i);
}

void pli_solve(const pli_factor *factor, const pli_panel_kernels *kernels, pli_tasks *tasks, pli_solve_scratch *scratch,
               pli_particle *vector)
{
    solving s = {factor, kernels, scratch};
    const pli_dissection *d = &factor->dissection;
    for (int32_t place = 0; place < d->count; place++)
        scratch->vector[place] = vector[d->order[place]];
    run_subtrees(tasks, d->subtree_count, forward_subtree, &s);
    solve_top(&s);
    run_subtrees(tasks, d->subtree_count, backward_subtree, &s);
    for (int32_t place = 0; place < d->count; place++)
        vector[d->order[place]] = scratch->vector[place];
}

bool pli_solve_scratch_make(pli_memory *memory, const pli_factor *factor, pli_solve_scratch *scratch)
{
    const pli_dissection *d = &factor->dissection;
    // The columns of a node, its rows, and four sums for each of its columns.
    *scratch = (pli_solve_scratch){.panel_size = (2 + PLI_FACTOR_ROWS) * factor->most_columns + factor->most_rows};
    scratch->vector = PLI_ALLOCATE(memory, pli_particle, d->count);
    scratch->top = PLI_ALLOCATE(memory, pli_particle, (size_t)d->subtree_count * (size_t)(d->count - d->top));
    scratch->panels = PLI_ALLOCATE(memory, pli_particle, (size_t)d->subtree_count * (size_t)scratch->panel_size);
    if (scratch->vector && scratch->top && scratch->panels)
        return true;
    pli_solve_scratch_free(memory, scratch);
    return false;
}

void pli_solve_scratch_free(pli_memory *memory, pli_solve_scratch *scratch)
{
    pli_release(memory, scratch->vector);
    pli_release(memory, scratch->top);
    pli_release(memory, scratch->panels);
    *scratch = (pli_solve_scratch){0};
}
