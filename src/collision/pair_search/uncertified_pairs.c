// Broad phase of a list: overlapping cluster pairs, except partners that the flat certificate proves to be apart.
#include "collision/pair_search/uncertified_pairs.h"

#include "base/parallel_append.h"
#include "collision/pair_search/cluster_pairs.h"

const pli_flat_certificate *pli_find_flat_certificate(const pli_find *find, int32_t surface)
{
    return pli_collision_surfaces_collide(find->collision, surface, surface)
               ? pli_contact_mesh_flat_certificate(find->collision->surfaces[surface])
               : NULL;
}

pli_flat_certificate_limits pli_find_limits(const pli_find *find, int32_t surface)
{
    const pli_contact_mesh *s = find->collision->surfaces[surface];
    float rest_distance = pli_find_own_distance(s, s->material.thickness);
    return (pli_flat_certificate_limits){pli_collision_reach(find->collision, rest_distance),
                                         find->collision->cache.slack.allowed_deviation};
}

uint64_t pli_find_uncertified(const pli_find *find, int32_t surface, int32_t cluster, uint64_t partners)
{
    const pli_contact_mesh *s = find->collision->surfaces[surface];
    const pli_flat_certificate_limits limits = pli_find_limits(find, surface);
    return pli_flat_certificate_uncertified(s->flat_certificate, find->collision->gradients, cluster, partners,
                                            &limits);
}

typedef struct uncertified_query {
    const pli_find *find;
    int32_t list;
    const pli_flat_certificate *flat_certificate; // Certificate of the querying cluster's surface; null without one.
    int32_t partner;                              // First partner at or after the last found cluster.
    uint64_t uncertified;                         // Bits of the partners that may be in contact.
    pli_cluster_pair *out;
    int32_t capacity, count;
} uncertified_query;

// Is the other cluster certified? Clusters are found in ascending order, in which partners are sorted.
static bool is_certified(uncertified_query *q, int32_t cluster, int32_t other)
{
    const pli_flat_certificate *flat_certificate = q->flat_certificate;
    int32_t first = flat_certificate->partner_starts[cluster],
            count = pli_flat_certificate_partner_count(flat_certificate, cluster);
    while (q->partner < count && flat_certificate->partners[first + q->partner] < other)
        q->partner++;
    if (q->partner == count || flat_certificate->partners[first + q->partner] != other)
        return false;
    uint64_t bit = UINT64_C(1) << q->partner;
    flat_certificate->listed[cluster] |= q->uncertified & bit;
    return !(q->uncertified & bit);
}

static void uncertified_add_pair(void *data, const pli_cluster_overlap *p)
{
    uncertified_query *q = data;
    if (q->flat_certificate && p->surface[0] == p->surface[1] && is_certified(q, p->cluster[0], p->cluster[1]))
        return;
    if (q->count < q->capacity)
        q->out[q->count] = (pli_cluster_pair){.surface = {p->surface[0], p->surface[1]},
                                              .cluster = {p->cluster[0], p->cluster[1]}};
    q->count++;
}

// Partners without overlapping boxes are never found, and need no certificate.
static void certify_partners(uncertified_query *q, int32_t surface, int32_t cluster)
{
    q->flat_certificate = q->list == PLI_LIST_DEFORMABLES ? pli_find_flat_certificate(q->find, surface) : NULL;
    if (!q->flat_certificate)
        return;
    q->partner = 0;
    q->flat_certificate->listed[cluster] = 0;
    q->uncertified = pli_find_uncertified(q->find, surface, cluster,
                                          pli_flat_certificate_all(q->flat_certificate, cluster));
}

static void uncertified_query_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    uncertified_query q = *(const uncertified_query *)data;
    q.out = out, q.capacity = capacity, q.count = 0;
    int32_t all = q.find->cluster_bases[q.find->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t i = chunk * PLI_FIND_GRAIN; i < end; i++) {
        int32_t surface = pli_find_owner(q.find->cluster_bases, q.find->surface_count, i);
        certify_partners(&q, surface, i - q.find->cluster_bases[surface]);
        pli_find_clusters(q.find, i, q.list, uncertified_add_pair, &q);
    }
    *count = q.count;
}

bool pli_find_cluster_pairs(const pli_find *find, int32_t which)
{
    pli_collision *collision = find->collision;
    pli_candidate_list *list = &collision->cache.lists[which];
    uncertified_query q = {.find = find, .list = which};
    const pli_appending what = {
        .size = sizeof(pli_cluster_pair),
        .chunks = (find->cluster_bases[find->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN,
        .capacity = &list->cluster_pair_chunk_capacity,
        .append = uncertified_query_chunk,
        .data = &q,
        .most = collision->work.most_pairs / PLI_CLUSTER_PAIR_WORK,
        .is_over = &collision->work.is_over,
    };
    list->cluster_pairs.count = 0;
    const pli_append_tools tools = pli_collision_tools(collision);
    return pli_append_to(&tools, &what, &list->cluster_pairs);
}
