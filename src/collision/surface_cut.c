// A surface takes over a cut from the faces around it: triangles take their vertices' new places, sides that
// no longer run between the same places get an edge of their own, and corners, apexes and rings follow.
#include "collision/surface.h"

#include <string.h>

bool pli_surface_reserve_cut(pli_memory *memory, pli_surface *s, int32_t vertices, int32_t more, const int32_t *near,
                             int32_t count, const int32_t *places)
{
    int32_t a = s->vertex_capacity ? s->vertex_capacity : s->vertex_count, b = a, c = a, d = a;
    int32_t e = s->edge_capacity ? s->edge_capacity : s->edge_count, f = e;
    int64_t edges = (int64_t)s->edge_count + more, ring = s->ring_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t place = places ? places[near[i]] : near[i];
        // Once to be kept and once while it is put together.
        ring += 2 * (int64_t)(s->ring_ends[place] - s->ring_begins[place]);
    }
    ring += 8 * (int64_t)more;
    if (s->ring_capacity == 0)
        s->ring_capacity = s->ring_count;
    bool complete = pli_reserve(memory, &s->rest, &a, vertices, 3 * sizeof(float)) &&
                    pli_reserve(memory, &s->vertex_triangles, &b, vertices, sizeof(int32_t)) &&
                    pli_reserve(memory, &s->ring_begins, &c, vertices, sizeof(int32_t)) &&
                    pli_reserve(memory, &s->ring_ends, &d, vertices, sizeof(int32_t)) &&
                    pli_reserve(memory, &s->edges, &e, edges, 2 * sizeof(int32_t)) &&
                    pli_reserve(memory, &s->edge_triangles, &f, edges, sizeof(int32_t)) &&
                    pli_reserve(memory, &s->ring, &s->ring_capacity, ring, sizeof(int32_t));
    if (complete)
        s->vertex_capacity = a, s->edge_capacity = e;
    // Each vertex and edge at the cut may move to another patch.
    s->laid = false;
    return complete && pli_patches_reserve(memory, &s->patches, PLI_PRIMITIVE_VERTEX, 2 * more) &&
           pli_patches_reserve(memory, &s->patches, PLI_PRIMITIVE_EDGE, 4 * more);
}

typedef struct cutting {
    pli_surface *surface;
    const pli_faces *shape;
    const int32_t *places;
} cutting;

typedef void (*triangle_visit)(cutting *c, int32_t triangle);

static int32_t place_of(const cutting *c, int32_t vertex)
{
    return c->places ? c->places[vertex] : vertex;
}

static void around(cutting *c, int32_t vertex, triangle_visit visit)
{
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++)
        visit(c, c->shape->vertex_triangles[i]);
}

static void around_cut(cutting *c, const pli_fabric *fabric, triangle_visit visit)
{
    for (int32_t i = 0; i < fabric->touched_count; i++)
        around(c, fabric->touched[i], visit);
    for (int32_t i = 0; i < fabric->copy_count; i++)
        around(c, fabric->copies[i].copy, visit);
}

static void take_places(cutting *c, int32_t triangle)
{
    for (int32_t i = 3 * triangle; i < 3 * triangle + 3; i++)
        c->surface->triangles[i] = place_of(c, c->shape->triangles[i]);
}

static int32_t next_corner(int32_t side)
{
    return side - side % 3 + (side + 1) % 3;
}

static int32_t apex_of(const pli_surface *s, int32_t side)
{
    return s->triangles[side - side % 3 + (side + 2) % 3];
}

static int32_t owning_side(const pli_surface *s, int32_t edge)
{
    int32_t first = 3 * s->edge_triangles[edge];
    for (int32_t side = first; side < first + 2; side++)
        if (s->side_edges[side] == edge)
            return side;
    return first + 2;
}

static bool run_together(const pli_surface *s, int32_t side, int32_t other)
{
    int32_t a = s->triangles[side], b = s->triangles[next_corner(side)];
    int32_t c = s->triangles[other], d = s->triangles[next_corner(other)];
    return (a == c && b == d) || (a == d && b == c);
}

static void name_ends(pli_surface *s, int32_t edge, int32_t side)
{
    int32_t a = s->triangles[side], b = s->triangles[next_corner(side)];
    s->edges[2 * edge] = a < b ? a : b;
    s->edges[2 * edge + 1] = a < b ? b : a;
}

// The first side of an edge keeps it.
static void part_sides(cutting *c, int32_t triangle)
{
    pli_surface *s = c->surface;
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
        int32_t edge = s->side_edges[side], owner = owning_side(s, edge);
        int32_t here = s->patches.patch_of[triangle], home = s->patches.patch_of[owner / 3];
        if (owner == side || run_together(s, side, owner)) {
            name_ends(s, edge, owner);
            continue;
        }
        int32_t fresh = s->edge_count++;
        s->side_edges[side] = fresh;
        s->edge_triangles[fresh] = triangle;
        s->owned[triangle] |= (uint8_t)(8 << side % 3);
        name_ends(s, fresh, side);
        name_ends(s, edge, owner);
        s->apexes[side] = s->apexes[owner] = -1;
        if (here != home && pli_patches_take_out(&s->patches, PLI_PRIMITIVE_EDGE, here, edge))
            pli_patches_put(&s->patches, PLI_PRIMITIVE_EDGE, home, edge);
        pli_patches_put(&s->patches, PLI_PRIMITIVE_EDGE, here, fresh);
    }
}

