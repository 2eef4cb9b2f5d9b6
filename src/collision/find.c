// Pairs of primitives of deformables that are near: boxes in a spatial hash, then exact distances.
#include "collision/find.h"

typedef struct query {
    pli_find *find;
    int32_t chunk;
    pli_pair *out;
    int32_t room, count;
    int32_t surface, primitive; // That asks.
} query;

static pli_dvec3 rest_at(const pli_surface *s, int32_t place)
{
    const float *p = s->rest + 3 * place;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Two parts of one surface are not kept further apart than they are at rest.
static float keep_of(const pli_space *space, const pli_pair *pair)
{
    const pli_surface *a = space->surfaces[pair->surface[0]], *b = space->surfaces[pair->surface[1]];
    float keep = 0.5f * (a->material.thickness + b->material.thickness);
    if (a->collider || b->collider)
        keep = a->material.thickness + b->material.thickness + pair->core;
    if (a != b)
        return keep;
    pli_dvec3 rest[4];
    for (int i = 0; i < 4; i++)
        rest[i] = rest_at(a, pair->at[i] - a->first);
    double apart = PLI_REST_SHARE * sqrt(pli_closest_points((pli_pair_kind)pair->kind, rest).square);
    return (double)keep < apart ? keep : (float)apart;
}

static bool share_a_particle(const pli_pair *pair)
{
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    for (int i = 0; i < split; i++)
        for (int k = split; k < 4; k++)
            if (pair->at[i] == pair->at[k])
                return true;
    return false;
}

// How much nearer the sides may come in a substep.
static float closing_of(const pli_space *space, const pli_pair *pair)
{
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    pli_vec3 mean = {0, 0, 0};
    float most[2] = {0.0f, 0.0f};
    for (int i = 0; i < 4; i++)
        mean = pli_add(mean, pli_scale(space->ways[pair->at[i]], 0.25f));
    for (int i = 0; i < 4; i++) {
        pli_vec3 way = pli_sub(space->ways[pair->at[i]], mean);
        most[i >= split] = fmaxf(most[i >= split], pli_dot(way, way));
    }
    return sqrtf(most[0]) + sqrtf(most[1]);
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

// Completes a pair whose primitives are known. False when it is too far apart, or never touches.
bool pli_find_complete(const pli_find *find, pli_pair *pair)
{
    const pli_space *space = find->space;
    if (share_a_particle(pair) || !pli_pair_movable(space, pair) || are_tied(space, pair))
        return false;
    pair->core = space->surfaces[pair->surface[0]]->radius + space->surfaces[pair->surface[1]]->radius;
    pli_dvec3 at[4];
    pli_pair_positions(pair, space->previous, at);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, at);
    float distance = (float)sqrt(c.square), far = find->reach + find->lifetime * closing_of(space, pair);
    if (!(distance - pair->core < far))
        return false;
    pair->keep = keep_of(space, pair);
    // Parts that coincide at rest (seams) cannot be told apart.
    bool seam = pair->surface[0] == pair->surface[1] &&
                pair->keep < PLI_SEAM_SHARE * space->surfaces[pair->surface[0]]->mean_edge;
    if (seam || distance - pair->keep > far - find->reach + 2.0f * space->budget)
        return false;
    pair->normal = distance > 0.0f ? (pli_vec3){(float)c.apart.x / distance, (float)c.apart.y / distance,
                                                (float)c.apart.z / distance}
                                   : (pli_vec3){0, 1, 0};
    return true;
}

void pli_find_vertex_triangle(const pli_find *find, pli_pair *pair, int32_t a, int32_t vertex, int32_t b,
                              int32_t triangle)
{
    const pli_surface *sa = find->space->surfaces[a], *sb = find->space->surfaces[b];
    *pair = (pli_pair){.surface = {a, b}, .primitive = {vertex, triangle}, .kind = PLI_PAIR_VERTEX_TRIANGLE};
    pair->at[0] = sa->first + vertex;
    for (int k = 0; k < 3; k++)
        pair->at[1 + k] = sb->first + sb->triangles[3 * triangle + k];
}

void pli_find_edge_edge(const pli_find *find, pli_pair *pair, int32_t a, int32_t edge, int32_t b, int32_t other)
{
    const pli_surface *sa = find->space->surfaces[a], *sb = find->space->surfaces[b];
    *pair = (pli_pair){.surface = {a, b}, .primitive = {edge, other}, .kind = PLI_PAIR_EDGE_EDGE};
    for (int k = 0; k < 2; k++) {
        pair->at[k] = sa->first + sa->edges[2 * edge + k];
        pair->at[2 + k] = sb->first + sb->edges[2 * other + k];
    }
}

static void keep_pair(query *q, pli_pair *pair)
{
    if (!pli_find_complete(q->find, pair))
        return;
    if (q->count < q->room)
        q->out[q->count] = *pair;
    q->count++;
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

static void found_vertex(void *data, int32_t item)
{
    query *q = data;
    const pli_find *f = q->find;
    int32_t surface = pli_find_owner(f->vertex_bases, f->surface_count, item);
    pli_pair pair;
    if (!pli_space_meet(f->space, surface, q->surface))
        return;
    pli_find_vertex_triangle(f, &pair, surface, item - f->vertex_bases[surface], q->surface, q->primitive);
    keep_pair(q, &pair);
}

static void found_edge(void *data, int32_t item)
{
    query *q = data;
    const pli_find *f = q->find;
    if (item <= f->edge_bases[q->surface] + q->primitive)
        return;
    int32_t surface = pli_find_owner(f->edge_bases, f->surface_count, item);
    pli_pair pair;
    if (!pli_space_meet(f->space, q->surface, surface))
        return;
    pli_find_edge_edge(f, &pair, q->surface, q->primitive, surface, item - f->edge_bases[surface]);
    keep_pair(q, &pair);
}

void pli_find_include(const pli_find *find, pli_bounds *box, int32_t i)
{
    pli_vec3 at = pli_place_of(&find->space->previous[i]);
    pli_bounds_include(box, at);
    pli_bounds_include(box, pli_add(at, pli_scale(pli_sub(find->space->ways[i], find->common), find->lifetime)));
}

pli_bounds pli_find_triangle_box(const pli_find *find, const pli_surface *s, int32_t triangle)
{
    pli_bounds box = pli_bounds_empty();
    for (int k = 0; k < 3; k++)
        pli_find_include(find, &box, s->first + s->triangles[3 * triangle + k]);
    return pli_bounds_grow(box, s->radius);
}

static void ask_triangles(query *q, int32_t begin, int32_t end)
{
    pli_find *f = q->find;
    for (int32_t i = begin; i < end; i++) {
        q->surface = pli_find_owner(f->triangle_bases, f->surface_count, i);
        q->primitive = i - f->triangle_bases[q->surface];
        pli_bounds box = pli_find_triangle_box(f, f->space->surfaces[q->surface], q->primitive);
        pli_grid_query(&f->space->vertex_grid, pli_bounds_grow(box, f->reach), found_vertex, q);
    }
}

static void ask_edges(query *q, int32_t begin, int32_t end)
{
    pli_find *f = q->find;
    const pli_bounds *boxes = f->space->boxes + f->vertex_bases[f->surface_count];
    for (int32_t i = begin; i < end; i++) {
        q->surface = pli_find_owner(f->edge_bases, f->surface_count, i);
        q->primitive = i - f->edge_bases[q->surface];
        pli_grid_query(&f->space->edge_grid, pli_bounds_grow(boxes[i], f->reach), found_edge, q);
    }
}

static void ask_chunk(void *data, int32_t chunk, pli_pair *out, int32_t room, int32_t *count)
{
    pli_find *f = data;
    query q = {.find = f, .out = out, .room = room};
    int32_t triangles = f->triangle_bases[f->surface_count], edges = f->edge_bases[f->surface_count];
    int32_t triangle_chunks = (triangles + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    int32_t begin = PLI_FIND_GRAIN * (chunk < triangle_chunks ? chunk : chunk - triangle_chunks);
    if (chunk < triangle_chunks)
        ask_triangles(&q, begin, begin + PLI_FIND_GRAIN < triangles ? begin + PLI_FIND_GRAIN : triangles);
    else
        ask_edges(&q, begin, begin + PLI_FIND_GRAIN < edges ? begin + PLI_FIND_GRAIN : edges);
    *count = q.count;
}

static void box_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_bounds *boxes = f->space->boxes;
    int32_t vertices = f->vertex_bases[f->surface_count], all = vertices + f->edge_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN < all ? (chunk + 1) * PLI_PAIR_GRAIN : all;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < end; i++) {
        boxes[i] = pli_bounds_empty();
        if (i < vertices) {
            int32_t s = pli_find_owner(f->vertex_bases, f->surface_count, i);
            pli_find_include(f, &boxes[i], f->space->surfaces[s]->first + i - f->vertex_bases[s]);
            boxes[i] = pli_bounds_grow(boxes[i], f->space->surfaces[s]->radius);
            continue;
        }
        int32_t s = pli_find_owner(f->edge_bases, f->surface_count, i - vertices);
        const pli_surface *surface = f->space->surfaces[s];
        const int32_t *edge = surface->edges + 2 * (i - vertices - f->edge_bases[s]);
        pli_find_include(f, &boxes[i], surface->first + edge[0]);
        pli_find_include(f, &boxes[i], surface->first + edge[1]);
        boxes[i] = pli_bounds_grow(boxes[i], surface->radius);
    }
}

bool pli_find_boxes(pli_find *f)
{
    pli_space *space = f->space;
    int32_t vertices = f->vertex_bases[f->surface_count], edges = f->edge_bases[f->surface_count];
    if (!pli_reserve(space->memory, &space->boxes, &space->box_capacity, (int64_t)vertices + edges, sizeof(pli_bounds)))
        return false;
    pli_tasks_run(space->tasks, (vertices + edges + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN, box_chunk, f);
    // As large as what asks: boxes of triangles and edges grown on both sides.
    float cell = f->mean_edge + 2.0f * f->reach;
    return pli_grid_fill(space->memory, &space->edge_grid, space->boxes + vertices, edges, f->mean_edge + cell) &&
           pli_grid_fill(space->memory, &space->vertex_grid, space->boxes, vertices, cell);
}

bool pli_find_deformables(pli_find *f)
{
    if (!pli_find_boxes(f))
        return false;
    int32_t triangles = f->triangle_bases[f->surface_count], edges = f->edge_bases[f->surface_count];
    int32_t chunks = (triangles + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN + (edges + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    return pli_find_gather(f, &f->space->lists[PLI_LIST_DEFORMABLES], chunks, ask_chunk);
}
