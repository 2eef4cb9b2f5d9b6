// Spatial orders. Morton codes with 21 bits for each axis, sorted by radix sort.
#include "collision/broadphase/spatial_order.h"

#include "base/sort.h"
#include "collision/broadphase/aabb.h"

static uint64_t morton_spread(uint32_t x)
{
    uint64_t v = x & 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

static uint32_t cell_of(float x, float low, float size)
{
    return size > 0.0f ? (uint32_t)(fminf(fmaxf((x - low) / size, 0.0f), 1.0f) * 2097151.0f) : 0;
}

static uint64_t morton_key(pli_vec3 p, pli_aabb all)
{
    return morton_spread(cell_of(p.x, all.low.x, all.high.x - all.low.x)) << 2 |
           morton_spread(cell_of(p.y, all.low.y, all.high.y - all.low.y)) << 1 |
           morton_spread(cell_of(p.z, all.low.z, all.high.z - all.low.z));
}

static pli_vec3 morton_position(const float *positions, int32_t i)
{
    return (pli_vec3){positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

bool pli_morton_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                      int32_t position_count, int32_t *order)
{
    pli_sort_item *items = PLI_ALLOCATE(memory, pli_sort_item, triangle_count);
    if (!items)
        return false;
    pli_aabb all = pli_aabb_empty();
    for (int32_t i = 0; i < position_count; i++)
        pli_aabb_include(&all, morton_position(positions, i));
    for (int32_t t = 0; t < triangle_count; t++) {
        pli_vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = pli_add(sum, morton_position(positions, triangles[3 * t + k]));
        items[t] = (pli_sort_item){morton_key(pli_scale(sum, 1.0f / 3.0f), all), t};
    }
    bool complete = pli_sort(memory, items, triangle_count);
    for (int32_t t = 0; complete && t < triangle_count; t++)
        order[t] = items[t].value;
    pli_release(memory, items);
    return complete;
}

/* ---- k-d order ------------------------------------------------------------------------------- */

// Recursive median splits along the longest axis: Bentley 1975, Multidimensional Binary Search Trees Used for
// Associative Searching. Groups along a space-filling curve would sometimes span a jump of the curve, with large boxes
// that overlap many others.

enum { INSERTION_SORT_MAX = 16 }; // Ranges up to this size are sorted by insertion.

typedef struct split_element {
    float at[3];
    int32_t number;
} split_element;

// Total order: ties are broken by index, so that the result does not depend on the algorithm.
static bool is_before(const split_element *a, const split_element *b, int axis)
{
    return a->at[axis] < b->at[axis] || (a->at[axis] == b->at[axis] && a->number < b->number);
}

static void kd_swap(split_element *a, split_element *b)
{
    split_element kept = *a;
    *a = *b, *b = kept;
}

// The median of three.
static split_element pivot_of(const split_element *a, const split_element *b, const split_element *c, int axis)
{
    const split_element *low = is_before(a, b, axis) ? a : b, *high = low == a ? b : a;
    return *(is_before(c, low, axis) ? low : is_before(c, high, axis) ? c : high);
}

// Partitions a range so that its `left` lowest elements along an axis come first: quickselect, Hoare 1961, Algorithm
// 65: Find.
static void kd_split(split_element *elements, int32_t count, int32_t left, int axis)
{
    while (count > INSERTION_SORT_MAX) {
        split_element pivot = pivot_of(&elements[0], &elements[count / 2], &elements[count - 1], axis);
        int32_t low = 0, high = count - 1;
        while (low <= high) {
            while (is_before(&elements[low], &pivot, axis))
                low++;
            while (is_before(&pivot, &elements[high], axis))
                high--;
            if (low <= high)
                kd_swap(&elements[low++], &elements[high--]);
        }
        if (left <= high + 1) {
            count = high + 1;
        } else {
            elements += low;
            count -= low;
            left -= low;
        }
        if (left <= 0 || left >= count)
            return;
    }
    for (int32_t i = 1; i < count; i++)
        for (int32_t k = i; k > 0 && is_before(&elements[k], &elements[k - 1], axis); k--)
            kd_swap(&elements[k], &elements[k - 1]);
}

static int kd_longest_axis(const split_element *elements, int32_t count)
{
    pli_aabb all = pli_aabb_empty();
    for (int32_t i = 0; i < count; i++)
        pli_aabb_include(&all, (pli_vec3){elements[i].at[0], elements[i].at[1], elements[i].at[2]});
    float x = all.high.x - all.low.x, y = all.high.y - all.low.y, z = all.high.z - all.low.z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void group(split_element *elements, int32_t count, int32_t size)
{
    while (count > size) {
        // Number of groups in the left subtree of a complete binary tree: the largest power of two below `groups`.
        int32_t groups = (count + size - 1) / size;
        int32_t whole = 1;
        while (2 * whole < groups)
            whole *= 2;
        int32_t left = size * whole;
        kd_split(elements, count, left, kd_longest_axis(elements, count));
        group(elements, left, size);
        elements += left;
        count -= left;
    }
}

bool pli_kd_order(pli_memory *memory, const float *points, int32_t count, int32_t size, int32_t *order)
{
    split_element *elements = PLI_ALLOCATE(memory, split_element, count);
    if (!elements)
        return false;
    for (int32_t i = 0; i < count; i++) {
        const float *p = points + 3 * (int64_t)i;
        elements[i] = (split_element){{p[0], p[1], p[2]}, i};
    }
    group(elements, count, size);
    for (int32_t i = 0; i < count; i++)
        order[i] = elements[i].number;
    pli_release(memory, elements);
    return true;
}
