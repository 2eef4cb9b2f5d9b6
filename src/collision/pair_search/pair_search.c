// Search for candidate pairs: its reach over all surfaces, and the narrow phase.
#include "collision/pair_search/pair_search.h"

#include "base/parallel_append.h"
#include "collision/pair_search/cluster_pairs.h"

bool pli_find_begin(pli_collision *collision, pli_find *find)
{
    int64_t bases = (int64_t)collision->surface_count + 1;
    int32_t *all = PLI_TAKE(&collision->arena, int32_t, 3 * bases);
    // Searches at a single instant also read trajectories, with an age of 0.
    if (!all || !(pli_array_reserve(collision->memory, &collision->cache.starts, collision->particle_count) &&
                  pli_array_reserve(collision->memory, &collision->cache.trajectories, collision->particle_count)))
        return false;
    *find = (pli_find){.collision = collision, .vertex_bases = all};
    find->edge_bases = find->vertex_bases + bases;
    find->cluster_bases = find->edge_bases + bases;
    find->vertex_bases[0] = find->edge_bases[0] = find->cluster_bases[0] = 0;
    float mean_edge = INFINITY, rest_distance = 0.0f, collider_distance = 0.0f, carried_distance = 0.0f,
          least = INFINITY;
    for (int32_t s = 0; s < collision->surface_count; s++) {
        const pli_contact_mesh *surface = collision->surfaces[s];
        if (surface->collider)
            collider_distance = fmaxf(collider_distance, surface->material.thickness);
        if (pli_contact_mesh_is_kinematic(surface))
            continue;
        if (surface->collider)
            carried_distance = fmaxf(carried_distance, surface->material.thickness);
        find->vertex_bases[s + 1] = find->vertex_bases[s] + surface->vertex_count;
        find->edge_bases[s + 1] = find->edge_bases[s] + surface->edge_count;
        find->cluster_bases[s + 1] = find->cluster_bases[s] + surface->clusters.count;
        find->surface_count = s + 1;
        if (surface->collider)
            continue;
        if (surface->mean_edge > 0.0f)
            mean_edge = fminf(mean_edge, surface->mean_edge);
        rest_distance = fmaxf(rest_distance, surface->material.thickness);
        // Pairs of one surface may keep less than the thickness if they are closer at rest.
        least = surface->material.self_collision ? 0.0f : fminf(least, surface->material.least_thickness);
    }
    collision->cache.least_rest_distance = isfinite(least) ? least : 0.0f;
    find->mean_edge = isfinite(mean_edge) ? mean_edge : 1.0f;
    find->reach[PLI_LIST_DEFORMABLES] = rest_distance + carried_distance;
    find->reach[PLI_LIST_COLLIDERS] = rest_distance + collider_distance;
    return true;
}

float pli_find_reach(const pli_find *find, int32_t list, int32_t a, int32_t b)
{
    const pli_contact_mesh *one = find->collision->surfaces[a], *other = find->collision->surfaces[b];
    float both = one->material.thickness + other->material.thickness;
    float rest = one->collider || other->collider ? both
                 : one == other                   ? pli_find_own_distance(one, one->material.thickness)
                                                  : 0.5f * both;
    return pli_lower(pli_collision_reach(find->collision, rest), find->reach[list]);
}

