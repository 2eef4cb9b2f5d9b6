// Cuts of a deformable, and the growth of its arrays when cuts add particles: per-particle arrays, contact chunks, its range of the
// store, and the padding of constraint sets, which refers to the dummy particle at the end of the range.
#include "tearing/tear_state.h"

#include "model/attributes.h"
#include "base/sort.h"
#include "mesh/mesh.h"
#include "tearing/openings.h"
#include "particles/publish.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/store_range.h"
#include "sweep/constraint_links.h"
#include "sweep/grid/grid_layout.h"
#include "sweep/grid_give_up.h"
#include "tearing/contact_mesh_cut.h"
#include "tearing/tear_edges.h"
#include "particles/normals_wind.h"
#include "particles/momentum.h"
#include "particles/contact_pool.h"

#include <string.h>

static bool grow_particles(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    const struct {
        void *array;
        pli_feature_array shape;
    } own[] = {
        {&deformable->held, {.size = sizeof(uint8_t), .per = 1}},
        {&deformable->scratch, {.size = sizeof(double), .per = 3}},
        {&deformable->order, {.size = sizeof(int32_t), .per = 1}},
        {&deformable->vertices, {.size = sizeof(int32_t), .per = 1}},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!pli_grow_array(&world->memory, own[i].array, &own[i].shape, deformable->capacity, capacity))
            return false;
    return pli_attributes_grow(&world->memory, deformable, capacity) &&
           pli_features_grow(&world->memory, deformable, capacity);
}

static bool grow_chunks(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    pli_contact_pool *pool = deformable->pool;
    int32_t contacts = capacity / PLI_CONTACT_GRAIN + 1;
    int32_t sums = deformable->capacity / PLI_PARTICLE_GRAIN + 1, more_sums = capacity / PLI_PARTICLE_GRAIN + 1;
    const pli_feature_array by_sum = {.size = sizeof(double), .per = PLI_MOTION_SUM_COUNT};
    const pli_feature_array counts = {.size = sizeof(int32_t), .per = 1};
    const pli_feature_array groups = {.size = sizeof(pli_contact_group), .per = pool->capacity};
    if (!pli_grow_array(&world->memory, &deformable->momentum->sums, &by_sum, sums, more_sums) ||
        !pli_grow_array(&world->memory, &pool->groups, &groups, pool->chunk_count, contacts) ||
        !pli_grow_array(&world->memory, &pool->counts, &counts, pool->chunk_count, contacts))
        return false;
    pool->chunk_count = contacts;
    return true;
}

bool pli_deformable_grow(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    int32_t dummy = deformable->capacity;
    if (capacity <= dummy)
        return true;
    if (!grow_particles(world, deformable, capacity) || !grow_chunks(world, deformable, capacity) ||
        !pli_range_grow(world, deformable, capacity + 1))
        return false;
    deformable->capacity = capacity;
    bool complete = true;
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        pli_links_move_dummy(set, dummy);
        complete = (!set->links || pli_links_widen(world, set)) && complete;
    }
    return complete;
}

/* ---- tears ----------------------------------------------------------------------------------- */

// A deformable that may be cut: its state, the cut itself, and the updates of particles, contact mesh and report
// (tearing/tear_state.h). A cut first reserves all memory that it may need, so it cannot fail half-way.

bool pli_tear_state_build(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->tear_state)
        return true;
    if (!pli_grid_give_up(world, deformable))
        return false;
    pli_tear_state *tear_state = deformable->tear_state = PLI_ALLOCATE(&world->memory, pli_tear_state, 1);
    bool complete = tear_state &&
                    pli_fabric_build(&world->memory, &tear_state->fabric, pli_mesh_topology(deformable->mesh)) &&
                    pli_deformable_grow(world, deformable, tear_state->fabric.vertex_capacity);
    deformable->normals->has_corners = false;
    if (complete)
        deformable->shape = tear_state->fabric.faces;
    for (pli_constraints_data *set = deformable->first_set; set && complete; set = set->next)
        complete = pli_tear_state_adopt(world, set);
    if (!complete)
        pli_tear_state_free(world, deformable);
    return complete;
}

