// Pairs of primitives that are near: patches that are, then boxes, then a direction that keeps them apart.
#include "collision/find.h"

// Floats that a difference of places and a product of differences may be off, of their size.
#define ROUNDING 1e-5f

typedef struct query {
    const pli_find *find;
    int32_t list;
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

static pli_vec3 between(pli_vec3 a, pli_vec3 b, float part)
{
    return pli_add(a, pli_scale(pli_sub(b, a), part));
}

static float clamped(float part, float whole)
{
    return !(whole > 0.0f) || !(part > 0.0f) ? 0.0f : part < whole ? part / whole : 1.0f;
}

static pli_vec3 between_edges(const pli_vec3 at[4])
{
    pli_vec3 d1 = pli_sub(at[1], at[0]), d2 = pli_sub(at[3], at[2]), r = pli_sub(at[0], at[2]);
    float a = pli_dot(d1, d1), e = pli_dot(d2, d2), f = pli_dot(d2, r), c = pli_dot(d1, r), b = pli_dot(d1, d2);
    float s = clamped(b * f - c * e, a * e - b * b), t = clamped(b * s + f, e);
    s = clamped(b * t - c, a);
    return pli_sub(between(at[0], at[1], s), between(at[2], at[3], t));
}

static pli_vec3 off_triangle(const pli_vec3 at[4])
{
    pli_vec3 ab = pli_sub(at[2], at[1]), ac = pli_sub(at[3], at[1]), ap = pli_sub(at[0], at[1]);
    pli_vec3 normal = pli_cross(ab, ac);
    float area = pli_dot(normal, normal);
    float v = clamped(pli_dot(pli_cross(ap, ac), normal), area), w = clamped(pli_dot(pli_cross(ab, ap), normal), area);
    float sum = v + w > 1.0f ? v + w : 1.0f;
    return pli_sub(ap, pli_add(pli_scale(ab, v / sum), pli_scale(ac, w / sum)));
}

static float gap_along(pli_vec3 way, const pli_vec3 at[4], int32_t kind)
{
    float d[4];
    for (int i = 0; i < 4; i++)
        d[i] = pli_dot(way, pli_sub(at[i], at[0]));
    if (kind == PLI_PAIR_EDGE_EDGE)
        return pli_lower(d[0], d[1]) - pli_higher(d[2], d[3]);
    return d[0] - pli_higher(pli_higher(d[1], d[2]), d[3]);
}

// How far the sides are apart at least while their particles go on straight ways: what a direction says at
// the start and at the end it says between. Any direction may; `normal` becomes nearly that of the nearest
// points at the start. What is nearer than `near` at the start is looked at no further; negative when unknown.
static float least_gap(const pli_find *find, pli_pair *pair, float near)
{
    const pli_space *space = find->space;
    pli_vec3 at[4];
    float size = 0.0f;
    for (int i = 0; i < 4; i++) {
        at[i] = pli_place_of(&space->previous[pair->at[i]]);
        size = pli_higher(size, fabsf(at[i].x - at[0].x) + fabsf(at[i].y - at[0].y) + fabsf(at[i].z - at[0].z));
    }
    pli_vec3 way = pair->kind == PLI_PAIR_EDGE_EDGE ? between_edges(at) : off_triangle(at);
    float length = pli_length(way);
    if (!(length > 0.0f))
        return -1.0f;
    pair->normal = pli_scale(way, 1.0f / length);
    float gap = gap_along(pair->normal, at, pair->kind);
    if (gap > near) {
        for (int i = 0; i < 4; i++)
            at[i] = pli_add(at[i], pli_scale(space->ways[pair->at[i]], find->lifetime));
        gap = pli_lower(gap, gap_along(pair->normal, at, pair->kind));
    }
    return gap - ROUNDING * size;
}

bool pli_find_complete(const pli_find *find, int32_t list, pli_pair *pair)
{
    const pli_space *space = find->space;
    pair->core = space->surfaces[pair->surface[0]]->radius + space->surfaces[pair->surface[1]]->radius;
    pair->normal = (pli_vec3){0, 1, 0};
    float gap = least_gap(find, pair, 0.0f);
    if (gap > find->reach[list] + pair->core || !pli_pair_movable(space, pair) || are_tied(space, pair))
        return false;
    pair->keep = keep_of(space, pair);
    if (gap > pair->keep + 2.0f * space->budget)
        return false;
    // Parts that coincide at rest (seams) cannot be told apart.
    return pair->surface[0] != pair->surface[1] ||
           pair->keep >= PLI_SEAM_SHARE * space->surfaces[pair->surface[0]]->mean_edge;
}

static void keep_pair(query *q, pli_pair *pair)
{
    if (!pli_find_complete(q->find, q->list, pair))
        return;
    if (q->count < q->room)
        q->out[q->count] = *pair;
    q->count++;
}

// The particles of a primitive into `at`.
static int32_t particles_of(const pli_surface *s, pli_primitive kind, int32_t item, int32_t *at)
{
    const int32_t *places = kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * item : s->edges + 2 * item;
    int32_t count = kind == PLI_PRIMITIVE_VERTEX ? 1 : kind == PLI_PRIMITIVE_EDGE ? 2 : 3;
    for (int32_t i = 0; i < count; i++)
        at[i] = s->first + (kind == PLI_PRIMITIVE_VERTEX ? item : places[i]);
    return count;
}

static bool share_a_particle(const pli_pair *pair, int32_t split)
{
    for (int32_t i = 0; i < split; i++)
        for (int32_t k = split; k < 4; k++)
            if (pair->at[i] == pair->at[k])
                return true;
    return false;
}

// All of kind `a` in one patch against all of kind `b` in the other.
static void match(query *q, const int32_t surface[2], const int32_t patch[2], pli_primitive a, pli_primitive b)
{
    const pli_space *space = q->find->space;
    const pli_surface *sa = space->surfaces[surface[0]], *sb = space->surfaces[surface[1]];
    const pli_patches *pa = &sa->patches, *pb = &sb->patches;
    pli_passage whole = pb->nodes[pb->leaf_count - 1 + patch[1]];
    bool same = a == b && surface[0] == surface[1] && patch[0] == patch[1];
    int32_t near[PLI_PATCH_MOST];
    for (int32_t i = pa->starts[a][patch[0]]; i < pa->ends[a][patch[0]]; i++) {
        pli_passage box = pli_passage_grow(pli_patches_box(pa, a, i), q->find->reach[q->list]);
        if (!pli_passages_meet(box, whole))
            continue;
        int32_t count = pli_patches_near(pb, b, patch[1], box, near);
        for (int32_t k = 0; k < count; k++) {
            if (same && near[k] <= i)
                continue;
            pli_pair pair = {.surface = {surface[0], surface[1]},
                             .primitive = {pa->items[a][i], pb->items[b][near[k]]},
                             .kind = a == PLI_PRIMITIVE_VERTEX ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE};
            int32_t split = particles_of(sa, a, pair.primitive[0], pair.at);
            particles_of(sb, b, pair.primitive[1], pair.at + split);
            if (!share_a_particle(&pair, split))
                keep_pair(q, &pair);
        }
    }
}

static void visit_patches(void *data, const pli_patch_pair *p)
{
    query *q = data;
    const int32_t surface[2] = {p->surface[1], p->surface[0]}, patch[2] = {p->patch[1], p->patch[0]};
    match(q, p->surface, p->patch, PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_TRIANGLE);
    if (surface[0] != surface[1] || patch[0] != patch[1])
        match(q, surface, patch, PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_TRIANGLE);
    match(q, p->surface, p->patch, PLI_PRIMITIVE_EDGE, PLI_PRIMITIVE_EDGE);
}

static void ask(const pli_find *f, int32_t chunk, query *q)
{
    int32_t all = f->patch_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t i = chunk * PLI_FIND_GRAIN; i < end; i++)
        pli_find_patches(f, i, q->list, visit_patches, q);
}

static void ask_deformables(void *find, int32_t chunk, pli_pair *out, int32_t room, int32_t *count)
{
    query q = {find, PLI_LIST_DEFORMABLES, out, room, 0};
    ask(find, chunk, &q);
    *count = q.count;
}

static void ask_colliders(void *find, int32_t chunk, pli_pair *out, int32_t room, int32_t *count)
{
    query q = {find, PLI_LIST_COLLIDERS, out, room, 0};
    ask(find, chunk, &q);
    *count = q.count;
}

bool pli_find_pairs(pli_find *f, int32_t list)
{
    int32_t chunks = (f->patch_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    return pli_find_gather(f, &f->space->lists[list], chunks,
                           list == PLI_LIST_COLLIDERS ? ask_colliders : ask_deformables);
}
