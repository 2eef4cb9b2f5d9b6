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
    pli_sort_item *copy = PLI_ALLOCATE_UNSET(memory, pli_sort_item, count);
    if (!copy)
        return false;
    pli_sort_within(items, copy, count);
    pli_release(memory, copy);
    return true;
}

void pli_sort_within(pli_sort_item *items, pli_sort_item *copy, int32_t count)
{
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
}

enum { SMALL_GROUP = 48 };

static bool is_sorted(const pli_sort_pair *pairs, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (pairs[i - 1].high > pairs[i].high)
            return false;
    return true;
}

// By insertion, or by radix where a hub of the mesh makes a large group.
static bool sort_group(pli_memory *memory, pli_sort_pair *pairs, int32_t count)
{
    if (is_sorted(pairs, count))
        return true;
    if (count <= SMALL_GROUP) {
        for (int32_t i = 1; i < count; i++) {
            pli_sort_pair pair = pairs[i];
            int32_t k = i;
            for (; k > 0 && pairs[k - 1].high > pair.high; k--)
                pairs[k] = pairs[k - 1];
            pairs[k] = pair;
        }
        return true;
    }
    pli_sort_item *items = PLI_ALLOCATE_UNSET(memory, pli_sort_item, count);
    for (int32_t i = 0; items && i < count; i++)
        items[i] = (pli_sort_item){(uint64_t)pairs[i].high, pairs[i].value};
    bool sorted = items && pli_sort(memory, items, count);
    for (int32_t i = 0; sorted && i < count; i++)
        pairs[i].high = (int32_t)items[i].key, pairs[i].value = items[i].value;
    pli_release(memory, items);
    return sorted;
}

bool pli_sort_pairs(pli_memory *memory, pli_sort_pair *pairs, int32_t count, int32_t bound)
{
    pli_sort_pair *copy = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, count);
    int32_t *ends = PLI_ALLOCATE(memory, int32_t, (int64_t)bound + 1);
    bool sorted = copy && ends;
    for (int32_t i = 0; sorted && i < count; i++)
        ends[pairs[i].low + 1]++;
    for (int32_t group = 0; sorted && group < bound; group++)
        ends[group + 1] += ends[group];
    if (sorted)
        memcpy(copy, pairs, (size_t)count * sizeof *pairs);
    for (int32_t i = 0; sorted && i < count; i++)
        pairs[ends[copy[i].low]++] = copy[i];
    for (int32_t group = 0, begin = 0; sorted && group < bound; begin = ends[group++])
        sorted = sort_group(memory, pairs + begin, ends[group] - begin);
    pli_release(memory, copy);
    pli_release(memory, ends);
    return sorted;
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
