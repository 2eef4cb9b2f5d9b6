// Recursive median splits along the longest axis: Bentley 1975, Multidimensional Binary Search Trees Used for
// Associative Searching. Groups along a space-filling curve would sometimes span a jump of the curve, with large boxes
// that overlap many others.
#include "collision/broadphase/kd_order.h"

#include "collision/broadphase/aabb.h"

enum { INSERTION_SORT_MAX = 16 }; // Ranges up to this size are sorted by insertion.

typedef struct element {
    float at[3];
    int32_t number;
} element;

// Total order: ties are broken by index, so that the result does not depend on the algorithm.
static bool is_before(const element *a, const element *b, int axis)
{
    return a->at[axis] < b->at[axis] || (a->at[axis] == b->at[axis] && a->number < b->number);
}

static void kd_swap(element *a, element *b)
{
    element kept = *a;
    *a = *b, *b = kept;
}

// The median of three.
static element pivot_of(const element *a, const element *b, const element *c, int axis)
{
    const element *low = is_before(a, b, axis) ? a : b, *high = low == a ? b : a;
    return *(is_before(c, low, axis) ? low : is_before(c, high, axis) ? c : high);
}

// Partitions a range so that its `left` lowest elements along an axis come first: quickselect, Hoare 1961, Algorithm
// 65: Find.
static void kd_split(element *elements, int32_t count, int32_t left, int axis)
{
    while (count > INSERTION_SORT_MAX) {
        element pivot = pivot_of(&elements[0], &elements[count / 2], &elements[count - 1], axis);
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

static int kd_longest_axis(const element *elements, int32_t count)
{
    pli_aabb all = pli_aabb_empty();
    for (int32_t i = 0; i < count; i++)
        pli_aabb_include(&all, (pli_vec3){elements[i].at[0], elements[i].at[1], elements[i].at[2]});
    float x = all.high.x - all.low.x, y = all.high.y - all.low.y, z = all.high.z - all.low.z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void group(element *elements, int32_t count, int32_t size)
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
    element *elements = PLI_ALLOCATE(memory, element, count);
    if (!elements)
        return false;
    for (int32_t i = 0; i < count; i++) {
        const float *p = points + 3 * (int64_t)i;
        elements[i] = (element){{p[0], p[1], p[2]}, i};
    }
    group(elements, count, size);
    for (int32_t i = 0; i < count; i++)
        order[i] = elements[i].number;
    pli_release(memory, elements);
    return true;
}
