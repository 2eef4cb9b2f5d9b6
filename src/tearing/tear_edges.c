// Tearing and cutting of deformables.
//
//   Mueller et al. 2006, Position Based Dynamics, section 5: an edge beyond its threshold splits one of its vertices by
//   the plane through the vertex perpendicular to the edge.
//
//     p  :  q               p   q
//      \ : /                 \ /
//   -----v-------u   ->   ---w v-------u      faces on the side of u keep v, faces behind the plane (:)
//      / : \                 / \              get the copy w
//     r  :  s               r   s
//
// The vertex that splits is the end of the edge with more strain around it, or the other end when all faces of the
// first are on one side of its plane. The edges furthest beyond their threshold come first, equal ones by their faces.
// A vertex takes part in one tear a step, since its neighbourhood has not reacted to that tear yet.
#include "tearing/tear_edges.h"

#include "base/sort.h"
#include "properties/groups.h"
#include "mesh/mesh.h"
#include "model/handles.h"
#include "model/origin.h"
#include "sweep/constraint_slots.h"
#include "tearing/tear_state.h"

#include <string.h>

enum { EDGE_GRAIN = 4096 };

typedef struct tear_search {
    pli_deformable_data *deformable;
    const pli_fabric *fabric;
} tear_search;

static pli_vec3 tear_position(const pli_deformable_data *deformable, int32_t vertex)
{
    const pli_particle *p = &deformable->particles[pli_place(deformable, vertex)];
    return (pli_vec3){p->x, p->y, p->z};
}

// Returns length over rest length; 0 for an edge of rest length 0.
static float stretch_of(const pli_deformable_data *deformable, const pli_fabric *f, int32_t edge)
{
    float rest = f->edge_lengths[edge];
    pli_vec3 a = tear_position(deformable, f->edges[2 * edge]), b = tear_position(deformable, f->edges[2 * edge + 1]);
    return rest > 0.0f ? pli_length(pli_sub(b, a)) / rest : 0.0f;
}

static void tear_measure_chunk(void *data, int32_t chunk)
{
    const tear_search *s = data;
    int32_t end = (chunk + 1) * EDGE_GRAIN < s->fabric->faces.edge_count ? (chunk + 1) * EDGE_GRAIN
                                                                         : s->fabric->faces.edge_count;
    float most = 0.0f;
    for (int32_t e = chunk * EDGE_GRAIN; e < end; e++) {
        float stretch = stretch_of(s->deformable, s->fabric, e);
        most = stretch > most ? stretch : most;
    }
    s->deformable->tear_state->loads.items[chunk] = most;
}

// Adds an edge to the candidates. The key sorts by load (by how much the edge exceeds its threshold), then by the
// lowest corner of the edge, which is unique to it.
static bool add_candidate(pli_world *world, pli_tear_state *tear_state, int32_t edge, float load)
{
    uint32_t bits;
    if (!pli_array_reserve(&world->memory, &tear_state->beyond, (int64_t)tear_state->beyond.count + 1))
        return false;
    memcpy(&bits, &load, sizeof bits);
    const int32_t *corners = tear_state->fabric.edge_corners + 2 * edge;
    uint32_t lowest = (uint32_t)(corners[1] >= 0 && corners[1] < corners[0] ? corners[1] : corners[0]);
    tear_state->beyond.items[tear_state->beyond.count++] = (pli_sort_item){(uint64_t)(UINT32_MAX - bits) << 32 | lowest,
                                                                           edge};
    return true;
}

// Adds the edges whose stretch exceeds the threshold. Chunks whose greatest stretch is below it are skipped.
static bool find_stretched(pli_world *world, pli_deformable_data *deformable, float threshold)
{
    pli_tear_state *tear_state = deformable->tear_state;
    tear_search s = {deformable, &tear_state->fabric};
    int32_t edges = tear_state->fabric.faces.edge_count, chunks = (edges + EDGE_GRAIN - 1) / EDGE_GRAIN;
    if (!pli_array_reserve(&world->memory, &tear_state->loads, chunks))
        return false;
    pli_tasks_run(world->tasks, chunks, tear_measure_chunk, &s);
    for (int32_t e = 0; e < edges; e++) {
        if (!(tear_state->loads.items[e / EDGE_GRAIN] > threshold)) {
            e += EDGE_GRAIN - 1;
            continue;
        }
        float stretch = stretch_of(deformable, &tear_state->fabric, e);
        if (stretch > threshold && !add_candidate(world, tear_state, e, stretch / threshold))
            return false;
    }
    return true;
}

