// Disjoint sets by union-find over an array of parents (Tarjan 1975). The smallest member of a set is its root, so the
// result does not depend on the order of joining.
#ifndef PLI_BASE_UNION_FIND_H
#define PLI_BASE_UNION_FIND_H

#include <stdint.h>

static inline void pli_sets_reset(int32_t *parents, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        parents[i] = i;
}

static inline int32_t pli_set_root(int32_t *parents, int32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// Joins the sets of a and b; returns their root.
static inline int32_t pli_sets_join(int32_t *parents, int32_t a, int32_t b)
{
    int32_t first = pli_set_root(parents, a), second = pli_set_root(parents, b);
    int32_t root = first < second ? first : second;
    parents[first] = parents[second] = root;
    return root;
}

#endif
