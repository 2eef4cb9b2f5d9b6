// Unique edges and the two corners on each: corners are grouped by the lower vertex of their edge, and each group is
// sorted by the higher one. After "The Most Performant Bending Constraint" (C. Cincotti 2022), which sorts an edge list
// and pairs equal neighbours (findTriNeighbors); here for polygons of any degree.
#include "mesh/draft.h"

// Returns the edge that leaves a corner.
static pli_sort_pair edge_of(const pli_draft *draft, int32_t corner)
{
    int32_t from = draft->face_vertices[corner], to = draft->face_vertices[pli_next_corner(draft, corner)];
    return (pli_sort_pair){from < to ? from : to, from < to ? to : from, corner};
}

// Groups corners by the lower vertex of their edge. The last group contains corners where a face repeats a vertex.
static bool group_corners(const pli_draft *draft, pli_grouped *groups)
{
    int32_t *keys = PLI_ALLOCATE_UNSET(draft->memory, int32_t, draft->corner_count);
    for (int32_t corner = 0; keys && corner < draft->corner_count; corner++) {
        const pli_sort_pair edge = edge_of(draft, corner);
        keys[corner] = edge.low == edge.high ? draft->vertex_count : edge.low;
    }
    bool done = keys && pli_grouped_make(draft->memory, keys, draft->corner_count, draft->vertex_count + 1, groups);
    pli_release(draft->memory, keys);
    return done;
}

// Sorts each group by the other end of the edge, and returns the number of different edges.
static int32_t sort_and_count(const pli_draft *draft, pli_grouped *groups)
{
    int32_t unique = 0;
    for (int32_t vertex = 0; vertex < draft->vertex_count; vertex++) {
        int32_t *corners = groups->members + groups->offsets[vertex], count = pli_grouped_size(groups, vertex);
        for (int32_t i = 0; i < count; i++)
            groups->pairs[i] = edge_of(draft, corners[i]);
        pli_sort_by_high(groups->pairs, groups->scratch, count);
        for (int32_t i = 0; i < count; i++) {
            corners[i] = groups->pairs[i].value;
            unique += i == 0 || groups->pairs[i].high != groups->pairs[i - 1].high;
        }
    }
    return unique;
}

// Writes the `count` edges of the corners in their order.
static void pair_corners(pli_draft *draft, const int32_t *corners, int32_t count)
{
    for (int32_t first = 0, last, edge = 0; first < count; first = last, edge++) {
        const pli_sort_pair ends = edge_of(draft, corners[first]);
        for (last = first + 1; last < count; last++) {
            const pli_sort_pair other = edge_of(draft, corners[last]);
            if (other.low != ends.low || other.high != ends.high)
                break;
        }
        draft->edges[2 * edge] = ends.low;
        draft->edges[2 * edge + 1] = ends.high;
        draft->edge_corners[2 * edge] = corners[first];
        draft->edge_corners[2 * edge + 1] = last - first > 1 ? corners[first + 1] : -1;
        if (last - first == 2) {
            draft->corner_twins[corners[first]] = corners[first + 1];
            draft->corner_twins[corners[first + 1]] = corners[first];
        }
    }
}

static bool make_edges(pli_draft *draft)
{
    pli_memory *memory = draft->memory;
    pli_grouped groups = {0};
    bool done = group_corners(draft, &groups);
    draft->edge_count = done ? sort_and_count(draft, &groups) : 0;
    draft->corner_twins = PLI_ALLOCATE_UNSET(memory, int32_t, draft->corner_count);
    draft->edges = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (size_t)draft->edge_count);
    draft->edge_corners = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (size_t)draft->edge_count);
    done = done && draft->corner_twins && draft->edges && draft->edge_corners;
    for (int32_t corner = 0; done && corner < draft->corner_count; corner++)
        draft->corner_twins[corner] = -1;
    if (done)
        pair_corners(draft, groups.members, groups.offsets[draft->vertex_count]);
    pli_grouped_release(memory, &groups);
    return done;
}

bool pli_draft_edges(pli_draft *draft)
{
    pli_memory *memory = draft->memory;
    const bool triangles = draft->corner_count == 3 * draft->face_count;
    draft->corner_faces = triangles ? NULL : PLI_ALLOCATE_UNSET(memory, int32_t, draft->corner_count);
    draft->vertex_borders = PLI_ALLOCATE(memory, uint8_t, draft->vertex_count);
    if ((!triangles && !draft->corner_faces) || !draft->vertex_borders)
        return false;
    if (!triangles) {
        for (int32_t face = 0; face < draft->face_count; face++)
            for (int32_t corner = draft->face_offsets[face]; corner < draft->face_offsets[face + 1]; corner++)
                draft->corner_faces[corner] = face;
    }
    if (!make_edges(draft))
        return false;
    for (int32_t corner = 0; corner < draft->corner_count; corner++)
        if (draft->corner_twins[corner] < 0) {
            draft->vertex_borders[draft->face_vertices[corner]] = 1;
            draft->vertex_borders[draft->face_vertices[pli_next_corner(draft, corner)]] = 1;
        }
    return pli_group(memory, draft->face_vertices, draft->corner_count, draft->vertex_count, &draft->corner_offsets,
                     &draft->vertex_corners);
}
