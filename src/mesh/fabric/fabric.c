// Building a fabric from a topology, growing it, and restoring the cuts of a record.
#include "mesh/fabric/fabric.h"

#include "base/vector.h"

#include <string.h>

// Spare vertices and edges at the start: one for every SPARE_SHARE existing ones, and SPARE_LEAST for small meshes.
enum { FABRIC_SPARE_SHARE = 8, SPARE_LEAST = 64 };

static void update_view(pli_fabric *f)
{
    f->faces.positions = f->positions;
    f->faces.face_vertices = f->face_vertices;
    f->faces.triangles = f->triangles;
    f->faces.edges = f->edges;
    f->faces.triangle_begins = f->triangle_begins;
    f->faces.triangle_ends = f->triangle_ends;
    f->faces.vertex_triangles = f->vertex_triangles;
    f->faces.vertex_boundary = f->vertex_boundary;
}

// An array with an entry of `size` bytes for each vertex or edge.
typedef struct sized {
    void *array;
    size_t size;
} sized;

static bool fabric_grow(pli_memory *memory, const sized *arrays, int32_t array_count, int32_t *capacity, int64_t needed)
{
    if (needed <= *capacity)
        return true;
    int64_t half_more = (int64_t)*capacity + *capacity / 2 + SPARE_LEAST;
    int32_t reached = *capacity;
    for (int32_t i = 0; i < array_count; i++) {
        int32_t one = *capacity;
        if (!pli_reserve(memory, arrays[i].array, &one, needed > half_more ? needed : half_more, arrays[i].size))
            return false;
        reached = i == 0 || one < reached ? one : reached;
    }
    *capacity = reached;
    return true;
}

static bool grow_vertices(pli_memory *memory, pli_fabric *f, int64_t needed)
{
    const sized arrays[] = {
        {&f->positions, 3 * sizeof(float)},   {&f->corner_begins, sizeof(int32_t)},
        {&f->corner_ends, sizeof(int32_t)},   {&f->triangle_begins, sizeof(int32_t)},
        {&f->triangle_ends, sizeof(int32_t)}, {&f->vertex_boundary, sizeof(uint8_t)},
        {&f->sources, sizeof(int32_t)},
    };
    return fabric_grow(memory, arrays, sizeof arrays / sizeof *arrays, &f->vertex_capacity, needed);
}

static bool grow_edges(pli_memory *memory, pli_fabric *f, int64_t needed)
{
    const sized arrays[] = {
        {&f->edges, 2 * sizeof(int32_t)},
        {&f->edge_corners, 2 * sizeof(int32_t)},
        {&f->edge_lengths, sizeof(float)},
    };
    return fabric_grow(memory, arrays, sizeof arrays / sizeof *arrays, &f->edge_capacity, needed);
}

bool pli_fabric_reserve(pli_memory *memory, pli_fabric *f, int32_t vertices, int32_t edges)
{
    bool complete =
        grow_vertices(memory, f, (int64_t)f->faces.vertex_count + vertices) &&
        grow_edges(memory, f, (int64_t)f->faces.edge_count + edges) &&
        pli_reserve(memory, &f->cut.opened, &f->cut.opened_capacity, 2 * (int64_t)edges, sizeof *f->cut.opened) &&
        pli_reserve(memory, &f->cut.touched, &f->cut.touched_capacity, 2 * (int64_t)edges, sizeof *f->cut.touched) &&
        pli_reserve(memory, &f->cut.copies, &f->cut.copy_capacity, vertices, sizeof *f->cut.copies);
    update_view(f);
    return complete;
}