// Adds the edges whose constraint pulls with more than the threshold [N]. The force is -lambda / h^2 with the mean
// multiplier of the step.
static bool find_pulled(pli_world *world, const pli_constraints_data *set, float threshold, float substep)
{
    pli_deformable_data *deformable = set->deformable;
    float per_square = 1.0f / (substep * substep);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t slot = pli_constraints_slot(set, i);
        float pull = -set->mean[0][slot] * per_square;
        if (!(pull > threshold))
            continue;
        int32_t edge = pli_fabric_edge(&deformable->tear_state->fabric,
                                       pli_vertex(deformable, pli_index_place(set->index[0][slot])),
                                       pli_vertex(deformable, pli_index_place(set->index[1][slot])));
        if (edge >= 0 && !add_candidate(world, deformable->tear_state, edge, pull / threshold))
            return false;
    }
    return true;
}

static bool find_candidates(pli_world *world, pli_deformable_data *deformable, float substep)
{
    const pli_tearing *tearing = &deformable->def.tearing;
    deformable->tear_state->beyond.count = 0;
    if (tearing->stretch < INFINITY && !find_stretched(world, deformable, tearing->stretch))
        return false;
    for (const pli_constraints_data *set = deformable->first_set; set && tearing->force < INFINITY; set = set->next)
        if (set->type->carries_tension && set->mean[0] && !find_pulled(world, set, tearing->force, substep))
            return false;
    return pli_sort(&world->memory, deformable->tear_state->beyond.items, deformable->tear_state->beyond.count);
}

// Returns the sum of the stretch beyond rest length of the edges at a vertex.
static float strain_around(const pli_deformable_data *deformable, int32_t vertex)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    float sum = 0.0f;
    for (int32_t i = f->corner_begins[vertex]; i < f->corner_ends[vertex]; i++) {
        int32_t corner = f->vertex_corners[i], before = f->corner_edges[pli_previous_in_face(f, corner)];
        sum += fmaxf(stretch_of(deformable, f, f->corner_edges[corner]) - 1.0f, 0.0f);
        // An inner edge starts here at a corner of one of its faces; a border edge may only end here.
        if (f->edge_corners[2 * before + 1] < 0)
            sum += fmaxf(stretch_of(deformable, f, before) - 1.0f, 0.0f);
    }
    return sum;
}

// Finds the edges at a vertex that separate its faces on the side of `other` from its faces behind the plane.
// `keep_corner` is a corner on the side of `other`, whose fan keeps the vertex.
static int32_t tear_divide_mesh(const pli_deformable_data *deformable, int32_t vertex, int32_t other, int32_t *edges,
                                int32_t *keep_corner)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    uint8_t *sides = (uint8_t *)(f->scratch + f->max_degree);
    pli_vec3 origin = tear_position(deformable, vertex), normal = pli_sub(tear_position(deformable, other), origin);
    int32_t begin = f->corner_begins[vertex], degree = f->corner_ends[vertex] - begin;
    *keep_corner = -1;
    for (int32_t i = degree - 1; i >= 0; i--) {
        int32_t corner = f->vertex_corners[begin + i];
        int32_t face = f->corner_faces[corner];
        float sum = 0.0f;
        for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
            sum += pli_dot(pli_sub(tear_position(deformable, f->face_vertices[c]), origin), normal);
        sides[i] = sum > 0.0f;
        if (sides[i])
            *keep_corner = corner;
    }
    return pli_fabric_between(f, vertex, sides, edges);
}

static bool is_locked(const pli_tear_state *tear_state, int32_t vertex)
{
    return tear_state->locks.items[vertex] == tear_state->round;
}

// Tears at an edge if possible. Returns false when memory ran out.
static bool tear_edge(pli_world *world, pli_deformable_data *deformable, int32_t edge, pli_surroundings *around,
                      int32_t *tears)
{
    pli_tear_state *tear_state = deformable->tear_state;
    int32_t ends[2] = {tear_state->fabric.edges[2 * edge], tear_state->fabric.edges[2 * edge + 1]};
    if (is_locked(tear_state, ends[0]) || is_locked(tear_state, ends[1]))
        return true;
    int32_t first = strain_around(deformable, ends[1]) > strain_around(deformable, ends[0]);
    for (int32_t k = 0; k < 2; k++) {
        int32_t at = k == 0 ? first : 1 - first, keep_corner, *edges = tear_state->fabric.scratch;
        int32_t count = tear_divide_mesh(deformable, ends[at], ends[1 - at], edges, &keep_corner);
        if (count == 0)
            continue;
        bool waits = false;
        if (!pli_tear_state_cut(world, deformable, edges, count, keep_corner, around, &waits) ||
            !pli_array_reserve(&world->memory, &tear_state->locks, deformable->capacity))
            return false;
        if (waits)
            continue;
        // Lock all vertices of the cut just made for the rest of the step.
        const pli_fabric *f = &tear_state->fabric;
        for (int32_t i = 0; i < f->cut.touched_count; i++)
            tear_state->locks.items[f->cut.touched[i]] = tear_state->round;
        for (int32_t i = 0; i < f->cut.copy_count; i++)
            tear_state->locks.items[f->cut.copies[i].copy] = tear_state->round;
        ++*tears;
        return true;
    }
    return true;
}

