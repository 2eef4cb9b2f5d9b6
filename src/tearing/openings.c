// This file separates the sides of a tear (tearing/openings.h).
#include "tearing/openings.h"

#include "base/sort.h"
#include "collision/narrowphase/closest_points.h"
#include "mesh/mesh.h"
#include "model/handles.h"
#include "tearing/tear_state.h"

#include <string.h>

#define OPENING_SHARE (0.6f * PLI_LIP_SHARE)
// No vertex moves by more than this fraction of its distance to the middle of a face.
#define OPENING_MOST 0.2f
// An opening that does not fit is scaled by this factor and tested again. There are ROUNDS tests in total.
#define NARROWER 0.25f
enum { OPENING_ROUNDS = 3 };

/* ---- moves ------------------------------------------------------------------------------------- */

static pli_vec3 opening_place_at(const pli_deformable_data *deformable, int32_t vertex)
{
    return pli_position_of(&deformable->particles[pli_place(deformable, vertex)]);
}

static pli_vec3 unit_or_zero(pli_vec3 v)
{
    float length = pli_length(v);
    return length > 0.0f ? pli_scale(v, 1.0f / length) : v;
}

// Returns the unit vector perpendicular to the edge that starts at a corner, in the plane of its face and into the
// face; zero for an edge with two faces. `least` is lowered to the distance of `v` from the middle of the face.
static pli_vec3 across_border(const pli_deformable_data *deformable, int32_t v, int32_t corner, float *least)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    const int32_t face = f->corner_faces[corner], begin = f->faces.face_offsets[face];
    const int32_t end = f->faces.face_offsets[face + 1];
    pli_vec3 middle = {0, 0, 0}, from = opening_place_at(deformable, f->face_vertices[corner]);
    if (f->edge_corners[2 * f->corner_edges[corner] + 1] >= 0)
        return middle;
    for (int32_t c = begin; c < end; c++)
        middle = pli_add(middle,
                         pli_scale(opening_place_at(deformable, f->face_vertices[c]), 1.0f / (float)(end - begin)));
    *least = fminf(*least, pli_length(pli_sub(middle, opening_place_at(deformable, v))));
    pli_vec3 along = unit_or_zero(
        pli_sub(opening_place_at(deformable, f->face_vertices[pli_next_in_face(f, corner)]), from));
    pli_vec3 in = pli_sub(middle, from);
    return unit_or_zero(pli_sub(in, pli_scale(along, pli_dot(in, along))));
}

// Returns the displacement of a vertex away from the borders of one of its fans, at most `length` long.
static pli_vec3 inwards(const pli_deformable_data *deformable, int32_t v, const int32_t *fans, int32_t fan,
                        float length)
{
    const pli_fabric *f = &deformable->tear_state->fabric;
    pli_vec3 sum = {0, 0, 0};
    float least = length / OPENING_MOST;
    for (int32_t i = f->corner_begins[v]; i < f->corner_ends[v]; i++) {
        int32_t corner = f->vertex_corners[i];
        if (fans && fans[i - f->corner_begins[v]] != fan)
            continue;
        sum = pli_add(sum, across_border(deformable, v, corner, &least));
        sum = pli_add(sum, across_border(deformable, v, pli_previous_in_face(f, corner), &least));
    }
    return pli_scale(unit_or_zero(sum), OPENING_MOST * least);
}

double pli_fan_area(const pli_fabric *f, int32_t v, const int32_t *fans, int32_t fan)
{
    double sum = 0.0;
    for (int32_t i = f->corner_begins[v]; i < f->corner_ends[v]; i++) {
        const int32_t face = f->corner_faces[f->vertex_corners[i]];
        if (fans && fans[i - f->corner_begins[v]] != fan)
            continue;
        const int32_t first = f->faces.face_offsets[face] - 2 * face;
        const int32_t end = f->faces.face_offsets[face + 1] - 2 * (face + 1);
        for (const int32_t *t = f->triangles + 3 * first; t < f->triangles + 3 * end; t += 3) {
            pli_dvec3 x[3];
            for (int32_t k = 0; k < 3; k++) {
                const float *p = f->positions + 3 * t[k];
                x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
            }
            if (t[0] == v || t[1] == v || t[2] == v)
                sum += pli_dlength(pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0])));
        }
    }
    return sum;
}

