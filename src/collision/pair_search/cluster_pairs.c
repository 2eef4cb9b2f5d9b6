// Broad phase. Refits the swept boxes of clusters, and visits overlapping pairs of clusters:
//
//       start             end            A cluster is bounded at both ends of its trajectories.
//     +-------+        +-------+         Two clusters overlap unless some axis separates their
//     | A ->  |  ...   |     A |         boxes on the same side at both ends. Boxes are grown by
//     +-------+        +-------+         the reach: rest distance plus allowed deviations.
//        +-------+   +-------+
//        | <- B  |   |  B    |
//        +-------+   +-------+
#include "collision/pair_search/cluster_pairs.h"

#include "base/parallel_append.h"
#include "base/simd/four.h"

enum { CLUSTER_REFIT_GRAIN = 64 }; // Clusters that one task refits.

typedef struct cluster_refitting {
    const pli_find *find;
    pli_contact_mesh *surface;
} cluster_refitting;

// Position of a particle at the start and at the end of the interval.
typedef struct endpoints {
    pli_four at[2];
} endpoints;

typedef struct cluster_extent {
    pli_four low[2], high[2];
} cluster_extent;

static endpoints endpoints_of(const cluster_refitting *l, int32_t item)
{
    const pli_collision *collision = l->find->collision;
    int32_t i = l->surface->first + item;
    pli_four start = pli_four_of(&l->find->starts[i]),
             trajectory = pli_four_of(&collision->cache.trajectories.items[i]);
    return (endpoints){{start + trajectory * l->find->from, start + trajectory * l->find->to}};
}

static void cluster_extent_include(cluster_extent *e, const endpoints *p)
{
    for (int t = 0; t < 2; t++) {
        e->low[t] = pli_four_lower(p->at[t], e->low[t]);
        e->high[t] = pli_four_higher(p->at[t], e->high[t]);
    }
}

// Gradients of one image of a cluster, and its box.
static void refit_image(const cluster_refitting *l, const pli_flat_certificate *flat_certificate, int32_t image,
                        pli_gradient_extent *about)
{
    const pli_collision *collision = l->find->collision;
    const pli_near_trajectories trajectories = {l->find->starts + l->surface->first,
                                                collision->cache.trajectories.items + l->surface->first};
    const float ages[2] = {l->find->from, l->find->to};
    collision->kernels.gradients->refit(
        &flat_certificate->clusters[image], &trajectories, ages,
        flat_certificate->gradients + PLI_GRADIENT_ROWS * PLI_GRADIENT_LANES * (int64_t)image, about);
    for (int k = 0; k < 2; k++)
        flat_certificate->sums[2 * image + k] = about->sum[k];
}

// Includes primitives that the cluster's triangles do not cover: in clusters without triangles, and in torn meshes.
static void include_loose(const cluster_refitting *l, int32_t cluster, cluster_extent *all)
{
    const pli_contact_mesh *s = l->surface;
    const pli_clusters *p = &s->clusters;
    endpoints at;
    for (int32_t i = p->starts[PLI_PRIMITIVE_VERTEX][cluster]; i < p->ends[PLI_PRIMITIVE_VERTEX][cluster]; i++) {
        at = endpoints_of(l, p->items[PLI_PRIMITIVE_VERTEX][i]);
        cluster_extent_include(all, &at);
    }
    for (int32_t i = p->starts[PLI_PRIMITIVE_EDGE][cluster]; i < p->ends[PLI_PRIMITIVE_EDGE][cluster]; i++)
        for (int k = 0; k < 2; k++) {
            at = endpoints_of(l, s->edges[2 * p->items[PLI_PRIMITIVE_EDGE][i] + k]);
            cluster_extent_include(all, &at);
        }
}