static bool tear_deformable(pli_world *world, pli_deformable_data *deformable, float substep, pli_surroundings *around)
{
    pli_tear_state *tear_state = deformable->tear_state;
    if (!pli_array_reserve(&world->memory, &tear_state->locks, deformable->capacity) ||
        !find_candidates(world, deformable, substep))
        return false;
    tear_state->round++;
    int32_t tears = 0;
    for (int32_t i = 0; i < tear_state->beyond.count && tears < deformable->def.tearing.max_tears; i++)
        if (!tear_edge(world, deformable, tear_state->beyond.items[i].value, around, &tears))
            return false;
    return true;
}

void pli_world_tear(pli_world *world, float dt)
{
    pli_surroundings around = {0};
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle || !deformable->tear_state || !pli_tears(&deformable->def.tearing))
            continue;
        if (tear_deformable(world, deformable, dt / (float)world->substep_count, &around) ||
            deformable->tear_state->warned_memory)
            continue;
        deformable->tear_state->warned_memory = true;
        world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING,
                                "memory for tearing is missing: what should tear waits for a later step");
    }
    pli_surroundings_release(world, &around);
}

/* ---- thresholds and cuts ------------------------------------------------------------------------ */

pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error)
{
    pli_error found;
    if (pli_descriptor_check(&pli_tearing_descriptors, tearing, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "tearing: %.400s", found.message);
    if (tearing->force < INFINITY && world->settings.method == PLI_METHOD_PBD)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "tearing: there is no force under PBD, which keeps no "
                        "multipliers; give stretch, or use XPBD");
    return pli_succeed(error);
}

pli_status pli_deformable_set_tearing(pli_world *world, pli_deformable handle, const pli_tearing *tearing,
                                      pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = pli_tearing_check(world, tearing, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (pli_tears(tearing) && !pli_tear_state_build(world, deformable))
        return pli_fail_memory(error);
    deformable->def.tearing = *tearing;
    world->collision.stirred = true;
    return status;
}

pli_status pli_deformable_get_tearing(const pli_world *world, pli_deformable handle, pli_tearing *tearing,
                                      pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    *tearing = deformable->def.tearing;
    return pli_succeed(error);
}

pli_cut_def pli_cut_def_default(void) { return (pli_cut_def){.reach = INFINITY}; }

/* ---- cut edges --------------------------------------------------------------------------------- */

typedef struct edge_list {
    pli_memory *memory;
    int32_t *edges;
    int32_t count, capacity;
} edge_list;

static bool append_edge(edge_list *list, int32_t edge)
{
    if (!pli_reserve(list->memory, &list->edges, &list->capacity, (int64_t)list->count + 1, sizeof *list->edges))
        return false;
    list->edges[list->count++] = edge;
    return true;
}

static pli_status list_path(const pli_deformable_data *deformable, const pli_cut_def *cut, edge_list *list,
                            pli_error *error)
{
    for (int32_t i = 0; i < cut->path_count; i++)
        if (cut->path[i] < 0 || cut->path[i] >= deformable->count)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: vertex %d of the path is %d; there are 0 to %d",
                            (int)i, (int)cut->path[i], (int)deformable->count - 1);
    if (!pli_reserve(list->memory, &list->edges, &list->capacity, cut->path_count, sizeof *list->edges))
        return pli_fail_memory(error);
    for (int32_t i = 0; i + 1 < cut->path_count; i++) {
        int32_t edge = pli_fabric_edge(&deformable->tear_state->fabric, cut->path[i], cut->path[i + 1]);
        if (edge < 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "cut: no edge joins vertices %d and %d, which follow each "
                            "other in the path",
                            (int)cut->path[i], (int)cut->path[i + 1]);
        if (!append_edge(list, edge))
            return pli_fail_memory(error);
    }
    return PLI_STATUS_OK;
}

// Returns 1 in front of the plane, -1 behind it, and 0 out of reach.
static int32_t tear_plane_side(const pli_deformable_data *deformable, const pli_cut_def *cut, int32_t face)
{
    const pli_faces *s = &deformable->shape;
    int32_t begin = s->face_offsets[face], end = s->face_offsets[face + 1];
    pli_vec3 sum = {0, 0, 0};
    for (int32_t c = begin; c < end; c++) {
        const pli_particle *p = &deformable->particles[pli_place(deformable, s->face_vertices[c])];
        sum = pli_add(sum, (pli_vec3){p->x, p->y, p->z});
    }
    pli_vec3 from = pli_sub(pli_scale(sum, 1.0f / (float)(end - begin)), cut->point);
    if (!(pli_length(from) < cut->reach))
        return 0;
    return pli_dot(from, cut->normal) > 0.0f ? 1 : -1;
}

