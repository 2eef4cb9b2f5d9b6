// Triangles and lines in buffers of the GPU.
#ifndef PLI_RENDER_MESH_BUFFER_H
#define PLI_RENDER_MESH_BUFFER_H

#include <epoxy/gl.h>

#include <pliant/render.h>

// Meshes that 16 pictures did not draw are evicted. Cut or torn cloth has a new mesh each time, which no later frame draws; applications
// that alternate between a few pictures soon draw their meshes again.
enum { PLI_NUMBERS_PER_PICTURE = 64, PLI_NUMBERS_KEPT = 16 * PLI_NUMBERS_PER_PICTURE };

// Attributes of one vertex.
typedef struct pli_vertex {
    float position[3], normal[3], value, coordinates[2], image[2];
} pli_vertex;

typedef struct pli_geometry {
    const pli_mesh *mesh; // Mesh of the indices; NULL for shapes.
    uint64_t faces;       // Hash of its faces by pli_geometry_faces.
    bool
        split; // Each triangle has vertices of its own, for coordinates of images that differ by corner; the mesh's own follow them.
    GLuint array, vertices, triangles, lines;
    GLuint face_colours,
        face_colour_buffer; // Texture of eight floats a triangle, for its front and its back, and its buffer; 0 before it is needed.
    GLuint bands;    // Distances from hems and seams, six floats a vertex; 0 before they are needed.
    uint64_t banded; // Hash of their inputs.
    GLsizei vertex_count, index_count, line_index_count;
    pli_vertex *staging;
    int64_t drawn; // Last frame that used it: a mesh drawn twice in a frame needs two.
} pli_geometry;

// Hash of the triangles and edges of a mesh: a torn mesh may have the address of another one.
uint64_t pli_geometry_faces(const pli_mesh *mesh);
// Uploads a mesh's indices once, and allocates its vertices; `faces` is its pli_geometry_faces. False when memory
// runs out.
bool pli_geometry_make(pli_geometry *geometry, const pli_mesh *mesh, uint64_t faces, bool split);
// Optional data of a drawn mesh: coordinates of an image (null for none), the colours of its back (null: darker front colours), and the
// offset of each vertex along its normal [m].
typedef struct pli_geometry_over {
    const float *coordinates, *back_colours;
    float offset;
} pli_geometry_over;

// Uploads positions, normals (computed when empty), values (0 when null), coordinates and colours of faces, and the
// coordinates of an image (split geometry only). False when memory runs out.
bool pli_geometry_fill(pli_geometry *geometry, const pli_render_mesh *mesh, const pli_geometry_over *over);
// Uploads the distances of split geometry from its hems and seams, if they have changed. False when memory runs out.
bool pli_geometry_band(pli_geometry *geometry, const pli_render_detail *detail);
// Gives each triangle four floats of colour for its front and four for its back.
void pli_geometry_colour(pli_geometry *geometry, const float *colours, int32_t triangle_count);
// A bounded shape in its pose; without an array when it has no triangles. False when memory runs out.
bool pli_geometry_shape(pli_geometry *geometry, const pli_collider_def *collider);
// A disc about `centre` across `up`.
bool pli_geometry_disc(pli_geometry *geometry, pli_vec3 centre, pli_vec3 up, float radius);
// Vertices without indices, drawn in order.
bool pli_geometry_plain(pli_geometry *geometry, const pli_vertex *vertices, int32_t count);
void pli_geometry_draw(const pli_geometry *geometry);
void pli_geometry_draw_lines(const pli_geometry *geometry);
void pli_geometry_release(pli_geometry *geometry);

#endif
