// Stable radix sort of keys with their positions: O(n), no comparison, the same everywhere.
#ifndef PLI_BASE_SORT_H
#define PLI_BASE_SORT_H

#include "base/pieces.h"

typedef struct pli_sort_item {
    uint64_t key;
    int32_t value;
} pli_sort_item;

// Sorts ascending by key, equal keys in their order. Passes over bytes that are equal in all keys
// are skipped. False when memory for the copy is missing.
bool pli_sort(pli_memory *memory, pli_sort_item *items, int32_t count);
// The same with room for a copy.
void pli_sort_within(pli_sort_item *items, pli_sort_item *copy, int32_t count);

// Two numbers, and what they belong to.
typedef struct pli_sort_pair {
    int32_t low, high; // Not negative.
    int32_t value;
} pli_sort_pair;

// Sorts by low, which is below `bound`, then high; equal ones stay in their order. For many small groups
// of equal low, which meshes have: two passes over memory at most. Runs on `tasks`, or here where they are null. False
// when memory for the copy is missing.
bool pli_sort_pairs(pli_memory *memory, const pli_task_hooks *tasks, pli_sort_pair *pairs, int32_t count,
                    int32_t bound);

// Sorts ascending in place.
void pli_sort_integers(int32_t *items, int32_t count);

#endif
