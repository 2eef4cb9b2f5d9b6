// Local repair: few particles deviate at a time, so only the clusters that contain one search again, and the rest of
// the cache stays valid.
//
//    mark clusters with a deviating particle      MARK_DEVIATES
//      -> refit their boxes and the trees         MARK_STALE -> MARK_REFITTED
//      -> drop the pairs of these clusters, query them against all others
//      -> sort cluster pairs into the order of a full search
//
// A flat certificate uses the gradients of all clusters around a pair, so pairs near a deviating cluster are also
// certified again (MARK_DOUBTFUL).
#include "collision/pair_cache/pair_repair.h"

#include "base/parallel_append.h"
#include "base/sort.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/pair_search/pair_search.h"

#include <string.h>

// Cluster with a deviating particle; with a partner to certify again; with outdated boxes; with refitted boxes.
enum { MARK_DEVIATES = 1, MARK_DOUBTFUL = 2, MARK_STALE = 4, MARK_REFITTED = 8 };

// Dead pairs are removed when live pairs make up less than 1 / GAPS_SHARE of the list.
enum { GAPS_SHARE = 2 };

// Number of clusters per marking task, and per query task.
enum { REPAIR_CLUSTER_GRAIN = 64, REPAIR_QUERY_GRAIN = 8 };

static uint8_t *mark_of(const pli_repairing *m, int32_t surface, int32_t cluster)
{
    return &m->marks[m->bases[surface] + cluster];
}

static void mark_stale(uint8_t *mark)
{
    if (!(*mark & MARK_REFITTED))
        *mark |= MARK_STALE;
}

static void cluster_deviations_chunk(void *data, int32_t chunk)
{
    const pli_repairing *m = data;
    const pli_contact_mesh *s = m->find->collision->surfaces[m->surface];
    int32_t end = (chunk + 1) * REPAIR_CLUSTER_GRAIN < s->clusters.count ? (chunk + 1) * REPAIR_CLUSTER_GRAIN
                                                                         : s->clusters.count;
    for (int32_t cluster = chunk * REPAIR_CLUSTER_GRAIN; cluster < end; cluster++) {
        int32_t listed[PLI_CLUSTER_PLACES], count;
        const int32_t *all = pli_contact_mesh_cluster_places(s, cluster, listed, &count);
        float most = 0.0f;
        for (int32_t i = 0; i < count; i++)
            most = pli_higher(m->find->collision->repair.squared_deviations[s->first + all[i]], most);
        m->deviations[m->bases[m->surface] + cluster] = most;
    }
}

// A certified pair near a deviating cluster must be certified again, with all gradients over the same interval. An
// uncertified pair stays in the list unless one of its own clusters deviates.
static void mark_partners(const pli_flat_certificate *flat_certificate, uint8_t *marks, int32_t cluster,
                          uint64_t deviating)
{
    const int32_t *surrounding = flat_certificate->surrounding + flat_certificate->surrounding_starts[cluster],
                  first = flat_certificate->partner_starts[cluster];
    uint64_t doubtful = 0;
    for (int32_t k = 0; k < pli_flat_certificate_partner_count(flat_certificate, cluster); k++) {
        uint64_t bit = UINT64_C(1) << k;
        bool deviates = (marks[cluster] | marks[flat_certificate->partners[first + k]]) & MARK_DEVIATES;
        if (deviates ||
            (!(flat_certificate->listed[cluster] & bit) && (flat_certificate->covers[first + k] & deviating)))
            doubtful |= bit;
    }
    flat_certificate->doubtful[cluster] = doubtful;
    if (!doubtful)
        return;
    marks[cluster] |= MARK_DOUBTFUL;
    for (uint64_t left = pli_flat_certificate_covers(flat_certificate, cluster, doubtful); left; left &= left - 1)
        mark_stale(&marks[surrounding[__builtin_ctzll(left)]]);
}

static void mark_doubtful(const pli_repairing *m, int32_t surface)
{
    const pli_contact_mesh *s = m->find->collision->surfaces[surface];
    const pli_flat_certificate *flat_certificate = pli_find_flat_certificate(m->find, surface);
    for (int32_t cluster = 0; flat_certificate && cluster < s->clusters.count; cluster++) {
        // Bits of the surrounding clusters that contain a deviating particle.
        const uint8_t *marks = mark_of(m, surface, 0);
        const int32_t *surrounding = flat_certificate->surrounding + flat_certificate->surrounding_starts[cluster];
        int32_t count = flat_certificate->surrounding_starts[cluster + 1] -
                        flat_certificate->surrounding_starts[cluster];
        uint64_t deviating = 0;
        for (int32_t i = 0; i < count; i++)
            deviating |= (uint64_t)(marks[surrounding[i]] & MARK_DEVIATES) << i;
        if (deviating)
            mark_partners(flat_certificate, mark_of(m, surface, 0), cluster, deviating);
    }
}

