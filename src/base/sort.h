// Stable radix sort of keys with their positions: O(n), no comparison, the same everywhere.
#ifndef PLI_BASE_SORT_H
#define PLI_BASE_SORT_H

#include "base/memory.h"

typedef struct pli_sort_item {
    uint64_t key;
    int32_t value;
} pli_sort_item;

// Sorts ascending by key, equal keys in their order. Passes over bytes that are equal in all keys
// are skipped. False when memory for the copy is missing.
bool pli_sort(pli_memory *memory, pli_sort_item *items, int32_t count);

// Sorts ascending in place.
void pli_sort_integers(int32_t *items, int32_t count);

#endif
