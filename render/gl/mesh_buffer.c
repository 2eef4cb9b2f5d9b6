// Uploads meshes, shapes and lines as vertex arrays, and draws them.
#include "gl/mesh_buffer.h"

#include "gl/edge_distance.h"
#include "gl/mat4.h"
#include "gl/programs.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 32, DISC = 64 };

static bool begin(pli_geometry *g, int32_t vertices)
{
    *g = (pli_geometry){.vertex_count = vertices};
    g->staging = calloc((size_t)vertices + 1, sizeof *g->staging);
    if (!g->staging)
        return false;
    glGenVertexArrays(1, &g->array);
    glBindVertexArray(g->array);
    glGenBuffers(1, &g->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, g->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)vertices * sizeof(pli_vertex)), NULL, GL_STREAM_DRAW);
    const struct {
        GLuint location;
        GLint size;
        size_t offset;
    } parts[] = {{ATTRIBUTE_POSITION, 3, offsetof(pli_vertex, position)},
                 {ATTRIBUTE_NORMAL, 3, offsetof(pli_vertex, normal)},
                 {ATTRIBUTE_VALUE, 1, offsetof(pli_vertex, value)},
                 {ATTRIBUTE_COORDINATES, 2, offsetof(pli_vertex, coordinates)},
                 {ATTRIBUTE_IMAGE, 2, offsetof(pli_vertex, image)}};
    for (int i = 0; i < 5; i++) {
        glEnableVertexAttribArray(parts[i].location);
        glVertexAttribPointer(parts[i].location, parts[i].size, GL_FLOAT, GL_FALSE, sizeof(pli_vertex),
                              (const void *)parts[i].offset);
    }
    return true;
}

static void upload(const pli_geometry *g)
{
    glBindBuffer(GL_ARRAY_BUFFER, g->vertices);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)g->vertex_count * sizeof(pli_vertex)), g->staging);
}

static GLuint upload_indices(const int32_t *indices, int32_t count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(4 * (size_t)count), indices, GL_STATIC_DRAW);
    return buffer;
}

uint64_t pli_geometry_faces(const pli_mesh *mesh)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)topology->vertex_count ^
                    (uint64_t)topology->edge_count << 32;
    for (int32_t i = 0; i < 3 * topology->triangle_count; i++)
        hash = (hash ^ (uint64_t)topology->triangles[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// The two longest axes of the rest shape, in the order of x, y and z.
static void rest_axes(const pli_topology *topology, int axes[2])
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < 3 * topology->vertex_count; i++) {
        low[i % 3] = fminf(low[i % 3], topology->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], topology->positions[i]);
    }
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] < high[least] - low[least])
            least = k;
    axes[0] = least == 0 ? 1 : 0, axes[1] = least == 2 ? 1 : 2;
}

// The mesh's vertex at vertex `v` of the geometry.
static int32_t source_of(const pli_geometry *g, const pli_topology *topology, int32_t v)
{
    const int32_t corners = 3 * topology->triangle_count;
    if (!g->split)
        return v;
    return v < corners ? topology->triangles[v] : v - corners;
}

// Edges between the mesh's own vertices, which follow those of the triangles.
static bool upload_split_lines(pli_geometry *g, const pli_topology *topology)
{
    int32_t *lines = calloc((size_t)g->line_index_count + 1, sizeof *lines);
    for (int32_t i = 0; lines && i < g->line_index_count; i++)
        lines[i] = 3 * topology->triangle_count + topology->edges[i];
    if (lines)
        g->lines = upload_indices(lines, g->line_index_count);
    free(lines);
    return lines != NULL;
}

bool pli_geometry_make(pli_geometry *g, const pli_mesh *mesh, uint64_t faces, bool split)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    if (!begin(g, topology->vertex_count + (split ? 3 * topology->triangle_count : 0)))
        return false;
    g->split = split;
    g->mesh = mesh;
    g->faces = faces;
    g->index_count = 3 * topology->triangle_count;
    g->line_index_count = 2 * topology->edge_count;
    if (split && !upload_split_lines(g, topology))
        return false;
    if (!split) {
        g->lines = upload_indices(topology->edges, g->line_index_count);
        g->triangles = upload_indices(topology->triangles, g->index_count);
    }
    int axes[2];
    rest_axes(topology, axes);
    for (int32_t v = 0; v < g->vertex_count; v++)
        for (int k = 0; k < 2; k++)
            g->staging[v].coordinates[k] = topology->positions[3 * (size_t)source_of(g, topology, v) + (size_t)axes[k]];
    return true;
}

