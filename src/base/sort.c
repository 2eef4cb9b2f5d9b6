// Radix sort by bytes, bucket sort of pairs with small groups, and Shell sort of short lists.
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

/* ---- pairs -------------------------------------------------------------------------------------- */

enum { SMALL_GROUP = 48, SORT_GRAIN = 1 << 16, BUCKETS_MAX = 512 };

static bool is_sorted(const pli_sort_pair *pairs, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (pairs[i - 1].high > pairs[i].high)
            return false;
    return true;
}

static void sort_by_insertion(pli_sort_pair *pairs, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        pli_sort_pair pair = pairs[i];
        int32_t k = i;
        for (; k > 0 && pairs[k - 1].high > pair.high; k--)
            pairs[k] = pairs[k - 1];
        pairs[k] = pair;
    }
}

// Merges the sorted pairs before `middle` with the sorted pairs after it.
static void sort_merge(const pli_sort_pair *from, int32_t middle, int32_t count, pli_sort_pair *to)
{
    int32_t a = 0, b = middle;
    for (int32_t i = 0; i < count; i++)
        to[i] = b >= count || (a < middle && from[a].high <= from[b].high) ? from[a++] : from[b++];
}

static int32_t sort_least(int64_t a, int32_t b) { return a < b ? (int32_t)a : b; }

// Insertion sort in blocks that are then merged: groups are small, but a vertex of very high degree makes a large one.
void pli_sort_by_high(pli_sort_pair *pairs, pli_sort_pair *scratch, int32_t count)
{
    if (is_sorted(pairs, count))
        return;
    for (int32_t i = 0; i < count; i += SMALL_GROUP)
        sort_by_insertion(pairs + i, sort_least(SMALL_GROUP, count - i));
    pli_sort_pair *from = pairs, *to = scratch;
    for (int64_t size = SMALL_GROUP; size < count; size *= 2) {
        for (int32_t i = 0; i < count; i += sort_least(2 * size, count - i))
            sort_merge(from + i, sort_least(size, count - i), sort_least(2 * size, count - i), to + i);
        pli_sort_pair *swap = from;
        from = to, to = swap;
    }
    if (from != pairs)
        memcpy(pairs, from, (size_t)count * sizeof *pairs);
}

// Two passes over memory: pairs are scattered to buckets of neighbouring groups, then each bucket is sorted by group in
// cache.
typedef struct pair_sorting {
    pli_sort_pair *pairs, *copy;
    int32_t count, bound, shift, bucket_count;
    int32_t *starts;  // [pieces][buckets] offset of each piece in each bucket.
    int32_t *buckets; // [buckets + 1] offset of each bucket.
    int32_t *ends;    // Ends of groups; each bucket uses one entry more than it has groups.
} pair_sorting;

static void count_piece(void *data, int32_t begin, int32_t end)
{
    const pair_sorting *s = data;
    int32_t *counts = s->starts + (size_t)(begin / SORT_GRAIN) * (size_t)s->bucket_count;
    for (int32_t i = begin; i < end; i++)
        counts[s->pairs[i].low >> s->shift]++;
}

static void place_buckets(const pair_sorting *s)
{
    int32_t at = 0, pieces = pli_piece_count(s->count, SORT_GRAIN);
    for (int32_t bucket = 0; bucket < s->bucket_count; bucket++) {
        s->buckets[bucket] = at;
        for (int32_t piece = 0; piece < pieces; piece++) {
            int32_t *start = &s->starts[(size_t)piece * (size_t)s->bucket_count + (size_t)bucket], size = *start;
            *start = at;
            at += size;
        }
    }
    s->buckets[s->bucket_count] = at;
}

static void scatter_piece(void *data, int32_t begin, int32_t end)
{
    const pair_sorting *s = data;
    int32_t *starts = s->starts + (size_t)(begin / SORT_GRAIN) * (size_t)s->bucket_count;
    for (int32_t i = begin; i < end; i++)
        s->copy[starts[s->pairs[i].low >> s->shift]++] = s->pairs[i];
}

static void sort_bucket(const pair_sorting *s, int32_t bucket)
{
    int32_t begin = s->buckets[bucket], end = s->buckets[bucket + 1];
    int32_t first = bucket << s->shift, groups = bucket + 1 < s->bucket_count ? 1 << s->shift : s->bound - first;
    int32_t *ends = s->ends + first + bucket;
    memset(ends, 0, ((size_t)groups + 1) * sizeof *ends);
    for (int32_t i = begin; i < end; i++)
        ends[s->copy[i].low - first + 1]++;
    ends[0] = begin;
    for (int32_t group = 0; group < groups; group++)
        ends[group + 1] += ends[group];
    for (int32_t i = begin; i < end; i++)
        s->pairs[ends[s->copy[i].low - first]++] = s->copy[i];
    for (int32_t group = 0, at = begin; group < groups; at = ends[group++])
        pli_sort_by_high(s->pairs + at, s->copy + at, ends[group] - at);
}

static void sort_buckets(void *data, int32_t begin, int32_t end)
{
    for (int32_t bucket = begin; bucket < end; bucket++)
        sort_bucket(data, bucket);
}

bool pli_sort_pairs(pli_memory *memory, const pli_task_hooks *tasks, pli_sort_pair *pairs, int32_t count, int32_t bound)
{
    pair_sorting s = {.pairs = pairs, .count = count, .bound = bound};
    int32_t pieces = pli_piece_count(count, SORT_GRAIN);
    while (bound > 0 && (bound - 1) >> s.shift >= (pieces > 1 ? BUCKETS_MAX : 1))
        s.shift++;
    s.bucket_count = bound > 0 ? ((bound - 1) >> s.shift) + 1 : 0;
    s.copy = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, count);
    s.starts = PLI_ALLOCATE(memory, int32_t, (int64_t)pieces * s.bucket_count);
    s.buckets = PLI_ALLOCATE_UNSET(memory, int32_t, (int64_t)s.bucket_count + 1);
    s.ends = PLI_ALLOCATE_UNSET(memory, int32_t, (int64_t)bound + s.bucket_count);
    bool complete = s.copy && s.starts && s.buckets && s.ends;
    if (complete) {
        pli_run_pieces(tasks, count, SORT_GRAIN, count_piece, &s);
        place_buckets(&s);
        pli_run_pieces(tasks, count, SORT_GRAIN, scatter_piece, &s);
        pli_run_pieces(tasks, s.bucket_count, 1, sort_buckets, &s);
    }
    void *arrays[] = {s.copy, s.starts, s.buckets, s.ends};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    return complete;
}

// Shell sort needs no memory, and the lists are short.
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
