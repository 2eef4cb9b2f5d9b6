// A tree that splits the boxes in half along the longest side until few are left, traversed against itself.
#include "intersections/box_pairs.h"

#include <stdlib.h>

enum { LEAF_BOXES = 8 };

typedef struct tree {
    pli_cli_box *boxes; // Boxes in the order of the leaves.
    pli_cli_box *nodes; // The children of node i are 2 i + 1 and 2 i + 2.
    int32_t depth;      // Depth of the leaves.
    void (*visit)(void *data, int32_t a, int32_t b);
    void *data;
} tree;

// A node and the boxes in it.
typedef struct place {
    int32_t node, first, count;
} place;

static place left_of(place p) { return (place){2 * p.node + 1, p.first, p.count / 2}; }

static place right_of(place p) { return (place){2 * p.node + 2, p.first + p.count / 2, p.count - p.count / 2}; }

static bool overlap(const pli_cli_box *a, const pli_cli_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2] && !(a->fixed && b->fixed);
}

static void enclose(pli_cli_box *box, const pli_cli_box *added)
{
    for (int i = 0; i < 3; i++) {
        box->low[i] = added->low[i] < box->low[i] ? added->low[i] : box->low[i];
        box->high[i] = added->high[i] > box->high[i] ? added->high[i] : box->high[i];
    }
    box->fixed = box->fixed && added->fixed;
}

/* ---- building ------------------------------------------------------------------------------- */

static float middle(const pli_cli_box *box, int axis) { return 0.5f * box->low[axis] + 0.5f * box->high[axis]; }

static void swap(pli_cli_box *a, pli_cli_box *b)
{
    pli_cli_box old = *a;
    *a = *b;
    *b = old;
}

// Moves the `half` boxes with the lowest centres to the front.
static void divide(pli_cli_box *boxes, int32_t count, int32_t half, int axis)
{
    int32_t first = 0, last = count - 1;
    while (first < last) {
        float pivot = middle(&boxes[first + (last - first) / 2], axis);
        int32_t i = first, j = last;
        while (i <= j) {
            while (middle(&boxes[i], axis) < pivot)
                i++;
            while (middle(&boxes[j], axis) > pivot)
                j--;
            if (i <= j)
                swap(&boxes[i++], &boxes[j--]);
        }
        if (half <= j)
            last = j;
        else if (half >= i)
            first = i;
        else
            return;
    }
}

static void build(const tree *t, place p, int32_t depth)
{
    pli_cli_box *node = &t->nodes[p.node];
    *node = t->boxes[p.first];
    for (int32_t i = 1; i < p.count; i++)
        enclose(node, &t->boxes[p.first + i]);
    if (depth == t->depth)
        return;
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (node->high[i] - node->low[i] > node->high[axis] - node->low[axis])
            axis = i;
    divide(t->boxes + p.first, p.count, p.count / 2, axis);
    build(t, left_of(p), depth + 1);
    build(t, right_of(p), depth + 1);
}

/* ---- walking -------------------------------------------------------------------------------- */

static void visit_leaves(const tree *t, place a, place b)
{
    for (int32_t i = a.first; i < a.first + a.count; i++)
        for (int32_t j = a.node == b.node ? i + 1 : b.first; j < b.first + b.count; j++)
            if (overlap(&t->boxes[i], &t->boxes[j]))
                t->visit(t->data, t->boxes[i].item, t->boxes[j].item);
}

static void walk(const tree *t, place a, place b, int32_t depth)
{
    if (!overlap(&t->nodes[a.node], &t->nodes[b.node]))
        return;
    if (depth == t->depth) {
        visit_leaves(t, a, b);
        return;
    }
    walk(t, left_of(a), left_of(b), depth + 1);
    walk(t, left_of(a), right_of(b), depth + 1);
    if (a.node != b.node)
        walk(t, right_of(a), left_of(b), depth + 1);
    walk(t, right_of(a), right_of(b), depth + 1);
}

bool pli_cli_overlaps(pli_cli_box *boxes, int32_t count, void (*visit)(void *data, int32_t a, int32_t b), void *data)
{
    tree t = {.boxes = boxes, .visit = visit, .data = data};
    if (count == 0)
        return true;
    while (count >> t.depth > LEAF_BOXES)
        t.depth++;
    t.nodes = malloc(((size_t)2 << t.depth) * sizeof *t.nodes);
    if (!t.nodes)
        return false;
    place root = {0, 0, count};
    build(&t, root, 0);
    walk(&t, root, root, 0);
    free(t.nodes);
    return true;
}
