// Pairs of primitives that are near: clusters that are, then boxes, then a direction that keeps them apart (wide/near.c).
#include "collision/pair_search/primitive_pairs.h"

#include "base/parallel_append.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/pair_search/uncertified_pairs.h"

// Pairs that may be near, by their boxes, until so many of a kind are there that they are looked at side by side.
enum { QUEUE_FULL = 256, QUEUE_BLOCKS = (QUEUE_FULL + PLI_NEAR_MOST + PLI_NEAR_LANES - 1) / PLI_NEAR_LANES };

typedef struct candidate {
    int32_t cluster_pair, side; // Which of the meeting's sides comes first.
    int32_t primitive[2];
} candidate;

typedef struct queue {
    pli_near_pairs blocks[QUEUE_BLOCKS];
    candidate candidates[QUEUE_BLOCKS * PLI_NEAR_LANES];
    int32_t count, taken;
} queue;

typedef struct query {
    const pli_find *find;
    int32_t list, first; // Meeting.
    queue *queues;       // By pli_pair_kind.
    pli_candidate_pair *out;
    int32_t room, count;
} query;

static pli_dvec3 rest_at(const pli_contact_mesh *s, int32_t place)
{
    const float *p = s->rest + 3 * place;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Whether two parts of a surface are further apart at rest than they are kept: most are, by far.
static bool is_far_at_rest(const pli_contact_mesh *s, const pli_candidate_pair *pair, float rest_distance)
{
    const float *a = s->rest + 3 * (pair->at[0] - s->first), *b = s->rest + 3 * (pair->at[3] - s->first);
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2],
          apart = 2.0f * s->longest_edge + rest_distance / (float)PLI_REST_SHARE;
    return x * x + y * y + z * z > apart * apart;
}

// Two parts of one surface are not kept further apart than they are at rest.
static float rest_distance_of(const pli_collision *collision, const pli_candidate_pair *pair)
{
    const pli_contact_mesh *a = collision->surfaces[pair->surface[0]], *b = collision->surfaces[pair->surface[1]];
    float rest_distance = 0.5f * (a->material.thickness + b->material.thickness);
    if (a->collider || b->collider)
        rest_distance = a->material.thickness + b->material.thickness + pair->core;
    if (a != b || is_far_at_rest(a, pair, rest_distance))
        return rest_distance;
    pli_dvec3 rest[4];
    for (int i = 0; i < 4; i++)
        rest[i] = rest_at(a, pair->at[i] - a->first);
    double apart = PLI_REST_SHARE * sqrt(pli_closest_points((pli_pair_kind)pair->kind, rest).square);
    return (double)rest_distance < apart ? rest_distance : (float)apart;
}

// Whether an attachment ties a side to the body that carries the other.
static bool are_tied(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t side = collision->tied ? pli_pair_collider(collision, pair) : -1;
    const pli_rigid_body_data *rigid = side < 0 ? NULL : collision->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++)
        if (collision->tied[pair->at[i]] == rigid->id)
            return true;
    return false;
}

// A side of a meeting.
typedef struct part {
    const pli_contact_mesh *surface;
    int32_t cluster;
} part;

static pli_near_items items_of(const part *p, pli_primitive kind)
{
    return pli_clusters_items(&p->surface->clusters, kind, p->cluster);
}

static int32_t item_of(const part *p, pli_primitive kind, int32_t i)
{
    return p->surface->clusters.items[kind][p->surface->clusters.starts[kind][p->cluster] + i];
}

// Sets the particles of a primitive.
static void set_particles(const pli_contact_mesh *s, pli_primitive kind, int32_t item, int32_t *at)
{
    const int32_t *places = kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * item : s->edges + 2 * item;
    for (int32_t i = 0; i < pli_primitive_corners[kind]; i++)
        at[i] = s->first + (kind == PLI_PRIMITIVE_VERTEX ? item : places[i]);
}

// Completes a pair of which the primitives and the gap are known. False when it is too far apart, or never touches.
static bool complete(const query *q, pli_candidate_pair *pair)
{
    const pli_collision *collision = q->find->collision;
    if (pair->gap > q->find->reach[q->list] + pair->core || !pli_pair_movable(collision, pair) ||
        are_tied(collision, pair))
        return false;
    pair->rest_distance = rest_distance_of(collision, pair);
    if (pair->gap > pli_collision_reach(collision, pair->rest_distance, pli_pair_near(pair)))
        return false;
    // Parts that coincide at rest (seams) cannot be told apart.
    return pair->surface[0] != pair->surface[1] ||
           pair->rest_distance >= PLI_SEAM_SHARE * collision->surfaces[pair->surface[0]]->mean_edge;
}

