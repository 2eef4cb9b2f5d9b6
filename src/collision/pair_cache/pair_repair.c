// Few particles leave their trajectories at a time: what is near them is found again, and the rest of the lists stays.
#include "collision/pair_cache/pair_repair.h"

#include "base/parallel_append.h"
#include "base/sort.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/pair_search/primitive_pairs.h"
#include "collision/pair_search/uncertified_pairs.h"

#include <string.h>

// A cluster that asks, one of whose partners is in doubt, that is to be laid out anew, and that has been.
enum { MARK_ASKS = 1, MARK_DOUBTS = 2, MARK_WAITS = 4, MARK_LAID = 8 };

// Of the pairs in a list, those of cluster pairs at least.
enum { GAPS_SHARE = 2 };

// Patches that a task looks at, and of those that ask.
enum { CLUSTER_GRAIN = 64, ASKING_GRAIN = 8 };

typedef struct repairing {
    const pli_find *find;
    uint8_t *marks; // By cluster, surface after surface.
    int32_t *bases; // [surface_count] first cluster of each surface in that order.
    int32_t list, surface;
} repairing;

static uint8_t *mark_of(const repairing *m, int32_t surface, int32_t cluster)
{
    return &m->marks[m->bases[surface] + cluster];
}

static void wait_for(uint8_t *mark)
{
    if (!(*mark & MARK_LAID))
        *mark |= MARK_WAITS;
}

static bool holds_deviations(const pli_collision *collision, const pli_contact_mesh *s, int32_t cluster)
{
    const pli_flat_certificate *flat_certificate = pli_contact_mesh_flat_certificate(s);
    int32_t places[PLI_CLUSTER_PLACES], any = 0;
    const int32_t *all = flat_certificate ? flat_certificate->clusters[cluster].places : places;
    for (int32_t i = flat_certificate ? flat_certificate->clusters[cluster].count
                                      : pli_contact_mesh_places(s, cluster, places);
         i-- > 0;)
        any |= collision->repair.deviating[s->first + all[i]];
    return any != 0;
}

static void mark_chunk(void *data, int32_t chunk)
{
    const repairing *m = data;
    const pli_contact_mesh *s = m->find->collision->surfaces[m->surface];
    int32_t end = (chunk + 1) * CLUSTER_GRAIN < s->clusters.count ? (chunk + 1) * CLUSTER_GRAIN : s->clusters.count;
    for (int32_t cluster = chunk * CLUSTER_GRAIN; cluster < end; cluster++)
        *mark_of(m, m->surface, cluster) = holds_deviations(m->find->collision, s, cluster) ? MARK_ASKS | MARK_WAITS
                                                                                            : 0;
}

static void mark_deviations(repairing *m)
{
    const pli_collision *collision = m->find->collision;
    for (m->surface = 0; m->surface < collision->surface_count; m->surface++)
        pli_tasks_run(collision->tasks,
                      (collision->surfaces[m->surface]->clusters.count + CLUSTER_GRAIN - 1) / CLUSTER_GRAIN, mark_chunk,
                      m);
}

// Which of those about a cluster hold deviations.
static uint64_t which_ask(const pli_flat_certificate *flat_certificate, const uint8_t *marks, int32_t cluster)
{
    const int32_t *abouts = flat_certificate->abouts + flat_certificate->about_starts[cluster];
    int32_t count = flat_certificate->about_starts[cluster + 1] - flat_certificate->about_starts[cluster];
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i++)
        bits |= (uint64_t)(marks[abouts[i]] & MARK_ASKS) << i;
    return bits;
}

// What is certified with anything that holds a stray has to be again, by gradients that are all of the same time. What was not
// stays in the list, but for what holds a stray itself.
static void doubt(const pli_flat_certificate *flat_certificate, uint8_t *marks, int32_t cluster, uint64_t asking)
{
    const int32_t *abouts = flat_certificate->abouts + flat_certificate->about_starts[cluster],
                  first = flat_certificate->partner_starts[cluster];
    uint64_t doubtful = 0;
    for (int32_t k = 0; k < pli_flat_certificate_partner_count(flat_certificate, cluster); k++) {
        uint64_t bit = UINT64_C(1) << k;
        bool asks = (marks[cluster] | marks[flat_certificate->partners[first + k]]) & MARK_ASKS;
        if (asks || (!(flat_certificate->listed[cluster] & bit) && (flat_certificate->covers[first + k] & asking)))
            doubtful |= bit;
    }
    flat_certificate->doubtful[cluster] = doubtful;
    if (!doubtful)
        return;
    marks[cluster] |= MARK_DOUBTS;
    for (uint64_t about = pli_flat_certificate_covers(flat_certificate, cluster, doubtful); about; about &= about - 1)
        wait_for(&marks[abouts[__builtin_ctzll(about)]]);
}

