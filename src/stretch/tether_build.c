// Tethers of long range attachments.
//
//   Kim, Chentanez, Mueller 2012, Long Range Attachments: a method to simulate inextensible clothing in computer games.
//
// Anchors are taken in groups, such as a row of fixed vertices: the second nearest anchor of a row lies beside the
// nearest one and would add little.
#include "stretch/tether_build.h"

static int32_t root_of(int32_t *parents, int32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

// Joins anchors of one owner along edges (union-find, the lower vertex becomes the root, so that the result does not
// depend on the order). Groups are numbered by their lowest vertex; returns their number.
static int32_t group_anchors(const pli_faces *faces, const int32_t *owners, int32_t *parents, int32_t *groups)
{
    int32_t count = 0;
    for (int32_t v = 0; v < faces->vertex_count; v++)
        parents[v] = v;
    for (int32_t e = 0; e < faces->edge_count; e++) {
        int32_t a = faces->edges[2 * e], b = faces->edges[2 * e + 1];
        if (owners[a] == 0 || owners[a] != owners[b])
            continue;
        int32_t low = root_of(parents, a), high = root_of(parents, b);
        parents[low < high ? high : low] = low < high ? low : high;
    }
    for (int32_t v = 0; v < faces->vertex_count; v++) {
        int32_t root = root_of(parents, v);
        groups[v] = owners[v] == 0 ? -1 : root == v ? count++ : groups[root];
    }
    return count;
}

// A vertex that belongs to a group has one path more, from its own group, which is no tether.
static bool is_tether(const pli_tether_search *a, int32_t v, int32_t rank)
{
    const pli_geodesic *path = &a->geodesics.paths[(int64_t)v * a->ranks + rank];
    return path->group >= 0 && path->group != a->groups[v] && a->owners[v] != a->world && path->length > 0.0 &&
           (rank < a->most || a->groups[v] >= 0);
}

// Lists the tethers rank by rank, each in order of particles. False when memory ran out.
static bool list_tethers(const pli_tether_search *a, pli_tethers *tethers)
{
    int64_t count = 0;
    for (int32_t v = 0; v < a->faces->vertex_count; v++)
        for (int32_t rank = 0; rank < a->ranks; rank++)
            count += is_tether(a, v, rank);
    tethers->items = count <= INT32_MAX ? PLI_ALLOCATE(a->memory, pli_tether, count) : NULL;
    tethers->offsets = PLI_ALLOCATE(a->memory, int32_t, (int64_t)a->ranks + 1);
    if (!tethers->items || !tethers->offsets)
        return false;
    tethers->rank_count = a->ranks;
    int32_t filled = 0;
    for (int32_t rank = 0; rank < a->ranks; rank++) {
        for (int32_t v = 0; v < a->faces->vertex_count; v++) {
            const pli_geodesic *path = &a->geodesics.paths[(int64_t)v * a->ranks + rank];
            if (is_tether(a, v, rank))
                tethers->items[filled++] = (pli_tether){v, path->source, (float)path->length};
        }
        tethers->offsets[rank + 1] = filled;
    }
    return true;
}

bool pli_tether_search_begin(pli_tether_search *a)
{
    int32_t *parents = PLI_ALLOCATE(a->memory, int32_t, a->faces->vertex_count);
    a->groups = PLI_ALLOCATE(a->memory, int32_t, a->faces->vertex_count);
    a->geodesics = (pli_geodesics){.memory = a->memory, .faces = a->faces};
    if (parents && a->groups) {
        int32_t count = group_anchors(a->faces, a->owners, parents, a->groups);
        a->ranks = a->geodesics.most = count < a->most + 1 ? count : a->most + 1;
        a->geodesics.paths = PLI_ALLOCATE(a->memory, pli_geodesic, (int64_t)a->faces->vertex_count * a->ranks);
    }
    bool complete = a->geodesics.paths != NULL;
    if (complete)
        pli_geodesics_begin(&a->geodesics, a->groups);
    pli_release(a->memory, parents);
    if (!complete)
        pli_tether_search_end(a, NULL);
    return complete;
}

bool pli_tether_search_go_on(pli_tether_search *a, int64_t arrivals)
{
    return pli_geodesics_go_on(&a->geodesics, arrivals);
}

bool pli_tether_search_end(pli_tether_search *a, pli_tethers *tethers)
{
    bool complete = !a->geodesics.failed;
    if (tethers) {
        *tethers = (pli_tethers){0};
        complete = complete && list_tethers(a, tethers);
        if (!complete)
            pli_tethers_release(a->memory, tethers);
    }
    pli_geodesics_end(&a->geodesics);
    pli_release(a->memory, a->geodesics.paths);
    pli_release(a->memory, a->groups);
    a->groups = NULL, a->geodesics.paths = NULL;
    return complete;
}

bool pli_tethers_find(pli_tether_search *a, pli_tethers *tethers)
{
    *tethers = (pli_tethers){0};
    if (!pli_tether_search_begin(a))
        return false;
    pli_tether_search_go_on(a, INT64_MAX);
    return pli_tether_search_end(a, tethers);
}

void pli_tethers_release(pli_memory *memory, pli_tethers *tethers)
{
    pli_release(memory, tethers->items);
    pli_release(memory, tethers->offsets);
    *tethers = (pli_tethers){0};
}
