// Tearing: Mueller et al. 2006, section 5. An edge beyond its threshold splits one of its vertices by the
// plane through it perpendicular to the edge; the faces beyond the plane go with a copy.
//
// The vertex is the one with more strain around it, or the other when the plane leaves all of its faces on
// one side. Edges furthest beyond go first, equal ones by their faces. A vertex is part of one tear a step:
// what is around it has not felt that one yet.
#include "solver/tear.h"

#include "base/sort.h"
#include "solver/set.h"
#include "solver/torn.h"

#include <string.h>

enum { EDGE_GRAIN = 4096 };

typedef struct search {
    pli_body *body;
    const pli_fabric *fabric;
} search;

static pli_vec3 position_of(const pli_body *body, int32_t vertex)
{
    const pli_particle *p = &body->particles[pli_place(body, vertex)];
    return (pli_vec3){p->x, p->y, p->z};
}

// Length over rest length; 0 of edges without length.
static float stretch_of(const pli_body *body, const pli_fabric *f, int32_t edge)
{
    float rest = f->edge_lengths[edge];
    pli_vec3 a = position_of(body, f->edges[2 * edge]), b = position_of(body, f->edges[2 * edge + 1]);
    return rest > 0.0f ? pli_length(pli_sub(b, a)) / rest : 0.0f;
}

static void load_chunk(void *data, int32_t chunk)
{
    const search *s = data;
    int32_t end = (chunk + 1) * EDGE_GRAIN < s->fabric->faces.edge_count ? (chunk + 1) * EDGE_GRAIN
                                                                         : s->fabric->faces.edge_count;
    float most = 0.0f;
    for (int32_t e = chunk * EDGE_GRAIN; e < end; e++) {
        float stretch = stretch_of(s->body, s->fabric, e);
        most = stretch > most ? stretch : most;
    }
    s->body->torn->loads[chunk] = most;
}

// Keys sort by how far beyond its threshold an edge is, then by its lowest corner, which is its own.
static bool add(pli_world *world, pli_torn *torn, int32_t edge, float load)
{
    uint32_t bits;
    if (!pli_reserve(&world->memory, &torn->beyond, &torn->beyond_capacity, (int64_t)torn->beyond_count + 1,
                     sizeof *torn->beyond))
        return false;
    memcpy(&bits, &load, sizeof bits);
    const int32_t *corners = torn->fabric.edge_corners + 2 * edge;
    uint32_t lowest = (uint32_t)(corners[1] >= 0 && corners[1] < corners[0] ? corners[1] : corners[0]);
    torn->beyond[torn->beyond_count++] = (pli_sort_item){(uint64_t)(UINT32_MAX - bits) << 32 | lowest, edge};
    return true;
}

static bool find_stretched(pli_world *world, pli_body *body, float threshold)
{
    pli_torn *torn = body->torn;
    search s = {body, &torn->fabric};
    int32_t edges = torn->fabric.faces.edge_count, chunks = (edges + EDGE_GRAIN - 1) / EDGE_GRAIN;
    if (!pli_reserve(&world->memory, &torn->loads, &torn->load_capacity, chunks, sizeof *torn->loads))
        return false;
    pli_tasks_run(world->tasks, chunks, load_chunk, &s);
    for (int32_t e = 0; e < edges; e++) {
        if (!(torn->loads[e / EDGE_GRAIN] > threshold)) {
            e += EDGE_GRAIN - 1;
            continue;
        }
        float stretch = stretch_of(body, &torn->fabric, e);
        if (stretch > threshold && !add(world, torn, e, stretch / threshold))
            return false;
    }
    return true;
}

static bool find_pulled(pli_world *world, const pli_set *set, float threshold, float substep)
{
    pli_body *body = set->body;
    float per_square = 1.0f / (substep * substep);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t slot = pli_set_slot(set, i);
        float pull = -set->lambda[0][slot] * per_square;
        if (!(pull > threshold))
            continue;
        int32_t edge = pli_fabric_edge(&body->torn->fabric, pli_vertex(body, pli_index_place(set->index[0][slot])),
                                       pli_vertex(body, pli_index_place(set->index[1][slot])));
        if (edge >= 0 && !add(world, body->torn, edge, pull / threshold))
            return false;
    }
    return true;
}

static bool find(pli_world *world, pli_body *body, float substep)
{
    const pli_tearing *tearing = &body->def.tearing;
    body->torn->beyond_count = 0;
    if (tearing->stretch < INFINITY && !find_stretched(world, body, tearing->stretch))
        return false;
    for (const pli_set *set = body->first_set; set && tearing->force < INFINITY; set = set->next)
        if (set->type->pulls && set->lambda[0] && !find_pulled(world, set, tearing->force, substep))
            return false;
    return pli_sort(&world->memory, body->torn->beyond, body->torn->beyond_count);
}