static void mark_doubtful(const repairing *m, int32_t surface)
{
    const pli_contact_mesh *s = m->find->collision->surfaces[surface];
    const pli_flat_certificate *flat_certificate = pli_find_flat_certificate(m->find, surface);
    for (int32_t cluster = 0; flat_certificate && cluster < s->clusters.count; cluster++) {
        uint64_t asking = which_ask(flat_certificate, mark_of(m, surface, 0), cluster);
        if (asking)
            doubt(flat_certificate, mark_of(m, surface, 0), cluster, asking);
    }
}

// Puts the clusters with any of some marks into a list. How many.
static int32_t list_marked(const repairing *m, uint8_t marks, pli_cluster_place *to)
{
    const pli_collision *collision = m->find->collision;
    int32_t count = 0;
    for (int32_t s = 0; s < collision->surface_count; s++)
        for (int32_t cluster = 0; cluster < collision->surfaces[s]->clusters.count; cluster++)
            if (*mark_of(m, s, cluster) & marks)
                to[count++] = (pli_cluster_place){s, cluster};
    return count;
}

// Empties what is searched for again.
static void drop_pairs(const repairing *m, pli_candidate_list *list)
{
    for (int32_t i = 0; i < list->cluster_pairs.count; i++) {
        pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[i];
        bool asks = (*mark_of(m, cluster_pair->surface[0], cluster_pair->cluster[0]) |
                     *mark_of(m, cluster_pair->surface[1], cluster_pair->cluster[1])) &
                    MARK_ASKS;
        list->count -= asks ? cluster_pair->count : 0;
        cluster_pair->count = asks ? 0 : cluster_pair->count;
    }
}

static uint64_t key_of(const repairing *m, const pli_cluster_pair *p)
{
    uint32_t first = (uint32_t)(m->bases[p->surface[0]] + p->cluster[0]);
    return (uint64_t)first << 32 | (uint32_t)(m->bases[p->surface[1]] + p->cluster[1]);
}

// Brings the cluster pairs into the order in which they would have been found as a whole, so that what comes of them does not
// depend on what was mended when.
static bool put_in_order(const repairing *m, pli_candidate_list *list)
{
    pli_collision *collision = m->find->collision;
    collision->repair.sorting = PLI_TAKE(&collision->arena, pli_sort_item, 2 * (int64_t)list->cluster_pairs.count);
    pli_cluster_pair *sorted = PLI_TAKE(&collision->arena, pli_cluster_pair, list->cluster_pairs.count);
    if (!collision->repair.sorting || !sorted)
        return false;
    int32_t count = 0;
    for (int32_t i = 0; i < list->cluster_pairs.count; i++)
        if (list->cluster_pairs.items[i].count > 0)
            collision->repair.sorting[count++] = (pli_sort_item){key_of(m, &list->cluster_pairs.items[i]), i};
    pli_sort_within(collision->repair.sorting, collision->repair.sorting + count, count);
    for (int32_t i = 0; i < count; i++)
        sorted[i] = list->cluster_pairs.items[collision->repair.sorting[i].value];
    list->cluster_pairs.count = count;
    memcpy(list->cluster_pairs.items, sorted, (size_t)count * sizeof *sorted);
    return true;
}

// Pairs stay where they are until more than half of the list are those that were dropped.
static void close_gaps(pli_collision *collision, pli_candidate_list *list)
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
        cluster_pair->begin = list->pairs.count;
        list->pairs.count += cluster_pair->count;
    }
}

// A cluster that looks for what is near it.
typedef struct asking {
    const repairing *repairing;
    int32_t surface, cluster, other;
    const pli_flat_certificate *flat_certificate; // Of the cluster, if it can touch itself.
    pli_swept_box box;
    pli_cluster_pair *out;
    int32_t room, count;
} asking;

static void add_cluster_pair(asking *a, pli_cluster_pair cluster_pair)
{
    if (a->count < a->room)
        a->out[a->count] = cluster_pair;
    a->count++;
}

// Partners are certified.
static bool is_settled(const asking *a, const pli_cluster_pair *m)
{
    return a->flat_certificate && m->surface[0] == m->surface[1] &&
           pli_flat_certificate_partner(a->flat_certificate, m->cluster[0], m->cluster[1]) >= 0;
}

