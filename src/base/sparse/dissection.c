// Nested dissection by coordinates: base/sparse/dissection.h.
#include "base/sparse/dissection.h"

#include "base/array.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

// Leaves have up to LEAF unknowns, and matrices below SMALL have no top, since dense loops over a leaf are faster than more separators.
enum { DISSECTION_LEAF = 24, SMALL = 4096, TOP_DEPTH = 3 };

typedef struct part_range {
    int32_t first, count, parent;
    bool is_top;
} part_range;

typedef struct dividing {
    pli_memory *memory;
    const pli_symmetric_matrix *graph;
    const double *points;
    int32_t *items; // The unknowns, in the order of the ranges.
    uint8_t *sides; // [count] LEFT, RIGHT or 0 for the unknowns of the range that is being divided.
    pli_sort_item *keys, *copy;
    PLI_ARRAY(part_range) ranges;
    int32_t starts[PLI_DISSECTION_SUBTREES + 1]; // First range of each subtree, and the number of ranges.
    int32_t subtree_count, top_depth;
    bool out_of_memory;
} dividing;

enum { LEFT = 1, RIGHT = 2 };

/* ---- halves ------------------------------------------------------------------------------------- */

// A key that sorts in the order of the numbers.
static uint64_t dissection_key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static int32_t dissection_longest_axis(const dividing *d, int32_t begin, int32_t end)
{
    double longest = -1.0;
    int32_t axis = 0;
    for (int32_t k = 0; k < 3; k++) {
        double low = d->points[3 * d->items[begin] + k], high = low;
        for (int32_t i = begin + 1; i < end; i++) {
            const double at = d->points[3 * d->items[i] + k];
            low = at < low ? at : low, high = at > high ? at : high;
        }
        if (high - low > longest)
            longest = high - low, axis = k;
    }
    return axis;
}

static void sort_along(dividing *d, int32_t begin, int32_t end, int32_t axis)
{
    for (int32_t i = begin; i < end; i++)
        d->keys[i - begin] = (pli_sort_item){dissection_key_of(d->points[3 * d->items[i] + axis]), d->items[i]};
    pli_sort_within(d->keys, d->copy, end - begin);
    for (int32_t i = begin; i < end; i++)
        d->items[i] = d->keys[i - begin].value;
}

static void mark(const dividing *d, int32_t begin, int32_t end, uint8_t side)
{
    for (int32_t i = begin; i < end; i++)
        d->sides[d->items[i]] = side;
}

static bool touches(const dividing *d, int32_t unknown, uint8_t side)
{
    for (int32_t i = d->graph->offsets[unknown]; i < d->graph->offsets[unknown + 1]; i++)
        if (d->sides[d->graph->columns[i]] == side)
            return true;
    return false;
}

static int32_t count_border(const dividing *d, int32_t begin, int32_t end, uint8_t other)
{
    int32_t count = 0;
    for (int32_t i = begin; i < end; i++)
        count += touches(d, d->items[i], other);
    return count;
}

static double gap_at(const dividing *d, int32_t i, int32_t axis)
{
    return d->points[3 * d->items[i] + axis] - d->points[3 * d->items[i - 1] + axis];
}

// The index at which sorted items are divided: the gap nearest to the middle, among the gaps in the middle half that are at least half as
// wide as the widest. This avoids cutting a column of a regular mesh, whose points have the same coordinate except for rounding, in two;
// such a cut would lengthen this separator and the separators of both halves. If no gap is as wide as an eighth of the spacing of regular
// columns, the index is the middle.
static int32_t cut_of(const dividing *d, int32_t begin, int32_t end, int32_t axis)
{
    const int32_t half = begin + (end - begin) / 2, reach = (end - begin) / 4;
    const double extent = d->points[3 * d->items[end - 1] + axis] - d->points[3 * d->items[begin] + axis];
    double widest = 0.25 * extent / sqrt((double)(end - begin));
    for (int32_t i = half - reach; i <= half + reach; i++)
        if (i > begin && i < end && gap_at(d, i, axis) > widest)
            widest = gap_at(d, i, axis);
    for (int32_t k = 0; k <= reach && widest > 0.0; k++) {
        if (half - k > begin && gap_at(d, half - k, axis) >= 0.5 * widest)
            return half - k;
        if (half + k < end && gap_at(d, half + k, axis) >= 0.5 * widest)
            return half + k;
    }
    return half;
}

// The separator consists of the vertices of one half that have a neighbour in the other; the half with fewer such vertices is chosen.
// Stores the rest of the left half first, then the rest of the right half, then the separator; `middle` and `separator` are the starts of
// the last two.
static void dissection_separate(dividing *d, int32_t begin, int32_t half, int32_t end, int32_t *middle,
                                int32_t *separator)
{
    mark(d, begin, half, LEFT);
    mark(d, half, end, RIGHT);
    const bool from_left = count_border(d, begin, half, RIGHT) <= count_border(d, half, end, LEFT);
    int32_t rest = 0, border = 0, left = 0;
    for (int32_t i = begin; i < end; i++) {
        const int32_t unknown = d->items[i];
        const bool is_left = i < half;
        const bool divides = is_left == from_left && touches(d, unknown, is_left ? RIGHT : LEFT);
        if (divides)
            d->copy[border++].value = unknown;
        else
            d->keys[rest++].value = unknown, left += is_left;
    }
    for (int32_t i = 0; i < rest; i++)
        d->items[begin + i] = d->keys[i].value;
    for (int32_t i = 0; i < border; i++)
        d->items[begin + rest + i] = d->copy[i].value;
    mark(d, begin, end, 0);
    *middle = begin + left;
    *separator = begin + rest;
}