// Lists the clusters with any of the given marks. Returns their number.
static int32_t list_marked(const pli_repairing *m, uint8_t marks, pli_cluster_place *to)
{
    const pli_collision *collision = m->find->collision;
    int32_t count = 0;
    for (int32_t s = 0; s < collision->surface_count; s++)
        for (int32_t cluster = 0; cluster < collision->surfaces[s]->clusters.count; cluster++)
            if (*mark_of(m, s, cluster) & marks)
                to[count++] = (pli_cluster_place){s, cluster};
    return count;
}

static uint64_t repair_key(const pli_repairing *m, const pli_cluster_pair *p)
{
    uint32_t first = (uint32_t)(m->bases[p->surface[0]] + p->cluster[0]);
    return (uint64_t)first << 32 | (uint32_t)(m->bases[p->surface[1]] + p->cluster[1]);
}

// Sorts cluster pairs into the order of a full search, so that results do not depend on when a repair took place.
static bool sort_cluster_pairs(const pli_repairing *m, pli_candidate_list *list)
{
    pli_collision *collision = m->find->collision;
    if (list->cluster_pairs.count == 0) // The list may not have memory yet; memcpy must not receive null.
        return true;
    collision->repair.sorting = PLI_TAKE(&collision->arena, pli_sort_item, 2 * (int64_t)list->cluster_pairs.count);
    pli_cluster_pair *sorted = PLI_TAKE(&collision->arena, pli_cluster_pair, list->cluster_pairs.count);
    if (!collision->repair.sorting || !sorted)
        return false;
    int32_t count = 0;
    for (int32_t i = 0; i < list->cluster_pairs.count; i++)
        if (list->cluster_pairs.items[i].count > 0)
            collision->repair.sorting[count++] = (pli_sort_item){repair_key(m, &list->cluster_pairs.items[i]), i};
    pli_sort_within(collision->repair.sorting, collision->repair.sorting + count, count);
    for (int32_t i = 0; i < count; i++)
        sorted[i] = list->cluster_pairs.items[collision->repair.sorting[i].value];
    list->cluster_pairs.count = count;
    memcpy(list->cluster_pairs.items, sorted, (size_t)count * sizeof *sorted);
    return true;
}

// Pairs stay in place until more than half of the list is dead.
static void compact_pairs(pli_collision *collision, pli_candidate_list *list)
{
    if (list->pairs.count / GAPS_SHARE <= list->count)
        return;
    for (int32_t i = 0; i < list->cluster_pairs.count; i++)
        collision->repair.sorting[i] = (pli_sort_item){(uint64_t)list->cluster_pairs.items[i].begin, i};
    pli_sort_within(collision->repair.sorting, collision->repair.sorting + list->cluster_pairs.count,
                    list->cluster_pairs.count);
    list->pairs.count = 0;
    for (int32_t i = 0; i < list->cluster_pairs.count; i++) {
        pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[collision->repair.sorting[i].value];
        memmove(list->pairs.items + list->pairs.count, list->pairs.items + cluster_pair->begin,
                (size_t)cluster_pair->count * sizeof *list->pairs.items);
        memmove(list->spares.items + list->pairs.count, list->spares.items + cluster_pair->begin,
                (size_t)cluster_pair->count * sizeof *list->spares.items);
        cluster_pair->begin = list->pairs.count;
        list->pairs.count += cluster_pair->count;
    }
}

// A cluster that queries for overlapping clusters.
typedef struct repair_query {
    const pli_repairing *repairing;
    int32_t surface, cluster, other;
    const pli_flat_certificate *flat_certificate; // Certificate of the cluster's surface; null without one.
    pli_swept_box box;
    pli_cluster_pair *out;
    int32_t capacity, count;
} repair_query;

static void repair_add_cluster_pair(repair_query *a, pli_cluster_pair cluster_pair)
{
    if (a->count < a->capacity)
        a->out[a->count] = cluster_pair;
    a->count++;
}

// When both clusters query, only the first one reports the pair.
static bool repair_found_cluster(void *data, int32_t cluster)
{
    repair_query *a = data;
    bool other_deviates = *mark_of(a->repairing, a->other, cluster) & MARK_DEVIATES;
    bool before = a->surface < a->other || (a->surface == a->other && a->cluster <= cluster);
    pli_cluster_pair ahead = {.surface = {a->surface, a->other}, .cluster = {a->cluster, cluster}};
    pli_cluster_pair behind = {.surface = {a->other, a->surface}, .cluster = {cluster, a->cluster}};
    const pli_cluster_pair *cluster_pair = before ? &ahead : &behind;
    // The flat certificate handles pairs of partners (query_partners).
    if ((before || !other_deviates) &&
        !(a->flat_certificate && cluster_pair->surface[0] == cluster_pair->surface[1] &&
          pli_flat_certificate_partner(a->flat_certificate, cluster_pair->cluster[0], cluster_pair->cluster[1]) >= 0))
        repair_add_cluster_pair(a, *cluster_pair);
    return true;
}

