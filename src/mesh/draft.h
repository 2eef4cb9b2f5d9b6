// A mesh in the making: polygons and what has been derived from them so far. Every step reads some
// arrays and adds others. A corner is a face's place for a vertex; the edge that leaves it towards
// the face's next corner carries its number, so that corners also name directed edges.
#ifndef PLI_MESH_DRAFT_H
#define PLI_MESH_DRAFT_H

#include "mesh/mesh.h"

typedef struct pli_draft {
    pli_memory *memory;
    int32_t vertex_count, face_count, corner_count, triangle_count, edge_count, component_count;
    float *positions;
    int32_t *vertex_source;
    int32_t *face_offsets, *face_vertices;
    int32_t *corner_faces;
    int32_t *corner_edges;                      // -1 for a step from a vertex to itself.
    int32_t *corner_twins;                      // The other corner of an edge of exactly two; else -1.
    int32_t *edges;                             // Two vertices each, lower first, sorted.
    int32_t *edge_corners;                      // The first two corners of each edge; -1 for a missing second.
    uint8_t *vertex_borders;                    // 1 at the ends of edges without twins.
    int32_t *corner_offsets, *vertex_corners;   // Corners at each vertex, ascending.
    int32_t *ring_offsets, *ring_vertices;      // Neighbours of each vertex, fan by fan.
    int32_t split_vertices, first_split_vertex; // Where several fans meet.
    int32_t *triangles, *triangle_faces;
    int32_t *vertex_components, *face_components;
} pli_draft;

// All return false when memory is missing; the draft then only wants pli_draft_release.
bool pli_draft_copy(pli_draft *draft, pli_memory *memory, const pli_mesh_def *def);
bool pli_draft_edges(pli_draft *draft);
bool pli_draft_components(pli_draft *draft);
bool pli_draft_triangulate(pli_draft *draft);
bool pli_draft_repair(pli_draft *draft);

// The last step: fills mesh->topology and the measures of mesh->report; the mesh then owns the
// arrays it keeps. The report's counts are those of the draft, whose edges are manifold.
bool pli_fill_topology(pli_mesh *mesh, pli_draft *draft);

void pli_draft_release_edges(pli_draft *draft);
void pli_draft_release(pli_draft *draft);

// Groups 0..count-1 by keys[i] in [0, group_count): members of group g ascend in
// members[offsets[g]] .. members[offsets[g + 1] - 1].
bool pli_group(pli_memory *memory, const int32_t *keys, int32_t count, int32_t group_count, int32_t **offsets,
               int32_t **members);

// Faces that stand on the same vertices as an earlier one: duplicate[face] is set. Returns their
// number, or -1 when memory is missing.
int32_t pli_draft_duplicate_faces(const pli_draft *draft, uint8_t *duplicate);

// Number of vertices at the position of an earlier one, and the first of them; -1 when memory is missing.
int32_t pli_draft_duplicate_vertices(const pli_draft *draft, int32_t *first);

// Whether the face uses a vertex twice. `seen` has room for every vertex and starts at zero.
bool pli_draft_repeats_vertex(const pli_draft *draft, int32_t face, int32_t *seen);

static inline int32_t pli_next_corner(const pli_draft *draft, int32_t corner)
{
    int32_t face = draft->corner_faces[corner];
    return corner + 1 == draft->face_offsets[face + 1] ? draft->face_offsets[face] : corner + 1;
}

static inline int32_t pli_previous_corner(const pli_draft *draft, int32_t corner)
{
    int32_t face = draft->corner_faces[corner];
    return corner == draft->face_offsets[face] ? draft->face_offsets[face + 1] - 1 : corner - 1;
}

// An edge of one face only.
static inline bool pli_is_boundary_edge(const pli_draft *draft, int32_t edge)
{
    return draft->edge_corners[2 * (size_t)edge + 1] < 0;
}

// An edge of three faces or more: it has a second corner, but the two are not twins.
static inline bool pli_is_non_manifold_edge(const pli_draft *draft, int32_t edge)
{
    const int32_t *corners = draft->edge_corners + 2 * (size_t)edge;
    return corners[1] >= 0 && draft->corner_twins[corners[0]] < 0;
}

// Both faces of an edge of two run the same way along it.
static inline bool pli_is_misoriented_edge(const pli_draft *draft, int32_t edge)
{
    const int32_t *corners = draft->edge_corners + 2 * (size_t)edge;
    return corners[1] >= 0 && draft->corner_twins[corners[0]] >= 0 &&
           draft->face_vertices[corners[0]] == draft->face_vertices[corners[1]];
}

#endif
