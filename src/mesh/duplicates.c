// Vertices at the same position, faces on the same vertices: equal keys side by side after a sort.
#include "base/hash.h"
#include "base/sort.h"
#include "mesh/draft.h"

#include <string.h>

static uint64_t float_key(float value)
{
    float positive_zero = value + 0.0f;
    uint32_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return bits;
}

int32_t pli_draft_duplicate_vertices(const pli_draft *draft, int32_t *first)
{
    pli_sort_item *items = PLI_ALLOCATE(draft->memory, pli_sort_item, draft->vertex_count);
    int32_t count = draft->vertex_count, duplicates = 0;
    for (int32_t i = 0; items && i < count; i++)
        items[i] = (pli_sort_item){float_key(draft->positions[3 * (size_t)i + 2]), i};
    bool sorted = items && pli_sort(draft->memory, items, count);
    for (int32_t i = 0; sorted && i < count; i++) {
        const float *p = draft->positions + 3 * (size_t)items[i].value;
        items[i].key = float_key(p[0]) << 32 | float_key(p[1]);
    }
    sorted = sorted && pli_sort(draft->memory, items, count);
    *first = -1;
    for (int32_t i = 1; sorted && i < count; i++) {
        float z = draft->positions[3 * (size_t)items[i].value + 2];
        float before = draft->positions[3 * (size_t)items[i - 1].value + 2];
        if (items[i].key != items[i - 1].key || z != before)
            continue;
        duplicates++;
        *first = *first < 0 || items[i].value < *first ? items[i].value : *first;
    }
    pli_release(draft->memory, items);
    return sorted ? duplicates : -1;
}

// The same for every order of the vertices.
static uint64_t face_key(const pli_draft *draft, int32_t face)
{
    uint64_t sum = 0;
    for (int32_t i = draft->face_offsets[face]; i < draft->face_offsets[face + 1]; i++)
        sum += pli_hash_mix(PLI_HASH_START, (uint64_t)draft->face_vertices[i]);
    return sum;
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
    pli_sort_item *items = PLI_ALLOCATE(draft->memory, pli_sort_item, count);
    int32_t *seen = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    for (int32_t face = 0; items && face < count; face++)
        items[face] = (pli_sort_item){face_key(draft, face), face};
    bool sorted = items && seen && pli_sort(draft->memory, items, count);
    for (int32_t first = 0, i = 1; sorted && i < count; i++) {
        if (items[i].key != items[first].key) {
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
