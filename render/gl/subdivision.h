// A mesh subdivided once (Loop 1987, Smooth subdivision surfaces based on triangles), for the picture only: each triangle becomes four, and
// each vertex of the result is a weighted sum of vertices of the mesh.
//
//        c                 The new triangles of abc, in this order: a p r, b q p, c r q, p q r.
//       / \                Vertices follow as the mesh has them, then one for each edge.
//      r---q
//     / \ / \              Borders are subdivided as curves, and corners of a border with one triangle stay.
//    a---p---b
#ifndef PLI_RENDER_SUBDIVISION_H
#define PLI_RENDER_SUBDIVISION_H

#include <pliant/render.h>

typedef struct pli_subdivision {
    const pli_mesh *of; // The mesh, and the hash of its faces (pli_geometry_faces).
    uint64_t faces;
    pli_mesh *mesh;              // The result, at rest.
    int32_t vertices, triangles; // Counts of the mesh `of`.
    int32_t edges, *ends;        // [2 * edges]
    int32_t *offsets, *sources;  // Rows of the sums: [vertices + edges + 1], and entries.
    float *weights;
    int64_t drawn; // Last frame that used it.
    // The mesh with a vertex for each place in an image, of the image with this hash, and its subdivision; null before they are needed.
    uint64_t chart_hash;
    pli_mesh *chart_mesh;
    struct pli_subdivision *charts;
    // Data of the frame that uses it.
    float *positions, *values, *coordinates, *face_colours, *back_colours, *image, *back_image;
    uint8_t *marks;
} pli_subdivision;

typedef struct pli_subdivision_cache {
    pli_subdivision **items; // Allocated individually.
    int32_t count, capacity;
} pli_subdivision_cache;

// Replaces the meshes of a frame that are to be subdivided, with their images and details, by copies in these arrays, which the caller has
// filled from the frame. Other meshes stay. Valid until the cache is detailed. False when memory ran out.
bool pli_subdivide_meshes(pli_subdivision_cache *cache, pli_render_mesh *meshes, int32_t mesh_count,
                          pli_render_image *images, int32_t image_count, pli_render_detail *details,
                          pli_render_image *backs, int64_t frame);
// Evicts, after `frame`, what the last 16 frames did not draw; all if it is INT64_MAX.
void pli_subdivision_cache_trim(pli_subdivision_cache *cache, int64_t frame);

#endif
