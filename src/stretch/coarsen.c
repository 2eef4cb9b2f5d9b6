// Coarsening of a graph, after Mueller 2008, Hierarchical Position Based Dynamics, section 4: the kept nodes (seeds) form a maximal set in
// which no two are closer than a stride of edges. (The paper uses a stride of two, but levels of a quarter of the size cost more than they
// help.) Each other node joins its nearest seed; two seeds become neighbours when the nodes of a pair join different seeds:
//
//   S---o---o---o---S       o joins the nearest S; the pair (o, o) in the middle makes the two S neighbours
//
// A node follows the nearest four among the seed it joined and the neighbours of that seed. The weights come from a moving least squares
// fit of a plane, w = f(r) (1 + b . r), with b such that the weighted mean lies at the node. Therefore a rotation or a uniform stretch of
// the coarse nodes is prolonged without wrinkles. At borders weights could become negative; they are clamped to 0.
#include "stretch/coarsen.h"

#include "base/sort.h"
#include "base/vector.h"

#include <math.h>

typedef struct coarsen_work {
    pli_memory *memory;
    const pli_graph *graph;
    int32_t *offsets, *neighbours; // Neighbours of each node, in compressed rows.
    // [nodes] coarse node that each node joined, or -1. During selection: 1 free, 0 seed, -1 too close to a seed.
    int32_t *joined;
    int32_t stride;  // The smallest number of edges between two seeds.
    int32_t *rounds; // [nodes] last seed that reached the node, plus 1; later the round in which it joined.
    int32_t *coarse_offsets, *coarse_neighbours; // Neighbours of each coarse node, in compressed rows.
    pli_coarse *coarse;
} coarsen_work;

// Lists the neighbours of each node in compressed rows.
static bool list_neighbours(pli_memory *memory, const int32_t *pairs, int32_t pair_count, int32_t count,
                            int32_t **offsets, int32_t **neighbours)
{
    int32_t *starts = *offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)count + 2);
    int32_t *list = *neighbours = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)pair_count);
    if (!starts || !list)
        return false;
    for (int32_t i = 0; i < 2 * pair_count; i++)
        starts[pairs[i] + 2]++;
    for (int32_t i = 0; i < count; i++)
        starts[i + 2] += starts[i + 1];
    for (int32_t i = 0; i < 2 * pair_count; i++)
        list[starts[pairs[i] + 1]++] = pairs[i ^ 1];
    return true;
}

static double graph_distance(const pli_graph *g, int32_t a, int32_t b)
{
    return pli_dlength(pli_dsub(pli_dmake(g->positions[a]), pli_dmake(g->positions[b])));
}

// Marks the nodes closer to a seed than a stride as no seeds, breadth first. `queue` has capacity for all nodes.
static void mark_within_stride(coarsen_work *w, int32_t seed, int32_t *queue)
{
    int32_t begin = 0, end = 1;
    queue[0] = seed;
    w->rounds[seed] = seed + 1;
    for (int32_t hops = 1; hops < w->stride; hops++)
        for (int32_t last = end; begin < last; begin++)
            for (int32_t i = w->offsets[queue[begin]]; i < w->offsets[queue[begin] + 1]; i++) {
                int32_t v = w->neighbours[i];
                if (w->rounds[v] == seed + 1)
                    continue;
                w->rounds[v] = seed + 1;
                w->joined[v] = -1;
                queue[end++] = v;
            }
}

// Selects seeds in order of their numbers, whether fixed or not: pins change, but levels stay the same.
static void select_seeds(coarsen_work *w, int32_t *queue)
{
    for (int32_t v = 0; v < w->graph->count; v++) {
        if (w->joined[v] != 1 || w->offsets[v] == w->offsets[v + 1])
            continue;
        w->joined[v] = 0;
        mark_within_stride(w, v, queue);
    }
}

