#include "solver/torn.h"

#include "base/sort.h"
#include "collision/surface_cut.h"
#include "mesh/mesh.h"
#include "solver/grid.h"
#include "solver/links.h"
#include "solver/room.h"

#include <string.h>

bool pli_torn_build(pli_world *world, pli_body *body)
{
    if (body->torn)
        return true;
    if (!pli_grid_give_up(world, body))
        return false;
    pli_torn *torn = body->torn = PLI_ALLOCATE(&world->memory, pli_torn, 1);
    bool complete = torn && pli_fabric_build(&world->memory, &torn->fabric, pli_mesh_topology(body->mesh)) &&
                    pli_body_grow(world, body, torn->fabric.vertex_capacity);
    body->has_corners = false;
    if (complete)
        body->shape = torn->fabric.faces;
    for (pli_set *set = body->first_set; set && complete; set = set->next)
        complete = pli_torn_adopt(world, set);
    if (!complete)
        pli_torn_free(world, body);
    return complete;
}

void pli_torn_free(pli_world *world, pli_body *body)
{
    pli_torn *torn = body->torn;
    if (!torn)
        return;
    for (pli_set *set = body->first_set; set; set = set->next)
        pli_links_free(world, set);
    pli_fabric_release(&world->memory, &torn->fabric);
    pli_mesh_destroy(torn->mesh);
    void *arrays[] = {torn->near,   torn->seen,  torn->found,  torn->members, torn->loads,
                      torn->beyond, torn->locks, torn->copies, torn->faces,   torn};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
    body->torn = NULL;
    body->shape = pli_faces_of(pli_mesh_topology(body->mesh));
}

const pli_vertex_copy *pli_torn_copies(const pli_torn *torn, int32_t vertex, int32_t *count)
{
    const pli_fabric *f = &torn->fabric;
    int32_t low = 0, high = f->copy_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (f->copies[middle].source < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < f->copy_count && f->copies[low + *count].source == vertex)
        ++*count;
    return f->copies + low;
}

static double area_around(const pli_faces *s, int32_t v)
{
    double sum = 0.0;
    for (int32_t i = s->triangle_begins[v]; i < s->triangle_ends[v]; i++) {
        pli_dvec3 x[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *p = s->positions + 3 * s->triangles[3 * s->vertex_triangles[i] + k];
            x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
        }
        sum += pli_dlength(pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0])));
    }
    return sum;
}

static void set_mass(pli_body *body, int32_t place, double mass)
{
    body->velocities[place].w = mass > 0.0 ? (float)(1.0 / mass) : 0.0f;
    body->particles[place].w = body->held[place] ? 0.0f : body->velocities[place].w;
}

// A vertex and its copies share its mass by the rest area around each.
static void share_mass(pli_body *body, int32_t v, const pli_vertex_copy *copies, int32_t count)
{
    const pli_faces *s = &body->torn->fabric.faces;
    int32_t place = pli_place(body, v);
    double mass = body->velocities[place].w > 0.0f ? 1.0 / (double)body->velocities[place].w : 0.0;
    double own = area_around(s, v), sum = own;
    for (int32_t i = 0; i < count; i++)
        sum += area_around(s, copies[i].copy);
    for (int32_t i = 0; i < count; i++)
        set_mass(body, pli_place(body, copies[i].copy),
                 mass * (sum > 0.0 ? area_around(s, copies[i].copy) / sum : 1.0 / (count + 1)));
    set_mass(body, place, mass * (sum > 0.0 ? own / sum : 1.0 / (count + 1)));
}

// New vertices lie at the end of the particles, whatever the order of those of the mesh.
static void copy_particle(pli_body *body, int32_t source, int32_t copy)
{
    if (body->order)
        body->order[copy] = body->vertices[copy] = copy;
    int32_t from = pli_place(body, source), to = copy;
    body->particles[to] = body->particles[from];
    body->previous[to] = body->previous[from];
    body->velocities[to] = body->velocities[from];
    if (body->good_particles) {
        body->good_particles[to] = body->good_particles[from];
        body->good_velocities[to] = body->good_velocities[from];
    }
    body->held[to] = body->held[from];
    if (body->normals)
        body->normals[to] = body->normals[from];
    for (int32_t k = 0; body->forces && k < 3; k++)
        body->forces[3 * to + k] = 0.0f;
}

static void follow_particles(pli_body *body)
{
    const pli_fabric *f = &body->torn->fabric;
    for (int32_t i = 0; i < f->copy_count; i++)
        copy_particle(body, f->copies[i].source, f->copies[i].copy);
    body->count = f->faces.vertex_count;
    body->reshaped = true;
    body->has_corners = false;
    for (int32_t i = 0, count; i < f->copy_count; i += count) {
        const pli_vertex_copy *copies = pli_torn_copies(body->torn, f->copies[i].source, &count);
        share_mass(body, f->copies[i].source, copies, count);
    }
}

/* ---- what the user is told -------------------------------------------------------------------- */

