// Growable arrays of one type: items, their count, and the capacity.
//
//     PLI_ARRAY(int32_t) numbers;                          // zeroed: empty
//     if (!pli_array_reserve(memory, &numbers, needed))    // false when memory ran out
//         return false;
//     numbers.items[numbers.count++] = 7;
//     pli_array_release(memory, &numbers);
#ifndef PLI_BASE_ARRAY_H
#define PLI_BASE_ARRAY_H

#include "base/memory.h"

#define PLI_ARRAY(type)                                                                                                \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        int32_t count, capacity;                                                                                       \
    }

// Grows the capacity to at least `needed` items. Contents are kept, new items are zeroed. Returns false when memory ran out.
#define pli_array_reserve(memory, array, needed)                                                                       \
    pli_reserve((memory), &(array)->items, &(array)->capacity, (needed), sizeof *(array)->items)
// Grows without zeroing, for items that are written before they are read.
#define pli_array_reserve_unset(memory, array, needed)                                                                 \
    pli_reserve_unset((memory), &(array)->items, &(array)->capacity, (needed), sizeof *(array)->items)
#define pli_array_release(memory, array)                                                                               \
    (pli_release((memory), (array)->items), (array)->items = NULL, (array)->count = (array)->capacity = 0)

#endif
