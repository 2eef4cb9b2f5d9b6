// This file updates a contact mesh after a cut (tearing/contact_mesh_cut.h).
//
// A side is an edge of a triangle: side 3 t + k runs from corner k to corner k + 1 of triangle t. Two sides share an
// edge of the contact mesh, and one of them owns it.
#include "tearing/contact_mesh_cut.h"

#include <string.h>

// Maps each vertex to its cluster; -1 for vertices of no triangle.
static bool map_vertex_clusters(pli_memory *memory, pli_contact_mesh *s)
{
    const pli_clusters *p = &s->clusters;
    if (s->vertex_clusters)
        return true;
    s->vertex_clusters = PLI_ALLOCATE(memory, int32_t, s->vertex_count);
    for (int32_t v = 0; s->vertex_clusters && v < s->vertex_count; v++)
        s->vertex_clusters[v] = -1;
    for (int32_t cluster = 0; s->vertex_clusters && cluster < p->count; cluster++)
        for (int32_t i = p->starts[PLI_PRIMITIVE_VERTEX][cluster]; i < p->ends[PLI_PRIMITIVE_VERTEX][cluster]; i++)
            s->vertex_clusters[p->items[PLI_PRIMITIVE_VERTEX][i]] = cluster;
    return s->vertex_clusters != NULL;
}

static bool reserve_vertices(pli_memory *memory, pli_contact_mesh *s, int32_t vertices)
{
    int32_t before = s->vertex_capacity ? s->vertex_capacity : s->vertex_count, after = before;
    struct {
        void *array;
        size_t size;
    } arrays[] = {{&s->rest, 3 * sizeof(float)},
                  {&s->vertex_triangles, sizeof(int32_t)},
                  {&s->vertex_clusters, sizeof(int32_t)},
                  {&s->ring_begins, sizeof(int32_t)},
                  {&s->ring_ends, sizeof(int32_t)}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        after = before;
        if (!pli_reserve(memory, arrays[i].array, &after, vertices, arrays[i].size))
            return false;
    }
    s->vertex_capacity = after;
    return true;
}

static bool reserve_edges(pli_memory *memory, pli_contact_mesh *s, int64_t edges)
{
    int32_t a = s->edge_capacity ? s->edge_capacity : s->edge_count, b = a;
    if (!pli_reserve(memory, &s->edges, &a, edges, 2 * sizeof(int32_t)) ||
        !pli_reserve(memory, &s->edge_triangles, &b, edges, sizeof(int32_t)))
        return false;
    s->edge_capacity = a;
    return true;
}

bool pli_contact_mesh_reserve_cut(pli_memory *memory, pli_contact_mesh *s, int32_t vertices, int32_t more,
                                  const int32_t *near, int32_t count, const int32_t *places)
{
    int64_t ring = (near ? 1 : 3) * (int64_t)s->ring_count + 8 * (int64_t)more;
    for (int32_t i = 0; near && i < count; i++) {
        int32_t place = places ? places[near[i]] : near[i];
        // Space for the final ring, and for the ring while it is collected.
        ring += 2 * (int64_t)(s->ring_ends[place] - s->ring_begins[place]);
    }
    if (s->ring_capacity == 0)
        s->ring_capacity = s->ring_count;
    s->refitted = false;
    // Each vertex and edge on the cut may move to another cluster.
    return map_vertex_clusters(memory, s) && reserve_vertices(memory, s, vertices) &&
           reserve_edges(memory, s, (int64_t)s->edge_count + more) &&
           pli_reserve(memory, &s->ring, &s->ring_capacity, ring, sizeof(int32_t)) &&
           pli_clusters_reserve(memory, &s->clusters, PLI_PRIMITIVE_VERTEX, 2 * more) &&
           pli_clusters_reserve(memory, &s->clusters, PLI_PRIMITIVE_EDGE, 2 * more);
}

typedef struct cutting {
    pli_contact_mesh *surface;
    const pli_fabric *fabric;
    const pli_faces *shape;
    const int32_t *places;
    const int32_t *touched;
    int32_t touched_count;
} cutting;

typedef void (*triangle_visit)(cutting *c, int32_t triangle);