void pli_tear_state_free(pli_world *world, pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    if (!tear_state)
        return;
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        pli_links_free(world, set);
    pli_fabric_release(&world->memory, &tear_state->fabric);
    pli_mesh_destroy(tear_state->mesh);
    pli_array_release(&world->memory, &tear_state->openings);
    pli_array_release(&world->memory, &tear_state->masses);
    pli_array_release(&world->memory, &tear_state->opening_of);
    void *arrays[] = {tear_state->near.items,  tear_state->near_marks.items,
                      tear_state->found.items, tear_state->members.items,
                      tear_state->loads.items, tear_state->beyond.items,
                      tear_state->locks.items, tear_state->copies.items,
                      tear_state->faces.items, tear_state};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
    deformable->tear_state = NULL;
    deformable->shape = pli_faces_of(pli_mesh_topology(deformable->mesh));
}

const pli_vertex_copy *pli_tear_state_copies(const pli_tear_state *tear_state, int32_t vertex, int32_t *count)
{
    const pli_fabric *f = &tear_state->fabric;
    int32_t low = 0, high = f->cut.copy_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (f->cut.copies[middle].source < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < f->cut.copy_count && f->cut.copies[low + *count].source == vertex)
        ++*count;
    return f->cut.copies + low;
}

static void set_mass(pli_deformable_data *deformable, int32_t place, double mass)
{
    deformable->velocities[place].w = mass > 0.0 ? (float)(1.0 / mass) : 0.0f;
    deformable->particles[place].w = deformable->held[place] ? 0.0f : deformable->velocities[place].w;
}

static void follow_particles(pli_deformable_data *deformable)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    for (int32_t i = 0; i < f->cut.copy_count; i++) {
        // Copies are appended to the particles, independent of the internal order of the vertices of the mesh.
        int32_t source = f->cut.copies[i].source;
        int32_t copy = f->cut.copies[i].copy;
        if (deformable->order)
            deformable->order[copy] = deformable->vertices[copy] = copy;
        int32_t from = pli_place(deformable, source), to = copy;
        deformable->particles[to] = deformable->particles[from];
        deformable->previous[to] = deformable->previous[from];
        deformable->velocities[to] = deformable->velocities[from];
        pli_features_inherit(deformable, source, copy);
        deformable->held[to] = deformable->held[from];
        pli_attributes_copy(deformable, from, to);
    }
    deformable->count = f->faces.vertex_count;
    pli_features_jump(deformable);
    pli_features_cut(deformable);
    for (int32_t i = 0, count; i < f->cut.copy_count; i += count) {
        const pli_vertex_copy *copies = pli_tear_state_copies(deformable->tear_state, f->cut.copies[i].source, &count);
        // Distribute the mass of a vertex over itself and its copies, in proportion to the rest area around each.
        int32_t v = f->cut.copies[i].source;
        int32_t place = pli_place(deformable, v);
        double mass = deformable->velocities[place].w > 0.0f ? 1.0 / (double)deformable->velocities[place].w : 0.0;
        double own = pli_fan_area(f, v, NULL, 0), sum = own;
        for (int32_t k = 0; k < count; k++)
            sum += pli_fan_area(f, copies[k].copy, NULL, 0);
        for (int32_t k = 0; k < count; k++)
            set_mass(deformable, pli_place(deformable, copies[k].copy),
                     mass * (sum > 0.0 ? pli_fan_area(f, copies[k].copy, NULL, 0) / sum : 1.0 / (count + 1)));
        set_mass(deformable, place, mass * (sum > 0.0 ? own / sum : 1.0 / (count + 1)));
    }
}

/* ---- report to the user ------------------------------------------------------------------------ */