static pli_vec3 at(const pli_render_mesh *mesh, int32_t v)
{
    const float *p = pli_view_at(mesh->positions, v);
    return (pli_vec3){p[0], p[1], p[2]};
}

static void add_to(float *sum, pli_vec3 v) { sum[0] += v.x, sum[1] += v.y, sum[2] += v.z; }

// Means of the triangles' normals by area. False when memory runs out.
static bool compute_normals(const pli_geometry *g, const pli_render_mesh *mesh)
{
    const pli_topology *topology = pli_mesh_topology(g->mesh);
    float *normals = calloc(3 * (size_t)topology->vertex_count + 1, sizeof *normals);
    if (!normals)
        return false;
    for (int32_t t = 0; t < topology->triangle_count; t++) {
        const int32_t *corner = topology->triangles + 3 * t;
        pli_vec3 a = at(mesh, corner[0]);
        pli_vec3 n = pli_cross(pli_sub(at(mesh, corner[1]), a), pli_sub(at(mesh, corner[2]), a));
        for (int k = 0; k < 3; k++)
            add_to(normals + 3 * (size_t)corner[k], n);
    }
    for (int32_t v = 0; v < g->vertex_count; v++) {
        const float *n = normals + 3 * (size_t)source_of(g, topology, v);
        const pli_vec3 unit = vec_unit((pli_vec3){n[0], n[1], n[2]});
        memcpy(g->staging[v].normal, &unit, sizeof unit);
    }
    free(normals);
    return true;
}

void pli_geometry_colour(pli_geometry *g, const float *colours, int32_t triangle_count)
{
    if (!g->face_colours) {
        glGenBuffers(1, &g->face_colour_buffer);
        glGenTextures(1, &g->face_colours);
    }
    glBindBuffer(GL_TEXTURE_BUFFER, g->face_colour_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(32 * (size_t)triangle_count), colours, GL_STREAM_DRAW);
    glBindTexture(GL_TEXTURE_BUFFER, g->face_colours);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, g->face_colour_buffer);
}

// The colours of each triangle are its face's, or the mesh's for a side that has no colours by face.
static bool fill_face_colours(pli_geometry *g, const pli_render_mesh *mesh, const float *back_colours)
{
    static const float behind = 0.75f;
    const pli_topology *topology = pli_mesh_topology(g->mesh);
    float *colours = calloc((size_t)topology->triangle_count + 1, 8 * sizeof *colours);
    for (int32_t t = 0; colours && t < topology->triangle_count; t++) {
        const size_t face = 3 * (size_t)topology->triangle_faces[t];
        const float *front = mesh->face_colours ? mesh->face_colours + face : &mesh->front.x;
        float *to = colours + 8 * (size_t)t;
        memcpy(to, front, 3 * sizeof *to);
        for (int k = 0; k < 3; k++)
            to[4 + k] = back_colours ? back_colours[face + (size_t)k] : behind * front[k];
    }
    if (colours)
        pli_geometry_colour(g, colours, topology->triangle_count);
    free(colours);
    return colours != NULL;
}

