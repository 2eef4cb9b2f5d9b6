// Subdivided meshes of a picture: gl/subdivision.h.
#include "gl/subdivision.h"

#include "gl/mesh_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- topology ------------------------------------------------------------------------------------ */

// The edges of the triangles of a mesh while its subdivision is made.
typedef struct edge_table {
    const int32_t *triangles;
    int32_t *neighbours; // [3 * triangles] the corner across the edge that starts at each corner, or -1.
    int32_t *of_corner;  // [3 * triangles] the edge that starts there.
} edge_table;

static int32_t next_corner(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
static int32_t last_corner(int32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }

static bool find_edges(pli_subdivision *s, const pli_topology *t, edge_table *e)
{
    const size_t corners = 3 * (size_t)t->triangle_count;
    e->triangles = t->triangles;
    e->neighbours = malloc((corners + 1) * sizeof *e->neighbours);
    e->of_corner = malloc((corners + 1) * sizeof *e->of_corner);
    s->ends = malloc((2 * corners + 1) * sizeof *s->ends);
    if (!e->neighbours || !e->of_corner || !s->ends ||
        pli_find_triangle_neighbors(t->triangles, t->triangle_count, t->vertex_count, e->neighbours, NULL) !=
            PLI_STATUS_OK)
        return false;
    for (int32_t k = 0; k < (int32_t)corners; k++) {
        const int32_t other = e->neighbours[k];
        if (other >= 0 && other < k) {
            e->of_corner[k] = e->of_corner[other];
            continue;
        }
        s->ends[2 * s->edges] = t->triangles[k], s->ends[2 * s->edges + 1] = t->triangles[next_corner(k)];
        e->of_corner[k] = s->edges++;
    }
    return true;
}

// Counts of the neighbours of each vertex, and of those along the border.
typedef struct ring {
    int32_t all, border;
} ring;

static ring *find_rings(const pli_subdivision *s, const uint8_t *on_border)
{
    ring *rings = calloc((size_t)s->vertices + 1, sizeof *rings);
    for (int32_t i = 0; rings && i < 2 * s->edges; i++) {
        rings[s->ends[i]].all++;
        rings[s->ends[i]].border += on_border[i / 2];
    }
    return rings;
}

// Whether a vertex is a sum of itself and of its neighbours: of all inside the mesh, and of two on a border.
static bool is_inside(ring r) { return r.border == 0 && r.all >= 3; }
static bool is_on_curve(ring r) { return r.border == 2 && r.all > 2; }

static float own_weight(ring r)
{
    if (is_inside(r))
        return r.all == 3 ? 1.0f - 9.0f / 16.0f : 1.0f - 3.0f / 8.0f;
    return is_on_curve(r) ? 0.75f : 1.0f;
}

static void put(pli_subdivision *s, int32_t *at, int32_t source, float weight)
{
    s->sources[*at] = source, s->weights[*at] = weight;
    (*at)++;
}

static void put_neighbours(pli_subdivision *s, const ring *rings, const uint8_t *on_border, int32_t *ends)
{
    for (int32_t i = 0; i < 2 * s->edges; i++) {
        const int32_t v = s->ends[i], other = s->ends[i ^ 1];
        const ring r = rings[v];
        if (is_inside(r))
            put(s, &ends[v], other, (1.0f - own_weight(r)) / (float)r.all);
        else if (is_on_curve(r) && on_border[i / 2])
            put(s, &ends[v], other, 0.125f);
    }
}

static void put_edges(pli_subdivision *s, const edge_table *e, const uint8_t *on_border, const int32_t *begins)
{
    for (int32_t k = 0; k < 3 * s->triangles; k++) {
        const int32_t edge = e->of_corner[k], other = e->neighbours[k];
        int32_t at = begins[edge];
        if (other >= 0 && other < k)
            continue;
        const float share = on_border[edge] ? 0.5f : 0.375f;
        put(s, &at, s->ends[2 * edge], share);
        put(s, &at, s->ends[2 * edge + 1], share);
        if (on_border[edge])
            continue;
        put(s, &at, e->triangles[last_corner(k)], 0.125f);
        put(s, &at, e->triangles[last_corner(other)], 0.125f);
    }
}

// The rows of the sums.
static bool make_rows(pli_subdivision *s, const edge_table *e)
{
    uint8_t *on_border = calloc((size_t)s->edges + 1, 1);
    int32_t *ends = malloc(((size_t)s->vertices + (size_t)s->edges + 1) * sizeof *ends);
    for (int32_t k = 0; on_border && k < 3 * s->triangles; k++)
        on_border[e->of_corner[k]] = e->neighbours[k] < 0;
    ring *rings = on_border ? find_rings(s, on_border) : NULL;
    s->offsets = malloc(((size_t)s->vertices + (size_t)s->edges + 1) * sizeof *s->offsets);
    bool complete = on_border && ends && rings && s->offsets;
    int32_t size = 0;
    for (int32_t v = 0; complete && v < s->vertices; v++) {
        s->offsets[v] = size;
        size += 1 + (is_inside(rings[v]) ? rings[v].all : is_on_curve(rings[v]) ? 2 : 0);
    }
    for (int32_t i = 0; complete && i < s->edges; i++) {
        s->offsets[s->vertices + i] = size;
        size += on_border[i] ? 2 : 4;
    }
    if (complete)
        s->offsets[s->vertices + s->edges] = size;
    s->sources = malloc(((size_t)size + 1) * sizeof *s->sources);
    s->weights = malloc(((size_t)size + 1) * sizeof *s->weights);
    complete = complete && s->sources && s->weights;
    for (int32_t v = 0; complete && v < s->vertices; v++) {
        ends[v] = s->offsets[v];
        put(s, &ends[v], v, own_weight(rings[v]));
    }
    if (complete) {
        put_neighbours(s, rings, on_border, ends);
        put_edges(s, e, on_border, s->offsets + s->vertices);
    }
    free(on_border);
    free(ends);
    free(rings);
    return complete;
}

/* ---- values -------------------------------------------------------------------------------------- */

static void sum_rows(const pli_subdivision *s, pli_view from, int32_t size, float *to)
{
    for (int32_t i = 0; i < s->vertices + s->edges; i++) {
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++) {
            const float *p = pli_view_at(from, s->sources[k]);
            for (int32_t c = 0; c < size; c++)
                sum[c] += s->weights[k] * p[c];
        }
        memcpy(to + (size_t)size * (size_t)i, sum, (size_t)size * sizeof *sum);
    }
}

