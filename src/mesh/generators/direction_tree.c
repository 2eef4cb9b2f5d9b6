// A tree of boxes split at the median of their longest side; branch and bound by the smallest dot product in a box.
#include "mesh/generators/direction_tree.h"

#include <stdlib.h>

enum { DIRECTION_LEAF = 8, DEPTH = 64 };

bool pli_direction_tree_reserve(pli_memory *memory, pli_direction_tree *tree, int32_t most)
{
    tree->entries = PLI_ALLOCATE(memory, pli_direction_entry, most);
    tree->nodes = PLI_ALLOCATE(memory, pli_direction_node, most / 2 + 2);
    return tree->entries && tree->nodes;
}

void pli_direction_tree_release(pli_memory *memory, pli_direction_tree *tree)
{
    pli_release(memory, tree->entries);
    pli_release(memory, tree->nodes);
    *tree = (pli_direction_tree){0};
}

static int direction_compare(const pli_direction_entry *a, const pli_direction_entry *b, int axis)
{
    if (a->at[axis] != b->at[axis])
        return a->at[axis] < b->at[axis] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int along_x(const void *a, const void *b) { return direction_compare(a, b, 0); }
static int along_y(const void *a, const void *b) { return direction_compare(a, b, 1); }
static int along_z(const void *a, const void *b) { return direction_compare(a, b, 2); }

static void direction_fit(const pli_direction_tree *tree, pli_direction_node *node)
{
    for (int32_t i = node->begin; i < node->end; i++) {
        const pli_direction_entry *entry = &tree->entries[i];
        bool first = i == node->begin;
        node->lowest = first || entry->index < node->lowest ? entry->index : node->lowest;
        for (int k = 0; k < 3; k++) {
            node->low[k] = first || entry->at[k] < node->low[k] ? entry->at[k] : node->low[k];
            node->high[k] = first || entry->at[k] > node->high[k] ? entry->at[k] : node->high[k];
        }
    }
}

static bool is_leaf(const pli_direction_node *node) { return node->end - node->begin <= DIRECTION_LEAF; }

void pli_direction_tree_build(pli_direction_tree *tree, const double (*directions)[3], int32_t count)
{
    static int (*const compares[3])(const void *, const void *) = {along_x, along_y, along_z};
    int32_t stack[DEPTH], used = 0;
    for (int32_t i = 0; i < count; i++)
        tree->entries[i] = (pli_direction_entry){{directions[i][0], directions[i][1], directions[i][2]}, i};
    tree->nodes[0] = (pli_direction_node){.end = count};
    for (stack[used++] = 0; used > 0;) {
        int32_t at = stack[--used], axis = 0;
        pli_direction_node *node = &tree->nodes[at];
        direction_fit(tree, node);
        if (is_leaf(node))
            continue;
        for (int k = 1; k < 3; k++)
            axis = node->high[k] - node->low[k] > node->high[axis] - node->low[axis] ? k : axis;
        int32_t middle = node->begin + (node->end - node->begin) / 2;
        qsort(tree->entries + node->begin, (size_t)(node->end - node->begin), sizeof *tree->entries, compares[axis]);
        tree->nodes[2 * at + 1] = (pli_direction_node){.begin = node->begin, .end = middle};
        tree->nodes[2 * at + 2] = (pli_direction_node){.begin = middle, .end = node->end};
        stack[used++] = 2 * at + 1;
        stack[used++] = 2 * at + 2;
    }
}

static double direction_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// No direction in the box has a smaller cosine, whatever the rounding.
static double least_cosine(const pli_direction_node *node, const double *direction)
{
    double sum = -1e-12;
    for (int k = 0; k < 3; k++)
        sum += direction[k] * (direction[k] >= 0.0 ? node->low[k] : node->high[k]);
    return sum;
}

static double smallest_cosine(const pli_direction_tree *tree, const double *direction, int32_t from, double bound)
{
    int32_t stack[DEPTH], used = 0;
    for (stack[used++] = 0; used > 0;) {
        int32_t at = stack[--used];
        const pli_direction_node *node = &tree->nodes[at];
        if (least_cosine(node, direction) >= bound)
            continue;
        if (is_leaf(node)) {
            for (int32_t i = node->begin; i < node->end; i++) {
                double cosine = direction_dot(direction, tree->entries[i].at);
                bound = tree->entries[i].index != from && cosine < bound ? cosine : bound;
            }
            continue;
        }
        bool left_first = least_cosine(&tree->nodes[2 * at + 1], direction) <
                          least_cosine(&tree->nodes[2 * at + 2], direction);
        stack[used++] = left_first ? 2 * at + 2 : 2 * at + 1;
        stack[used++] = left_first ? 2 * at + 1 : 2 * at + 2;
    }
    return bound;
}

int32_t pli_direction_tree_opposite(const pli_direction_tree *tree, const double direction[3], int32_t from,
                                    double bound, double tolerance)
{
    double smallest = smallest_cosine(tree, direction, from, bound);
    int32_t stack[DEPTH], used = 0, best = INT32_MAX;
    if (!(smallest < bound))
        return -1;
    for (stack[used++] = 0; used > 0;) {
        int32_t at = stack[--used];
        const pli_direction_node *node = &tree->nodes[at];
        if (node->lowest >= best || least_cosine(node, direction) > smallest + tolerance)
            continue;
        for (int32_t i = node->begin; is_leaf(node) && i < node->end; i++) {
            double cosine = direction_dot(direction, tree->entries[i].at);
            bool counts = tree->entries[i].index != from && cosine < bound && cosine <= smallest + tolerance;
            best = counts && tree->entries[i].index < best ? tree->entries[i].index : best;
        }
        if (is_leaf(node))
            continue;
        stack[used++] = 2 * at + 1;
        stack[used++] = 2 * at + 2;
    }
    return best;
}