static bool repair_found_surface(void *data, int32_t surface)
{
    repair_query *a = data;
    const pli_repairing *m = a->repairing;
    const pli_collision *collision = m->find->collision;
    bool collider = pli_contact_mesh_is_kinematic(collision->surfaces[a->surface]) ||
                    pli_contact_mesh_is_kinematic(collision->surfaces[surface]);
    a->other = surface;
    if (collider == (m->list == PLI_LIST_COLLIDERS) && pli_collision_surfaces_collide(collision, a->surface, surface))
        pli_bvh16_query(&collision->surfaces[surface]->clusters.tree, collision->kernels.near, &a->box, 0,
                        repair_found_cluster, a);
    return true;
}

static void repair_query_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const pli_repairing *m = data;
    const pli_collision *collision = m->find->collision;
    repair_query a = {.repairing = m, .out = out, .capacity = capacity};
    int32_t end = (chunk + 1) * REPAIR_QUERY_GRAIN < collision->repair.query_count ? (chunk + 1) * REPAIR_QUERY_GRAIN
                                                                                   : collision->repair.query_count;
    for (int32_t i = chunk * REPAIR_QUERY_GRAIN; i < end; i++) {
        a.surface = collision->repair.queries[i].surface, a.cluster = collision->repair.queries[i].cluster;
        a.flat_certificate = pli_find_flat_certificate(m->find, a.surface);
        uint8_t marks = *mark_of(m, a.surface, a.cluster);
        if (marks & MARK_DEVIATES) {
            // The box covers the entire trajectory, since other boxes may still cover an earlier interval.
            const pli_repairing *of = a.repairing;
            pli_swept_box trajectory = of->find->collision->surfaces[a.surface]->clusters.tree.swept_boxes[a.cluster];
            pli_aabb all = pli_aabb_grow(pli_aabb_join(trajectory.start, trajectory.end), of->find->reach[of->list]);
            a.box = (pli_swept_box){all, all};
            pli_bvh16_query(&collision->broadphase.tree, collision->kernels.near, &a.box, 0, repair_found_surface, &a);
        }
        if (marks & MARK_DOUBTFUL && m->list == PLI_LIST_DEFORMABLES) {
            const pli_flat_certificate *flat_certificate = a.flat_certificate;
            uint64_t uncertified = pli_find_uncertified(a.repairing->find, a.surface, a.cluster,
                                                        flat_certificate->doubtful[a.cluster]);
            flat_certificate->listed[a.cluster] =
                (flat_certificate->listed[a.cluster] & ~flat_certificate->doubtful[a.cluster]) | uncertified;
            for (; uncertified; uncertified &= uncertified - 1) {
                int32_t partner = flat_certificate->partners[flat_certificate->partner_starts[a.cluster] +
                                                             __builtin_ctzll(uncertified)];
                repair_add_cluster_pair(
                    &a, (pli_cluster_pair){.surface = {a.surface, a.surface}, .cluster = {a.cluster, partner}});
            }
        }
    }
    *count = a.count;
}

static void repair_refit_chunk(void *data, int32_t chunk)
{
    const pli_repairing *m = data;
    const pli_collision *collision = m->find->collision;
    int32_t end = (chunk + 1) * REPAIR_QUERY_GRAIN < collision->repair.refit_count ? (chunk + 1) * REPAIR_QUERY_GRAIN
                                                                                   : collision->repair.refit_count;
    for (int32_t i = chunk * REPAIR_QUERY_GRAIN; i < end; i++) {
        uint8_t *mark = mark_of(m, collision->repair.refits[i].surface, collision->repair.refits[i].cluster);
        *mark = (uint8_t)((*mark & ~MARK_STALE) | MARK_REFITTED);
        pli_find_refit_cluster(m->find, collision->repair.refits[i].surface, collision->repair.refits[i].cluster);
    }
}

static void refit_listed(const pli_repairing *m)
{
    const pli_collision *collision = m->find->collision;
    pli_tasks_run(collision->tasks, (collision->repair.refit_count + REPAIR_QUERY_GRAIN - 1) / REPAIR_QUERY_GRAIN,
                  repair_refit_chunk, (void *)m);
}