static void refit_cluster(const cluster_refitting *l, int32_t cluster)
{
    pli_clusters *p = &l->surface->clusters;
    const pli_flat_certificate *flat_certificate = pli_contact_mesh_flat_certificate(l->surface);
    pli_four low = pli_four_set(INFINITY), high = pli_four_set(-INFINITY);
    cluster_extent all = (cluster_extent){{low, low}, {high, high}};
    if (flat_certificate) {
        // For surfaces with a flat certificate, one pass computes both the box and the deformation gradients.
        pli_gradient_extent about;
        for (int32_t i = flat_certificate->more_starts[cluster]; i < flat_certificate->more_starts[cluster + 1]; i++)
            refit_image(l, flat_certificate, flat_certificate->cluster_count + i, &about);
        refit_image(l, flat_certificate, cluster, &about);
        for (int k = 0; k < 2; k++)
            all.low[k] = pli_four_of(&about.low[k]), all.high[k] = pli_four_of(&about.high[k]);
    } else {
        const pli_contact_mesh *s = l->surface;
        const pli_clusters *of = &s->clusters;
        const int32_t *items = of->items[PLI_PRIMITIVE_TRIANGLE];
        for (int32_t i = of->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < of->ends[PLI_PRIMITIVE_TRIANGLE][cluster];
             i++)
            for (int k = 0; k < 3; k++) {
                endpoints corner = endpoints_of(l, s->triangles[3 * items[i] + k]);
                cluster_extent_include(&all, &corner);
            }
    }
    bool has_no_triangles = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster] == p->ends[PLI_PRIMITIVE_TRIANGLE][cluster];
    if (has_no_triangles || l->surface->tear.was_cut)
        include_loose(l, cluster, &all);
    pli_four a = all.low[0], b = all.high[0], c = all.low[1], d = all.high[1];
    pli_swept_box swept = {{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}}, {{c[0], c[1], c[2]}, {d[0], d[1], d[2]}}};
    pli_swept_box swept_box = pli_swept_box_grow(swept, l->surface->radius);
    pli_bvh16_set(&p->tree, cluster, &swept_box);
    p->refitted[cluster] = 0;
}

static void cluster_refit_chunk(void *data, int32_t chunk)
{
    const cluster_refitting *l = data;
    int32_t count = l->surface->clusters.count;
    int32_t end = (chunk + 1) * CLUSTER_REFIT_GRAIN < count ? (chunk + 1) * CLUSTER_REFIT_GRAIN : count;
    for (int32_t cluster = chunk * CLUSTER_REFIT_GRAIN; cluster < end; cluster++)
        refit_cluster(l, cluster);
}

// A kinematic collider at rest keeps its boxes, so its size costs nothing.
static bool cluster_is_unmoved(const pli_collision *collision, int32_t surface)
{
    const pli_contact_mesh *s = collision->surfaces[surface];
    return pli_contact_mesh_is_kinematic(s) && s->cached.boxes && !s->path.moving;
}

void pli_find_refit_cluster(const pli_find *find, int32_t surface, int32_t cluster)
{
    const cluster_refitting l = {find, find->collision->surfaces[surface]};
    if (!cluster_is_unmoved(find->collision, surface))
        refit_cluster(&l, cluster);
}

void pli_find_refit_surface(pli_collision *collision, int32_t surface)
{
    pli_bvh16 *tree = &collision->surfaces[surface]->clusters.tree;
    if (!cluster_is_unmoved(collision, surface))
        pli_bvh16_refit(tree, collision->tasks);
    pli_swept_box all = pli_bvh16_all(tree);
    pli_bvh16_set(&collision->broadphase.tree, surface, &all);
}

bool pli_find_refit(const pli_find *find)
{
    pli_collision *collision = find->collision;
    cluster_refitting l = {.find = find};
    if (!pli_bvh16_reserve(collision->memory, &collision->broadphase.tree, collision->surface_count))
        return false;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        pli_contact_mesh *s = l.surface = collision->surfaces[i];
        if (!cluster_is_unmoved(collision, i))
            pli_tasks_run(collision->tasks, (s->clusters.count + CLUSTER_REFIT_GRAIN - 1) / CLUSTER_REFIT_GRAIN,
                          cluster_refit_chunk, &l);
        pli_find_refit_surface(collision, i);
        s->cached.boxes = !s->path.moving;
    }
    pli_bvh16_refit(&collision->broadphase.tree, collision->tasks);
    collision->broadphase.on_trajectories = find->starts == collision->cache.starts.items;
    return true;
}