// Values at vertices follow the positions, so that patterns stay straight.
static float *summed(const pli_subdivision *s, const float *from, int32_t size)
{
    float *to = malloc(((size_t)(s->vertices + s->edges) * (size_t)size + 1) * sizeof *to);
    if (to)
        sum_rows(s, (pli_view){from, s->vertices, size * (int32_t)sizeof *from}, size, to);
    return to;
}

// Pairs of numbers at the corners of triangles, which may differ on both sides of an edge: their means.
static float *halved_corners(const pli_subdivision *s, const float *from)
{
    static const int order[12][2] = {{0, 0}, {0, 1}, {2, 0}, {1, 1}, {1, 2}, {0, 1},
                                     {2, 2}, {2, 0}, {1, 2}, {0, 1}, {1, 2}, {2, 0}};
    float *to = malloc((24 * (size_t)s->triangles + 1) * sizeof *to);
    for (int32_t t = 0; to && t < s->triangles; t++)
        for (int k = 0; k < 12; k++)
            for (int c = 0; c < 2; c++)
                to[24 * t + 2 * k + c] = 0.5f * (from[6 * t + 2 * order[k][0] + c] + from[6 * t + 2 * order[k][1] + c]);
    return to;
}

static float *spread_colours(const pli_subdivision *s, const float *from)
{
    const int32_t *face_of = pli_mesh_topology(s->of)->triangle_faces;
    float *to = malloc((12 * (size_t)s->triangles + 1) * sizeof *to);
    for (int32_t t = 0; to && t < 4 * s->triangles; t++)
        memcpy(to + 3 * (size_t)t, from + 3 * (size_t)face_of[t / 4], 3 * sizeof *to);
    return to;
}