static pli_status list_plane(const pli_deformable_data *deformable, const pli_cut_def *cut, edge_list *list,
                             pli_error *error)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    for (int32_t e = 0; e < f->faces.edge_count; e++) {
        const int32_t *corners = f->edge_corners + 2 * e;
        if (corners[1] < 0)
            continue;
        int32_t one = tear_plane_side(deformable, cut, f->corner_faces[corners[0]]);
        int32_t other = tear_plane_side(deformable, cut, f->corner_faces[corners[1]]);
        if (one * other < 0 && !append_edge(list, e))
            return pli_fail_memory(error);
    }
    return PLI_STATUS_OK;
}

static pli_status check_cut(const pli_cut_def *cut, pli_error *error)
{
    if (cut->path && cut->path_count < 2)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: a path of %d vertices has no edge; give two or more",
                        (int)cut->path_count);
    float length = pli_length(cut->normal);
    if (!cut->path && (!(length > 0.0f) || !isfinite(length) || !pli_finite3(cut->point)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "cut: the plane's normal must not be zero, and its point must "
                        "be finite");
    if (!(cut->reach > 0.0f))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: reach is %g; it must be positive [m]",
                        (double)cut->reach);
    return pli_succeed(error);
}

pli_status pli_deformable_cut(pli_world *world, pli_deformable handle, const pli_cut_def *cut, int32_t *copies,
                              pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_cut_def full = *cut;
    cut = &full;
    pli_status status = check_cut(cut, error);
    full.point = pli_local_point(world, full.point);
    if (status != PLI_STATUS_OK)
        return status;
    if (!pli_tear_state_build(world, deformable))
        return pli_fail_memory(error);
    int32_t before = deformable->count;
    edge_list list = {.memory = &world->memory};
    pli_surroundings around = {0};
    status = cut->path ? list_path(deformable, cut, &list, error) : list_plane(deformable, cut, &list, error);
    pli_world_begin_call(world);
    if (status == PLI_STATUS_OK && !pli_tear_state_cut(world, deformable, list.edges, list.count, -1, &around, NULL))
        status = pli_fail_memory(error);
    pli_world_end_call(world);
    pli_release(&world->memory, list.edges);
    pli_surroundings_release(world, &around);
    if (status != PLI_STATUS_OK)
        return status;
    if (copies)
        *copies = deformable->count - before;
    pli_world_begin_call(world);
    pli_tear_state_report(world, deformable);
    pli_world_end_call(world);
    return pli_succeed(error);
}

/* ---- current topology ------------------------------------------------------------------------ */

void pli_world_set_topology_callback(pli_world *world, pli_topology_callback callback, void *user)
{
    if (!pli_world_may_change(world, NULL))
        return;
    world->callbacks.topology = callback;
    world->callbacks.topology_user = user;
}

const int32_t *pli_deformable_face_vertices(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? deformable->shape.face_vertices : NULL;
}

const int32_t *pli_deformable_triangles(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? deformable->shape.triangles : NULL;
}

static pli_status make_mesh(pli_world *world, const pli_deformable_data *deformable, pli_mesh **mesh, pli_error *error)
{
    const pli_faces *s = &deformable->shape;
    int32_t *sizes = PLI_ALLOCATE(&world->memory, int32_t, s->face_count);
    if (!sizes)
        return pli_fail_memory(error);
    for (int32_t face = 0; face < s->face_count; face++)
        sizes[face] = s->face_offsets[face + 1] - s->face_offsets[face];
    pli_mesh_def def = pli_mesh_def_default();
    def.hooks = world->memory.hooks;
    def.positions = s->positions, def.vertex_count = s->vertex_count;
    def.face_vertices = s->face_vertices, def.face_sizes = sizes, def.face_count = s->face_count;
    pli_status status = pli_mesh_create(&def, mesh, error);
    pli_release(&world->memory, sizes);
    return status;
}

pli_status pli_deformable_get_mesh(pli_world *world, pli_deformable handle, const pli_mesh **mesh, pli_error *error)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    return deformable ? pli_deformable_data_mesh(world, deformable, mesh, error) : PLI_STATUS_NOT_FOUND;
}

pli_status pli_deformable_data_mesh(pli_world *world, pli_deformable_data *deformable, const pli_mesh **mesh,
                                    pli_error *error)
{
    *mesh = deformable->mesh;
    pli_tear_state *tear_state = deformable->tear_state;
    if (!tear_state || tear_state->fabric.faces.vertex_count == pli_mesh_topology(deformable->mesh)->vertex_count)
        return pli_succeed(error);
    if (!tear_state->mesh) {
        pli_status status = make_mesh(world, deformable, &tear_state->mesh, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    *mesh = tear_state->mesh;
    return pli_succeed(error);
}
