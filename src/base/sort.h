// Stable radix sort of keys with their positions: O(n), without comparisons, the same on every machine.
#ifndef PLI_BASE_SORT_H
#define PLI_BASE_SORT_H

#include "base/pieces.h"

typedef struct pli_sort_item {
    uint64_t key;
    int32_t value;
} pli_sort_item;

// Sorts ascending by key; equal keys keep their order. Passes over bytes that are equal in all keys are skipped. False
// when memory for the copy ran out.
bool pli_sort(pli_memory *memory, pli_sort_item *items, int32_t count);
// Sorts in the same way with memory of the caller for the copy, `count` items.
void pli_sort_within(pli_sort_item *items, pli_sort_item *copy, int32_t count);

// Two numbers and their value.
typedef struct pli_sort_pair {
    int32_t low, high; // >= 0.
    int32_t value;
} pli_sort_pair;

// Sorts by low, which is less than `bound`, then by high; equal pairs keep their order. This is fast for many small
// groups of equal low, such as the edges of a mesh: at most two passes over memory. Runs on `tasks`, or on this thread
// when it is null. Returns false when memory for the copy ran out.
bool pli_sort_pairs(pli_memory *memory, const pli_task_hooks *tasks, pli_sort_pair *pairs, int32_t count,
                    int32_t bound);

// Sorts pairs by high only; equal pairs keep their order. `scratch` has room for the same number of pairs.
void pli_sort_by_high(pli_sort_pair *pairs, pli_sort_pair *scratch, int32_t count);

// Sorts ascending in place.
void pli_sort_integers(int32_t *items, int32_t count);

#endif
