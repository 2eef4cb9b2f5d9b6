// Unique edges and the two corners on each, from one sort of the directed edges. After "The Most Performant Bending
// Constraint" (C. Cincotti 2022), which sorts an edge list and pairs equal neighbours (findTriNeighbors); here for
// polygons of any degree.
#include "base/sort.h"
#include "mesh/draft.h"

static void list_corner_faces(pli_draft *draft)
{
    for (int32_t face = 0; face < draft->face_count; face++)
        for (int32_t corner = draft->face_offsets[face]; corner < draft->face_offsets[face + 1]; corner++)
            draft->corner_faces[corner] = face;
}

static int32_t list_pairs(const pli_draft *draft, pli_sort_pair *pairs)
{
    int32_t count = 0;
    for (int32_t corner = 0; corner < draft->corner_count; corner++) {
        int32_t from = draft->face_vertices[corner], to = draft->face_vertices[pli_next_corner(draft, corner)];
        draft->corner_edges[corner] = -1;
        draft->corner_twins[corner] = -1;
        if (from != to)
            pairs[count++] = (pli_sort_pair){from < to ? from : to, from < to ? to : from, corner};
    }
    return count;
}

static bool same_edge(const pli_sort_pair *a, const pli_sort_pair *b) { return a->low == b->low && a->high == b->high; }

static int32_t count_unique(const pli_sort_pair *pairs, int32_t count)
{
    int32_t unique = 0;
    for (int32_t i = 0; i < count; i++)
        unique += i == 0 || !same_edge(&pairs[i], &pairs[i - 1]);
    return unique;
}

static void pair_corners(pli_draft *draft, const pli_sort_pair *pairs, int32_t count)
{
    for (int32_t first = 0, last, edge = 0; first < count; first = last, edge++) {
        for (last = first; last < count && same_edge(&pairs[last], &pairs[first]); last++)
            draft->corner_edges[pairs[last].value] = edge;
        draft->edges[2 * edge] = pairs[first].low;
        draft->edges[2 * edge + 1] = pairs[first].high;
        draft->edge_corners[2 * edge] = pairs[first].value;
        draft->edge_corners[2 * edge + 1] = last - first > 1 ? pairs[first + 1].value : -1;
        if (last - first == 2) {
            draft->corner_twins[pairs[first].value] = pairs[first + 1].value;
            draft->corner_twins[pairs[first + 1].value] = pairs[first].value;
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
    draft->corner_faces = PLI_ALLOCATE_UNSET(memory, int32_t, draft->corner_count);
    draft->corner_edges = PLI_ALLOCATE_UNSET(memory, int32_t, draft->corner_count);
    draft->corner_twins = PLI_ALLOCATE_UNSET(memory, int32_t, draft->corner_count);
    pli_sort_pair *pairs = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, draft->corner_count);
    draft->vertex_borders = PLI_ALLOCATE(memory, uint8_t, draft->vertex_count);
    bool done = draft->corner_faces && draft->corner_edges && draft->corner_twins && draft->vertex_borders && pairs;
    if (done) {
        list_corner_faces(draft);
        int32_t count = list_pairs(draft, pairs);
        done = pli_sort_pairs(memory, NULL, pairs, count, draft->vertex_count);
        draft->edge_count = done ? count_unique(pairs, count) : 0;
        draft->edges = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (size_t)draft->edge_count);
        draft->edge_corners = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (size_t)draft->edge_count);
        done = done && draft->edges && draft->edge_corners;
        if (done)
            pair_corners(draft, pairs, count);
    }
    if (done)
        mark_borders(draft);
    pli_release(memory, pairs);
    return done && pli_group(memory, draft->face_vertices, draft->corner_count, draft->vertex_count,
                             &draft->corner_offsets, &draft->vertex_corners);
}
