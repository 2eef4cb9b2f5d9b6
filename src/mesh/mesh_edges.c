// Unique edges and the two corners on each, from one radix sort of the directed edges.
// After "The Most Performant Bending Constraint" (C. Cincotti 2022), which sorts an edge list and
// pairs equal neighbours (findTriNeighbors); here for polygons of any degree.
#include "base/sort.h"
#include "mesh/draft.h"

static int32_t bits_for(int32_t count)
{
    int32_t bits = 1;
    while (bits < 31 && count > (int32_t)1 << bits)
        bits++;
    return bits;
}

static void list_corner_faces(pli_draft *draft)
{
    for (int32_t face = 0; face < draft->face_count; face++)
        for (int32_t corner = draft->face_offsets[face]; corner < draft->face_offsets[face + 1]; corner++)
            draft->corner_faces[corner] = face;
}

static int32_t list_edge_keys(const pli_draft *draft, pli_sort_item *items)
{
    int32_t bits = bits_for(draft->vertex_count), count = 0;
    for (int32_t corner = 0; corner < draft->corner_count; corner++) {
        uint64_t from = (uint64_t)draft->face_vertices[corner];
        uint64_t to = (uint64_t)draft->face_vertices[pli_next_corner(draft, corner)];
        draft->corner_edges[corner] = -1;
        draft->corner_twins[corner] = -1;
        if (from != to)
            items[count++] = (pli_sort_item){from < to ? from << bits | to : to << bits | from, corner};
    }
    return count;
}

static int32_t count_unique(const pli_sort_item *items, int32_t count)
{
    int32_t unique = 0;
    for (int32_t i = 0; i < count; i++)
        unique += i == 0 || items[i].key != items[i - 1].key;
    return unique;
}

static void pair_corners(pli_draft *draft, const pli_sort_item *items, int32_t count)
{
    int32_t bits = bits_for(draft->vertex_count), edge = 0;
    for (int32_t first = 0, last; first < count; first = last, edge++) {
        for (last = first; last < count && items[last].key == items[first].key; last++)
            draft->corner_edges[items[last].value] = edge;
        draft->edges[2 * edge] = (int32_t)(items[first].key >> bits);
        draft->edges[2 * edge + 1] = (int32_t)(items[first].key & (((uint64_t)1 << bits) - 1));
        draft->edge_corners[2 * edge] = items[first].value;
        draft->edge_corners[2 * edge + 1] = last - first > 1 ? items[first + 1].value : -1;
        if (last - first == 2) {
            draft->corner_twins[items[first].value] = items[first + 1].value;
            draft->corner_twins[items[first + 1].value] = items[first].value;
        }
    }
}

static void mark_borders(pli_draft *draft)
{
    for (int32_t corner = 0; corner < draft->corner_count; corner++)
        if (draft->corner_twins[corner] < 0) {
            draft->vertex_borders[draft->face_vertices[corner]] = 1;
            draft->vertex_borders[draft->face_vertices[pli_next_corner(draft, corner)]] = 1;
        }
}

bool pli_draft_edges(pli_draft *draft)
{
    pli_memory *memory = draft->memory;
    draft->corner_faces = PLI_ALLOCATE(memory, int32_t, draft->corner_count);
    draft->corner_edges = PLI_ALLOCATE(memory, int32_t, draft->corner_count);
    draft->corner_twins = PLI_ALLOCATE(memory, int32_t, draft->corner_count);
    pli_sort_item *items = PLI_ALLOCATE(memory, pli_sort_item, draft->corner_count);
    draft->vertex_borders = PLI_ALLOCATE(memory, uint8_t, draft->vertex_count);
    bool done = draft->corner_faces && draft->corner_edges && draft->corner_twins && draft->vertex_borders && items;
    if (done) {
        list_corner_faces(draft);
        int32_t count = list_edge_keys(draft, items);
        done = pli_sort(memory, items, count);
        draft->edge_count = done ? count_unique(items, count) : 0;
        draft->edges = PLI_ALLOCATE(memory, int32_t, 2 * (size_t)draft->edge_count);
        draft->edge_corners = PLI_ALLOCATE(memory, int32_t, 2 * (size_t)draft->edge_count);
        done = done && draft->edges && draft->edge_corners;
        if (done)
            pair_corners(draft, items, count);
    }
    if (done)
        mark_borders(draft);
    pli_release(memory, items);
    return done && pli_group(memory, draft->face_vertices, draft->corner_count, draft->vertex_count,
                             &draft->corner_offsets, &draft->vertex_corners);
}