static bool choose_seeds(coarsen_work *w)
{
    const pli_graph *g = w->graph;
    int32_t *queue = PLI_ALLOCATE(w->memory, int32_t, g->count);
    if (!queue)
        return false;
    for (int32_t v = 0; v < g->count; v++)
        w->joined[v] = 1;
    select_seeds(w, queue);
    pli_release(w->memory, queue);
    for (int32_t v = 0; v < g->count; v++)
        w->coarse->count += w->joined[v] == 0;
    w->coarse->seeds = PLI_ALLOCATE(w->memory, int32_t, w->coarse->count);
    if (!w->coarse->seeds)
        return false;
    int32_t count = 0;
    for (int32_t v = 0; v < g->count; v++) {
        if (w->joined[v] == 0)
            w->coarse->seeds[count] = v, w->joined[v] = count++;
        else
            w->joined[v] = -1;
    }
    return true;
}

// Each node joins the nearest of the seeds that its neighbours joined in earlier rounds. Stride - 1 rounds suffice, since no node is
// further from a seed.
static void join_nearest_seeds(coarsen_work *w)
{
    int32_t *joined = w->joined, *rounds = w->rounds;
    for (int32_t v = 0; v < w->graph->count; v++)
        rounds[v] = joined[v] >= 0 ? 0 : w->stride;
    for (int32_t round = 1; round < w->stride; round++)
        for (int32_t v = 0; v < w->graph->count; v++) {
            double best = INFINITY;
            if (rounds[v] < w->stride)
                continue;
            for (int32_t i = w->offsets[v]; i < w->offsets[v + 1]; i++) {
                int32_t u = w->neighbours[i];
                if (rounds[u] >= round || !(graph_distance(w->graph, v, w->coarse->seeds[joined[u]]) < best))
                    continue;
                best = graph_distance(w->graph, v, w->coarse->seeds[joined[u]]);
                joined[v] = joined[u];
                rounds[v] = round;
            }
        }
}

static bool pair_neighbours(coarsen_work *w)
{
    const pli_graph *g = w->graph;
    pli_sort_item *items = PLI_ALLOCATE(w->memory, pli_sort_item, g->pair_count);
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; items && i < g->pair_count; i++) {
        int32_t a = w->joined[g->pairs[2 * i]], b = w->joined[g->pairs[2 * i + 1]];
        int32_t low = a < b ? a : b, high = a < b ? b : a;
        if (low >= 0 && low != high)
            items[count++] = (pli_sort_item){(uint64_t)low << 32 | (uint64_t)high, i};
    }
    bool complete = items && pli_sort(w->memory, items, count);
    w->coarse->pairs = complete ? PLI_ALLOCATE(w->memory, int32_t, 2 * (int64_t)count) : NULL;
    for (int32_t i = 0; w->coarse->pairs && i < count; i++) {
        if (i > 0 && items[i].key == items[i - 1].key)
            continue;
        w->coarse->pairs[2 * kept] = (int32_t)(items[i].key >> 32);
        w->coarse->pairs[2 * kept++ + 1] = (int32_t)(items[i].key & UINT32_MAX);
    }
    w->coarse->pair_count = kept;
    pli_release(w->memory, items);
    return w->coarse->pairs != NULL;
}

// The nearest coarse nodes of a node, sorted by distance.
typedef struct coarsen_nearest {
    int32_t count, nodes[PLI_PARENTS];
    double distances[PLI_PARENTS];
} coarsen_nearest;

static void insert_nearest(coarsen_nearest *n, int32_t node, double distance)
{
    int32_t at = n->count < PLI_PARENTS ? n->count++ : PLI_PARENTS;
    for (; at > 0 && distance < n->distances[at - 1]; at--)
        if (at < PLI_PARENTS)
            n->nodes[at] = n->nodes[at - 1], n->distances[at] = n->distances[at - 1];
    if (at < PLI_PARENTS)
        n->nodes[at] = node, n->distances[at] = distance;
}

