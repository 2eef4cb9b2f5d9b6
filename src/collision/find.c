// Pairs of primitives that are near: patches that are, then boxes, then a direction that keeps them apart (wide/near.c).
#include "collision/find.h"
#include "collision/gather.h"

typedef struct query {
    const pli_find *find;
    int32_t list, first; // Meeting.
    pli_pair *out;
    int32_t room, count;
} query;

static pli_dvec3 rest_at(const pli_surface *s, int32_t place)
{
    const float *p = s->rest + 3 * place;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Whether two parts of a surface are further apart at rest than they are kept: most are, by far.
static bool is_far_at_rest(const pli_surface *s, const pli_pair *pair, float keep)
{
    const float *a = s->rest + 3 * (pair->at[0] - s->first), *b = s->rest + 3 * (pair->at[3] - s->first);
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], apart = 2.0f * s->longest_edge + keep / (float)PLI_REST_SHARE;
    return x * x + y * y + z * z > apart * apart;
}

// Two parts of one surface are not kept further apart than they are at rest.
static float keep_of(const pli_space *space, const pli_pair *pair)
{
    const pli_surface *a = space->surfaces[pair->surface[0]], *b = space->surfaces[pair->surface[1]];
    float keep = 0.5f * (a->material.thickness + b->material.thickness);
    if (a->collider || b->collider)
        keep = a->material.thickness + b->material.thickness + pair->core;
    if (a != b || is_far_at_rest(a, pair, keep))
        return keep;
    pli_dvec3 rest[4];
    for (int i = 0; i < 4; i++)
        rest[i] = rest_at(a, pair->at[i] - a->first);
    double apart = PLI_REST_SHARE * sqrt(pli_closest_points((pli_pair_kind)pair->kind, rest).square);
    return (double)keep < apart ? keep : (float)apart;
}

// Whether an attachment ties a side to the body that carries the other.
static bool are_tied(const pli_space *space, const pli_pair *pair)
{
    int32_t side = space->tied ? pli_pair_collider(space, pair) : -1;
    const pli_rigid *rigid = side < 0 ? NULL : space->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++)
        if (space->tied[pair->at[i]] == rigid->id)
            return true;
    return false;
}

// A patch that may be near another: what is in it, and which of that meets the box of the other one.
typedef struct part {
    const pli_surface *surface;
    int32_t number, patch;
    pli_near_items items[PLI_PRIMITIVE_COUNT];
    uint32_t near[PLI_PRIMITIVE_COUNT];
} part;

static part part_of(const query *q, const pli_meeting *p, int side)
{
    const pli_space *space = q->find->space;
    part out = {.number = p->surface[side], .patch = p->patch[side]};
    out.surface = space->surfaces[out.number];
    pli_near_box box = pli_find_box_of(space->surfaces[p->surface[1 - side]], p->patch[1 - side],
                                       q->find->reach[q->list] + out.surface->radius);
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        out.items[kind] = pli_patches_items(&out.surface->patches, (pli_primitive)kind, out.patch);
        out.near[kind] = space->near->meet(&out.items[kind], pli_primitive_corners[kind], &box);
    }
    return out;
}

static int32_t item_of(const part *p, pli_primitive kind, int32_t i)
{
    return p->surface->patches.items[kind][p->surface->patches.starts[kind][p->patch] + i];
}

// Sets the particles of a primitive.
static void set_particles(const pli_surface *s, pli_primitive kind, int32_t item, int32_t *at)
{
    const int32_t *places = kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * item : s->edges + 2 * item;
    for (int32_t i = 0; i < pli_primitive_corners[kind]; i++)
        at[i] = s->first + (kind == PLI_PRIMITIVE_VERTEX ? item : places[i]);
}

// Completes a pair of which the primitives and the gap are known. False when it is too far apart, or never touches.
static bool complete(const query *q, pli_pair *pair)
{
    const pli_space *space = q->find->space;
    if (!pli_pair_movable(space, pair) || are_tied(space, pair))
        return false;
    pair->keep = keep_of(space, pair);
    if (pair->gap > pair->keep + 2.0f * space->budget)
        return false;
    // Parts that coincide at rest (seams) cannot be told apart.
    return pair->surface[0] != pair->surface[1] ||
           pair->keep >= PLI_SEAM_SHARE * space->surfaces[pair->surface[0]]->mean_edge;
}

static bool share_a_particle(const pli_pair *pair, int32_t split)
{
    for (int32_t i = 0; i < split; i++)
        for (int32_t k = split; k < 4; k++)
            if (pair->at[i] == pair->at[k])
                return true;
    return false;
}