// Sets the displacement `back` of all openings of a vertex, which keeps their centre of mass in place. Fixed vertices do not move.
static void keep_centre(pli_opening *openings, const float *masses, int32_t count)
{
    pli_vec3 moves = {0, 0, 0};
    float mass = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        moves = pli_add(moves, pli_scale(openings[i].move, masses[i]));
        mass += masses[i];
    }
    for (int32_t i = 0; i < count; i++) {
        openings[i].back = pli_scale(moves, masses[i] > 0.0f ? -1.0f / mass : 0.0f);
        if (!(masses[i] > 0.0f))
            openings[i].move = (pli_vec3){0, 0, 0};
        openings[i].share = 1.0f;
    }
}

/* ---- plan --------------------------------------------------------------------------------------- */

// Returns the fans of a vertex in the order in which they get vertices: the kept fan first.
static int32_t fan_at(int32_t i, int32_t kept) { return i == 0 ? kept : i <= kept ? i - 1 : i; }

static void plan_vertex(pli_deformable_data *deformable, int32_t v, int32_t kept, const int32_t *fans, int32_t count,
                        float length)
{
    pli_tear_state *t = deformable->tear_state;
    const pli_fabric *f = &t->fabric;
    const int32_t place = pli_place(deformable, v), first = t->openings.count;
    const float inverse = deformable->held[place] ? 0.0f : deformable->velocities[place].w;
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += pli_fan_area(f, v, fans, fan_at(i, kept));
    for (int32_t i = 0; i < count; i++) {
        const int32_t fan = fan_at(i, kept);
        double share = sum > 0.0 ? pli_fan_area(f, v, fans, fan) / sum : 1.0 / count;
        double mass = inverse > 0.0f ? share * (1.0 / (double)inverse) : 0.0;
        int32_t corner = 0;
        while (fans[corner] != fan)
            corner++;
        t->masses.items[first + i] = mass > 0.0 ? 1.0f / (float)(1.0 / mass) : 0.0f;
        t->openings.items[t->openings.count++] = (pli_opening){
            .group = v,
            .corner = f->vertex_corners[f->corner_begins[v] + corner],
            .move = inwards(deformable, v, fans, fan, length),
        };
        for (int32_t k = 0; k < f->corner_ends[v] - f->corner_begins[v]; k++)
            if (fans[k] == fan)
                t->opening_of.items[f->vertex_corners[f->corner_begins[v] + k]] = t->openings.count;
    }
    keep_centre(t->openings.items + first, t->masses.items + first, count);
}

static float length_of_opening(const pli_deformable_data *deformable)
{
    return OPENING_SHARE * pli_mesh_get_report(deformable->mesh)->edge_length_mean;
}

// The sides of a tear open only where self-contact between surfaces must keep them apart.
static bool opens(const pli_deformable_data *deformable)
{
    return deformable->def.self_collision && deformable->def.self_contact == PLI_SELF_CONTACT_SURFACES;
}

static bool reserve_plan(pli_world *world, pli_tear_state *t, int64_t openings)
{
    return pli_array_reserve(&world->memory, &t->openings, openings) &&
           pli_array_reserve(&world->memory, &t->masses, openings) &&
           pli_array_reserve(&world->memory, &t->opening_of, t->fabric.corner_count);
}

static bool plan_all(pli_world *world, pli_deformable_data *deformable, int32_t keep_corner)
{
    pli_tear_state *t = deformable->tear_state;
    pli_fabric *f = &t->fabric;
    int64_t fans = 0;
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        fans += f->corner_ends[f->cut.touched[i]] - f->corner_begins[f->cut.touched[i]];
    if (!reserve_plan(world, t, fans))
        return false;
    for (int32_t i = 0; i < f->cut.touched_count; i++) {
        int32_t v = f->cut.touched[i], kept = 0, count = pli_fabric_number_fans(f, v, f->scratch);
        for (int32_t k = f->corner_begins[v]; k < f->corner_ends[v]; k++)
            if (f->vertex_corners[k] == keep_corner)
                kept = f->scratch[k - f->corner_begins[v]];
        if (count > 1)
            plan_vertex(deformable, v, kept, f->scratch, count, length_of_opening(deformable));
    }
    return true;
}

/* ---- space --------------------------------------------------------------------------------------- */

// A triangle of a surface: its particles in the store, before and after the openings, and the openings that move its corners, else 0.
typedef struct swept_triangle {
    int32_t at[3], opening[3];
    pli_vec3 from[3], to[3];
    pli_aabb box;
} swept_triangle;

typedef struct opening_search {
    pli_world *world;
    pli_deformable_data *deformable;
    const pli_surroundings *around;
    bool *blocked; // [openings]
    bool any_blocked;
} opening_search;