int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item)
{
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (bases[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- narrow phase ---------------------------------------------------------------------------- */

// Narrow phase: candidate pairs of primitives from overlapping cluster pairs. Each stage costs less than the next:
//
//   primitives of cluster a against the box of cluster b    (16 boxes at once)
//   remaining primitives against the primitives of b        (boxes, bit masks)
//   queue of 256 pairs -> separating directions             (16 pairs at once)
//   pairs within reach -> rest distance, filters, list

// Pairs wait in a queue for each kind, so that the direction kernel always gets full blocks.
enum { QUEUE_FULL = 256, QUEUE_BLOCKS = (QUEUE_FULL + PLI_NEAR_ITEMS_MAX + PLI_NEAR_LANES - 1) / PLI_NEAR_LANES };

// Boxes at rest are apart if the gap exceeds the distance by more than rounding may remove.
#define BOX_MARGIN 1.0001f

typedef struct candidate {
    int32_t cluster_pair, side; // Which side of the cluster pair comes first.
    int32_t primitive[2];
} candidate;

typedef struct pair_queue {
    pli_near_pairs blocks[QUEUE_BLOCKS];
    candidate candidates[QUEUE_BLOCKS * PLI_NEAR_LANES];
    int32_t count, kept_count;
} pair_queue;

typedef struct query {
    const pli_find *find;
    int32_t list, first; // Index of the first cluster pair.
    pair_queue *queues;  // One queue for each pli_pair_kind.
    pli_listed_pair *out;
    int32_t capacity, count;
} query;

// Are two primitives of one surface certainly further apart at rest than their rest distance? For most pairs, the
// distance of their particles or boxes already shows this, and they need no exact test.
static bool is_far_at_rest(const pli_contact_mesh *s, const pli_candidate_pair *pair, float rest_distance)
{
    const float *at[4];
    for (int i = 0; i < 4; i++)
        at[i] = s->rest + 3 * (pair->at[i] - s->first);
    float x = at[0][0] - at[3][0], y = at[0][1] - at[3][1], z = at[0][2] - at[3][2],
          least = BOX_MARGIN * rest_distance / (float)PLI_REST_SHARE, apart = 2.0f * s->longest_edge + least;
    if (x * x + y * y + z * z > apart * apart)
        return true;
    bool edges = pair->kind == PLI_PAIR_EDGE_EDGE;
    for (int k = 0; k < 3; k++) {
        float one = edges ? at[1][k] : at[0][k], other = edges ? at[2][k] : at[1][k];
        float low = at[0][k] < one ? at[0][k] : one, high = at[0][k] < one ? one : at[0][k];
        float below = pli_lower(pli_lower(other, at[2][k]), at[3][k]),
              above = pli_higher(pli_higher(other, at[2][k]), at[3][k]);
        if (below - high > least || low - above > least)
            return true;
    }
    return false;
}

// Does the pair have a particle that a tear created?
static bool has_copy(const pli_contact_mesh *s, const pli_candidate_pair *pair)
{
    for (int i = 0; i < 4 && s->tear.was_cut; i++)
        if (pair->at[i] - s->first >= s->tear.uncut_count)
            return true;
    return false;
}

// Thickness of a side of the pair: the largest thickness of its corners, so that a painted surface has its local thickness.
static float thickness_of(const pli_contact_mesh *s, const pli_candidate_pair *pair, int side)
{
    if (!s->material.thicknesses)
        return s->material.thickness;
    const int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    float most = 0.0f;
    for (int i = side ? split : 0; i < (side ? 4 : split); i++)
        most = fmaxf(most, s->material.thicknesses[pair->at[i] - s->first]);
    return most;
}

// Returns the rest distance of the pair; within one surface at most PLI_REST_SHARE of the distance at rest. 0 for a seam.
static float rest_distance_of(const pli_collision *collision, const pli_candidate_pair *pair)
{
    const pli_contact_mesh *a = collision->surfaces[pair->surface[0]], *b = collision->surfaces[pair->surface[1]];
    const float both = thickness_of(a, pair, 0) + thickness_of(b, pair, 1);
    float rest_distance = a->collider || b->collider ? both + pair->core
                          : a == b                   ? pli_find_own_distance(a, 0.5f * both)
                                                     : 0.5f * both;
    if (a != b || is_far_at_rest(a, pair, rest_distance))
        return rest_distance;
    pli_dvec3 rest[4];
    for (int i = 0; i < 4; i++) {
        const float *p = a->rest + 3 * (pair->at[i] - a->first);
        rest[i] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    double apart = PLI_REST_SHARE * sqrt(pli_closest_points((pli_pair_kind)pair->kind, rest).square);
    if (apart < (double)(PLI_SEAM_SHARE * a->mean_edge))
        return has_copy(a, pair) ? fminf(rest_distance, PLI_LIP_SHARE * a->mean_edge) : 0.0f;
    return (double)rest_distance < apart ? rest_distance : (float)apart;
}

// Does an attachment fix one side to the rigid body that carries the other?
static bool are_attached(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t side = collision->attached_to ? pli_pair_collider(collision, pair) : -1;
    const pli_rigid_body_data *rigid = side < 0 ? NULL : collision->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++)
        if (collision->attached_to[pair->at[i]] == rigid->id)
            return true;
    return false;
}

// One side of a cluster pair.
typedef struct cluster_side {
    const pli_contact_mesh *surface;
    int32_t cluster;
} cluster_side;

static pli_near_items items_of(const cluster_side *p, pli_primitive kind)
{
    return pli_clusters_items(&p->surface->clusters, kind, p->cluster);
}

// Does a particle of one side share its position with one of the other? Such sides are neighbours, like sides that
// share a particle: a tear copied the particle, and an attachment keeps the copies in one place.
static bool sides_share_a_place(const query *q, const pli_candidate_pair *pair)
{
    const pli_particle *starts = q->find->starts;
    for (int i = 0, split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1; i < split; i++)
        for (int k = split; k < 4; k++)
            if (pli_is_same_place(&starts[pair->at[i]], &starts[pair->at[k]]))
                return true;
    return false;
}

// Largest gap of a listed pair of two surfaces [m].
static float list_reach(const query *q, int32_t a, int32_t b)
{
    const pli_collision *collision = q->find->collision;
    return pli_find_reach(q->find, q->list, a, b) + (collision->surfaces[a]->radius + collision->surfaces[b]->radius);
}

// Sets the rest distance of a pair with known primitives and gap. Returns false if the pair is out of reach or can
// never make contact.
static bool complete_pair(const query *q, pli_candidate_pair *pair, float gap)
{
    const pli_collision *collision = q->find->collision;
    if (!pli_pair_movable(collision, pair) || are_attached(collision, pair))
        return false;
    pair->rest_distance = rest_distance_of(collision, pair);
    pair->near = pli_near_of(collision, pair->rest_distance, pair->core);
    if (gap > pair->core + pli_collision_reach(collision, pair->rest_distance - pair->core))
        return false;
    const pli_contact_mesh *s = collision->surfaces[pair->surface[0]];
    // No known direction separates the sides of a seam.
    return pair->surface[0] != pair->surface[1] ||
           (pair->rest_distance > 0.0f && !(pair->rest_distance <= PLI_LIP_SHARE * s->mean_edge && has_copy(s, pair) &&
                                            sides_share_a_place(q, pair)));
}

// Appends the queued pairs of one cluster pair that are within reach.
static void keep_near_pairs(query *q, pli_pair_kind kind, int32_t cluster_pair)
{
    const pli_cluster_pair *p = &q->find->collision->cache.lists[q->list].cluster_pairs.items[cluster_pair];
    float most = list_reach(q, p->surface[0], p->surface[1]);
    for (pair_queue *from = &q->queues[kind]; from->kept_count < from->count; from->kept_count++) {
        if (from->candidates[from->kept_count].cluster_pair != cluster_pair)
            return;
        float gap = from->blocks[from->kept_count / PLI_NEAR_LANES].gap[from->kept_count % PLI_NEAR_LANES];
        if (gap > most)
            continue;
        int32_t i = from->kept_count;
        const pli_near_pairs *block = &from->blocks[i / PLI_NEAR_LANES];
        const candidate *c = &from->candidates[i];
        const pli_collision *collision = q->find->collision;
        const pli_cluster_pair *of = &collision->cache.lists[q->list].cluster_pairs.items[c->cluster_pair];
        int32_t lane = i % PLI_NEAR_LANES, a = of->surface[c->side], b = of->surface[1 - c->side];
        pli_candidate_pair pair = (pli_candidate_pair){
            .at = {block->at[0][lane], block->at[1][lane], block->at[2][lane], block->at[3][lane]},
            .normal = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]},
            .core = collision->surfaces[a]->radius + collision->surfaces[b]->radius,
            .surface = {a, b},
            .primitive = {c->primitive[0], c->primitive[1]},
            .kind = (int32_t)kind,
        };
        if (!complete_pair(q, &pair, gap))
            continue;
        if (q->count < q->capacity) {
            bool edges = pair.kind == PLI_PAIR_EDGE_EDGE;
            q->out[q->count] = (pli_listed_pair){
                .normal = pair.normal,
                .rest_distance = pair.rest_distance,
                .primitive = {pair.primitive[0], edges ? ~pair.primitive[1] : pair.primitive[1]},
                .found = {gap, from->candidates[from->kept_count].side},
            };
        }
        q->count++;
        q->find->collision->cache.lists[q->list].cluster_pairs.items[cluster_pair].count++;
    }
}

static void measure_queue(query *q, pli_pair_kind kind)
{
    const pli_find *find = q->find;
    const pli_near_kernels *near = find->collision->kernels.near;
    const pli_near_trajectories trajectories = {find->starts, find->collision->cache.trajectories.items};
    const float ages[2] = {find->from, find->to};
    pair_queue *of = &q->queues[kind];
    int32_t blocks = (of->count + PLI_NEAR_LANES - 1) / PLI_NEAR_LANES;
    for (int32_t i = of->count; i < blocks * PLI_NEAR_LANES; i++)
        for (int32_t k = 0; k < 4; k++)
            of->blocks[blocks - 1].at[k][i % PLI_NEAR_LANES] = 0;
    (kind == PLI_PAIR_EDGE_EDGE ? near->edge_edges : near->vertex_triangles)(&trajectories, ages, of->blocks, blocks);
    of->kept_count = 0;
}

// Processes both queues and appends their pairs in the order of cluster pairs.
static void flush_queues(query *q)
{
    pair_queue *vertices = &q->queues[PLI_PAIR_VERTEX_TRIANGLE], *edges = &q->queues[PLI_PAIR_EDGE_EDGE];
    measure_queue(q, PLI_PAIR_VERTEX_TRIANGLE);
    measure_queue(q, PLI_PAIR_EDGE_EDGE);
    while (vertices->kept_count < vertices->count || edges->kept_count < edges->count) {
        int32_t first = vertices->kept_count < vertices->count ? vertices->candidates[vertices->kept_count].cluster_pair
                                                               : INT32_MAX;
        int32_t other = edges->kept_count < edges->count ? edges->candidates[edges->kept_count].cluster_pair
                                                         : INT32_MAX;
        keep_near_pairs(q, PLI_PAIR_VERTEX_TRIANGLE, first < other ? first : other);
        keep_near_pairs(q, PLI_PAIR_EDGE_EDGE, first < other ? first : other);
    }
    vertices->count = edges->count = 0;
}

// Corners of the primitives of one kind in a cluster.
typedef struct search_corners {
    const int32_t *items;  // Indices of the primitives.
    const int32_t *places; // Corners of each primitive of the surface; null for vertices.
    int32_t count, first;  // Corners of a primitive; index of the surface's first particle.
} search_corners;

static search_corners primitive_corners(const cluster_side *p, pli_primitive kind)
{
    const pli_contact_mesh *s = p->surface;
    return (search_corners){s->clusters.items[kind] + s->clusters.starts[kind][p->cluster],
                            kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles
                            : kind == PLI_PRIMITIVE_EDGE   ? s->edges
                                                           : NULL,
                            pli_primitive_corners[kind], s->first};
}

// Queues a vertex with each of the given triangles of the other side that do not have it as a corner.
static void enqueue_vertex(pair_queue *to, const candidate *first, int32_t at, const search_corners *others,
                           uint32_t found)
{
    for (; found; found &= found - 1) {
        int32_t item = others->items[__builtin_ctz(found)], lane = to->count % PLI_NEAR_LANES;
        const int32_t *places = others->places + 3 * item;
        int32_t a = others->first + places[0], b = others->first + places[1], c = others->first + places[2];
        if (at == a || at == b || at == c)
            continue;
        pli_near_pairs *block = &to->blocks[to->count / PLI_NEAR_LANES];
        block->at[0][lane] = at, block->at[1][lane] = a, block->at[2][lane] = b, block->at[3][lane] = c;
        to->candidates[to->count] = *first;
        to->candidates[to->count++].primitive[1] = item;
    }
}

// Queues an edge with each of the given edges of the other side that share no end with it.
static void enqueue_edge(pair_queue *to, const candidate *first, const int32_t at[2], const search_corners *others,
                         uint32_t found)
{
    for (; found; found &= found - 1) {
        int32_t item = others->items[__builtin_ctz(found)], lane = to->count % PLI_NEAR_LANES;
        const int32_t *places = others->places + 2 * item;
        int32_t a = others->first + places[0], b = others->first + places[1];
        if (at[0] == a || at[0] == b || at[1] == a || at[1] == b)
            continue;
        pli_near_pairs *block = &to->blocks[to->count / PLI_NEAR_LANES];
        block->at[0][lane] = at[0], block->at[1][lane] = at[1], block->at[2][lane] = a, block->at[3][lane] = b;
        to->candidates[to->count] = *first;
        to->candidates[to->count++].primitive[1] = item;
    }
}

// Two clusters whose primitives are compared.
typedef struct matching {
    int32_t number; // Index of the cluster pair.
    cluster_side sides[2];
    pli_near_box boxes[2]; // Boxes of both clusters, grown by the reach.
    float reach;
} matching;

// Tests vertices of one side with triangles of the other, or edges with edges; within one cluster, each pair of edges
// once.
static void match(query *q, const matching *m, int32_t side, pli_pair_kind kind)
{
    const pli_near_kernels *near = q->find->collision->kernels.near;
    const cluster_side *a = &m->sides[side], *b = &m->sides[1 - side];
    pli_primitive ka = kind == PLI_PAIR_EDGE_EDGE ? PLI_PRIMITIVE_EDGE : PLI_PRIMITIVE_VERTEX,
                  kb = kind == PLI_PAIR_EDGE_EDGE ? PLI_PRIMITIVE_EDGE : PLI_PRIMITIVE_TRIANGLE;
    bool same = a->surface == b->surface && a->cluster == b->cluster && ka == kb;
    pli_near_items ones = items_of(a, ka), others = items_of(b, kb);
    search_corners mine = primitive_corners(a, ka), theirs = primitive_corners(b, kb);
    pair_queue *to = &q->queues[kind];
    uint32_t all_found[PLI_NEAR_CAPACITY];
    for (uint32_t left = near->meet(&ones, &m->boxes[1 - side], &others, m->reach, all_found); left; left &= left - 1) {
        int32_t i = __builtin_ctz(left);
        uint32_t found = all_found[i];
        if (same)
            found &= ~((2u << i) - 1);
        if (!found)
            continue;
        candidate first = {.cluster_pair = m->number, .side = side, .primitive = {mine.items[i]}};
        if (kind == PLI_PAIR_EDGE_EDGE) {
            const int32_t *ends = mine.places + 2 * first.primitive[0],
                          at[2] = {mine.first + ends[0], mine.first + ends[1]};
            enqueue_edge(to, &first, at, &theirs, found);
        } else {
            enqueue_vertex(to, &first, mine.first + first.primitive[0], &theirs, found);
        }
        if (to->count > QUEUE_FULL)
            flush_queues(q);
    }
}

static void match_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    pair_queue queues[2];
    query q = *(const query *)data;
    pli_candidate_list *list = &q.find->collision->cache.lists[q.list];
    q.out = out, q.capacity = capacity, q.count = 0, q.queues = queues;
    queues[0].count = queues[1].count = 0;
    int32_t begin = q.first + chunk * PLI_CLUSTER_PAIR_GRAIN;
    int32_t end = begin + PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count ? begin + PLI_CLUSTER_PAIR_GRAIN
                                                                             : list->cluster_pairs.count;
    for (int32_t i = begin; i < end; i++) {
        list->cluster_pairs.items[i].count = 0;
        const pli_collision *collision = q.find->collision;
        const pli_cluster_pair *p = &collision->cache.lists[q.list].cluster_pairs.items[i];
        matching m = {.number = i, .reach = list_reach(&q, p->surface[0], p->surface[1])};
        for (int32_t side = 0; side < 2; side++) {
            m.sides[side] = (cluster_side){collision->surfaces[p->surface[side]], p->cluster[side]};
            // Boxes of clusters include the radius of round shapes; boxes of primitives do not.
            float other = collision->surfaces[p->surface[1 - side]]->radius;
            float reach = pli_find_reach(q.find, q.list, p->surface[0], p->surface[1]);
            m.boxes[side] = pli_find_box_of(m.sides[side].surface, p->cluster[side], reach + other);
        }
        match(&q, &m, 0, PLI_PAIR_VERTEX_TRIANGLE);
        if (p->surface[0] != p->surface[1] || p->cluster[0] != p->cluster[1])
            match(&q, &m, 1, PLI_PAIR_VERTEX_TRIANGLE);
        match(&q, &m, 0, PLI_PAIR_EDGE_EDGE);
    }
    flush_queues(&q);
    *count = q.count;
}

