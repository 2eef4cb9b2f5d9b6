// Vertices at the same position and faces on the same vertices: both are neighbours in groups sorted by hashes.
#include "base/hash.h"
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

static bool same_position(const float *p, const float *q)
{
    return float_key(p[0]) == float_key(q[0]) && float_key(p[1]) == float_key(q[1]) && p[2] == q[2];
}

// Whether one of the pairs from `first` to i - 1 is at the position of pair i.
static bool seen_before(const pli_draft *draft, const pli_sort_pair *pairs, int32_t first, int32_t i)
{
    for (int32_t k = first; k < i; k++)
        if (same_position(draft->positions + 3 * (size_t)pairs[k].value, draft->positions + 3 * (size_t)pairs[i].value))
            return true;
    return false;
}

static uint64_t position_hash(const float *p)
{
    return pli_hash_mix(pli_hash_mix(PLI_HASH_START, float_key(p[0]) << 32 | float_key(p[1])), float_key(p[2]));
}

// Counts duplicates among the vertices of one bucket, sorted by the rest of their hash.
static int32_t count_duplicates(const pli_draft *draft, const pli_sort_pair *pairs, int32_t count, int32_t *first)
{
    int32_t duplicates = 0;
    for (int32_t begin = 0, i = 1; i < count; i++) {
        if (pairs[i].high != pairs[begin].high)
            begin = i;
        if (!seen_before(draft, pairs, begin, i))
            continue;
        duplicates++;
        *first = *first < 0 || pairs[i].value < *first ? pairs[i].value : *first;
    }
    return duplicates;
}

int32_t pli_draft_duplicate_vertices(const pli_draft *draft, int32_t *first)
{
    int32_t count = draft->vertex_count, duplicates = 0, bound = count > HASH_BUCKETS ? count : HASH_BUCKETS;
    int32_t *keys = PLI_ALLOCATE_UNSET(draft->memory, int32_t, count);
    pli_grouped groups = {0};
    for (int32_t i = 0; keys && i < count; i++)
        keys[i] = (int32_t)((position_hash(draft->positions + 3 * (size_t)i) & 0xffffffff) % (uint64_t)bound);
    bool grouped = keys && pli_grouped_make(draft->memory, keys, count, bound, &groups);
    *first = -1;
    for (int32_t bucket = 0; grouped && bucket < bound; bucket++) {
        const int32_t *members = groups.members + groups.offsets[bucket], size = pli_grouped_size(&groups, bucket);
        for (int32_t i = 0; size > 1 && i < size; i++)
            groups.pairs[i] = (pli_sort_pair){
                0, (int32_t)(position_hash(draft->positions + 3 * (size_t)members[i]) >> 33), members[i]};
        pli_sort_by_high(groups.pairs, groups.scratch, size > 1 ? size : 0);
        duplicates += count_duplicates(draft, groups.pairs, size > 1 ? size : 0, first);
    }
    pli_grouped_release(draft->memory, &groups);
    pli_release(draft->memory, keys);
    return grouped ? duplicates : -1;
}

static int32_t lowest_vertex(const pli_draft *draft, int32_t face)
{
    int32_t lowest = INT32_MAX;
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++)
        lowest = draft->face_vertices[i] < lowest ? draft->face_vertices[i] : lowest;
    return lowest;
}

// Returns the sum of the hashes of all vertices, which does not depend on their order.
static int32_t vertices_hash(const pli_draft *draft, int32_t face)
{
    uint64_t sum = 0;
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++)
        sum += pli_hash_mix(PLI_HASH_START, (uint64_t)draft->face_vertices[i]);
    // The sum is mixed once more, since the upper half of each summand is close to a multiple of the vertex.
    return (int32_t)(pli_hash_mix(sum, 0) >> 33);
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

// Marks duplicates among faces with one lowest vertex, sorted by the hash of all. `seen` has marks of faces, from 1.
static int32_t mark_duplicates(const pli_draft *draft, const pli_sort_pair *items, int32_t count, int32_t *seen,
                               uint8_t *duplicate)
{
    int32_t duplicates = 0;
    for (int32_t first = 0, i = 1; i < count; i++) {
        if (items[i].high != items[first].high) {
            first = i;
            continue;
        }
        int32_t original = items[first].value, face = items[i].value;
        if (i == first + 1)
            mark_vertices(draft, original, seen, original + 1);
        if (degree_of(draft, face) == degree_of(draft, original) && all_seen(draft, face, seen, original + 1)) {
            duplicate[face] = 1;
            duplicates++;
        }
    }
    return duplicates;
}

int32_t pli_draft_duplicate_faces(const pli_draft *draft, uint8_t *duplicate)
{
    int32_t duplicates = 0;
    int32_t *keys = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->face_count);
    int32_t *seen = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    pli_grouped groups = {0};
    for (int32_t face = 0; keys && face < draft->face_count; face++)
        keys[face] = lowest_vertex(draft, face);
    bool grouped = keys && seen &&
                   pli_grouped_make(draft->memory, keys, draft->face_count, draft->vertex_count, &groups);
    for (int32_t vertex = 0; grouped && vertex < draft->vertex_count; vertex++) {
        const int32_t *faces = groups.members + groups.offsets[vertex], count = pli_grouped_size(&groups, vertex);
        for (int32_t i = 0; i < count; i++)
            groups.pairs[i] = (pli_sort_pair){0, vertices_hash(draft, faces[i]), faces[i]};
        pli_sort_by_high(groups.pairs, groups.scratch, count);
        duplicates += mark_duplicates(draft, groups.pairs, count, seen, duplicate);
    }
    pli_grouped_release(draft->memory, &groups);
    pli_release(draft->memory, keys);
    pli_release(draft->memory, seen);
    return grouped ? duplicates : -1;
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