static bool reserve_report(pli_memory *memory, pli_torn *torn, int32_t vertices, int32_t faces)
{
    return pli_reserve(memory, &torn->copies, &torn->copy_capacity, (int64_t)torn->copy_count + vertices,
                       sizeof *torn->copies) &&
           pli_reserve(memory, &torn->faces, &torn->face_capacity, (int64_t)torn->face_count + faces,
                       sizeof *torn->faces);
}

static void note_changes(pli_torn *torn)
{
    const pli_fabric *f = &torn->fabric;
    for (int32_t i = 0; i < f->copy_count; i++) {
        int32_t v = f->copies[i].copy;
        torn->copies[torn->copy_count++] = f->copies[i];
        for (int32_t k = f->corner_begins[v]; k < f->corner_ends[v]; k++)
            torn->faces[torn->face_count++] = f->corner_faces[f->vertex_corners[k]];
    }
}

/* ---- a cut ------------------------------------------------------------------------------------ */

// Bounds on how many vertices the opening of edges can make, and on how many faces these take.
static void count_around(const pli_fabric *f, const int32_t *edges, int32_t count, int32_t *vertices)
{
    *vertices = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t v = f->faces.edges[2 * edges[i / 2] + i % 2];
        *vertices += f->corner_ends[v] - f->corner_begins[v];
    }
}

static bool reserve(pli_world *world, pli_body *body, const int32_t *edges, int32_t count)
{
    pli_torn *torn = body->torn;
    int32_t around;
    count_around(&torn->fabric, edges, count, &around);
    return pli_fabric_reserve(&world->memory, &torn->fabric, around, count) &&
           pli_body_grow(world, body, torn->fabric.vertex_capacity) &&
           reserve_report(&world->memory, torn, around, around) && pli_torn_reserve_ties(world, body, around) &&
           pli_torn_reserve_sets(world, body, edges, count) &&
           (!body->surface || pli_surface_reserve_cut(&world->memory, body->surface, body->capacity, around, torn->near,
                                                      torn->near_count, body->order));
}

static void cut_surface(pli_body *body)
{
    pli_torn *torn = body->torn;
    const pli_fabric *f = &torn->fabric;
    int32_t touched = 0, copied = 0, *list = torn->near;
    for (int32_t i = 0; i < f->touched_count; i++)
        list[touched++] = f->touched[i];
    for (int32_t i = 0; i < f->copy_count; i++)
        list[touched++] = f->copies[i].copy;
    int32_t *changed = list + touched;
    for (int32_t i = 0; i < f->copy_count; i++) {
        changed[copied++] = f->copies[i].source;
        changed[copied++] = f->copies[i].copy;
    }
    pli_surface_cut(body->surface, f, body->order, f->faces.edge_count - f->opened_count / 2, list, touched, changed,
                    copied);
}

bool pli_torn_replay(pli_world *world, pli_body *body, pli_surface *surface)
{
    const pli_topology *t = pli_mesh_topology(body->mesh);
    const pli_fabric *f = &body->torn->fabric;
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
    bool room = pli_surface_reserve_cut(&world->memory, surface, body->capacity, more, NULL, 0, body->order);
    if (room)
        pli_surface_cut(surface, f, body->order, t->edge_count, list, touched, list + most, copied);
    pli_release(&world->memory, list);
    return room;
}

bool pli_torn_cut(pli_world *world, pli_body *body, const int32_t *edges, int32_t count, int32_t keep_corner)
{
    pli_fabric *f = &body->torn->fabric;
    bool room = reserve(world, body, edges, count);
    body->shape = f->faces; // Which may lie elsewhere now.
    if (!room)
        return false;
    pli_fabric_begin(f);
    for (int32_t i = 0; i < count; i++)
        pli_fabric_open(f, edges[i]);
    pli_fabric_separate(f, keep_corner);
    body->shape = f->faces;
    if (f->copy_count == 0)
        return true;
    follow_particles(body);
    pli_torn_follow_sets(world, body);
    pli_torn_follow_ties(body);
    if (body->surface)
        cut_surface(body);
    note_changes(body->torn);
    pli_mesh_destroy(body->torn->mesh);
    body->torn->mesh = NULL;
    for (int32_t i = 0; i < f->touched_count; i++)
        pli_body_publish(body, f->touched[i], 1);
    for (int32_t i = 0; i < f->copy_count; i++)
        pli_body_publish(body, f->copies[i].copy, 1);
    return true;
}

void pli_torn_report(pli_world *world, pli_body *body)
{
    pli_torn *torn = body->torn;
    if (!torn || torn->copy_count == 0)
        return;
    int32_t kept = 0;
    pli_sort_integers(torn->faces, torn->face_count);
    for (int32_t i = 0; i < torn->face_count; i++)
        if (i == 0 || torn->faces[i] != torn->faces[i - 1])
            torn->faces[kept++] = torn->faces[i];
    pli_topology_change remap = {.copies = torn->copies,
                                 .copy_count = torn->copy_count,
                                 .faces = torn->faces,
                                 .face_count = kept,
                                 .vertex_count = body->count};
    torn->copy_count = torn->face_count = 0;
    if (world->remap)
        world->remap(world->remap_user, (pli_deformable){body->id, world->tag}, &remap);
}