// Sum of the stretch beyond rest of the edges at a vertex.
static float strain_around(const pli_body *body, int32_t vertex)
{
    const pli_fabric *f = &body->torn->fabric;
    float sum = 0.0f;
    for (int32_t i = f->corner_begins[vertex]; i < f->corner_ends[vertex]; i++) {
        int32_t corner = f->vertex_corners[i], before = f->corner_edges[pli_previous_in_face(f, corner)];
        sum += fmaxf(stretch_of(body, f, f->corner_edges[corner]) - 1.0f, 0.0f);
        // Edges inside the surface start at a corner of one of their faces; those at a border may only end here.
        if (f->edge_corners[2 * before + 1] < 0)
            sum += fmaxf(stretch_of(body, f, before) - 1.0f, 0.0f);
    }
    return sum;
}

static bool beyond_plane(const pli_body *body, int32_t corner, pli_vec3 origin, pli_vec3 normal)
{
    const pli_fabric *f = &body->torn->fabric;
    int32_t face = f->corner_faces[corner];
    float sum = 0.0f;
    for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
        sum += pli_dot(pli_sub(position_of(body, f->face_vertices[c]), origin), normal);
    return sum > 0.0f;
}

// Edges at a vertex between its faces on the side of `other` and those behind. Says which corner keeps the vertex.
static int32_t divide(const pli_body *body, int32_t vertex, int32_t other, int32_t *edges, int32_t *keep)
{
    const pli_fabric *f = &body->torn->fabric;
    uint8_t *sides = (uint8_t *)(f->scratch + f->most);
    pli_vec3 origin = position_of(body, vertex), normal = pli_sub(position_of(body, other), origin);
    int32_t begin = f->corner_begins[vertex], degree = f->corner_ends[vertex] - begin;
    *keep = -1;
    for (int32_t i = degree - 1; i >= 0; i--) {
        int32_t corner = f->vertex_corners[begin + i];
        sides[i] = beyond_plane(body, corner, origin, normal);
        if (sides[i])
            *keep = corner;
    }
    return pli_fabric_between(f, vertex, sides, edges);
}

static bool is_locked(const pli_torn *torn, int32_t vertex) { return torn->locks[vertex] == torn->round; }

static void lock(pli_torn *torn)
{
    const pli_fabric *f = &torn->fabric;
    for (int32_t i = 0; i < f->touched_count; i++)
        torn->locks[f->touched[i]] = torn->round;
    for (int32_t i = 0; i < f->copy_count; i++)
        torn->locks[f->copies[i].copy] = torn->round;
}

// Tears at an edge if it can. False when memory ran out.
static bool tear_edge(pli_world *world, pli_body *body, int32_t edge, int32_t *tears)
{
    pli_torn *torn = body->torn;
    int32_t ends[2] = {torn->fabric.edges[2 * edge], torn->fabric.edges[2 * edge + 1]};
    if (is_locked(torn, ends[0]) || is_locked(torn, ends[1]))
        return true;
    int32_t first = strain_around(body, ends[1]) > strain_around(body, ends[0]);
    for (int32_t k = 0; k < 2; k++) {
        int32_t at = k == 0 ? first : 1 - first, keep, *edges = torn->fabric.scratch;
        int32_t count = divide(body, ends[at], ends[1 - at], edges, &keep);
        if (count == 0)
            continue;
        if (!pli_torn_cut(world, body, edges, count, keep) ||
            !pli_reserve(&world->memory, &torn->locks, &torn->lock_capacity, body->capacity, sizeof *torn->locks))
            return false;
        lock(torn);
        ++*tears;
        return true;
    }
    return true;
}

static bool tear_body(pli_world *world, pli_body *body, float substep)
{
    pli_torn *torn = body->torn;
    if (!pli_reserve(&world->memory, &torn->locks, &torn->lock_capacity, body->capacity, sizeof *torn->locks) ||
        !find(world, body, substep))
        return false;
    torn->round++;
    int32_t tears = 0;
    for (int32_t i = 0; i < torn->beyond_count && tears < body->def.tearing.most; i++)
        if (!tear_edge(world, body, torn->beyond[i].value, &tears))
            return false;
    return true;
}

void pli_world_tear(pli_world *world, float dt)
{
    for (int32_t i = 0; i < world->bodies.count; i++) {
        pli_body *body = pli_body_at(world, i);
        if (!body->torn || !pli_tears(&body->def.tearing))
            continue;
        if (tear_body(world, body, dt / (float)world->settings.substeps) || body->torn->told_memory)
            continue;
        body->torn->told_memory = true;
        world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING,
                                "memory for tearing is missing: what should tear waits for a later step");
    }
}