static int32_t cut_place(const cutting *c, int32_t vertex) { return c->places ? c->places[vertex] : vertex; }

static void visit_cut_triangles(cutting *c, triangle_visit visit)
{
    for (int32_t i = 0; i < c->touched_count; i++) {
        int32_t vertex = c->touched[i];
        for (int32_t k = c->shape->triangle_begins[vertex]; k < c->shape->triangle_ends[vertex]; k++)
            visit(c, c->shape->vertex_triangles[k]);
    }
}

static void update_corners(cutting *c, int32_t triangle)
{
    for (int32_t i = 3 * triangle; i < 3 * triangle + 3; i++)
        c->surface->triangles[i] = cut_place(c, c->shape->triangles[i]);
}

static int32_t next_corner(int32_t side) { return side - side % 3 + (side + 1) % 3; }

static int32_t cut_apex(const pli_contact_mesh *s, int32_t side)
{
    return s->triangles[side - side % 3 + (side + 2) % 3];
}

static int32_t owning_side(const pli_contact_mesh *s, int32_t edge)
{
    int32_t first = 3 * s->edge_triangles[edge];
    for (int32_t side = first; side < first + 2; side++)
        if (s->side_edges[side] == edge)
            return side;
    return first + 2;
}

static void set_edge_ends(pli_contact_mesh *s, int32_t edge, int32_t side)
{
    int32_t a = s->triangles[side], b = s->triangles[next_corner(side)];
    s->edges[2 * edge] = a < b ? a : b;
    s->edges[2 * edge + 1] = a < b ? b : a;
}

// Returns the side of a triangle that coincides with the side of a face that starts at `corner`.
static int32_t cut_side(const cutting *c, int32_t corner)
{
    const pli_fabric *f = c->fabric;
    int32_t face = f->corner_faces[corner], a = f->face_vertices[corner],
            b = f->face_vertices[pli_next_in_face(f, corner)];
    int32_t side = 3 * (f->faces.face_offsets[face] - 2 * face);
    for (;; side++) {
        int32_t from = c->shape->triangles[side], to = c->shape->triangles[next_corner(side)];
        if ((from == a && to == b) || (from == b && to == a))
            return side;
    }
}

// One side keeps the edge and the other side gets a new one. Each edge belongs to the cluster of its side.
static void split_edge(cutting *c, int32_t mesh_edge)
{
    pli_contact_mesh *s = c->surface;
    int32_t side = cut_side(c, c->fabric->edge_corners[2 * mesh_edge]), triangle = side / 3;
    int32_t edge = s->side_edges[side], fresh = s->edge_count++;
    int32_t here = s->clusters.cluster_of[triangle], home = s->clusters.cluster_of[s->edge_triangles[edge]];
    s->side_edges[side] = fresh;
    s->edge_triangles[fresh] = triangle;
    s->owned[triangle] |= (uint8_t)(8 << side % 3);
    if (here != home && pli_clusters_remove(&s->clusters, PLI_PRIMITIVE_EDGE, here, edge))
        pli_clusters_insert(&s->clusters, PLI_PRIMITIVE_EDGE, home, edge);
    pli_clusters_insert(&s->clusters, PLI_PRIMITIVE_EDGE, here, fresh);
}

static void update_edge_ends(cutting *c, int32_t triangle)
{
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++)
        set_edge_ends(c->surface, c->surface->side_edges[side], owning_side(c->surface, c->surface->side_edges[side]));
}

// Finds the other side of the same edge among the triangles around one of its ends; -1 at a border.
static int32_t other_side(const cutting *c, int32_t side)
{
    const pli_contact_mesh *s = c->surface;
    int32_t vertex = c->shape->triangles[side];
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++) {
        int32_t first = 3 * c->shape->vertex_triangles[i];
        for (int32_t k = first; k < first + 3; k++)
            if (k != side && s->side_edges[k] == s->side_edges[side])
                return k;
    }
    return -1;
}

static void update_apexes(cutting *c, int32_t triangle)
{
    pli_contact_mesh *s = c->surface;
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
        int32_t other = other_side(c, side);
        s->apexes[side] = other < 0 ? -1 : cut_apex(s, other);
        if (other >= 0)
            s->apexes[other] = cut_apex(s, side);
    }
}