static void refit_items(const cluster_refitting *l, pli_primitive kind, int32_t cluster)
{
    const pli_clusters *p = &l->surface->clusters;
    const int32_t *items = p->items[kind] + p->starts[kind][cluster];
    int32_t count = p->ends[kind][cluster] - p->starts[kind][cluster];
    float *to = pli_clusters_boxes(p, kind, cluster);
    for (int32_t i = 0; i < count; i++) {
        // Vertices of a primitive.
        const int32_t *at = kind == PLI_PRIMITIVE_TRIANGLE ? l->surface->triangles + 3 * items[i]
                            : kind == PLI_PRIMITIVE_EDGE   ? l->surface->edges + 2 * items[i]
                                                           : &items[i];
        endpoints corner = endpoints_of(l, at[0]);
        cluster_extent box = {{corner.at[0], corner.at[1]}, {corner.at[0], corner.at[1]}};
        for (int32_t k = 1; k < pli_primitive_corners[kind]; k++) {
            corner = endpoints_of(l, at[k]);
            cluster_extent_include(&box, &corner);
        }
        for (int32_t axis = 0; axis < 3; axis++)
            for (int32_t end = 0; end < 2; end++) {
                to[(PLI_NEAR_END * end + PLI_NEAR_LOW + axis) * count + i] = box.low[end][axis];
                to[(PLI_NEAR_END * end + PLI_NEAR_HIGH + axis) * count + i] = box.high[end][axis];
            }
    }
}

void pli_find_refit_items_of(const pli_find *find, int32_t surface, int32_t cluster)
{
    const cluster_refitting l = {find, find->collision->surfaces[surface]};
    if (l.surface->clusters.refitted[cluster])
        return;
    l.surface->clusters.refitted[cluster] = 1;
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
        refit_items(&l, (pli_primitive)kind, cluster);
}

// Queue of clusters whose primitives need boxes.
typedef struct refit_queue {
    const pli_find *find;
    pli_cluster_place *places;
    int32_t count;
} refit_queue;

// Reserves a queue of `limit` clusters, or of all clusters if these are fewer. Returns false when out of memory.
static bool begin_queue(refit_queue *w, const pli_find *find, int64_t limit)
{
    pli_collision *collision = find->collision;
    int64_t all = 0;
    for (int32_t i = 0; i < collision->surface_count; i++)
        all += collision->surfaces[i]->clusters.count;
    *w = (refit_queue){.find = find,
                       .places = PLI_TAKE(&collision->arena, pli_cluster_place, limit < all ? limit : all)};
    return w->places != NULL;
}

static void enqueue(refit_queue *w, int32_t surface, int32_t cluster)
{
    uint8_t *refitted = &w->find->collision->surfaces[surface]->clusters.refitted[cluster];
    if (*refitted)
        return;
    *refitted = 1;
    w->places[w->count++] = (pli_cluster_place){surface, cluster};
}

static void refit_items_chunk(void *data, int32_t chunk)
{
    const refit_queue *w = data;
    int32_t end = (chunk + 1) * CLUSTER_REFIT_GRAIN < w->count ? (chunk + 1) * CLUSTER_REFIT_GRAIN : w->count;
    for (int32_t i = chunk * CLUSTER_REFIT_GRAIN; i < end; i++) {
        const cluster_refitting l = {w->find, w->find->collision->surfaces[w->places[i].surface]};
        for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
            refit_items(&l, (pli_primitive)kind, w->places[i].cluster);
    }
}

static void refit_queued(refit_queue *w)
{
    pli_tasks_run(w->find->collision->tasks, (w->count + CLUSTER_REFIT_GRAIN - 1) / CLUSTER_REFIT_GRAIN,
                  refit_items_chunk, w);
}

bool pli_find_refit_items(const pli_find *find)
{
    const pli_collision *collision = find->collision;
    refit_queue w;
    if (!begin_queue(&w, find, INT64_MAX))
        return false;
    for (int32_t s = 0; s < collision->surface_count; s++)
        for (int32_t cluster = 0; cluster < collision->surfaces[s]->clusters.count; cluster++)
            enqueue(&w, s, cluster);
    refit_queued(&w);
    return true;
}

pli_near_box pli_find_box_of(const pli_contact_mesh *surface, int32_t cluster, float reach)
{
    pli_swept_box box = pli_swept_box_grow(surface->clusters.tree.swept_boxes[cluster], reach);
    return pli_near_box_of(&box);
}