static bool repair_pair_list(pli_repairing *m)
{
    pli_collision *collision = m->find->collision;
    pli_candidate_list *list = &collision->cache.lists[m->list];
    const pli_appending what = {
        .size = sizeof(pli_cluster_pair),
        .chunks = (collision->repair.query_count + REPAIR_QUERY_GRAIN - 1) / REPAIR_QUERY_GRAIN,
        .capacity = &list->cluster_pair_chunk_capacity,
        .append = repair_query_chunk,
        .data = m,
    };
    // Empty the cluster pairs that will be searched again.
    for (int32_t i = 0; i < list->cluster_pairs.count; i++) {
        pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[i];
        bool deviates = (*mark_of(m, cluster_pair->surface[0], cluster_pair->cluster[0]) |
                         *mark_of(m, cluster_pair->surface[1], cluster_pair->cluster[1])) &
                        MARK_DEVIATES;
        list->count -= deviates ? cluster_pair->count : 0;
        cluster_pair->count = deviates ? 0 : cluster_pair->count;
    }
    int32_t first = list->cluster_pairs.count;
    const pli_append_tools tools = pli_collision_tools(collision);
    if (!pli_append_to(&tools, &what, &list->cluster_pairs))
        return false;
    // The boxes of two clusters must cover the same interval when their primitives are compared.
    collision->repair.refit_count = 0;
    for (int32_t i = first; i < list->cluster_pairs.count; i++)
        for (int k = 0; k < 2; k++) {
            int32_t surface = list->cluster_pairs.items[i].surface[k],
                    cluster = list->cluster_pairs.items[i].cluster[k];
            uint8_t *mark = mark_of(m, surface, cluster);
            if (!(*mark & (MARK_REFITTED | MARK_STALE)))
                collision->repair.refits[collision->repair.refit_count++] = (pli_cluster_place){surface, cluster};
            mark_stale(mark);
        }
    refit_listed(m);
    if (!pli_find_match(m->find, m->list, first) || !sort_cluster_pairs(m, list))
        return false;
    compact_pairs(collision, list);
    return true;
}

bool pli_find_begin_repair(const pli_find *find, pli_repairing *m)
{
    pli_collision *collision = find->collision;
    *m = (pli_repairing){.find = find};
    pli_repair *repair = &collision->repair;
    // Assign consecutive numbers to the clusters of all surfaces.
    int64_t count = 0;
    m->bases = PLI_TAKE(&collision->arena, int32_t, collision->surface_count);
    for (int32_t s = 0; m->bases && s < collision->surface_count; s++) {
        m->bases[s] = (int32_t)count;
        count += collision->surfaces[s]->clusters.count;
    }
    m->cluster_count = (int32_t)count;
    if (!(m->bases && count <= INT32_MAX))
        return false;
    m->marks = PLI_TAKE(&collision->arena, uint8_t, m->cluster_count);
    m->deviations = PLI_TAKE(&collision->arena, float, m->cluster_count);
    repair->queries = PLI_TAKE(&collision->arena, pli_cluster_place, m->cluster_count);
    repair->refits = PLI_TAKE(&collision->arena, pli_cluster_place, m->cluster_count);
    if (!m->marks || !m->deviations || !repair->queries || !repair->refits)
        return false;
    for (m->surface = 0; m->surface < collision->surface_count; m->surface++)
        pli_tasks_run(collision->tasks,
                      (collision->surfaces[m->surface]->clusters.count + REPAIR_CLUSTER_GRAIN - 1) /
                          REPAIR_CLUSTER_GRAIN,
                      cluster_deviations_chunk, m);
    return true;
}

int32_t pli_find_count_deviating(const pli_repairing *m, float tolerance)
{
    int32_t count = 0;
    for (int32_t i = 0; i < m->cluster_count; i++)
        count += m->deviations[i] > tolerance * tolerance;
    return count;
}

bool pli_find_repair(pli_repairing *m, float tolerance)
{
    pli_collision *collision = m->find->collision;
    for (int32_t i = 0; i < m->cluster_count; i++)
        m->marks[i] = m->deviations[i] > tolerance * tolerance ? MARK_DEVIATES | MARK_STALE : 0;
    for (int32_t s = 0; s < collision->surface_count; s++)
        mark_doubtful(m, s);
    collision->repair.query_count = list_marked(m, MARK_DEVIATES | MARK_DOUBTFUL, collision->repair.queries);
    // Refit the boxes of the clusters marked stale.
    collision->repair.refit_count = list_marked(m, MARK_STALE, collision->repair.refits);
    refit_listed(m);
    for (int32_t i = 0; i < collision->surface_count; i++)
        pli_find_refit_surface(collision, i);
    pli_bvh16_refit(&collision->broadphase.tree, collision->tasks);
    for (m->list = 0; m->list < PLI_LIST_COUNT; m->list++)
        if (collision->cache.has_pairs[m->list] && !repair_pair_list(m))
            return false;
    return true;
}