static pli_candidate_pair pair_of(const query *q, const queue *from, int32_t i, pli_pair_kind kind)
{
    const pli_near_pairs *block = &from->blocks[i / PLI_NEAR_LANES];
    const candidate *c = &from->candidates[i];
    const pli_collision *collision = q->find->collision;
    const pli_cluster_pair *cluster_pair = &collision->cache.lists[q->list].cluster_pairs.items[c->cluster_pair];
    int32_t lane = i % PLI_NEAR_LANES, a = cluster_pair->surface[c->side], b = cluster_pair->surface[1 - c->side];
    return (pli_candidate_pair){
        .at = {block->at[0][lane], block->at[1][lane], block->at[2][lane], block->at[3][lane]},
        .normal = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]},
        .core = collision->surfaces[a]->radius + collision->surfaces[b]->radius,
        .surface = {a, b},
        .primitive = {c->primitive[0], c->primitive[1]},
        .kind = (int32_t)kind,
        .gap = block->gap[lane],
    };
}

// Keeps those of a meeting that may touch.
static void keep_near(query *q, pli_pair_kind kind, int32_t cluster_pair)
{
    for (queue *from = &q->queues[kind]; from->taken < from->count; from->taken++) {
        if (from->candidates[from->taken].cluster_pair != cluster_pair)
            return;
        pli_candidate_pair pair = pair_of(q, from, from->taken, kind);
        if (!complete(q, &pair))
            continue;
        if (q->count < q->room)
            q->out[q->count] = pair;
        q->count++;
        q->find->collision->cache.lists[q->list].cluster_pairs.items[cluster_pair].count++;
    }
}

static void look_at(query *q, pli_pair_kind kind)
{
    const pli_find *find = q->find;
    const pli_near_kernels *near = find->collision->near;
    const pli_near_trajectories trajectories = {find->starts, find->collision->cache.trajectories.items};
    const float ages[2] = {find->from, find->to};
    queue *of = &q->queues[kind];
    int32_t blocks = (of->count + PLI_NEAR_LANES - 1) / PLI_NEAR_LANES;
    for (int32_t i = of->count; i < blocks * PLI_NEAR_LANES; i++)
        for (int32_t k = 0; k < 4; k++)
            of->blocks[blocks - 1].at[k][i % PLI_NEAR_LANES] = 0;
    (kind == PLI_PAIR_EDGE_EDGE ? near->edge_edges : near->vertex_triangles)(&trajectories, ages, of->blocks, blocks);
    of->taken = 0;
}

// Looks at all candidates and keeps what is near, meeting by meeting.
static void empty_queues(query *q)
{
    queue *vertices = &q->queues[PLI_PAIR_VERTEX_TRIANGLE], *edges = &q->queues[PLI_PAIR_EDGE_EDGE];
    look_at(q, PLI_PAIR_VERTEX_TRIANGLE);
    look_at(q, PLI_PAIR_EDGE_EDGE);
    while (vertices->taken < vertices->count || edges->taken < edges->count) {
        int32_t first = vertices->taken < vertices->count ? vertices->candidates[vertices->taken].cluster_pair
                                                          : INT32_MAX;
        int32_t other = edges->taken < edges->count ? edges->candidates[edges->taken].cluster_pair : INT32_MAX;
        keep_near(q, PLI_PAIR_VERTEX_TRIANGLE, first < other ? first : other);
        keep_near(q, PLI_PAIR_EDGE_EDGE, first < other ? first : other);
    }
    vertices->count = edges->count = 0;
}

static bool share_a_particle(const pli_near_pairs *block, int32_t lane, int32_t split)
{
    for (int32_t i = 0; i < split; i++)
        for (int32_t k = split; k < 4; k++)
            if (block->at[i][lane] == block->at[k][lane])
                return true;
    return false;
}

// Puts one primitive with some of the other side's into a queue, but for those that it is joined to.
static void put(query *q, const candidate *first, const int32_t *at, const part *b, pli_primitive kind, uint32_t found)
{
    int32_t split = kind == PLI_PRIMITIVE_TRIANGLE ? 1 : 2;
    queue *to = &q->queues[split == 1 ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE];
    for (; found; found &= found - 1) {
        pli_near_pairs *block = &to->blocks[to->count / PLI_NEAR_LANES];
        int32_t lane = to->count % PLI_NEAR_LANES, item = item_of(b, kind, __builtin_ctz(found)), places[3];
        set_particles(b->surface, kind, item, places);
        for (int32_t k = 0; k < 4; k++)
            block->at[k][lane] = k < split ? at[k] : places[k - split];
        if (share_a_particle(block, lane, split))
            continue;
        to->candidates[to->count] = *first;
        to->candidates[to->count++].primitive[1] = item;
    }
    if (to->count > QUEUE_FULL)
        empty_queues(q);
}

