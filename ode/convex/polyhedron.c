// Builds convex polyhedra from triangle meshes: merges coplanar triangles into faces and finds their edges.
#include "convex/polyhedron.h"

#include <stdlib.h>
#include <string.h>

// Tolerance of coplanar triangles, as a fraction of the size.
static const double flatness = 1e-5;

typedef struct triangle {
    int32_t corners[3];
    vec normal; // Unit.
    double area;
    int32_t index;
} triangle;

// Input points and triangles, and scratch memory for the corners of one face.
typedef struct draft {
    polyhedron *made;
    triangle *triangles;
    int32_t triangle_count;
    int32_t *on_plane, *chain;
    double (*flat)[2]; // Coordinates of the vertices in the plane of a face.
    double tolerance;  // [m]
} draft;

static int by_area(const void *left, const void *right)
{
    const triangle *a = left, *b = right;
    if (a->area != b->area)
        return a->area > b->area ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static double above(const polyhedron_face *face, vec point) { return vec_dot(face->normal, point) - face->offset; }

static bool is_known(const draft *d, const triangle *t)
{
    for (int32_t f = 0; f < d->made->face_count; f++) {
        const polyhedron_face *face = &d->made->faces[f];
        bool same = vec_dot(face->normal, t->normal) > 0.0;
        for (int k = 0; k < 3 && same; k++)
            same = fabs(above(face, d->made->vertices[t->corners[k]])) <= d->tolerance;
        if (same)
            return true;
    }
    return false;
}

static double turning(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Sorts indices by coordinates in the plane: insertion sort, since faces are small.
static void sort_by_place(const draft *d, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        int32_t moved = d->on_plane[i], k = i;
        const double *p = d->flat[moved];
        for (; k > 0; k--) {
            const double *q = d->flat[d->on_plane[k - 1]];
            if (q[0] < p[0] || (q[0] == p[0] && q[1] <= p[1]))
                break;
            d->on_plane[k] = d->on_plane[k - 1];
        }
        d->on_plane[k] = moved;
    }
}

// Convex hull of the points on a plane, counter-clockwise, without points along its sides (Andrew's monotone chain).
static int32_t surround(const draft *d, int32_t count)
{
    double least = d->tolerance * d->tolerance;
    int32_t size = 0;
    sort_by_place(d, count);
    for (int pass = 0; pass < 2; pass++) {
        int32_t start = size + 1;
        for (int32_t i = 0; i < count; i++) {
            int32_t next = d->on_plane[pass ? count - 1 - i : i];
            while (size > start &&
                   turning(d->flat[d->chain[size - 2]], d->flat[d->chain[size - 1]], d->flat[next]) <= least)
                size--;
            d->chain[size++] = next;
        }
        size--; // The last point begins the other half.
    }
    return size;
}

static void add_face(const draft *d, const triangle *t)
{
    polyhedron *p = d->made;
    polyhedron_face *face = &p->faces[p->face_count];
    vec origin = p->vertices[t->corners[0]], u = vec_unit(vec_sub(p->vertices[t->corners[1]], origin));
    vec v = vec_cross(t->normal, u);
    int32_t count = 0;
    *face = (polyhedron_face){t->normal, vec_dot(t->normal, origin), p->corner_count, 0};
    for (int32_t i = 0; i < p->vertex_count; i++) {
        vec arm = vec_sub(p->vertices[i], origin);
        if (fabs(vec_dot(arm, t->normal)) > d->tolerance)
            continue;
        d->flat[i][0] = vec_dot(arm, u), d->flat[i][1] = vec_dot(arm, v);
        d->on_plane[count++] = i;
    }
    face->count = surround(d, count);
    memcpy(p->corners + face->first, d->chain, sizeof *p->corners * (size_t)face->count);
    p->corner_count += face->count;
    p->face_count++;
}

// Lists of face sides by their start vertex.
typedef struct sides {
    int32_t *first; // [vertices] the first side, or -1.
    int32_t *next;  // [corners] the next side in the list.
    int32_t *face;  // [corners]
    int32_t *to;    // [corners]
} sides;

static void list_sides(const polyhedron *p, sides *s)
{
    for (int32_t i = 0; i < p->vertex_count; i++)
        s->first[i] = -1;
    // Lists are filled from their ends, so that the first face is found first.
    for (int32_t f = p->face_count - 1; f >= 0; f--) {
        const polyhedron_face *face = &p->faces[f];
        for (int32_t k = face->count - 1; k >= 0; k--) {
            const int32_t at = face->first + k, from = p->corners[at];
            s->face[at] = f;
            s->to[at] = p->corners[face->first + (k + 1) % face->count];
            s->next[at] = s->first[from];
            s->first[from] = at;
        }
    }
}

static int32_t side_of(const sides *s, int32_t from, int32_t to)
{
    for (int32_t at = s->first[from]; at >= 0; at = s->next[at])
        if (s->to[at] == to)
            return s->face[at];
    return -1;
}

static bool find_edges(polyhedron *p)
{
    const size_t sides_count = (size_t)p->corner_count, vertices = (size_t)p->vertex_count;
    int32_t *memory = malloc((3 * sides_count + vertices + 1) * sizeof *memory);
    if (!memory)
        return false;
    sides s = {memory, memory + vertices, memory + vertices + sides_count, memory + vertices + 2 * sides_count};
    list_sides(p, &s);
    for (int32_t f = 0; f < p->face_count; f++) {
        const int32_t *corners = p->corners + p->faces[f].first;
        for (int32_t k = 0; k < p->faces[f].count; k++) {
            int32_t from = corners[k], to = corners[(k + 1) % p->faces[f].count];
            int32_t other = from < to ? side_of(&s, to, from) : -1;
            if (other >= 0)
                p->edges[p->edge_count++] = (polyhedron_edge){from, to, f, other};
        }
    }
    free(memory);
    return true;
}

static void measure(draft *d)
{
    polyhedron *p = d->made;
    double reach = 0.0;
    for (int32_t i = 0; i < p->vertex_count; i++)
        p->centre = vec_add(p->centre, vec_scale(p->vertices[i], 1.0 / p->vertex_count));
    for (int32_t i = 0; i < p->vertex_count; i++)
        reach = fmax(reach, vec_length(vec_sub(p->vertices[i], p->centre)));
    d->tolerance = flatness * reach;
    for (int32_t i = 0; i < d->triangle_count; i++) {
        triangle *t = &d->triangles[i];
        vec a = p->vertices[t->corners[0]];
        vec normal = vec_cross(vec_sub(p->vertices[t->corners[1]], a), vec_sub(p->vertices[t->corners[2]], a));
        t->area = 0.5 * vec_length(normal);
        t->normal = vec_unit(normal);
        t->index = i;
    }
    qsort(d->triangles, (size_t)d->triangle_count, sizeof *d->triangles, by_area);
}

static bool reserve(draft *d, int32_t vertices, int32_t triangles)
{
    polyhedron *p = calloc(1, sizeof *p);
    size_t corners = 6 * (size_t)triangles + (size_t)vertices + 1;
    d->made = p;
    if (!p)
        return false;
    p->vertices = calloc((size_t)vertices + 1, sizeof *p->vertices);
    p->faces = calloc((size_t)triangles + 1, sizeof *p->faces);
    p->corners = calloc(corners, sizeof *p->corners);
    p->edges = calloc(corners, sizeof *p->edges);
    d->triangles = calloc((size_t)triangles + 1, sizeof *d->triangles);
    d->on_plane = calloc((size_t)vertices + 1, sizeof *d->on_plane);
    d->chain = calloc(2 * (size_t)vertices + 2, sizeof *d->chain);
    d->flat = calloc((size_t)vertices + 1, sizeof *d->flat);
    d->triangle_count = triangles;
    p->vertex_count = vertices;
    return p->vertices && p->faces && p->corners && p->edges && d->triangles && d->on_plane && d->chain && d->flat;
}

static pli_status finish(draft *d, bool reserved, polyhedron **result, pli_error *error)
{
    if (reserved) {
        measure(d);
        for (int32_t i = 0; i < d->triangle_count; i++)
            if (d->triangles[i].area > d->tolerance * d->tolerance && !is_known(d, &d->triangles[i]))
                add_face(d, &d->triangles[i]);
        reserved = find_edges(d->made);
    }
    if (!reserved) {
        polyhedron_destroy(d->made);
        d->made = NULL;
    }
    free(d->triangles);
    free(d->on_plane);
    free(d->chain);
    free(d->flat);
    *result = d->made;
    return reserved ? pli_succeed(error) : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
}

pli_status polyhedron_create(const pli_mesh *mesh, polyhedron **result, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    draft d = {0};
    *result = NULL;
    if (t->vertex_count > POLYHEDRON_VERTICES_MAX)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "hull: bodies meet hulls of at most %d corners, and this one has %d; give a coarser mesh",
                        POLYHEDRON_VERTICES_MAX, (int)t->vertex_count);
    bool reserved = reserve(&d, t->vertex_count, t->triangle_count);
    for (int32_t i = 0; i < t->vertex_count && reserved; i++)
        d.made->vertices[i] = (vec){(double)t->positions[3 * i], (double)t->positions[3 * i + 1],
                                    (double)t->positions[3 * i + 2]};
    for (int32_t i = 0; i < t->triangle_count && reserved; i++)
        memcpy(d.triangles[i].corners, t->triangles + 3 * i, sizeof d.triangles[i].corners);
    return finish(&d, reserved, result, error);
}

void polyhedron_destroy(polyhedron *p)
{
    if (!p)
        return;
    free(p->vertices);
    free(p->faces);
    free(p->corners);
    free(p->edges);
    free(p);
}
