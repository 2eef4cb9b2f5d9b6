// A mesh under construction: polygons and the arrays derived from them so far. Each step reads some arrays and adds
// others.
//
//            c2               A corner is the occurrence of a vertex in a face. The edge that leaves it towards the
//          /    \             face's next corner is a directed edge (a half-edge), which the corner also names; its twin
//        c0 ---> c1           is the corner of the same edge in the other face.
#ifndef PLI_MESH_DRAFT_H
#define PLI_MESH_DRAFT_H

#include "base/sort.h"
#include "mesh/mesh.h"

typedef struct pli_draft {
    pli_memory *memory;
    const pli_mesh_def
        *borrowed; // Owner of positions and face_vertices, which are only read; null once the draft has its own.
    int32_t vertex_count, face_count, corner_count, triangle_count, edge_count, component_count;
    float *positions;
    int32_t *vertex_source; // Null while the arrays are borrowed.
    int32_t *face_offsets, *face_vertices;
    int32_t *corner_faces;                      // Null where all faces are triangles.
    int32_t *corner_twins;                      // The other corner of an edge with exactly two corners; else -1.
    int32_t *edges;                             // Two vertices each, lower first, sorted.
    int32_t *edge_corners;                      // The first two corners of each edge; -1 for a missing second.
    uint8_t *vertex_borders;                    // 1 at the ends of edges without twins.
    int32_t *corner_offsets, *vertex_corners;   // Corners at each vertex, ascending.
    int32_t *ring_offsets, *ring_vertices;      // Neighbours of each vertex, fan by fan.
    int32_t split_vertices, first_split_vertex; // Number of vertices where several fans meet, and the first.
    int32_t *triangles;                         // The same array as face_vertices when all faces are triangles.
    int32_t *triangle_faces;
    int32_t *vertex_components;
} pli_draft;

// Steps of the construction. All return false when memory ran out; the draft must then be released.
// pli_draft_own copies the arrays that are still borrowed, so a large mesh is in memory only once during most of the construction.
bool pli_draft_borrow(pli_draft *draft, pli_memory *memory, const pli_mesh_def *def);
bool pli_draft_own(pli_draft *draft);
bool pli_draft_edges(pli_draft *draft);
bool pli_draft_components(pli_draft *draft);
bool pli_draft_triangulate(pli_draft *draft);
bool pli_draft_repair(pli_draft *draft);

void pli_draft_release_edges(pli_draft *draft);
void pli_draft_release(pli_draft *draft);

// Groups 0..count-1 by keys[i] in [0, group_count): the members of group g are members[offsets[g]] .. members[offsets[g
// + 1] - 1], ascending.
bool pli_group(pli_memory *memory, const int32_t *keys, int32_t count, int32_t group_count, int32_t **offsets,
               int32_t **members);
// Groups in the same way into arrays of the caller: [group_count + 1] and [count].
void pli_group_into(const int32_t *keys, int32_t count, int32_t group_count, int32_t *offsets, int32_t *members);

// Groups in the same way, and has room to sort the largest group.
typedef struct pli_grouped {
    int32_t *offsets, *members;
    pli_sort_pair *pairs, *scratch;
} pli_grouped;

bool pli_grouped_make(pli_memory *memory, const int32_t *keys, int32_t count, int32_t group_count, pli_grouped *groups);
void pli_grouped_release(pli_memory *memory, pli_grouped *groups);

static inline int32_t pli_grouped_size(const pli_grouped *groups, int32_t group)
{
    return groups->offsets[group + 1] - groups->offsets[group];
}

// Sets duplicate[face] for faces with the same vertices as an earlier face. Returns their number, or -1 when memory ran
// out.
int32_t pli_draft_duplicate_faces(const pli_draft *draft, uint8_t *duplicate);

// Returns the number of vertices at the position of an earlier vertex, and the first of them; -1 when memory ran out.
int32_t pli_draft_duplicate_vertices(const pli_draft *draft, int32_t *first);

// Whether the face uses a vertex twice. `seen` has an entry for every vertex and starts at zero.
bool pli_draft_repeats_vertex(const pli_draft *draft, int32_t face, int32_t *seen);

static inline int32_t pli_corner_face(const pli_draft *draft, int32_t corner)
{
    return draft->corner_faces ? draft->corner_faces[corner] : corner / 3;
}

static inline int32_t pli_next_corner(const pli_draft *draft, int32_t corner)
{
    if (!draft->corner_faces)
        return corner % 3 == 2 ? corner - 2 : corner + 1;
    int32_t face = draft->corner_faces[corner];
    return corner + 1 == draft->face_offsets[face + 1] ? draft->face_offsets[face] : corner + 1;
}

static inline int32_t pli_previous_corner(const pli_draft *draft, int32_t corner)
{
    if (!draft->corner_faces)
        return corner % 3 == 0 ? corner + 2 : corner - 1;
    int32_t face = draft->corner_faces[corner];
    return corner == draft->face_offsets[face] ? draft->face_offsets[face + 1] - 1 : corner - 1;
}

// Whether the edge has only one face.
static inline bool pli_is_boundary_edge(const pli_draft *draft, int32_t edge)
{
    return draft->edge_corners[2 * (size_t)edge + 1] < 0;
}

// Whether the edge has three faces or more: it has a second corner, but the two corners are not twins.
static inline bool pli_is_non_manifold_edge(const pli_draft *draft, int32_t edge)
{
    const int32_t *corners = draft->edge_corners + 2 * (size_t)edge;
    return corners[1] >= 0 && draft->corner_twins[corners[0]] < 0;
}

// Whether both faces of an edge with two run along it in the same direction.
static inline bool pli_is_misoriented_edge(const pli_draft *draft, int32_t edge)
{
    const int32_t *corners = draft->edge_corners + 2 * (size_t)edge;
    return corners[1] >= 0 && draft->corner_twins[corners[0]] >= 0 &&
           draft->face_vertices[corners[0]] == draft->face_vertices[corners[1]];
}

#endif
