// Repair: removes unusable faces, flips faces so that neighbours agree, cuts along non-manifold edges and at vertices
// where several fans meet. A second repair changes nothing.
#include "mesh/fans.h"

#include <string.h>

static void keep_faces(pli_draft *draft, const uint8_t *dropped)
{
    int32_t faces = 0, corners = 0;
    for (int32_t face = 0; face < draft->face_count; face++) {
        int32_t first = draft->face_offsets[face], count = draft->face_offsets[face + 1] - first;
        if (dropped[face])
            continue;
        memmove(draft->face_vertices + corners, draft->face_vertices + first, (size_t)count * sizeof(int32_t));
        draft->face_offsets[faces++] = corners;
        corners += count;
    }
    draft->face_offsets[faces] = corners;
    draft->face_count = faces;
    draft->corner_count = corners;
}

static bool drop_faces(pli_draft *draft)
{
    uint8_t *dropped = PLI_ALLOCATE(draft->memory, uint8_t, draft->face_count);
    int32_t *seen = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    bool done = dropped && seen && pli_draft_duplicate_faces(draft, dropped) >= 0;
    if (done) {
        for (int32_t face = 0; face < draft->face_count; face++)
            dropped[face] |= pli_draft_repeats_vertex(draft, face, seen);
        keep_faces(draft, dropped);
    }
    pli_release(draft->memory, seen);
    pli_release(draft->memory, dropped);
    return done;
}

// Faces connected across manifold edges, and whether each must be flipped to agree with the first.
typedef struct face_clusters {
    int8_t *turns;  // [faces] -1 not reached, 0 oriented as the first face, 1 reversed.
    int32_t *queue; // Faces of the current cluster.
    bool turned_any;
} face_clusters;

// Adds the neighbours of a face to the queue; false when one is already reached with the other orientation.
static bool reach_neighbours(const pli_draft *draft, face_clusters *clusters, int32_t face, int32_t *queued)
{
    bool agrees = true;
    for (int32_t corner = draft->face_offsets[face]; corner < draft->face_offsets[face + 1]; corner++) {
        int32_t twin = draft->corner_twins[corner];
        if (twin < 0)
            continue;
        int32_t other = pli_corner_face(draft, twin);
        int8_t turn = clusters->turns[face] ^ (draft->face_vertices[twin] == draft->face_vertices[corner]);
        if (clusters->turns[other] < 0) {
            clusters->turns[other] = turn;
            clusters->queue[(*queued)++] = other;
        }
        agrees = agrees && clusters->turns[other] == turn;
    }
    return agrees;
}

static void reverse_face(pli_draft *draft, int32_t face)
{
    int32_t low = draft->face_offsets[face] + 1, high = draft->face_offsets[face + 1] - 1;
    for (; low < high; low++, high--) {
        int32_t swap = draft->face_vertices[low];
        draft->face_vertices[low] = draft->face_vertices[high];
        draft->face_vertices[high] = swap;
    }
}

// The orientation of the majority wins; in a draw the first face decides. A cluster that cannot be oriented stays
// unchanged.
static void orient_cluster(pli_draft *draft, face_clusters *clusters, int32_t first)
{
    int32_t queued = 0, turned = 0;
    bool orientable = true;
    clusters->turns[first] = 0;
    clusters->queue[queued++] = first;
    for (int32_t i = 0; i < queued; i++) {
        orientable = reach_neighbours(draft, clusters, clusters->queue[i], &queued) && orientable;
        turned += clusters->turns[clusters->queue[i]];
    }
    int8_t minority = 2 * (int64_t)turned <= queued;
    for (int32_t i = 0; orientable && turned > 0 && turned < queued && i < queued; i++)
        if (clusters->turns[clusters->queue[i]] == minority)
            reverse_face(draft, clusters->queue[i]);
    clusters->turned_any = clusters->turned_any || (orientable && turned > 0 && turned < queued);
}

// Twins and edges refer to directed edges, which change when a face is flipped, so they are derived again.
static bool orient(pli_draft *draft)
{
    face_clusters clusters = {PLI_ALLOCATE(draft->memory, int8_t, draft->face_count),
                              PLI_ALLOCATE(draft->memory, int32_t, draft->face_count), false};
    bool done = clusters.turns && clusters.queue && pli_draft_edges(draft);
    if (done) {
        memset(clusters.turns, -1, (size_t)draft->face_count);
        for (int32_t face = 0; face < draft->face_count; face++)
            if (clusters.turns[face] < 0)
                orient_cluster(draft, &clusters, face);
    }
    pli_release(draft->memory, clusters.queue);
    pli_release(draft->memory, clusters.turns);
    if (done && clusters.turned_any) {
        pli_draft_release_edges(draft);
        done = pli_draft_edges(draft);
    }
    return done;
}

static bool add_draft_vertices(pli_draft *draft, int32_t count)
{
    int32_t capacity = 3 * draft->vertex_count, source_capacity = draft->vertex_count;
    int64_t wanted = (int64_t)draft->vertex_count + count;
    return pli_reserve(draft->memory, &draft->positions, &capacity, 3 * wanted, sizeof(float)) &&
           pli_reserve(draft->memory, &draft->vertex_source, &source_capacity, wanted, sizeof(int32_t));
}

// The first fan of each vertex keeps it, and every other fan gets a copy.
static void split_fans(pli_draft *draft, const int32_t *fan, const int32_t *copies)
{
    const int32_t given = draft->vertex_count;
    for (int32_t vertex = 0; vertex < given; vertex++) {
        for (int32_t i = draft->corner_offsets[vertex]; i < draft->corner_offsets[vertex + 1]; i++)
            if (fan[draft->vertex_corners[i]] > 0)
                draft->face_vertices[draft->vertex_corners[i]] = draft->vertex_count + fan[draft->vertex_corners[i]] -
                                                                 1;
        for (int32_t copy = 0; copy < copies[vertex]; copy++, draft->vertex_count++) {
            memcpy(draft->positions + 3 * (size_t)draft->vertex_count, draft->positions + 3 * (size_t)vertex,
                   3 * sizeof(float));
            draft->vertex_source[draft->vertex_count] = vertex;
        }
    }
}

static bool cut_apart(pli_draft *draft)
{
    int32_t *fan = PLI_ALLOCATE(draft->memory, int32_t, draft->corner_count);
    int32_t *copies = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    bool done = fan && copies;
    int32_t added = 0;
    for (int32_t i = 0; done && i < draft->corner_count; i++)
        fan[i] = -1;
    for (int32_t vertex = 0; done && vertex < draft->vertex_count; vertex++) {
        int32_t fans = pli_number_fans(draft, vertex, fan);
        copies[vertex] = fans > 1 ? fans - 1 : 0;
        added += copies[vertex];
    }
    done = done && (added == 0 || add_draft_vertices(draft, added));
    if (done && added > 0)
        split_fans(draft, fan, copies);
    pli_release(draft->memory, copies);
    pli_release(draft->memory, fan);
    return done;
}

bool pli_draft_repair(pli_draft *draft)
{
    bool done = drop_faces(draft) && orient(draft) && cut_apart(draft);
    pli_draft_release_edges(draft);
    return done;
}