/* ---- the tree ----------------------------------------------------------------------------------- */

static int32_t add_range(dividing *d, int32_t begin, int32_t end, bool is_top)
{
    if (!pli_array_reserve(d->memory, &d->ranges, d->ranges.count + 1)) {
        d->out_of_memory = true;
        return -1;
    }
    d->ranges.items[d->ranges.count] = (part_range){begin, end - begin, -1, is_top};
    return d->ranges.count++;
}

// Divides items begin..end-1 and returns the range at the root of their tree. The depth is logarithmic, since each half has at most three
// quarters of the items.
static int32_t dissection_divide(dividing *d, int32_t begin, int32_t end, int32_t depth)
{
    if (d->out_of_memory)
        return -1;
    const bool is_top = depth < d->top_depth;
    if (depth == d->top_depth)
        d->starts[d->subtree_count++] = d->ranges.count;
    if (end - begin <= DISSECTION_LEAF && !is_top)
        return add_range(d, begin, end, false);
    int32_t half = begin, middle, separator;
    if (end > begin) {
        const int32_t axis = dissection_longest_axis(d, begin, end);
        sort_along(d, begin, end, axis);
        half = cut_of(d, begin, end, axis);
    }
    dissection_separate(d, begin, half, end, &middle, &separator);
    const int32_t left = dissection_divide(d, begin, middle, depth + 1);
    const int32_t right = dissection_divide(d, middle, separator, depth + 1);
    const int32_t root = add_range(d, separator, end, is_top);
    if (!d->out_of_memory)
        d->ranges.items[left].parent = d->ranges.items[right].parent = root;
    return root;
}

/* ---- the order ---------------------------------------------------------------------------------- */

// Appends the ranges of the top, or the ranges below it, as nodes. `numbers` has the node of each range.
static int32_t take_ranges(const dividing *d, bool top, int32_t place, int32_t *numbers, pli_dissection *result)
{
    for (int32_t i = 0, subtree = 0; i < d->ranges.count; i++) {
        const part_range r = d->ranges.items[i];
        if (r.is_top != top)
            continue;
        while (!top && subtree < d->subtree_count && d->starts[subtree] <= i)
            result->subtrees[subtree++] = result->node_count;
        numbers[i] = result->node_count;
        result->nodes[result->node_count++] = (pli_dissection_node){place, r.count, r.parent};
        for (int32_t k = 0; k < r.count; k++, place++) {
            result->order[place] = d->items[r.first + k];
            result->places[d->items[r.first + k]] = place;
        }
    }
    return place;
}

static bool put_in_order(const dividing *d, pli_dissection *result)
{
    int32_t *numbers = PLI_ALLOCATE(d->memory, int32_t, d->ranges.count);
    result->order = PLI_ALLOCATE(d->memory, int32_t, result->count);
    result->places = PLI_ALLOCATE(d->memory, int32_t, result->count);
    result->nodes = PLI_ALLOCATE(d->memory, pli_dissection_node, d->ranges.count);
    const bool enough = numbers && result->order && result->places && result->nodes;
    if (enough) {
        result->subtree_count = d->subtree_count;
        result->top = take_ranges(d, false, 0, numbers, result);
        result->subtrees[d->subtree_count] = result->node_count;
        take_ranges(d, true, result->top, numbers, result);
        for (int32_t i = 0; i < result->node_count; i++)
            if (result->nodes[i].parent >= 0)
                result->nodes[i].parent = numbers[result->nodes[i].parent];
    }
    pli_release(d->memory, numbers);
    return enough;
}

bool pli_dissection_make(pli_memory *memory, const pli_symmetric_matrix *graph, const double *points,
                         pli_dissection *dissection)
{
    const int32_t count = graph->count;
    *dissection = (pli_dissection){.count = count};
    dividing d = {
        .memory = memory,
        .graph = graph,
        .points = points,
        .items = PLI_ALLOCATE(memory, int32_t, count),
        .sides = PLI_ALLOCATE(memory, uint8_t, count),
        .keys = PLI_ALLOCATE(memory, pli_sort_item, count),
        .copy = PLI_ALLOCATE(memory, pli_sort_item, count),
        .top_depth = count < SMALL ? 0 : TOP_DEPTH,
    };
    bool made = d.items && d.sides && d.keys && d.copy;
    for (int32_t i = 0; made && i < count; i++)
        d.items[i] = i;
    if (made)
        dissection_divide(&d, 0, count, 0);
    made = made && !d.out_of_memory && put_in_order(&d, dissection);
    pli_release(memory, d.items);
    pli_release(memory, d.sides);
    pli_release(memory, d.keys);
    pli_release(memory, d.copy);
    pli_array_release(memory, &d.ranges);
    if (!made)
        pli_dissection_free(memory, dissection);
    return made;
}

void pli_dissection_free(pli_memory *memory, pli_dissection *dissection)
{
    pli_release(memory, dissection->order);
    pli_release(memory, dissection->places);
    pli_release(memory, dissection->nodes);
    *dissection = (pli_dissection){0};
}