static uint8_t *spread_marks(const pli_subdivision *s, const uint8_t *from)
{
    uint8_t *to = calloc(12 * (size_t)s->triangles + 1, 1);
    for (int32_t t = 0; to && t < s->triangles; t++) {
        const uint8_t *m = from + 3 * (size_t)t;
        const uint8_t marks[12] = {m[0], 0, m[2], m[1], 0, m[0], m[2], 0, m[1], 0, 0, 0};
        memcpy(to + 12 * (size_t)t, marks, sizeof marks);
    }
    return to;
}

/* ---- the result ---------------------------------------------------------------------------------- */

static bool make_mesh(pli_subdivision *s, const pli_topology *t, const edge_table *e)
{
    int32_t *faces = malloc((12 * (size_t)t->triangle_count + 1) * sizeof *faces);
    float *rest = summed(s, t->positions, 3);
    pli_mesh_def def = pli_mesh_def_default();
    for (int32_t k = 0; faces && k < t->triangle_count; k++) {
        const int32_t *v = t->triangles + 3 * (size_t)k, *edges = e->of_corner + 3 * (size_t)k;
        const int32_t p = s->vertices + edges[0], q = s->vertices + edges[1], r = s->vertices + edges[2];
        const int32_t corners[12] = {v[0], p, r, v[1], q, p, v[2], r, q, p, q, r};
        memcpy(faces + 12 * (size_t)k, corners, sizeof corners);
    }
    def.positions = rest, def.vertex_count = s->vertices + s->edges;
    def.face_vertices = faces, def.face_count = 4 * t->triangle_count;
    const bool made = faces && rest && pli_mesh_create(&def, &s->mesh, NULL) == PLI_STATUS_OK;
    free(faces);
    free(rest);
    return made;
}

static void release_frame(pli_subdivision *s)
{
    void *const arrays[] = {s->positions,    s->values, s->coordinates, s->face_colours,
                            s->back_colours, s->image,  s->back_image,  s->marks};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    s->positions = s->values = s->coordinates = s->face_colours = s->back_colours = s->image = s->back_image = NULL;
    s->marks = NULL;
}

static void release(pli_subdivision *s);

static void release_charts(pli_subdivision *s)
{
    if (s->charts)
        release(s->charts);
    pli_mesh_destroy(s->chart_mesh);
    s->charts = NULL, s->chart_mesh = NULL;
}

static void release(pli_subdivision *s)
{
    release_frame(s);
    release_charts(s);
    pli_mesh_destroy(s->mesh);
    free(s->ends);
    free(s->offsets);
    free(s->sources);
    free(s->weights);
    free(s);
}

// Null when memory ran out. A mesh that cannot be subdivided has no `mesh`.
static pli_subdivision *make(const pli_mesh *mesh, uint64_t faces)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_subdivision *s = calloc(1, sizeof *s);
    edge_table e = {0};
    if (!s)
        return NULL;
    *s = (pli_subdivision){.of = mesh, .faces = faces, .vertices = t->vertex_count, .triangles = t->triangle_count};
    const bool complete = find_edges(s, t, &e) && make_rows(s, &e);
    if (complete && !make_mesh(s, t, &e))
        s->mesh = NULL;
    free(e.neighbours);
    free(e.of_corner);
    if (complete)
        return s;
    release(s);
    return NULL;
}