// Of two that both ask, the first does; the first of two partners answers for both (ask_partners).
static bool found_cluster(void *data, int32_t cluster)
{
    asking *a = data;
    bool other_asks = *mark_of(a->repairing, a->other, cluster) & MARK_ASKS;
    bool before = a->surface < a->other || (a->surface == a->other && a->cluster <= cluster);
    pli_cluster_pair ahead = {.surface = {a->surface, a->other}, .cluster = {a->cluster, cluster}};
    pli_cluster_pair behind = {.surface = {a->other, a->surface}, .cluster = {cluster, a->cluster}};
    const pli_cluster_pair *cluster_pair = before ? &ahead : &behind;
    if ((before || !other_asks) && !is_settled(a, cluster_pair))
        add_cluster_pair(a, *cluster_pair);
    return true;
}

// About all of a patch's way, since the other boxes may be of another time.
static pli_aabb bounds_about(const asking *a)
{
    const repairing *m = a->repairing;
    pli_swept_box trajectory = m->find->collision->surfaces[a->surface]->clusters.tree.swept_boxes[a->cluster];
    return pli_aabb_grow(pli_aabb_join(trajectory.start, trajectory.end), m->find->reach[m->list]);
}

static bool found_surface(void *data, int32_t surface)
{
    asking *a = data;
    const repairing *m = a->repairing;
    const pli_collision *collision = m->find->collision;
    bool collider = pli_contact_mesh_stands(collision->surfaces[a->surface]) ||
                    pli_contact_mesh_stands(collision->surfaces[surface]);
    a->other = surface;
    if (collider == (m->list == PLI_LIST_COLLIDERS) && pli_collision_meet(collision, a->surface, surface))
        pli_bvh16_query(&collision->surfaces[surface]->clusters.tree, collision->near, &a->box, 0, found_cluster, a);
    return true;
}

static void ask_others(asking *a)
{
    const pli_collision *collision = a->repairing->find->collision;
    pli_aabb all = bounds_about(a);
    a->box = (pli_swept_box){all, all};
    pli_bvh16_query(&collision->around, collision->near, &a->box, 0, found_surface, a);
}

static void ask_partners(asking *a)
{
    const pli_flat_certificate *flat_certificate = a->flat_certificate;
    uint64_t rough = pli_find_uncertified(a->repairing->find, a->surface, a->cluster,
                                          flat_certificate->doubtful[a->cluster]);
    flat_certificate->listed[a->cluster] =
        (flat_certificate->listed[a->cluster] & ~flat_certificate->doubtful[a->cluster]) | rough;
    for (; rough; rough &= rough - 1) {
        int32_t partner =
            flat_certificate->partners[flat_certificate->partner_starts[a->cluster] + __builtin_ctzll(rough)];
        add_cluster_pair(a, (pli_cluster_pair){.surface = {a->surface, a->surface}, .cluster = {a->cluster, partner}});
    }
}

static void ask_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const repairing *m = data;
    const pli_collision *collision = m->find->collision;
    asking a = {.repairing = m, .out = out, .room = room};
    int32_t end = (chunk + 1) * ASKING_GRAIN < collision->repair.asking_count ? (chunk + 1) * ASKING_GRAIN
                                                                              : collision->repair.asking_count;
    for (int32_t i = chunk * ASKING_GRAIN; i < end; i++) {
        a.surface = collision->repair.asking[i].surface, a.cluster = collision->repair.asking[i].cluster;
        a.flat_certificate = pli_find_flat_certificate(m->find, a.surface);
        uint8_t marks = *mark_of(m, a.surface, a.cluster);
        if (marks & MARK_ASKS)
            ask_others(&a);
        if (marks & MARK_DOUBTS && m->list == PLI_LIST_DEFORMABLES)
            ask_partners(&a);
    }
    *count = a.count;
}

static void refit_chunk(void *data, int32_t chunk)
{
    const repairing *m = data;
    const pli_collision *collision = m->find->collision;
    int32_t end = (chunk + 1) * ASKING_GRAIN < collision->repair.wanted_count ? (chunk + 1) * ASKING_GRAIN
                                                                              : collision->repair.wanted_count;
    for (int32_t i = chunk * ASKING_GRAIN; i < end; i++) {
        uint8_t *mark = mark_of(m, collision->repair.wanted[i].surface, collision->repair.wanted[i].cluster);
        *mark = (uint8_t)((*mark & ~MARK_WAITS) | MARK_LAID);
        pli_find_refit_cluster(m->find, collision->repair.wanted[i].surface, collision->repair.wanted[i].cluster);
    }
}

