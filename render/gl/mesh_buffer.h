// Triangles and lines on the graphics card.
#ifndef PLI_RENDER_MESH_BUFFER_H
#define PLI_RENDER_MESH_BUFFER_H

#include <epoxy/gl.h>

#include <pliant/render.h>

// What one vertex carries.
typedef struct pli_vertex {
    float position[3], normal[3], value;
} pli_vertex;

typedef struct pli_geometry {
    const pli_mesh *mesh; // That the indices belong to; null for shapes.
    uint64_t faces;       // What pli_geometry_faces said of it.
    GLuint array, vertices, triangles, lines;
    GLsizei vertex_count, index_count, line_index_count;
    pli_vertex *staging;
    int64_t drawn; // The last frame that used it: a mesh drawn twice in a frame needs two.
} pli_geometry;

// A number for the triangles and edges of a mesh: a mesh that tore may lie where another lay.
uint64_t pli_geometry_faces(const pli_mesh *mesh);
// Uploads a mesh's indices once, and room for its vertices; `faces` is what pli_geometry_faces says of it. False when
// memory runs out.
bool pli_geometry_make(pli_geometry *geometry, const pli_mesh *mesh, uint64_t faces);
// Uploads positions, normals (computed when empty) and values (0 when null).
void pli_geometry_fill(const pli_geometry *geometry, const pli_render_mesh *mesh);
// A bounded shape in its pose; without an array when it has no triangles. False when memory runs out.
bool pli_geometry_shape(pli_geometry *geometry, const pli_collider_def *collider);
// A disc about `centre` across `up`.
bool pli_geometry_disc(pli_geometry *geometry, pli_vec3 centre, pli_vec3 up, float radius);
// Plain vertices drawn in order.
bool pli_geometry_plain(pli_geometry *geometry, const pli_vertex *vertices, int32_t count);
void pli_geometry_draw(const pli_geometry *geometry);
void pli_geometry_draw_lines(const pli_geometry *geometry);
void pli_geometry_release(pli_geometry *geometry);

#endif