// Returns 1 + the opening that moves a vertex in a triangle of the deformable, or 0 when none does.
static int32_t opening_of(const pli_tear_state *t, int32_t v, int32_t index)
{
    const pli_fabric *f = &t->fabric;
    if (f->corner_begins[v] == f->corner_ends[v] || t->opening_of.items[f->vertex_corners[f->corner_begins[v]]] == 0)
        return 0;
    int32_t face = 0, high = f->faces.face_count;
    while (high - face > 1) {
        int32_t middle = (face + high) / 2;
        if (f->faces.face_offsets[middle] - 2 * middle <= index)
            face = middle;
        else
            high = middle;
    }
    for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
        if (f->face_vertices[c] == v)
            return t->opening_of.items[c];
    return 0;
}

static swept_triangle opening_finish(const opening_search *r, swept_triangle t)
{
    const pli_opening *openings = r->deformable->tear_state->openings.items;
    t.box = pli_aabb_empty();
    for (int k = 0; k < 3; k++) {
        t.from[k] = t.to[k] = pli_position_of(&r->world->store.particles[t.at[k]]);
        if (t.opening[k] > 0) {
            const pli_opening *o = &openings[t.opening[k] - 1];
            t.to[k] = pli_add(pli_add(t.from[k], pli_scale(o->move, o->share)), pli_scale(o->back, o->share));
        }
        pli_aabb_include(&t.box, t.from[k]);
        pli_aabb_include(&t.box, t.to[k]);
    }
    return t;
}

static swept_triangle own_triangle(const opening_search *r, int32_t index)
{
    const pli_tear_state *state = r->deformable->tear_state;
    swept_triangle t = {.opening = {0}};
    for (int k = 0; k < 3; k++) {
        int32_t v = state->fabric.triangles[3 * index + k];
        t.at[k] = r->deformable->first + pli_place(r->deformable, v);
        t.opening[k] = opening_of(state, v, index);
    }
    return opening_finish(r, t);
}

static swept_triangle opening_triangle(const opening_search *r, const pli_contact_mesh *s, int32_t first, int32_t index)
{
    if (s == r->deformable->surface)
        return own_triangle(r, index);
    swept_triangle t = {.opening = {0}};
    for (int k = 0; k < 3; k++)
        t.at[k] = first + s->triangles[3 * index + k];
    return opening_finish(r, t);
}

static bool opening_is_same(pli_vec3 a, pli_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Whether edge k of `a` passes through `b`, before or after the openings. An edge that ends at a corner of `b` does not.
static bool goes_through(const swept_triangle *a, int k, const swept_triangle *b, bool after)
{
    pli_dvec3 ends[2], corners[3];
    double part;
    for (int e = 0; e < 2; e++) {
        int i = (k + e) % 3;
        pli_vec3 end = after ? a->to[i] : a->from[i];
        for (int c = 0; c < 3; c++)
            if ((a->at[i] == b->at[c] && a->opening[i] == b->opening[c]) ||
                opening_is_same(end, after ? b->to[c] : b->from[c]))
                return false;
        ends[e] = pli_widened(end);
    }
    for (int c = 0; c < 3; c++)
        corners[c] = pli_widened(after ? b->to[c] : b->from[c]);
    return pli_segment_meets_triangle(ends, corners, &part);
}

static bool comes_to_cross(const swept_triangle *a, const swept_triangle *b)
{
    for (int k = 0; k < 3; k++)
        if ((goes_through(a, k, b, true) && !goes_through(a, k, b, false)) ||
            (goes_through(b, k, a, true) && !goes_through(b, k, a, false)))
            return true;
    return false;
}

static void block(opening_search *r, const swept_triangle *t)
{
    for (int k = 0; k < 3; k++)
        if (t->opening[k] > 0)
            r->blocked[t->opening[k] - 1] = r->any_blocked = true;
}

// Receives a surface that the deformable may touch, and the index of its first box.
typedef void (*surface_visitor)(opening_search *r, const pli_contact_mesh *s, int32_t first, int32_t box, void *data);

static int32_t visit_surfaces(opening_search *r, surface_visitor visit, void *data)
{
    const pli_world *world = r->world;
    int32_t boxes = 0;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *d = pli_deformable_at(world, i);
        if (!d->surface)
            continue;
        visit(r, d->surface, d->first, boxes, data);
        boxes += d->surface->clusters.count;
    }
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *c = pli_collider_at(world, i);
        if (!c->surface || c->span == 0 || c->surface->triangle_count == 0)
            continue;
        visit(r, c->surface, c->first, boxes, data);
        boxes += c->surface->clusters.count;
    }
    return boxes;
}