typedef struct near_clusters {
    const pli_find *find;
    int32_t list;
    pli_cluster_overlap pair;
    int32_t end; // Surfaces from this index on are not searched.
    pli_cluster_visit visit;
    void *data;
} near_clusters;

static bool cluster_found(void *data, int32_t cluster)
{
    near_clusters *n = data;
    n->pair.cluster[1] = cluster;
    n->visit(n->data, &n->pair);
    return true;
}

static bool cluster_found_surface(void *data, int32_t surface)
{
    near_clusters *n = data;
    int32_t querying = n->pair.surface[0];
    if (surface >= n->end)
        return false;
    n->pair.surface[1] = surface;
    const pli_collision *collision = n->find->collision;
    if (!pli_collision_surfaces_collide(collision, querying, surface))
        return true;
    const pli_swept_box box = pli_swept_box_grow(
        collision->surfaces[querying]->clusters.tree.swept_boxes[n->pair.cluster[0]],
        pli_find_reach(n->find, n->list, querying, surface));
    pli_bvh16_query(&collision->surfaces[surface]->clusters.tree, collision->kernels.near, &box,
                    surface == querying ? n->pair.cluster[0] : 0, cluster_found, n);
    return true;
}

void pli_find_clusters(const pli_find *find, int32_t querying, int32_t list, pli_cluster_visit visit, void *data)
{
    const pli_collision *collision = find->collision;
    bool colliders = list == PLI_LIST_COLLIDERS;
    int32_t a = pli_find_owner(find->cluster_bases, find->surface_count, querying);
    int32_t cluster = querying - find->cluster_bases[a];
    near_clusters n = {.find = find, .list = list, .pair = {{a, 0}, {cluster, 0}}, .visit = visit, .data = data};
    const pli_swept_box box = pli_swept_box_grow(collision->surfaces[a]->clusters.tree.swept_boxes[cluster],
                                                 find->reach[list]);
    n.end = colliders ? collision->surface_count : find->surface_count;
    pli_bvh16_query(&collision->broadphase.tree, collision->kernels.near, &box, colliders ? find->surface_count : a,
                    cluster_found_surface, &n);
}

bool pli_find_refit_cluster_pairs(const pli_find *find, int32_t which, int32_t first)
{
    pli_collision *collision = find->collision;
    const pli_candidate_list *list = &collision->cache.lists[which];
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    refit_queue w;
    bool complete = begin_queue(&w, find, 2 * (int64_t)(list->cluster_pairs.count - first));
    for (int32_t i = first; i < list->cluster_pairs.count && complete; i++)
        for (int k = 0; k < 2; k++)
            enqueue(&w, list->cluster_pairs.items[i].surface[k], list->cluster_pairs.items[i].cluster[k]);
    if (complete)
        refit_queued(&w);
    pli_arena_end(&collision->arena, scope);
    return complete;
}

/* ---- pairs that no certificate excludes ------------------------------------------------------ */

// Broad phase of a list: overlapping cluster pairs, except partners that the flat certificate proves to be apart.

const pli_flat_certificate *pli_find_flat_certificate(const pli_find *find, int32_t surface)
{
    return pli_collision_surfaces_collide(find->collision, surface, surface)
               ? pli_contact_mesh_flat_certificate(find->collision->surfaces[surface])
               : NULL;
}

// Required separation within a surface.
static pli_flat_certificate_limits certificate_limits(const pli_find *find, int32_t surface)
{
    const pli_contact_mesh *s = find->collision->surfaces[surface];
    float rest_distance = pli_find_own_distance(s, s->material.thickness);
    return (pli_flat_certificate_limits){pli_collision_reach(find->collision, rest_distance),
                                         find->collision->cache.slack.allowed_deviation};
}

uint64_t pli_find_uncertified(const pli_find *find, int32_t surface, int32_t cluster, uint64_t partners)
{
    const pli_contact_mesh *s = find->collision->surfaces[surface];
    const pli_flat_certificate_limits limits = certificate_limits(find, surface);
    return pli_flat_certificate_uncertified(s->flat_certificate, find->collision->kernels.gradients, cluster, partners,
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