// Keeps those found near one primitive that may touch it.
static void keep_near(query *q, pli_pair *pair, int32_t split, const part *b, pli_primitive kind, uint32_t found,
                      const pli_near_gaps *gaps)
{
    for (; found; found &= found - 1) {
        int32_t k = __builtin_ctz(found);
        pair->primitive[1] = item_of(b, kind, k);
        set_particles(b->surface, kind, pair->primitive[1], pair->at + split);
        if (share_a_particle(pair, split))
            continue;
        pair->gap = gaps->gap[k];
        pair->normal = (pli_vec3){gaps->normal[0][k], gaps->normal[1][k], gaps->normal[2][k]};
        if (!complete(q, pair))
            continue;
        if (q->count < q->room)
            q->out[q->count] = *pair;
        q->count++;
    }
}

// All of kind `ka` in one part against all of kind `kb` in the other, or against those that follow in the same one.
static void match(query *q, const part *a, pli_primitive ka, const part *b, pli_primitive kb)
{
    const pli_near_kernels *near = q->find->space->near;
    int32_t split = ka == PLI_PRIMITIVE_VERTEX ? 1 : 2;
    pli_near_look look = split == 1 ? near->vertex_triangles : near->edge_edges;
    float core = a->surface->radius + b->surface->radius, most = q->find->reach[q->list] + core;
    pli_near_gaps gaps;
    for (uint32_t left = b->near[kb] ? a->near[ka] : 0; left; left &= left - 1) {
        int32_t i = __builtin_ctz(left);
        uint32_t among = a == b && ka == kb ? b->near[kb] & ~((2u << i) - 1) : b->near[kb];
        uint32_t found = look(&a->items[ka], i, &b->items[kb], among, most, &gaps);
        if (!found)
            continue;
        pli_pair pair = {.surface = {a->number, b->number},
                         .primitive = {item_of(a, ka, i), 0},
                         .core = core,
                         .kind = split == 1 ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE};
        set_particles(a->surface, ka, pair.primitive[0], pair.at);
        keep_near(q, &pair, split, b, kb, found, &gaps);
    }
}

static void match_patches(query *q, const pli_meeting *p)
{
    part parts[2], *a = &parts[0], *b = &parts[0];
    *a = part_of(q, p, 0);
    bool same = p->surface[0] == p->surface[1] && p->patch[0] == p->patch[1];
    if (!same)
        *(b = &parts[1]) = part_of(q, p, 1);
    match(q, a, PLI_PRIMITIVE_VERTEX, b, PLI_PRIMITIVE_TRIANGLE);
    if (!same)
        match(q, b, PLI_PRIMITIVE_VERTEX, a, PLI_PRIMITIVE_TRIANGLE);
    match(q, a, PLI_PRIMITIVE_EDGE, b, PLI_PRIMITIVE_EDGE);
}

static void match_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    query q = *(const query *)data;
    pli_pair_list *list = &q.find->space->lists[q.list];
    q.out = out, q.room = room, q.count = 0;
    int32_t begin = q.first + chunk * PLI_MEETING_GRAIN;
    int32_t end = begin + PLI_MEETING_GRAIN < list->meeting_count ? begin + PLI_MEETING_GRAIN : list->meeting_count;
    for (int32_t i = begin; i < end; i++) {
        int32_t before = q.count;
        match_patches(&q, &list->meetings[i]);
        list->meetings[i].count = q.count - before;
    }
    *count = q.count;
}

// Tells meetings from `first` on where their pairs are, which begin at `begin`, and asks for each pair.
static void settle_meetings(pli_space *space, pli_pair_list *list, int32_t first, int32_t begin)
{
    int32_t kept = begin;
    for (int32_t i = first; i < list->meeting_count; i++) {
        pli_meeting *meeting = &list->meetings[i];
        int32_t end = begin + meeting->count;
        meeting->begin = kept;
        for (; begin < end; begin++) {
            const pli_pair *pair = &list->pairs[begin];
            if (space->allows &&
                !pli_space_allows(space, pair->surface, pair->at, pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1, 4))
                continue;
            if (kept < begin)
                list->pairs[kept] = *pair;
            kept++;
        }
        meeting->count = kept - meeting->begin;
    }
    list->count = kept;
}

bool pli_find_match(const pli_find *f, int32_t which, int32_t first)
{
    pli_space *space = f->space;
    pli_pair_list *list = &space->lists[which];
    pli_find_lay_meetings(f, which, first);
    query q = {.find = f, .list = which, .first = first};
    const pli_gathering what = {
        .size = sizeof(pli_pair),
        .chunks = (list->meeting_count - first + PLI_MEETING_GRAIN - 1) / PLI_MEETING_GRAIN,
        .room = &list->room,
        .ask = match_chunk,
        .data = &q,
    };
    int32_t begin = list->count;
    if (!pli_gather(space, &what, &list->pairs, &list->count, &list->capacity)) {
        list->meeting_count = first;
        return false;
    }
    settle_meetings(space, list, first, begin);
    return true;
}

bool pli_find_pairs(const pli_find *f, int32_t list)
{
    f->space->lists[list].count = 0;
    return pli_find_meetings(f, list) && pli_find_match(f, list, 0);
}
