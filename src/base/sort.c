#include "base/sort.h"

#include <string.h>

static bool sort_byte(const pli_sort_item *from, pli_sort_item *to, int32_t count, int shift)
{
    int32_t start[257] = {0};
    for (int32_t i = 0; i < count; i++)
        start[((from[i].key >> shift) & 255) + 1]++;
    for (int bucket = 0; bucket < 256; bucket++) {
        if (start[bucket + 1] == count)
            return false;
        start[bucket + 1] += start[bucket];
    }
    for (int32_t i = 0; i < count; i++)
        to[start[(from[i].key >> shift) & 255]++] = from[i];
    return true;
}

bool pli_sort(pli_memory *memory, pli_sort_item *items, int32_t count)
{
    pli_sort_item *copy = PLI_ALLOCATE(memory, pli_sort_item, count);
    if (!copy)
        return false;
    pli_sort_item *from = items, *to = copy;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!sort_byte(from, to, count, shift))
            continue;
        pli_sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
    pli_release(memory, copy);
    return true;
}

// Shell's sort: no memory, and the lists are short.
void pli_sort_integers(int32_t *items, int32_t count)
{
    for (int32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int32_t i = gap; i < count; i++) {
            int32_t item = items[i], k = i;
            for (; k >= gap && items[k - gap] > item; k -= gap)
                items[k] = items[k - gap];
            items[k] = item;
        }
    }
}