static void refit_wanted(const repairing *m)
{
    const pli_collision *collision = m->find->collision;
    pli_tasks_run(collision->tasks, (collision->repair.wanted_count + ASKING_GRAIN - 1) / ASKING_GRAIN, refit_chunk,
                  (void *)m);
}

// Lays out what waits for it.
static void refit_waiting(const repairing *m)
{
    pli_collision *collision = m->find->collision;
    collision->repair.wanted_count = list_marked(m, MARK_WAITS, collision->repair.wanted);
    refit_wanted(m);
}

static void fit_trees(const repairing *m)
{
    pli_collision *collision = m->find->collision;
    for (int32_t i = 0; i < collision->surface_count; i++)
        pli_find_fit_surface(collision, i);
    pli_bvh16_fit(&collision->around, collision->tasks);
}

// Boxes are compared at one time.
static void lay_cluster_pairs(repairing *m, const pli_candidate_list *list, int32_t first)
{
    pli_collision *collision = m->find->collision;
    collision->repair.wanted_count = 0;
    for (int32_t i = first; i < list->cluster_pairs.count; i++)
        for (int k = 0; k < 2; k++) {
            int32_t surface = list->cluster_pairs.items[i].surface[k],
                    cluster = list->cluster_pairs.items[i].cluster[k];
            uint8_t *mark = mark_of(m, surface, cluster);
            if (!(*mark & (MARK_LAID | MARK_WAITS)))
                collision->repair.wanted[collision->repair.wanted_count++] = (pli_cluster_place){surface, cluster};
            wait_for(mark);
        }
    refit_wanted(m);
}

static bool repair_list(repairing *m)
{
    pli_collision *collision = m->find->collision;
    pli_candidate_list *list = &collision->cache.lists[m->list];
    const pli_appending what = {
        .size = sizeof(pli_cluster_pair),
        .chunks = (collision->repair.asking_count + ASKING_GRAIN - 1) / ASKING_GRAIN,
        .room = &list->cluster_pair_capacity,
        .ask = ask_chunk,
        .data = m,
    };
    drop_pairs(m, list);
    int32_t first = list->cluster_pairs.count;
    const pli_gather_tools tools = pli_collision_tools(collision);
    if (!pli_gather_to(&tools, &what, &list->cluster_pairs))
        return false;
    lay_cluster_pairs(m, list, first);
    if (!pli_find_match(m->find, m->list, first) || !put_in_order(m, list))
        return false;
    close_gaps(collision, list);
    return true;
}

// Numbers the clusters of all surfaces.
static bool number_clusters(pli_collision *collision, int64_t *count)
{
    *count = 0;
    collision->repair.cluster_bases = PLI_TAKE(&collision->arena, int32_t, collision->surface_count);
    if (!collision->repair.cluster_bases)
        return false;
    for (int32_t s = 0; s < collision->surface_count; s++) {
        collision->repair.cluster_bases[s] = (int32_t)*count;
        *count += collision->surfaces[s]->clusters.count;
    }
    return *count <= INT32_MAX;
}

static bool reserve(pli_collision *collision, int64_t *clusters)
{
    pli_repair *repair = &collision->repair;
    if (!number_clusters(collision, clusters))
        return false;
    repair->marks = PLI_TAKE(&collision->arena, uint8_t, *clusters);
    repair->asking = PLI_TAKE(&collision->arena, pli_cluster_place, *clusters);
    repair->wanted = PLI_TAKE(&collision->arena, pli_cluster_place, *clusters);
    return repair->marks && repair->asking && repair->wanted;
}

static bool are_few(const repairing *m, int64_t all)
{
    return pli_slack_repairs(list_marked(m, MARK_ASKS, m->find->collision->repair.wanted), all);
}

bool pli_find_repair(const pli_find *find, bool *repaired)
{
    pli_collision *collision = find->collision;
    int64_t all;
    if (!reserve(collision, &all))
        return false;
    repairing m = {.find = find, .marks = collision->repair.marks, .bases = collision->repair.cluster_bases};
    mark_deviations(&m);
    *repaired = are_few(&m, all);
    if (!*repaired)
        return true;
    for (int32_t s = 0; s < collision->surface_count; s++)
        mark_doubtful(&m, s);
    collision->repair.asking_count = list_marked(&m, MARK_ASKS | MARK_DOUBTS, collision->repair.asking);
    refit_waiting(&m);
    fit_trees(&m);
    for (m.list = 0; m.list < PLI_LIST_COUNT; m.list++)
        if (collision->cache.has_pairs[m.list] && !repair_list(&m))
            return false;
    return true;
}