static int32_t find_edge(const pli_topology *t, int32_t a, int32_t b)
{
    int32_t from = a < b ? a : b, to = a < b ? b : a, low = 0, high = t->edge_count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        const int32_t *edge = t->edges + 2 * middle;
        if (edge[0] < from || (edge[0] == from && edge[1] <= to))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void match_corners(pli_fabric *f, const pli_topology *t)
{
    for (int32_t face = 0; face < t->face_count; face++)
        for (int32_t c = t->face_offsets[face]; c < t->face_offsets[face + 1]; c++)
            f->corner_faces[c] = face;
    for (int32_t e = 0; e < 2 * t->edge_count; e++)
        f->edge_corners[e] = -1;
    for (int32_t c = 0; c < f->corner_count; c++) {
        int32_t edge = find_edge(t, t->face_vertices[c], t->face_vertices[pli_next_in_face(f, c)]);
        f->corner_edges[c] = edge;
        f->edge_corners[2 * edge + (f->edge_corners[2 * edge] >= 0)] = c;
    }
}

static float fabric_rest_length(const float *a, const float *b)
{
    return pli_length((pli_vec3){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

// Lists corners and triangles around each vertex, ascending.
static void list_around(pli_fabric *f)
{
    const pli_faces *s = &f->faces;
    int32_t corners = 0, triangles = 0;
    for (int32_t v = 0; v < s->vertex_count; v++)
        f->corner_begins[v] = f->corner_ends[v] = f->triangle_begins[v] = f->triangle_ends[v] = 0;
    for (int32_t c = 0; c < f->corner_count; c++)
        f->corner_ends[f->face_vertices[c]]++;
    for (int32_t i = 0; i < 3 * s->triangle_count; i++)
        f->triangle_ends[f->triangles[i]]++;
    for (int32_t v = 0; v < s->vertex_count; v++) {
        f->corner_begins[v] = corners, f->triangle_begins[v] = triangles;
        corners += f->corner_ends[v], triangles += f->triangle_ends[v];
        f->corner_ends[v] = f->corner_begins[v], f->triangle_ends[v] = f->triangle_begins[v];
    }
    for (int32_t c = 0; c < f->corner_count; c++)
        f->vertex_corners[f->corner_ends[f->face_vertices[c]]++] = c;
    for (int32_t i = 0; i < 3 * s->triangle_count; i++)
        f->vertex_triangles[f->triangle_ends[f->triangles[i]]++] = i / 3;
}

static int32_t max_degree(const pli_fabric *f)
{
    int32_t most = 0;
    for (int32_t v = 0; v < f->faces.vertex_count; v++) {
        int32_t corners = f->corner_ends[v] - f->corner_begins[v];
        int32_t triangles = f->triangle_ends[v] - f->triangle_begins[v];
        most = corners > most ? corners : most;
        most = triangles > most ? triangles : most;
    }
    return most;
}

static bool fabric_allocate(pli_memory *memory, pli_fabric *f, const pli_topology *t)
{
    f->corner_count = t->corner_count;
    f->face_vertices = PLI_ALLOCATE(memory, int32_t, t->corner_count);
    f->corner_faces = PLI_ALLOCATE(memory, int32_t, t->corner_count);
    f->corner_edges = PLI_ALLOCATE(memory, int32_t, t->corner_count);
    f->vertex_corners = PLI_ALLOCATE(memory, int32_t, t->corner_count);
    f->triangles = PLI_ALLOCATE(memory, int32_t, 3 * (int64_t)t->triangle_count);
    f->vertex_triangles = PLI_ALLOCATE(memory, int32_t, 3 * (int64_t)t->triangle_count);
    return f->face_vertices && f->corner_faces && f->corner_edges && f->vertex_corners && f->triangles &&
           f->vertex_triangles &&
           grow_vertices(memory, f, (int64_t)t->vertex_count + t->vertex_count / FABRIC_SPARE_SHARE + SPARE_LEAST) &&
           grow_edges(memory, f, (int64_t)t->edge_count + t->edge_count / FABRIC_SPARE_SHARE + SPARE_LEAST);
}

// Copies the faces from the topology.
static void fabric_start(pli_fabric *f, const pli_topology *t)
{
    f->faces = pli_faces_of(t);
    memcpy(f->positions, t->positions, 3 * (size_t)t->vertex_count * sizeof(float));
    memcpy(f->face_vertices, t->face_vertices, (size_t)t->corner_count * sizeof(int32_t));
    memcpy(f->triangles, t->triangles, 3 * (size_t)t->triangle_count * sizeof(int32_t));
    memcpy(f->edges, t->edges, 2 * (size_t)t->edge_count * sizeof(int32_t));
    memcpy(f->vertex_boundary, t->vertex_boundary, (size_t)t->vertex_count);
    for (int32_t v = 0; v < t->vertex_count; v++)
        f->sources[v] = v;
    for (int32_t e = 0; e < t->edge_count; e++)
        f->edge_lengths[e] = fabric_rest_length(t->positions + 3 * t->edges[2 * e],
                                                t->positions + 3 * t->edges[2 * e + 1]);
    match_corners(f, t);
    update_view(f);
    list_around(f);
}

bool pli_fabric_build(pli_memory *memory, pli_fabric *f, const pli_topology *t)
{
    if (!fabric_allocate(memory, f, t))
        return false;
    fabric_start(f, t);
    f->max_degree = max_degree(f);
    f->scratch = PLI_ALLOCATE(memory, int32_t, 4 * (int64_t)f->max_degree + 4);
    return f->scratch && pli_fabric_reserve(memory, f, SPARE_LEAST, SPARE_LEAST);
}

void pli_fabric_release(pli_memory *memory, pli_fabric *f)
{
    void *arrays[] = {f->positions,    f->edge_lengths,     f->face_vertices,   f->triangles,      f->edges,
                      f->corner_faces, f->corner_edges,     f->edge_corners,    f->vertex_corners, f->corner_begins,
                      f->corner_ends,  f->vertex_triangles, f->triangle_begins, f->triangle_ends,  f->vertex_boundary,
                      f->sources,      f->scratch,          f->cut.opened,      f->cut.touched,    f->cut.copies};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    *f = (pli_fabric){0};
}

static bool corners_belong(const pli_fabric *f, const pli_fabric_record *r)
{
    for (int32_t v = 0; v < f->faces.vertex_count; v++)
        if (r->sources[v] != v)
            return false;
    for (int32_t v = f->faces.vertex_count; v < r->vertex_count; v++)
        if (r->sources[v] < 0 || r->sources[v] >= f->faces.vertex_count)
            return false;
    for (int32_t c = 0; c < f->corner_count; c++) {
        int32_t v = r->face_vertices[c];
        if (v < 0 || v >= r->vertex_count || r->sources[v] != f->face_vertices[c])
            return false;
    }
    return true;
}

// Moves the higher corner of an edge to a new edge.
static bool split_corner(pli_fabric *f, int32_t corner)
{
    if (corner < 0 || corner >= f->corner_count)
        return false;
    int32_t edge = f->corner_edges[corner], *corners = f->edge_corners + 2 * edge, fresh = f->faces.edge_count;
    if (corners[1] < 0 || corner != (corners[0] > corners[1] ? corners[0] : corners[1]))
        return false;
    corners[0] = corners[0] == corner ? corners[1] : corners[0];
    corners[1] = -1;
    f->corner_edges[corner] = fresh;
    f->edge_corners[2 * fresh] = corner, f->edge_corners[2 * fresh + 1] = -1;
    f->edge_lengths[fresh] = f->edge_lengths[edge];
    f->faces.edge_count++;
    return true;
}

static void rename_triangles(pli_fabric *f, const int32_t *face_vertices)
{
    for (int32_t c = 0; c < f->corner_count; c++) {
        int32_t face = f->corner_faces[c], from = f->face_vertices[c], to = face_vertices[c];
        int32_t first = f->faces.face_offsets[face] - 2 * face, last = f->faces.face_offsets[face + 1] - 2 * (face + 1);
        for (int32_t i = 3 * first; i < 3 * last && from != to; i++)
            if (f->triangles[i] == from)
                f->triangles[i] = to;
    }
}

static void ends_of(const pli_fabric *f, int32_t corner, int32_t ends[2])
{
    int32_t a = f->face_vertices[corner], b = f->face_vertices[pli_next_in_face(f, corner)];
    ends[0] = a < b ? a : b;
    ends[1] = a < b ? b : a;
}

// Both corners of an unsplit edge must run between the same vertices.
static bool name_all_edges(pli_fabric *f, int32_t first_split)
{
    for (int32_t e = 0; e < f->faces.edge_count; e++) {
        const int32_t *corners = f->edge_corners + 2 * e;
        int32_t ends[2];
        ends_of(f, corners[0], f->edges + 2 * e);
        if (corners[1] >= 0) {
            ends_of(f, corners[1], ends);
            if (ends[0] != f->edges[2 * e] || ends[1] != f->edges[2 * e + 1])
                return false;
        } else if (e >= first_split) {
            f->vertex_boundary[f->edges[2 * e]] = f->vertex_boundary[f->edges[2 * e + 1]] = 1;
        }
    }
    return true;
}

bool pli_fabric_restore(pli_fabric *f, const pli_fabric_record *r)
{
    int32_t before = f->faces.vertex_count, edges = f->faces.edge_count;
    if (!corners_belong(f, r))
        return false;
    for (int32_t i = 0; i < r->split_count; i++)
        if (!split_corner(f, r->split_corners[i]))
            return false;
    rename_triangles(f, r->face_vertices);
    memcpy(f->face_vertices, r->face_vertices, (size_t)f->corner_count * sizeof *f->face_vertices);
    for (int32_t v = before; v < r->vertex_count; v++) {
        memcpy(f->positions + 3 * v, f->positions + 3 * r->sources[v], 3 * sizeof(float));
        f->sources[v] = r->sources[v];
        f->vertex_boundary[v] = 1;
    }
    f->faces.vertex_count = r->vertex_count;
    if (!name_all_edges(f, edges))
        return false;
    // Corners that kept their edge in a split lie on the border as well.
    for (int32_t c = 0; c < f->corner_count; c++) {
        int32_t e = f->corner_edges[c];
        if (f->edge_corners[2 * e + 1] < 0)
            f->vertex_boundary[f->edges[2 * e]] = f->vertex_boundary[f->edges[2 * e + 1]] = 1;
    }
    list_around(f);
    return true;
}