static pli_subdivision *get(pli_subdivision_cache *c, const pli_mesh *mesh, int64_t frame)
{
    const uint64_t faces = pli_geometry_faces(mesh);
    for (int32_t i = 0; i < c->count; i++)
        if (c->items[i]->of == mesh && c->items[i]->faces == faces && c->items[i]->drawn != frame)
            return c->items[i];
    if (c->count == c->capacity) {
        pli_subdivision **grown = realloc(c->items, (size_t)(2 * c->capacity + 8) * sizeof(pli_subdivision *));
        if (!grown)
            return NULL;
        c->items = grown, c->capacity = 2 * c->capacity + 8;
    }
    pli_subdivision *s = make(mesh, faces);
    if (s)
        c->items[c->count++] = s;
    return s;
}

/* ---- image coordinates --------------------------------------------------------------------------- */

// A mesh with a vertex for each place in the image at each vertex of `of`: seams of the image are borders of it. Null when it cannot be
// made.
static pli_mesh *make_chart_mesh(const pli_mesh *of, const float *corners)
{
    const pli_topology *t = pli_mesh_topology(of);
    const size_t count = 3 * (size_t)t->triangle_count;
    int32_t *chart = malloc((count + 1) * sizeof *chart), *next = malloc((count + 1) * sizeof *next);
    int32_t *first = malloc(((size_t)t->vertex_count + 1) * sizeof *first), made = 0;
    float *positions = malloc((3 * count + 1) * sizeof *positions);
    pli_mesh *mesh = NULL;
    if (chart && next && first && positions) {
        memset(first, 0xff, (size_t)t->vertex_count * sizeof *first);
        for (int32_t k = 0; k < (int32_t)count; k++) {
            const int32_t v = t->triangles[k];
            // The corners of this vertex that have brought other places.
            int32_t known = first[v];
            while (known >= 0 && memcmp(corners + 2 * (size_t)known, corners + 2 * (size_t)k, 2 * sizeof *corners) != 0)
                known = next[known];
            if (known < 0) {
                next[k] = first[v], first[v] = k;
                memcpy(positions + 3 * (size_t)made, t->positions + 3 * (size_t)v, 3 * sizeof *positions);
            }
            chart[k] = known < 0 ? made++ : chart[known];
        }
        pli_mesh_def def = pli_mesh_def_default();
        def.positions = positions, def.vertex_count = made;
        def.face_vertices = chart, def.face_count = t->triangle_count;
        if (pli_mesh_create(&def, &mesh, NULL) != PLI_STATUS_OK)
            mesh = NULL;
    }
    free(chart);
    free(next);
    free(first);
    free(positions);
    return mesh;
}