// Replaces the gap of a found pair by the surfaces of its cluster pair. Returns the gap.
static float name_surfaces(const pli_cluster_pair *of, pli_listed_pair *pair)
{
    float gap = pair->found.gap;
    int32_t side = pair->found.side;
    pair->surface[0] = of->surface[side];
    pair->surface[1] = of->surface[1 - side];
    return gap;
}

// Assigns the appended pairs, starting at `begin`, to cluster pairs >= `first`, and drops the pairs that the user's
// filter rejects. Most overlapping clusters have no near pairs: they are removed, so that no stage visits them.
static void assign_ranges(pli_collision *collision, pli_candidate_list *list, int32_t first, int32_t begin)
{
    int32_t kept = first;
    for (int32_t i = first; i < list->cluster_pairs.count; i++) {
        pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[i];
        int32_t end = begin + cluster_pair->count;
        cluster_pair->begin = begin;
        cluster_pair->count = 0;
        for (int32_t at = begin; collision->filter.allows && at < end; at++) {
            pli_listed_pair named = list->pairs.items[at];
            name_surfaces(cluster_pair, &named);
            const pli_candidate_pair pair = pli_pair_read(collision, &named);
            if (pli_collision_allows(collision, pair.surface, pair.at, pair.kind == PLI_PAIR_EDGE_EDGE ? 2 : 1, 4))
                list->pairs.items[begin + cluster_pair->count++] = list->pairs.items[at];
        }
        if (!collision->filter.allows)
            cluster_pair->count = end - begin;
        list->count += cluster_pair->count;
        begin = end;
        if (cluster_pair->count > 0)
            list->cluster_pairs.items[kept++] = *cluster_pair;
    }
    list->cluster_pairs.count = kept;
}

