// Solves with a factor: subtrees in parallel, the top of the tree on one thread (base/sparse/solve.h).
#include "base/sparse/solve.h"

#include "base/simd/four.h"

#include <string.h>

typedef struct solving {
    const pli_factor *factor;
    const pli_panel_kernels *kernels;
    pli_solve_scratch *scratch;
} solving;

static const pli_particle zero_particle = {0.0f, 0.0f, 0.0f, 0.0f};

// Where a node's contributions to its rows are added: rows before `top` to the vector, later rows to a separate sum of the subtree.
typedef struct row_target {
    pli_particle *vector, *top_vector;
    int32_t top;
} row_target;

// to += sign * a, as four floats.
static inline void add_four(pli_particle *to, const pli_particle *a, float sign)
{
    const pli_four sum = pli_four_of(to) + pli_four_of(a) * pli_four_set(sign);
    memcpy(to, &sum, sizeof sum);
}

static void solve_forward(const solving *s, const pli_factor_node *node, row_target to, pli_particle *panel)
{
    if (node->count == 0)
        return;
    const int32_t *rows = s->factor->places + node->places + node->count;
    const pli_particle *products = pli_node_product(s->factor, s->kernels, node, false, s->scratch->vector, panel);
    for (int32_t r = 0; r < node->row_count; r++)
        add_four(rows[r] < to.top ? to.vector + rows[r] : to.top_vector + (rows[r] - to.top), products + r, -1.0f);
}

static void backward(const solving *s, const pli_factor_node *node, pli_particle *panel)
{
    if (node->count == 0)
        return;
    const pli_particle *result = pli_node_product(s->factor, s->kernels, node, true, s->scratch->vector, panel);
    memcpy(s->scratch->vector + node->first, result, (size_t)node->count * sizeof *result);
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
        to.top_vector[k] = zero_particle;
    for (int32_t node = d->subtrees[i]; node < d->subtrees[i + 1]; node++)
        solve_forward(s, s->factor->nodes + node, to, panel_of(s, i));
}

static void backward_subtree(void *data, int32_t i)
{
    const solving *s = data;
    const pli_dissection *d = &s->factor->dissection;
    for (int32_t node = d->subtrees[i + 1] - 1; node >= d->subtrees[i]; node--)
        backward(s, s->factor->nodes + node, panel_of(s, i));
}

static void forward_top(const solving *s)
{
    const pli_dissection *d = &s->factor->dissection;
    const int32_t top_count = d->count - d->top;
    for (int32_t i = 0; i < d->subtree_count; i++)
        for (int32_t k = 0; k < top_count; k++)
            add_four(s->scratch->vector + d->top + k, s->scratch->top + (size_t)i * (size_t)top_count + (size_t)k,
                     1.0f);
    const row_target to = {s->scratch->vector, NULL, d->count};
    for (int32_t node = d->subtrees[d->subtree_count]; node < d->node_count; node++)
        solve_forward(s, s->factor->nodes + node, to, panel_of(s, 0));
}

void pli_solve(const pli_factor *factor, const pli_panel_kernels *kernels, pli_tasks *tasks, pli_solve_scratch *scratch,
               const pli_border *border, pli_particle *corner)
{
    solving s = {factor, kernels, scratch};
    const int32_t subtrees = factor->dissection.subtree_count;
    pli_tasks_run(tasks, subtrees, forward_subtree, &s);
    forward_top(&s);
    if (border && border->count > 0)
        pli_border_apply(border, scratch->vector, corner);
    const pli_dissection *d = &s.factor->dissection;
    for (int32_t node = d->node_count - 1; node >= d->subtrees[d->subtree_count]; node--)
        backward(&s, s.factor->nodes + node, panel_of(&s, 0));
    pli_tasks_run(tasks, subtrees, backward_subtree, &s);
}

bool pli_solve_scratch_make(pli_memory *memory, const pli_factor *factor, pli_solve_scratch *scratch)
{
    const pli_dissection *d = &factor->dissection;
    *scratch = (pli_solve_scratch){.panel_size = pli_panel_size(factor)};
    scratch->vector = PLI_ALLOCATE(memory, pli_particle, d->count + 1);
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