/* ---- cutting ---------------------------------------------------------------------------------- */

// Reserves the memory that opening these edges can need in the worst case. Returns false when memory ran out.
static bool reserve_cut(pli_world *world, pli_deformable_data *deformable, const int32_t *edges, int32_t count)
{
    pli_tear_state *tear_state = deformable->tear_state;
    const pli_fabric *f = &tear_state->fabric;
    // An upper bound on the vertices that opening these edges can create, and on the faces that get them.
    int32_t around = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t v = f->faces.edges[2 * edges[i / 2] + i % 2];
        around += f->corner_ends[v] - f->corner_begins[v];
    }
    return pli_fabric_reserve(&world->memory, &tear_state->fabric, around, count) &&
           pli_deformable_grow(world, deformable, tear_state->fabric.vertex_capacity) &&
           (pli_array_reserve(&world->memory, &tear_state->copies, (int64_t)tear_state->copies.count + around) &&
            pli_array_reserve(&world->memory, &tear_state->faces, (int64_t)tear_state->faces.count + around)) &&
           pli_tear_state_reserve_attachments(world, deformable, around) &&
           pli_tear_state_reserve_sets(world, deformable, edges, count) &&
           (!deformable->surface ||
            pli_contact_mesh_reserve_cut(&world->memory, deformable->surface, deformable->capacity, around,
                                         tear_state->near.items, tear_state->near.count, deformable->order));
}

// Applies the cut to the contact mesh, with the vertices on the cut and the vertices that were copied.
static void cut_surface(pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    const pli_fabric *f = &tear_state->fabric;
    int32_t touched = 0, copied = 0, *list = tear_state->near.items;
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        list[touched++] = f->cut.touched[i];
    for (int32_t i = 0; i < f->cut.copy_count; i++)
        list[touched++] = f->cut.copies[i].copy;
    int32_t *changed = list + touched;
    for (int32_t i = 0; i < f->cut.copy_count; i++) {
        changed[copied++] = f->cut.copies[i].source;
        changed[copied++] = f->cut.copies[i].copy;
    }
    pli_contact_mesh_cut(deformable->surface, f, deformable->order, f->faces.edge_count - f->cut.opened_count / 2, list,
                         touched, changed, copied);
}

bool pli_tear_state_replay(pli_world *world, pli_deformable_data *deformable, pli_contact_mesh *surface)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    const pli_fabric *f = &deformable->tear_state->fabric;
    int32_t before = t->vertex_count, after = f->faces.vertex_count, touched = 0, copied = 0;
    int32_t splits = f->faces.edge_count - t->edge_count, more = after - before + splits;
    int32_t most = 2 * (after - before) + 4 * splits;
    int32_t *list = PLI_ALLOCATE(&world->memory, int32_t, 2 * (int64_t)most);
    if (!list)
        return false;
    for (int32_t e = t->edge_count; e < f->faces.edge_count; e++)
        for (int32_t k = 0; k < 2; k++) {
            list[touched++] = f->edges[2 * e + k];
            list[touched++] = f->sources[f->edges[2 * e + k]];
        }
    for (int32_t v = before; v < after; v++)
        list[touched++] = v, list[touched++] = f->sources[v];
    for (int32_t v = before; v < after; v++)
        list[most + copied++] = v, list[most + copied++] = f->sources[v];
    bool reserved = pli_contact_mesh_reserve_cut(&world->memory, surface, deformable->capacity, more, NULL, 0,
                                                 deformable->order);
    if (reserved)
        pli_contact_mesh_cut(surface, f, deformable->order, t->edge_count, list, touched, list + most, copied);
    pli_release(&world->memory, list);
    return reserved;
}