static void find_boxes(opening_search *r, const pli_contact_mesh *s, int32_t first, int32_t box, void *data)
{
    pli_aabb *boxes = data;
    const pli_particle *particles = r->world->store.particles + first;
    const pli_clusters *c = &s->clusters;
    for (int32_t cluster = 0; boxes && cluster < c->count; cluster++) {
        pli_aabb about = pli_aabb_empty();
        for (int32_t i = c->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < c->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
            for (int k = 0; k < 3; k++)
                pli_aabb_include(
                    &about, pli_position_of(&particles[s->triangles[3 * c->items[PLI_PRIMITIVE_TRIANGLE][i] + k]]));
        boxes[box + cluster] = about;
    }
}

static void test_surface(opening_search *r, const pli_contact_mesh *s, int32_t first, int32_t box, void *data)
{
    const swept_triangle *t = data;
    const pli_clusters *c = &s->clusters;
    const float margin = 2.0f * length_of_opening(r->deformable);
    const pli_aabb about = pli_aabb_grow(t->box, margin);
    if (!pli_surfaces_collide(r->deformable->surface, s))
        return;
    for (int32_t cluster = 0; cluster < c->count; cluster++) {
        if (!pli_aabb_overlap(about, r->around->boxes[box + cluster]))
            continue;
        for (int32_t i = c->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < c->ends[PLI_PRIMITIVE_TRIANGLE][cluster];
             i++) {
            const swept_triangle other = opening_triangle(r, s, first, c->items[PLI_PRIMITIVE_TRIANGLE][i]);
            if (pli_aabb_overlap(t->box, other.box) && comes_to_cross(t, &other)) {
                block(r, t);
                block(r, &other);
            }
        }
    }
}

static bool surround(opening_search *r, pli_surroundings *around)
{
    r->around = around;
    if (around->found)
        return true;
    pli_memory *memory = &r->world->memory;
    around->count = visit_surfaces(r, find_boxes, NULL);
    around->boxes = PLI_ALLOCATE(memory, pli_aabb, around->count);
    if (!around->boxes)
        return false;
    visit_surfaces(r, find_boxes, around->boxes);
    around->found = true;
    return true;
}

void pli_surroundings_release(pli_world *world, pli_surroundings *around)
{
    pli_release(&world->memory, around->boxes);
    *around = (pli_surroundings){0};
}

static void test_openings(opening_search *r)
{
    const pli_tear_state *t = r->deformable->tear_state;
    const pli_fabric *f = &t->fabric;
    memset(r->blocked, 0, (size_t)t->openings.count * sizeof *r->blocked);
    r->any_blocked = false;
    for (int32_t i = 0, v, before = -1; i < t->openings.count; i++, before = v) {
        v = f->face_vertices[t->openings.items[i].corner];
        for (int32_t k = f->triangle_begins[v]; k < f->triangle_ends[v] && v != before; k++) {
            swept_triangle own = own_triangle(r, f->vertex_triangles[k]);
            visit_surfaces(r, test_surface, &own);
        }
    }
}

// Narrows the openings until none introduces a crossing with a surface. Returns false when memory ran out. *found is
// false when some openings still do.
static bool find_space(pli_world *world, pli_deformable_data *deformable, pli_surroundings *around, bool *found)
{
    pli_tear_state *t = deformable->tear_state;
    opening_search r = {.world = world, .deformable = deformable};
    *found = true;
    if (!deformable->surface || t->openings.count == 0)
        return true;
    r.blocked = PLI_ALLOCATE(&world->memory, bool, t->openings.count);
    bool complete = r.blocked && surround(&r, around);
    for (int32_t round = 0; complete; round++) {
        test_openings(&r);
        *found = !r.any_blocked;
        if (*found || round == OPENING_ROUNDS - 1)
            break;
        // Narrow each blocked opening together with all openings of the same vertex, which keeps their centre of mass in place.
        pli_opening *openings = t->openings.items;
        for (int32_t begin = 0, end; begin < t->openings.count; begin = end) {
            bool any = false;
            for (end = begin; end < t->openings.count && openings[end].group == openings[begin].group; end++)
                any = any || r.blocked[end];
            for (int32_t i = begin; any && i < end; i++)
                openings[i].share *= NARROWER;
        }
    }
    pli_release(&world->memory, r.blocked);
    return complete;
}

// Discards the plan. The vertex of a fan is now the vertex of its corner.
static void opening_forget(pli_tear_state *t)
{
    const pli_fabric *f = &t->fabric;
    for (int32_t i = 0; i < t->openings.count; i++) {
        const int32_t v = f->face_vertices[t->openings.items[i].corner];
        for (int32_t k = f->corner_begins[v]; k < f->corner_ends[v]; k++)
            t->opening_of.items[f->vertex_corners[k]] = 0;
    }
    t->openings.count = 0;
}

bool pli_openings_plan(pli_world *world, pli_deformable_data *deformable, int32_t keep_corner, pli_surroundings *around,
                       bool *fits)
{
    *fits = true;
    deformable->tear_state->openings.count = 0;
    if (!opens(deformable))
        return true;
    if (!plan_all(world, deformable, keep_corner))
        return false;
    if (find_space(world, deformable, around, fits))
        return true;
    opening_forget(deformable->tear_state);
    return false;
}

static void move_free(pli_particle *p, pli_vec3 by)
{
    if (p->w > 0.0f)
        p->x += by.x, p->y += by.y, p->z += by.z;
}

void pli_openings_apply(pli_deformable_data *deformable)
{
    pli_tear_state *t = deformable->tear_state;
    for (int32_t i = 0; i < t->openings.count; i++) {
        const pli_opening *o = &t->openings.items[i];
        pli_particle *p = &deformable->particles[pli_place(deformable, t->fabric.face_vertices[o->corner])];
        move_free(p, pli_scale(o->move, o->share));
        move_free(p, pli_scale(o->back, o->share));
    }
    opening_forget(t);
}

void pli_openings_drop(pli_deformable_data *deformable) { opening_forget(deformable->tear_state); }

/* ---- what was held in one place --------------------------------------------------------------------- */

// Plans the openings of `count` coincident free vertices, all copies of one source.
static void plan_place(pli_deformable_data *deformable, const pli_sort_item *items, int32_t count, float length)
{
    pli_tear_state *t = deformable->tear_state;
    const pli_fabric *f = &t->fabric;
    const int32_t first = t->openings.count;
    for (int32_t i = 0; i < count; i++) {
        const int32_t v = items[i].value;
        const float w = deformable->particles[pli_place(deformable, v)].w;
        t->masses.items[t->openings.count] = w > 0.0f ? 1.0f / w : 0.0f;
        t->openings.items[t->openings.count++] = (pli_opening){.group = items[0].value,
                                                               .corner = f->vertex_corners[f->corner_begins[v]],
                                                               .move = inwards(deformable, v, NULL, 0, length)};
        for (int32_t k = f->corner_begins[v]; k < f->corner_ends[v]; k++)
            t->opening_of.items[f->vertex_corners[k]] = t->openings.count;
    }
    keep_centre(t->openings.items + first, t->masses.items + first, count);
}

// Moves the vertices that coincide with the first one to the front. Returns their number, including the first.
static int32_t gather_place(const pli_deformable_data *deformable, pli_sort_item *items, int32_t count)
{
    int32_t together = 1;
    const pli_particle *first = &deformable->particles[pli_place(deformable, items[0].value)];
    for (int32_t i = 1; i < count; i++) {
        pli_sort_item item = items[i];
        if (!pli_is_same_place(first, &deformable->particles[pli_place(deformable, item.value)]))
            continue;
        items[i] = items[together];
        items[together++] = item;
    }
    return together;
}

void pli_openings_let_go(pli_world *world, pli_deformable_data *deformable, const int32_t *particles, int32_t count)
{
    pli_tear_state *t = deformable->tear_state;
    if (!t || !opens(deformable) || t->fabric.faces.vertex_count == pli_mesh_topology(deformable->mesh)->vertex_count)
        return;
    pli_surroundings around = {0};
    pli_sort_item *items = PLI_ALLOCATE(&world->memory, pli_sort_item, count);
    int32_t corners = 0;
    for (int32_t i = 0; items && i < count; i++) {
        const int32_t v = pli_vertex(deformable, particles[i]);
        if (t->fabric.corner_ends[v] > t->fabric.corner_begins[v])
            items[corners++] = (pli_sort_item){(uint64_t)t->fabric.sources[v], v};
    }
    t->openings.count = 0;
    if (items && pli_sort(&world->memory, items, corners) && reserve_plan(world, t, corners)) {
        bool found;
        const float length = length_of_opening(deformable);
        for (int32_t begin = 0, end; begin < corners; begin = end) {
            for (end = begin + 1; end < corners && items[end].key == items[begin].key;)
                end++;
            end = begin + gather_place(deformable, items + begin, end - begin);
            if (end - begin > 1)
                plan_place(deformable, items + begin, end - begin, length);
        }
        if (find_space(world, deformable, &around, &found))
            pli_openings_apply(deformable);
        else
            opening_forget(t);
    }
    pli_surroundings_release(world, &around);
    pli_release(&world->memory, items);
}