// Weights of the moving least squares fit of a plane at node v.
static void coarsen_fit(const coarsen_work *w, int32_t v, const coarsen_nearest *n, double *weights)
{
    const pli_graph *g = w->graph;
    pli_dvec3 r[PLI_PARENTS], sum = {0, 0, 0};
    double matrix[6] = {0}, trace = 0.0, total = 0.0;
    for (int32_t k = 0; k < n->count; k++) {
        double part = 1.0 - n->distances[k] / (1.5 * n->distances[n->count - 1]), f = weights[k] = part * part;
        r[k] = pli_dsub(pli_dmake(g->positions[w->coarse->seeds[n->nodes[k]]]), pli_dmake(g->positions[v]));
        sum = pli_dadd(sum, pli_dscale(r[k], f));
        matrix[0] += f * r[k].x * r[k].x, matrix[1] += f * r[k].y * r[k].y, matrix[2] += f * r[k].z * r[k].z;
        matrix[3] += f * r[k].x * r[k].y, matrix[4] += f * r[k].x * r[k].z, matrix[5] += f * r[k].y * r[k].z;
    }
    trace = matrix[0] + matrix[1] + matrix[2];
    for (int32_t i = 0; i < 3; i++)
        matrix[i] += 1e-3 * trace;
    pli_dvec3 b = pli_solve_symmetric(matrix, pli_dscale(sum, -1.0));
    for (int32_t k = 0; k < n->count; k++)
        total += weights[k] = fmax(weights[k] * (1.0 + pli_ddot(b, r[k])), 0.0);
    for (int32_t k = 0; k < n->count; k++)
        weights[k] = total > 0.0 ? weights[k] / total : k == 0 ? 1.0 : 0.0;
}

static void find_parents(coarsen_work *w, int32_t v)
{
    int32_t own = w->joined[v], *parents = w->coarse->parents + (size_t)PLI_PARENTS * (size_t)v;
    float *out = w->coarse->weights + (size_t)PLI_PARENTS * (size_t)v;
    for (int32_t k = 0; k < PLI_PARENTS; k++)
        parents[k] = -1;
    if (own < 0)
        return;
    coarsen_nearest n = {0};
    double weights[PLI_PARENTS] = {1.0};
    insert_nearest(&n, own, graph_distance(w->graph, v, w->coarse->seeds[own]));
    if (w->coarse->seeds[own] != v) {
        for (int32_t i = w->coarse_offsets[own]; i < w->coarse_offsets[own + 1]; i++)
            insert_nearest(&n, w->coarse_neighbours[i],
                           graph_distance(w->graph, v, w->coarse->seeds[w->coarse_neighbours[i]]));
        if (n.distances[n.count - 1] > 0.0)
            coarsen_fit(w, v, &n, weights);
    }
    for (int32_t k = 0; k < PLI_PARENTS && k < n.count; k++)
        parents[k] = n.nodes[k], out[k] = (float)weights[k];
}

static bool coarsen(coarsen_work *w)
{
    const pli_graph *g = w->graph;
    pli_coarse *c = w->coarse;
    w->joined = PLI_ALLOCATE(w->memory, int32_t, g->count);
    w->rounds = PLI_ALLOCATE(w->memory, int32_t, g->count);
    c->parents = PLI_ALLOCATE(w->memory, int32_t, PLI_PARENTS * (int64_t)g->count);
    c->weights = PLI_ALLOCATE(w->memory, float, PLI_PARENTS *(int64_t)g->count);
    if (!w->joined || !w->rounds || !c->parents || !c->weights ||
        !list_neighbours(w->memory, g->pairs, g->pair_count, g->count, &w->offsets, &w->neighbours) || !choose_seeds(w))
        return false;
    join_nearest_seeds(w);
    if (!pair_neighbours(w) ||
        !list_neighbours(w->memory, c->pairs, c->pair_count, c->count, &w->coarse_offsets, &w->coarse_neighbours))
        return false;
    for (int32_t v = 0; v < g->count; v++)
        find_parents(w, v);
    return true;
}

bool pli_coarsen(pli_memory *memory, const pli_graph *graph, int32_t stride, pli_coarse *coarse)
{
    *coarse = (pli_coarse){0};
    coarsen_work w = {.memory = memory, .graph = graph, .stride = stride, .coarse = coarse};
    bool complete = coarsen(&w);
    void *arrays[] = {w.offsets, w.neighbours, w.joined, w.rounds, w.coarse_offsets, w.coarse_neighbours};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    if (!complete)
        pli_coarse_release(memory, coarse);
    return complete;
}

void pli_coarse_release(pli_memory *memory, pli_coarse *coarse)
{
    pli_release(memory, coarse->seeds);
    pli_release(memory, coarse->pairs);
    pli_release(memory, coarse->parents);
    pli_release(memory, coarse->weights);
    *coarse = (pli_coarse){0};
}