static uint64_t hash_of(const float *corners, int32_t triangles)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 6 * (size_t)triangles; i++) {
        uint32_t bits;
        memcpy(&bits, corners + i, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static const pli_subdivision *find_charts(pli_subdivision *s, const float *corners)
{
    const uint64_t hash = hash_of(corners, s->triangles);
    if (s->chart_mesh && s->chart_hash == hash)
        return s->charts;
    release_charts(s);
    s->chart_hash = hash;
    s->chart_mesh = make_chart_mesh(s->of, corners);
    s->charts = s->chart_mesh ? make(s->chart_mesh, 0) : NULL;
    return s->charts;
}

// Image coordinates follow the positions; at a seam of the image they follow those of their side.
static float *spread_coordinates(pli_subdivision *s, const float *corners)
{
    const pli_subdivision *charts = find_charts(s, corners);
    if (!charts || !charts->mesh)
        return halved_corners(s, corners);
    const int32_t *from = pli_mesh_topology(charts->of)->triangles, *to = pli_mesh_topology(charts->mesh)->triangles;
    float *own = malloc((2 * (size_t)charts->vertices + 1) * sizeof *own);
    for (int32_t k = 0; own && k < 3 * s->triangles; k++)
        memcpy(own + 2 * (size_t)from[k], corners + 2 * (size_t)k, 2 * sizeof *own);
    float *all = own ? summed(charts, own, 2) : NULL, *spread = NULL;
    free(own);
    if (all && (spread = malloc((24 * (size_t)s->triangles + 1) * sizeof *spread)))
        for (int32_t k = 0; k < 12 * s->triangles; k++)
            memcpy(spread + 2 * (size_t)k, all + 2 * (size_t)to[k], 2 * sizeof *spread);
    free(all);
    return spread;
}

/* ---- frames -------------------------------------------------------------------------------------- */

static bool fill_mesh(pli_subdivision *s, pli_render_mesh *m)
{
    s->positions = malloc((3 * (size_t)(s->vertices + s->edges) + 1) * sizeof *s->positions);
    if (!s->positions)
        return false;
    sum_rows(s, m->positions, 3, s->positions);
    s->values = m->values ? summed(s, m->values, 1) : NULL;
    s->coordinates = m->coordinates ? summed(s, m->coordinates, 2) : NULL;
    s->face_colours = m->face_colours ? spread_colours(s, m->face_colours) : NULL;
    const bool complete = (!m->values || s->values) && (!m->coordinates || s->coordinates) &&
                          (!m->face_colours || s->face_colours);
    m->mesh = s->mesh;
    m->positions = (pli_view){s->positions, s->vertices + s->edges, 3 * sizeof(float)};
    m->normals = (pli_view){0};
    m->values = s->values, m->coordinates = s->coordinates, m->face_colours = s->face_colours;
    return complete;
}

static bool fill_detail(pli_subdivision *s, pli_render_detail *detail, pli_render_image *back)
{
    s->marks = detail->edges ? spread_marks(s, detail->edges) : NULL;
    s->back_colours = detail->back_colours ? spread_colours(s, detail->back_colours) : NULL;
    const bool lies = detail->back_image && detail->back_image->coordinates;
    s->back_image = lies ? spread_coordinates(s, detail->back_image->coordinates) : NULL;
    if ((detail->edges && !s->marks) || (detail->back_colours && !s->back_colours) || (lies && !s->back_image))
        return false;
    detail->edges = s->marks, detail->back_colours = s->back_colours;
    if (detail->back_image) {
        *back = *detail->back_image;
        back->coordinates = s->back_image;
        detail->back_image = back;
    }
    return true;
}

bool pli_subdivide_meshes(pli_subdivision_cache *cache, pli_render_mesh *meshes, int32_t mesh_count,
                          pli_render_image *images, int32_t image_count, pli_render_detail *details,
                          pli_render_image *backs, int64_t frame)
{
    for (int32_t i = 0; i < mesh_count; i++) {
        if (!meshes[i].subdivided || meshes[i].flat)
            continue;
        pli_subdivision *s = get(cache, meshes[i].mesh, frame);
        if (!s)
            return false;
        s->drawn = frame;
        release_frame(s);
        if (!s->mesh)
            continue;
        if (!fill_mesh(s, &meshes[i]) || !fill_detail(s, &details[i], &backs[i]))
            return false;
        for (int32_t k = 0; k < image_count; k++) {
            if (images[k].mesh != i || !images[k].coordinates)
                continue;
            free(s->image); // The last of several images is drawn.
            if (!(s->image = spread_coordinates(s, images[k].coordinates)))
                return false;
            images[k].coordinates = s->image;
        }
    }
    return true;
}

void pli_subdivision_cache_trim(pli_subdivision_cache *c, int64_t frame)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < c->count; i++) {
        if (frame != INT64_MAX && c->items[i]->drawn + PLI_NUMBERS_KEPT > frame) {
            release_frame(c->items[i]);
            c->items[kept++] = c->items[i];
        } else {
            release(c->items[i]);
        }
    }
    c->count = kept;
    if (frame == INT64_MAX) {
        free(c->items);
        *c = (pli_subdivision_cache){0};
    }
}