static void move_along_normals(const pli_geometry *g, float offset)
{
    for (int32_t v = 0; v < g->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            g->staging[v].position[k] += offset * g->staging[v].normal[k];
}

bool pli_geometry_fill(pli_geometry *g, const pli_render_mesh *mesh, const pli_geometry_over *over)
{
    const pli_topology *topology = pli_mesh_topology(g->mesh);
    const bool has_normals = mesh->normals.count == topology->vertex_count;
    for (int32_t v = 0; v < g->vertex_count; v++) {
        pli_vertex *vertex = &g->staging[v];
        const int32_t from = source_of(g, topology, v);
        memcpy(vertex->position, pli_view_at(mesh->positions, from), sizeof vertex->position);
        if (has_normals)
            memcpy(vertex->normal, pli_view_at(mesh->normals, from), sizeof vertex->normal);
        vertex->value = mesh->values ? mesh->values[from] : 0.0f;
        if (mesh->coordinates)
            memcpy(vertex->coordinates, mesh->coordinates + 2 * (size_t)from, sizeof vertex->coordinates);
        if (over->coordinates && v < g->index_count)
            memcpy(vertex->image, over->coordinates + 2 * (size_t)v, sizeof vertex->image);
    }
    if (!has_normals && !compute_normals(g, mesh))
        return false;
    if (over->offset != 0.0f)
        move_along_normals(g, over->offset);
    upload(g);
    return !(mesh->face_colours || over->back_colours) || fill_face_colours(g, mesh, over->back_colours);
}

/* ---- bands along edges -------------------------------------------------------------------------- */

// Marks of the border, for details without marks of their own; `marks` is zero before.
static bool mark_border(const pli_topology *t, uint8_t *marks)
{
    int32_t *neighbours = malloc((3 * (size_t)t->triangle_count + 1) * sizeof *neighbours);
    const bool made = neighbours && pli_find_triangle_neighbors(t->triangles, t->triangle_count, t->vertex_count,
                                                                neighbours, NULL) == PLI_STATUS_OK;
    for (int32_t k = 0; made && k < 3 * t->triangle_count; k++)
        if (neighbours[k] < 0)
            marks[k] = PLI_RENDER_HEM;
    free(neighbours);
    return made;
}

static uint64_t hash_of(const pli_render_detail *detail, int32_t corners)
{
    const float widths[2] = {detail->hem, detail->seam};
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (detail->edges ? 1 : 2);
    for (size_t i = 0; i < sizeof widths; i++)
        hash = (hash ^ ((const unsigned char *)widths)[i]) * UINT64_C(0x100000001b3);
    for (int32_t i = 0; detail->edges && i < corners; i++)
        hash = (hash ^ detail->edges[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void upload_bands(pli_geometry *g, const float *hems, const float *seams, int32_t corners)
{
    const GLsizeiptr half = (GLsizeiptr)(12 * (size_t)g->vertex_count), given = (GLsizeiptr)(12 * (size_t)corners);
    if (!g->bands)
        glGenBuffers(1, &g->bands);
    glBindVertexArray(g->array);
    glBindBuffer(GL_ARRAY_BUFFER, g->bands);
    glBufferData(GL_ARRAY_BUFFER, 2 * half, NULL, GL_STATIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, given, hems);
    glBufferSubData(GL_ARRAY_BUFFER, half, given, seams);
    for (GLuint k = 0; k < 2; k++) {
        glEnableVertexAttribArray(ATTRIBUTE_HEM + k);
        glVertexAttribPointer(ATTRIBUTE_HEM + k, 3, GL_FLOAT, GL_FALSE, 12, (const void *)((size_t)half * k));
    }
}

bool pli_geometry_band(pli_geometry *g, const pli_render_detail *detail)
{
    const pli_topology *t = pli_mesh_topology(g->mesh);
    const int32_t corners = 3 * t->triangle_count;
    const uint64_t hash = hash_of(detail, corners);
    if (g->bands && g->banded == hash)
        return true;
    uint8_t *border = detail->edges ? NULL : calloc((size_t)corners + 1, 1);
    const uint8_t *marks = detail->edges ? detail->edges : border;
    float *bands = calloc((size_t)corners + 1, 6 * sizeof *bands), *seams = bands ? bands + 3 * (size_t)corners : NULL;
    const bool made = marks && bands && (!border || mark_border(t, border)) &&
                      pli_edge_distances(t, marks, PLI_RENDER_HEM, detail->hem, bands) &&
                      pli_edge_distances(t, marks, PLI_RENDER_SEAM, detail->seam, seams);
    if (made)
        upload_bands(g, bands, seams, corners);
    g->banded = hash;
    free(border);
    free(bands);
    return made;
}

static void put(pli_vertex *vertex, const pli_transform *pose, pli_vec3 position, pli_vec3 normal)
{
    pli_vec3 p = pli_transform_point(*pose, position), n = pli_rotate(pose->rotation, normal);
    *vertex = (pli_vertex){{p.x, p.y, p.z}, {n.x, n.y, n.z}, 0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}};
}

// The normal of a triangle's corner: the surface normal near it on the triangle's side, so that edges stay sharp and round surfaces
// look round. Shapes without a distance function are flat.
static pli_vec3 corner_normal(const pli_collider_def *c, pli_vec3 corner, pli_vec3 centre, pli_vec3 flat)
{
    static const float share = 1e-3f;
    pli_vec3 at = pli_add(pli_scale(corner, 1.0f - share), pli_scale(centre, share)), normal;
    float distance;
    return pli_shape_distance(c, at, &distance, &normal) ? normal : flat;
}

static void put_triangle(pli_vertex *vertices, const pli_collider_def *c, const float *positions,
                         const int32_t *corners)
{
    pli_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        const float *from = positions + 3 * (size_t)corners[k];
        p[k] = (pli_vec3){from[0], from[1], from[2]};
    }
    pli_vec3 flat = vec_unit(pli_cross(pli_sub(p[1], p[0]), pli_sub(p[2], p[0])));
    pli_vec3 centre = pli_scale(pli_add(p[0], pli_add(p[1], p[2])), 1.0f / 3.0f);
    for (int k = 0; k < 3; k++)
        put(&vertices[k], &c->pose, p[k], corner_normal(c, p[k], centre, flat));
}

bool pli_geometry_shape(pli_geometry *g, const pli_collider_def *c)
{
    pli_mesh *mesh;
    // A hull without volume has nothing to draw.
    pli_status status = pli_shape_tessellate(c, ROUND, NULL, &mesh, NULL);
    if (status != PLI_STATUS_OK)
        return status != PLI_STATUS_OUT_OF_MEMORY;
    const pli_topology *topology = pli_mesh_topology(mesh);
    bool made = begin(g, 3 * topology->triangle_count);
    for (int32_t t = 0; made && t < topology->triangle_count; t++)
        put_triangle(g->staging + 3 * (size_t)t, c, topology->positions, topology->triangles + 3 * (size_t)t);
    pli_mesh_destroy(mesh);
    if (made)
        upload(g);
    return made;
}

bool pli_geometry_disc(pli_geometry *g, pli_vec3 centre, pli_vec3 up, float radius)
{
    int32_t indices[3 * DISC];
    pli_vec3 across = vec_across(up), along = pli_cross(up, across);
    const pli_transform still = {{0, 0, 0}, {0, 0, 0, 1}};
    if (!begin(g, DISC + 1))
        return false;
    put(&g->staging[DISC], &still, centre, up);
    for (int32_t k = 0; k < DISC; k++) {
        float turn = 6.28318531f * (float)k / DISC;
        pli_vec3 out = pli_add(pli_scale(across, cosf(turn)), pli_scale(along, -sinf(turn)));
        put(&g->staging[k], &still, pli_add(centre, pli_scale(out, radius)), up);
        indices[3 * k] = DISC, indices[3 * k + 1] = (k + 1) % DISC, indices[3 * k + 2] = k;
    }
    g->index_count = 3 * DISC;
    g->triangles = upload_indices(indices, 3 * DISC);
    upload(g);
    return true;
}

bool pli_geometry_plain(pli_geometry *g, const pli_vertex *vertices, int32_t count)
{
    if (!begin(g, count))
        return false;
    memcpy(g->staging, vertices, (size_t)count * sizeof *vertices);
    upload(g);
    return true;
}

void pli_geometry_draw(const pli_geometry *g)
{
    glBindVertexArray(g->array);
    if (!g->triangles) {
        glDrawArrays(GL_TRIANGLES, 0, g->split ? g->index_count : g->vertex_count);
        return;
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g->triangles);
    glDrawElements(GL_TRIANGLES, g->index_count, GL_UNSIGNED_INT, NULL);
}

void pli_geometry_draw_lines(const pli_geometry *g)
{
    glBindVertexArray(g->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g->lines);
    glDrawElements(GL_LINES, g->line_index_count, GL_UNSIGNED_INT, NULL);
}

void pli_geometry_release(pli_geometry *g)
{
    glDeleteVertexArrays(1, &g->array);
    const GLuint buffers[5] = {g->vertices, g->triangles, g->lines, g->face_colour_buffer, g->bands};
    glDeleteBuffers(5, buffers);
    glDeleteTextures(1, &g->face_colours);
    free(g->staging);
    *g = (pli_geometry){0};
}