// The other side of an edge lies around either of its ends.
static int32_t other_side(const cutting *c, int32_t side)
{
    const pli_surface *s = c->surface;
    int32_t vertex = c->shape->triangles[side];
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++) {
        int32_t first = 3 * c->shape->vertex_triangles[i];
        for (int32_t k = first; k < first + 3; k++)
            if (k != side && s->side_edges[k] == s->side_edges[side])
                return k;
    }
    return -1;
}

static void tell_apexes(cutting *c, int32_t triangle)
{
    pli_surface *s = c->surface;
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
        int32_t other = other_side(c, side);
        s->apexes[side] = other < 0 ? -1 : apex_of(s, other);
        if (other >= 0)
            s->apexes[other] = apex_of(s, side);
    }
}

static void own_corner(cutting *c, int32_t vertex)
{
    pli_surface *s = c->surface;
    int32_t begin = c->shape->triangle_begins[vertex], end = c->shape->triangle_ends[vertex], place = place_of(c, vertex);
    s->vertex_triangles[place] = begin < end ? c->shape->vertex_triangles[begin] : -1;
    for (int32_t i = begin; i < end; i++) {
        int32_t triangle = c->shape->vertex_triangles[i];
        for (int32_t k = 0; k < 3; k++) {
            uint8_t bit = (uint8_t)(1 << k);
            if (s->triangles[3 * triangle + k] == place)
                s->owned[triangle] = (uint8_t)(i == begin ? s->owned[triangle] | bit : s->owned[triangle] & ~bit);
        }
    }
}

static bool has_ring(const pli_surface *s, int32_t begin, int32_t place)
{
    for (int32_t i = begin; i < s->ring_count; i++)
        if (s->ring[i] == place)
            return true;
    return false;
}

// Writes the ring of a vertex behind the others, or in its old room when it fits there.
static void make_ring(cutting *c, int32_t vertex)
{
    pli_surface *s = c->surface;
    int32_t begin = s->ring_count, place = place_of(c, vertex);
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++)
        for (int32_t k = 0; k < 3; k++) {
            int32_t other = s->triangles[3 * c->shape->vertex_triangles[i] + k];
            if (other != place && !has_ring(s, begin, other))
                s->ring[s->ring_count++] = other;
        }
    int32_t size = s->ring_count - begin, room = s->ring_ends[place] - s->ring_begins[place];
    if (size <= room) {
        memcpy(s->ring + s->ring_begins[place], s->ring + begin, (size_t)size * sizeof *s->ring);
        s->ring_count = begin;
        begin = s->ring_begins[place];
    }
    s->ring_begins[place] = begin;
    s->ring_ends[place] = begin + size;
}

// Whether a triangle around a vertex is in a patch.
static bool is_in(const cutting *c, int32_t vertex, int32_t patch)
{
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++)
        if (c->surface->patches.patch_of[c->shape->vertex_triangles[i]] == patch)
            return true;
    return false;
}

static int32_t first_patch(const cutting *c, int32_t vertex)
{
    return c->surface->patches.patch_of[c->shape->vertex_triangles[c->shape->triangle_begins[vertex]]];
}

// A vertex that went out of its patch goes to the one of its first triangle, and its copies to theirs.
static void change_patches(cutting *c, const pli_fabric *fabric)
{
    pli_patches *patches = &c->surface->patches;
    for (int32_t i = 0; i < fabric->copy_count; i++) {
        int32_t source = fabric->copies[i].source, copy = fabric->copies[i].copy;
        for (int32_t k = c->shape->triangle_begins[copy]; k < c->shape->triangle_ends[copy]; k++) {
            int32_t patch = patches->patch_of[c->shape->vertex_triangles[k]];
            if (!is_in(c, source, patch) && pli_patches_take_out(patches, PLI_PRIMITIVE_VERTEX, patch, place_of(c, source)))
                pli_patches_put(patches, PLI_PRIMITIVE_VERTEX, first_patch(c, source), place_of(c, source));
        }
        pli_patches_put(patches, PLI_PRIMITIVE_VERTEX, first_patch(c, copy), place_of(c, copy));
    }
}

static void make_rings(cutting *c, int32_t triangle)
{
    for (int32_t k = 0; k < 3; k++)
        make_ring(c, c->shape->triangles[3 * triangle + k]);
}

void pli_surface_cut(pli_surface *s, const pli_fabric *fabric, const int32_t *places)
{
    cutting c = {s, &fabric->faces, places};
    for (int32_t i = 0; i < fabric->copy_count; i++) {
        int32_t from = place_of(&c, fabric->copies[i].source), to = place_of(&c, fabric->copies[i].copy);
        memcpy(s->rest + 3 * to, s->rest + 3 * from, 3 * sizeof(float));
        s->ring_begins[to] = s->ring_ends[to] = 0;
    }
    s->vertex_count = fabric->faces.vertex_count;
    around_cut(&c, fabric, take_places);
    around_cut(&c, fabric, part_sides);
    around_cut(&c, fabric, tell_apexes);
    for (int32_t i = 0; i < fabric->touched_count; i++)
        own_corner(&c, fabric->touched[i]);
    for (int32_t i = 0; i < fabric->copy_count; i++)
        own_corner(&c, fabric->copies[i].copy);
    around_cut(&c, fabric, make_rings);
    change_patches(&c, fabric);
}