// All of kind `ka` on one side of a meeting against all of kind `kb` on the other, or against those that follow in the
// same cluster.
static void match(query *q, int32_t number, int32_t side, const part *a, pli_primitive ka, const part *b,
                  pli_primitive kb)
{
    const pli_near_kernels *near = q->find->collision->near;
    float most = q->find->reach[q->list] + a->surface->radius + b->surface->radius;
    bool same = a->surface == b->surface && a->cluster == b->cluster && ka == kb;
    pli_near_items ones = items_of(a, ka), others = items_of(b, kb);
    // The boxes of clusters are wider by the radius, those of what is in them are not.
    pli_near_box box = pli_find_box_of(b->surface, b->cluster, q->find->reach[q->list] + a->surface->radius);
    for (uint32_t left = near->meet(&ones, &box); left; left &= left - 1) {
        int32_t i = __builtin_ctz(left), at[2];
        uint32_t found = near->meet_one(&ones, i, &others, most);
        if (same)
            found &= ~((2u << i) - 1);
        if (!found)
            continue;
        candidate first = {.cluster_pair = number, .side = side, .primitive = {item_of(a, ka, i)}};
        set_particles(a->surface, ka, first.primitive[0], at);
        put(q, &first, at, b, kb, found);
    }
}

static void match_clusters(query *q, int32_t number)
{
    const pli_collision *collision = q->find->collision;
    const pli_cluster_pair *p = &collision->cache.lists[q->list].cluster_pairs.items[number];
    const part a = {collision->surfaces[p->surface[0]], p->cluster[0]},
               b = {collision->surfaces[p->surface[1]], p->cluster[1]};
    match(q, number, 0, &a, PLI_PRIMITIVE_VERTEX, &b, PLI_PRIMITIVE_TRIANGLE);
    if (p->surface[0] != p->surface[1] || p->cluster[0] != p->cluster[1])
        match(q, number, 1, &b, PLI_PRIMITIVE_VERTEX, &a, PLI_PRIMITIVE_TRIANGLE);
    match(q, number, 0, &a, PLI_PRIMITIVE_EDGE, &b, PLI_PRIMITIVE_EDGE);
}

static void match_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    queue queues[2];
    query q = *(const query *)data;
    pli_candidate_list *list = &q.find->collision->cache.lists[q.list];
    q.out = out, q.room = room, q.count = 0, q.queues = queues;
    queues[0].count = queues[1].count = 0;
    int32_t begin = q.first + chunk * PLI_CLUSTER_PAIR_GRAIN;
    int32_t end = begin + PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count ? begin + PLI_CLUSTER_PAIR_GRAIN
                                                                             : list->cluster_pairs.count;
    for (int32_t i = begin; i < end; i++) {
        list->cluster_pairs.items[i].count = 0;
        match_clusters(&q, i);
    }
    empty_queues(&q);
    *count = q.count;
}

// Tells cluster pairs from `first` on where their pairs are, which begin at `begin`, and asks for each pair.
static void settle_cluster_pairs(pli_collision *collision, pli_candidate_list *list, int32_t first, int32_t begin)
{
    for (int32_t i = first; i < list->cluster_pairs.count; i++) {
        pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[i];
        int32_t end = begin + cluster_pair->count;
        cluster_pair->begin = begin;
        cluster_pair->count = 0;
        for (int32_t at = begin; collision->allows && at < end; at++) {
            pli_candidate_pair *pair = &list->pairs.items[at];
            if (pli_collision_allows(collision, pair->surface, pair->at, pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1, 4))
                list->pairs.items[begin + cluster_pair->count++] = *pair;
        }
        if (!collision->allows)
            cluster_pair->count = end - begin;
        list->count += cluster_pair->count;
        begin = end;
    }
}

bool pli_find_match(const pli_find *f, int32_t which, int32_t first)
{
    pli_collision *collision = f->collision;
    pli_candidate_list *list = &collision->cache.lists[which];
    if (!pli_find_refit_cluster_pairs(f, which, first))
        return false;
    query q = {.find = f, .list = which, .first = first};
    const pli_appending what = {
        .size = sizeof(pli_candidate_pair),
        .chunks = (list->cluster_pairs.count - first + PLI_CLUSTER_PAIR_GRAIN - 1) / PLI_CLUSTER_PAIR_GRAIN,
        .room = &list->room,
        .ask = match_chunk,
        .data = &q,
    };
    int32_t begin = list->pairs.count;
    const pli_gather_tools tools = pli_collision_tools(collision);
    if (!pli_gather_to(&tools, &what, &list->pairs)) {
        list->cluster_pairs.count = first;
        return false;
    }
    settle_cluster_pairs(collision, list, first, begin);
    return true;
}

bool pli_find_pairs(const pli_find *f, int32_t list)
{
    f->collision->cache.lists[list].count = f->collision->cache.lists[list].pairs.count = 0;
    return pli_find_cluster_pairs(f, list) && pli_find_match(f, list, 0);
}
