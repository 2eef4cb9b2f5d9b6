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

// What is in a patch that may be near another.
typedef struct part {
    const pli_surface *surface;
    int32_t number;
    struct {
        int32_t count;
        int32_t items[PLI_NEAR_MOST];
        int32_t at[PLI_NEAR_MOST][3]; // Particles.
        pli_near_corners corners;
    } of[PLI_PRIMITIVE_COUNT];
} part;

_Static_assert((int)PLI_NEAR_MOST >= (int)PLI_PATCH_MOST, "all that is in a patch is looked at at once");

// The particles of a primitive. How many.
static int32_t particles_of(const pli_surface *s, pli_primitive kind, int32_t item, int32_t at[3])
{
    const int32_t *places = kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * item : s->edges + 2 * item;
    int32_t count = kind == PLI_PRIMITIVE_VERTEX ? 1 : kind == PLI_PRIMITIVE_EDGE ? 2 : 3;
    for (int32_t i = 0; i < count; i++)
        at[i] = s->first + (kind == PLI_PRIMITIVE_VERTEX ? item : places[i]);
    return count;
}

static void set_corner(const pli_find *find, int32_t particle, pli_near_corners *corners, int32_t corner, int32_t i)
{
    const pli_particle *p = &find->starts[particle], *way = &find->space->ways[particle];
    const float ages[2] = {find->from, find->to};
    for (int k = 0; k < 2; k++) {
        corners->values[6 * corner + 3 * k][i] = p->x + way->x * ages[k];
        corners->values[6 * corner + 3 * k + 1][i] = p->y + way->y * ages[k];
        corners->values[6 * corner + 3 * k + 2][i] = p->z + way->z * ages[k];
    }
}

// Those of a patch that meet the box of the other one.
static void take_part(const pli_find *find, const pli_meeting *p, int side, float reach, part *out)
{
    const pli_surface *s = find->space->surfaces[p->surface[side]], *other = find->space->surfaces[p->surface[1 - side]];
    const pli_patches *across = &other->patches;
    pli_passage near = pli_passage_grow(across->nodes[across->leaf_count - 1 + p->patch[1 - side]], reach);
    out->surface = s;
    out->number = p->surface[side];
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        int32_t *items = out->of[kind].items;
        int32_t count = pli_patches_near(&s->patches, (pli_primitive)kind, p->patch[side], near, items);
        out->of[kind].count = count;
        for (int32_t i = 0; i < count; i++) {
            items[i] = s->patches.items[kind][items[i]];
            int32_t corners = particles_of(s, (pli_primitive)kind, items[i], out->of[kind].at[i]);
            for (int32_t k = 0; k < corners; k++)
                set_corner(find, out->of[kind].at[i][k], &out->of[kind].corners, k, i);
        }
    }
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

// What is near enough of those that were looked at, from `first` on.
static void keep_near(query *q, pli_pair *pair, int32_t split, const part *b, pli_primitive kind, int32_t first,
                      const pli_near_gaps *gaps)
{
    float most = q->find->reach[q->list] + pair->core;
    for (int32_t k = first; k < b->of[kind].count; k++) {
        if (gaps->gap[k] > most)
            continue;
        for (int32_t i = split; i < 4; i++)
            pair->at[i] = b->of[kind].at[k][i - split];
        if (share_a_particle(pair, split))
            continue;
        pair->gap = gaps->gap[k];
        pair->normal = (pli_vec3){gaps->normal[0][k], gaps->normal[1][k], gaps->normal[2][k]};
        pair->primitive[1] = b->of[kind].items[k];
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
    pli_near_gaps gaps;
    for (int32_t i = 0; i < a->of[ka].count; i++) {
        pli_pair pair = {.surface = {a->number, b->number},
                         .primitive = {a->of[ka].items[i], 0},
                         .core = a->surface->radius + b->surface->radius,
                         .kind = split == 1 ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE};
        for (int32_t k = 0; k < split; k++)
            pair.at[k] = a->of[ka].at[i][k];
        look(&a->of[ka].corners, i, &b->of[kb].corners, b->of[kb].count, &gaps);
        keep_near(q, &pair, split, b, kb, a == b && ka == kb ? i + 1 : 0, &gaps);
    }
}

static void match_patches(query *q, const pli_meeting *p, part parts[2])
{
    part *a = &parts[0], *b = &parts[0];
    take_part(q->find, p, 0, q->find->reach[q->list], a);
    bool same = p->surface[0] == p->surface[1] && p->patch[0] == p->patch[1];
    if (!same)
        take_part(q->find, p, 1, q->find->reach[q->list], b = &parts[1]);
    match(q, a, PLI_PRIMITIVE_VERTEX, b, PLI_PRIMITIVE_TRIANGLE);
    if (!same)
        match(q, b, PLI_PRIMITIVE_VERTEX, a, PLI_PRIMITIVE_TRIANGLE);
    match(q, a, PLI_PRIMITIVE_EDGE, b, PLI_PRIMITIVE_EDGE);
}

static void match_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    query q = *(const query *)data;
    pli_pair_list *list = &q.find->space->lists[q.list];
    part parts[2] = {0}; // Zero, so that what lies behind the last is a number.
    q.out = out, q.room = room, q.count = 0;
    int32_t begin = q.first + chunk * PLI_MEETING_GRAIN;
    int32_t end = begin + PLI_MEETING_GRAIN < list->meeting_count ? begin + PLI_MEETING_GRAIN : list->meeting_count;
    for (int32_t i = begin; i < end; i++) {
        int32_t before = q.count;
        match_patches(&q, &list->meetings[i], parts);
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
    pli_find_box_meetings(f, which, first);
    query q = {.find = f, .list = which, .first = first};
    const pli_gathering what = {
        .size = sizeof(pli_pair),
        .chunks = (list->meeting_count - first + PLI_MEETING_GRAIN - 1) / PLI_MEETING_GRAIN,
        .room = &list->room,
        .ask = match_chunk,
        .data = &q,
    };
    int32_t begin = list->count;
    if (!pli_gather(space, &what, &list->pairs, &list->count, &list->capacity))
        return false;
    settle_meetings(space, list, first, begin);
    return true;
}

bool pli_find_pairs(const pli_find *f, int32_t list)
{
    f->space->lists[list].count = 0;
    return pli_find_meetings(f, list) && pli_find_match(f, list, 0);
}