// Do the sides of a pair touch although one of them can move? If so, a rule determines only to which side they move; it
// does not prove that nothing crosses on the way.
static bool listed_is_touching(const pli_collision *collision, const pli_listed_pair *listed)
{
    const pli_candidate_pair pair = pli_pair_read(collision, listed);
    pli_dvec3 at[4];
    bool movable = false;
    pli_pair_positions(&pair, collision->previous, at);
    const pli_closest c = pli_closest_points((pli_pair_kind)pair.kind, at);
    for (int i = 0; i < 4; i++)
        movable = movable || (fabs(c.weights[i]) > PLI_NO_WEIGHT && collision->particles[pair.at[i]].w > 0.0f);
    return movable && !(c.square > PLI_TOUCHING * PLI_TOUCHING);
}

// Computes the spares of the pairs of all cluster pairs starting at `first`, and names the surfaces of these pairs. Returns false when out
// of memory.
static bool note_spares(pli_collision *collision, pli_candidate_list *list, int32_t first)
{
    if (!pli_array_reserve_unset(collision->memory, &list->spares, list->pairs.capacity))
        return false;
    for (int32_t m = first; m < list->cluster_pairs.count; m++) {
        pli_cluster_pair *p = &list->cluster_pairs.items[m];
        p->least = (pli_pair_spare){INFINITY, INFINITY};
        p->least_rest = INFINITY;
        for (int32_t i = p->begin; i < p->begin + p->count; i++) {
            pli_listed_pair *pair = &list->pairs.items[i];
            float gap = name_surfaces(p, pair), core = pli_listed_core(collision, pair), rest = pair->rest_distance;
            float keeps = core > 0.0f ? (float)(1.0 + PLI_CORE_MARGIN) * core + PLI_GAP_SHARE * (rest - core)
                                      : PLI_GAP_SHARE * rest;
            pli_pair_spare spare = {gap - pli_near_of(collision, rest, core), gap - keeps};
            list->spares.items[i] = spare;
            if (pair->normal.x == 0.0f && pair->normal.y == 0.0f && pair->normal.z == 0.0f)
                collision->untangle.touching = collision->untangle.touching || listed_is_touching(collision, pair);
            p->least.contact = pli_lower(spare.contact, p->least.contact);
            p->least.crossing = pli_lower(spare.crossing, p->least.crossing);
            p->least_rest = pli_lower(rest - core, p->least_rest);
        }
    }
    return true;
}

