// Vertices at the same position and faces on the same vertices: both are neighbours after a sort by hashed keys.
#include "base/hash.h"
#include "base/sort.h"
#include "mesh/draft.h"

#include <string.h>

enum { HASH_BUCKETS = 1 << 16 };

static uint64_t float_key(float value)
{
    float positive_zero = value + 0.0f;
    uint32_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return bits;
}

static pli_sort_pair hashed(uint64_t hash, int32_t bound, int32_t value)
{
    return (pli_sort_pair){(int32_t)((hash & 0xffffffff) % (uint64_t)bound), (int32_t)(hash >> 33), value};
}

static bool same_key(const pli_sort_pair *a, const pli_sort_pair *b) { return a->low == b->low && a->high == b->high; }

static bool same_position(const float *p, const float *q)
{
    return float_key(p[0]) == float_key(q[0]) && float_key(p[1]) == float_key(q[1]) && p[2] == q[2];
}

// Whether one of the pairs `first`..i-1 is at the position of pair i.
static bool seen_before(const pli_draft *draft, const pli_sort_pair *pairs, int32_t first, int32_t i)
{
    for (int32_t k = first; k < i; k++)
        if (same_position(draft->positions + 3 * (size_t)pairs[k].value, draft->positions + 3 * (size_t)pairs[i].value))
            return true;
    return false;
}

int32_t pli_draft_duplicate_vertices(const pli_draft *draft, int32_t *first)
{
    int32_t count = draft->vertex_count, duplicates = 0, bound = count > HASH_BUCKETS ? count : HASH_BUCKETS;
    pli_sort_pair *pairs = PLI_ALLOCATE_UNSET(draft->memory, pli_sort_pair, count);
    for (int32_t i = 0; pairs && i < count; i++) {
        const float *p = draft->positions + 3 * (size_t)i;
        uint64_t hash = pli_hash_mix(PLI_HASH_START, float_key(p[0]) << 32 | float_key(p[1]));
        pairs[i] = hashed(pli_hash_mix(hash, float_key(p[2])), bound, i);
    }
    bool sorted = pairs && pli_sort_pairs(draft->memory, NULL, pairs, count, bound);
    *first = -1;
    for (int32_t begin = 0, i = 1; sorted && i < count; i++) {
        if (!same_key(&pairs[i], &pairs[begin]))
            begin = i;
        if (!seen_before(draft, pairs, begin, i))
            continue;
        duplicates++;
        *first = *first < 0 || pairs[i].value < *first ? pairs[i].value : *first;
    }
    pli_release(draft->memory, pairs);
    return sorted ? duplicates : -1;
}

// A key that does not depend on the order of the vertices: the lowest vertex, and the sum of the hashes of all.
static pli_sort_pair face_key(const pli_draft *draft, int32_t face)
{
    uint64_t sum = 0;
    int32_t lowest = INT32_MAX;
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++) {
        int32_t vertex = draft->face_vertices[i];
        sum += pli_hash_mix(PLI_HASH_START, (uint64_t)vertex);
        lowest = vertex < lowest ? vertex : lowest;
    }
    // Mixed once more, since the upper half of each summand is close to a multiple of the vertex.
    return (pli_sort_pair){lowest, (int32_t)(pli_hash_mix(sum, 0) >> 33), face};
}

static bool all_seen(const pli_draft *draft, int32_t face, const int32_t *seen, int32_t mark)
{
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++)
        if (seen[draft->face_vertices[i]] != mark)
            return false;
    return true;
}

static void mark_vertices(const pli_draft *draft, int32_t face, int32_t *seen, int32_t mark)
{
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++)
        seen[draft->face_vertices[i]] = mark;
}

static int32_t degree_of(const pli_draft *draft, int32_t face)
{
    return draft->face_offsets[face + 1] - draft->face_offsets[face];
}

int32_t pli_draft_duplicate_faces(const pli_draft *draft, uint8_t *duplicate)
{
    int32_t count = draft->face_count, duplicates = 0;
    pli_sort_pair *items = PLI_ALLOCATE_UNSET(draft->memory, pli_sort_pair, count);
    int32_t *seen = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    for (int32_t face = 0; items && face < count; face++)
        items[face] = face_key(draft, face);
    bool sorted = items && seen && pli_sort_pairs(draft->memory, NULL, items, count, draft->vertex_count);
    for (int32_t first = 0, i = 1; sorted && i < count; i++) {
        if (!same_key(&items[i], &items[first])) {
            first = i;
            continue;
        }
        int32_t original = items[first].value, face = items[i].value;
        if (i == first + 1)
            mark_vertices(draft, original, seen, first + 1);
        if (degree_of(draft, face) == degree_of(draft, original) && all_seen(draft, face, seen, first + 1)) {
            duplicate[face] = 1;
            duplicates++;
        }
    }
    pli_release(draft->memory, seen);
    pli_release(draft->memory, items);
    return sorted ? duplicates : -1;
}

bool pli_draft_repeats_vertex(const pli_draft *draft, int32_t face, int32_t *seen)
{
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++) {
        if (seen[draft->face_vertices[i]] == face + 1)
            return true;
        seen[draft->face_vertices[i]] = face + 1;
    }
    return false;
}