static void update_corner_owner(cutting *c, int32_t vertex)
{
    pli_contact_mesh *s = c->surface;
    int32_t begin = c->shape->triangle_begins[vertex], end = c->shape->triangle_ends[vertex],
            place = cut_place(c, vertex);
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

static bool has_ring(const pli_contact_mesh *s, int32_t begin, int32_t place)
{
    for (int32_t i = begin; i < s->ring_count; i++)
        if (s->ring[i] == place)
            return true;
    return false;
}

// Collects the ring of a vertex after all other rings, and moves it to its former location if it fits there.
static void make_ring(cutting *c, int32_t vertex)
{
    pli_contact_mesh *s = c->surface;
    int32_t begin = s->ring_count, place = cut_place(c, vertex);
    for (int32_t i = c->shape->triangle_begins[vertex]; i < c->shape->triangle_ends[vertex]; i++)
        for (int32_t k = 0; k < 3; k++) {
            int32_t other = s->triangles[3 * c->shape->vertex_triangles[i] + k];
            if (other != place && !has_ring(s, begin, other))
                s->ring[s->ring_count++] = other;
        }
    int32_t size = s->ring_count - begin, capacity = s->ring_ends[place] - s->ring_begins[place];
    if (size <= capacity) {
        memcpy(s->ring + s->ring_begins[place], s->ring + begin, (size_t)size * sizeof *s->ring);
        s->ring_count = begin;
        begin = s->ring_begins[place];
    }
    s->ring_begins[place] = begin;
    s->ring_ends[place] = begin + size;
}

// Moves a split vertex, or a copy, to the cluster of its first triangle.
static void move_to_cluster(cutting *c, int32_t vertex)
{
    pli_contact_mesh *s = c->surface;
    int32_t place = cut_place(c, vertex), before = s->vertex_clusters[place], begin = c->shape->triangle_begins[vertex];
    int32_t after = s->clusters.cluster_of[c->shape->vertex_triangles[begin]];
    if (before == after)
        return;
    if (before >= 0)
        pli_clusters_remove(&s->clusters, PLI_PRIMITIVE_VERTEX, before, place);
    pli_clusters_insert(&s->clusters, PLI_PRIMITIVE_VERTEX, after, place);
    s->vertex_clusters[place] = after;
}

static void cut_make_rings(cutting *c, int32_t triangle)
{
    for (int32_t k = 0; k < 3; k++)
        make_ring(c, c->shape->triangles[3 * triangle + k]);
}

// A copy gets the rest position of its source vertex.
static void cut_add_vertices(cutting *c)
{
    pli_contact_mesh *s = c->surface;
    for (int32_t v = s->vertex_count; v < c->shape->vertex_count; v++) {
        int32_t place = cut_place(c, v);
        memcpy(s->rest + 3 * place, c->shape->positions + 3 * v, 3 * sizeof(float));
        s->ring_begins[place] = s->ring_ends[place] = 0;
        s->vertex_clusters[place] = -1;
    }
    s->vertex_count = c->shape->vertex_count;
}

void pli_contact_mesh_cut(pli_contact_mesh *s, const pli_fabric *fabric, const int32_t *places, int32_t first_edge,
                          const int32_t *touched, int32_t touched_count, const int32_t *copied, int32_t copied_count)
{
    cutting c = {s, fabric, &fabric->faces, places, touched, touched_count};
    if (!s->was_cut) {
        pli_clusters_sort(&s->clusters);
        s->uncut_count = s->vertex_count;
    }
    s->was_cut = true;
    cut_add_vertices(&c);
    visit_cut_triangles(&c, update_corners);
    for (int32_t e = first_edge; e < fabric->faces.edge_count; e++)
        split_edge(&c, e);
    visit_cut_triangles(&c, update_edge_ends);
    visit_cut_triangles(&c, update_apexes);
    for (int32_t i = 0; i < touched_count; i++)
        update_corner_owner(&c, touched[i]);
    visit_cut_triangles(&c, cut_make_rings);
    for (int32_t i = 0; i < copied_count; i++)
        move_to_cluster(&c, copied[i]);
}