bool pli_find_match(const pli_find *f, int32_t which, int32_t first)
{
    pli_collision *collision = f->collision;
    pli_candidate_list *list = &collision->cache.lists[which];
    if (!pli_find_refit_cluster_pairs(f, which, first))
        return false;
    query q = {.find = f, .list = which, .first = first};
    const pli_appending what = {
        .size = sizeof(pli_listed_pair),
        .chunks = (list->cluster_pairs.count - first + PLI_CLUSTER_PAIR_GRAIN - 1) / PLI_CLUSTER_PAIR_GRAIN,
        .capacity = &list->pair_chunk_capacity,
        .append = match_chunk,
        .data = &q,
        .most = collision->work.most_pairs,
        .is_over = &collision->work.is_over,
    };
    int32_t begin = list->pairs.count;
    const pli_append_tools tools = pli_collision_tools(collision);
    pli_work_spend(&collision->work, PLI_CLUSTER_PAIR_WORK * (int64_t)(list->cluster_pairs.count - first));
    bool complete = pli_append_to(&tools, &what, &list->pairs);
    pli_work_spend(&collision->work, list->pairs.count - begin);
    if (!complete) {
        list->cluster_pairs.count = first;
        return false;
    }
    assign_ranges(collision, list, first, begin);
    if (note_spares(collision, list, first))
        return true;
    list->cluster_pairs.count = first; // Their pairs have no surfaces yet.
    return false;
}

bool pli_find_pairs(const pli_find *f, int32_t list)
{
    f->collision->cache.lists[list].count = f->collision->cache.lists[list].pairs.count = 0;
    return pli_find_cluster_pairs(f, list) && pli_find_match(f, list, 0);
}