bool pli_tear_state_cut(pli_world *world, pli_deformable_data *deformable, const int32_t *edges, int32_t count,
                        int32_t keep_corner, pli_surroundings *around, bool *waits)
{
    bool fits = true;
    pli_fabric *f = &deformable->tear_state->fabric;
    bool reserved = reserve_cut(world, deformable, edges, count);
    deformable->shape = f->faces; // Reserving may have moved the arrays.
    if (!reserved)
        return false;
    // Moving memory discards the known intersections. The next step must not depend on whether that happened.
    pli_collision_expect_intersections(&world->collision);
    pli_fabric_begin(f);
    for (int32_t i = 0; i < count; i++)
        pli_fabric_open(f, edges[i]);
    pli_fabric_list_touched(f);
    bool planned = pli_openings_plan(world, deformable, keep_corner, around, &fits);
    if (!planned || (waits && !fits)) {
        pli_openings_drop(deformable);
        pli_fabric_close(f);
        deformable->shape = f->faces;
        if (waits)
            *waits = true;
        return planned;
    }
    pli_fabric_separate(f, keep_corner);
    deformable->shape = f->faces;
    if (f->cut.copy_count == 0) {
        pli_openings_drop(deformable);
        return true;
    }
    world->collision.stirred = true;
    follow_particles(deformable);
    pli_tear_state_follow_sets(world, deformable);
    pli_tear_state_follow_attachments(deformable);
    if (deformable->surface)
        cut_surface(deformable);
    pli_openings_apply(deformable);
    pli_tear_state *tear_state = deformable->tear_state;
    const pli_fabric *of = &tear_state->fabric;
    for (int32_t i = 0; i < of->cut.copy_count; i++) {
        int32_t v = of->cut.copies[i].copy;
        tear_state->copies.items[tear_state->copies.count++] = of->cut.copies[i];
        for (int32_t k = of->corner_begins[v]; k < of->corner_ends[v]; k++)
            tear_state->faces.items[tear_state->faces.count++] = of->corner_faces[of->vertex_corners[k]];
    }
    pli_mesh_destroy(deformable->tear_state->mesh);
    deformable->tear_state->mesh = NULL;
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        pli_deformable_publish(world, deformable, f->cut.touched[i], 1);
    for (int32_t i = 0; i < f->cut.copy_count; i++)
        pli_deformable_publish(world, deformable, f->cut.copies[i].copy, 1);
    return true;
}

void pli_tear_state_report(pli_world *world, pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    if (!tear_state || tear_state->copies.count == 0)
        return;
    int32_t kept = 0;
    pli_sort_integers(tear_state->faces.items, tear_state->faces.count);
    for (int32_t i = 0; i < tear_state->faces.count; i++)
        if (i == 0 || tear_state->faces.items[i] != tear_state->faces.items[i - 1])
            tear_state->faces.items[kept++] = tear_state->faces.items[i];
    pli_topology_change remap = {.copies = tear_state->copies.items,
                                 .copy_count = tear_state->copies.count,
                                 .faces = tear_state->faces.items,
                                 .face_count = kept,
                                 .vertex_count = deformable->count};
    tear_state->copies.count = tear_state->faces.count = 0;
    if (world->callbacks.topology)
        world->callbacks.topology(world->callbacks.topology_user, (pli_deformable){deformable->id, world->tag}, &remap);
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void report_all(pli_world *world, float dt)
{
    (void)dt;
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_tear_state_report(world, pli_deformable_at(world, i));
}

static pli_status tear_state_check(const pli_world *world, const pli_deformable_def *def, pli_error *error)
{
    return pli_tearing_check(world, &def->tearing, error);
}

static bool tear_state_configure(pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    return !pli_tears(&def->tearing) || pli_tear_state_build(world, deformable);
}

const pli_feature pli_feature_tear_state = {
    .name = "tearing",
    .at = offsetof(pli_deformable_data, tear_state),
    .check = tear_state_check,
    .configure = tear_state_configure,
    .destroy = pli_tear_state_free,
    .finish = pli_world_tear,
    .publish = report_all,
};
