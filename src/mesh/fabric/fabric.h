// Topology that can be cut. Edges are opened, and a vertex whose faces are no longer connected around it is split into
// one vertex for each fan of faces. The cost of a cut depends only on the faces around it.
//
//            b                      b             Opening a - v and v - b leaves two fans at v. The
//          / | \                  / | \           fan of the kept corner keeps v; every other one
//         p -v- q       ->       p -v  w- q       gets a copy w. Where an opened edge ended at a
//          \ | /                  \ | /           border, its end falls into two fans too (no
//            a                      a             bow-ties are left).
#ifndef PLI_MESH_FABRIC_FABRIC_H
#define PLI_MESH_FABRIC_FABRIC_H

#include "base/memory.h"
#include "pliant/constraint_type.h"
#include "pliant/generator.h"
#include "mesh/fabric/faces.h"

// The cut in progress.
typedef struct pli_fabric_cut {
    int32_t *opened; // Opened edges, in pairs: the kept and the new one.
    int32_t opened_count, opened_capacity;
    int32_t *touched; // Ends of the opened edges, ascending.
    int32_t touched_count, touched_capacity;
    pli_vertex_copy *copies; // In the order of creation, so that the copies of one vertex are contiguous.
    int32_t copy_count, copy_capacity;
} pli_fabric_cut;

struct pli_fabric {
    pli_faces faces; // View of the arrays below.
    int32_t corner_count;
    int32_t vertex_capacity, edge_capacity;
    float *positions, *edge_lengths;
    int32_t *face_vertices, *triangles, *edges;
    int32_t *corner_faces;                // [corner_count] face of each corner.
    int32_t *corner_edges;                // [corner_count] the edge that starts at the corner in its face.
    int32_t *edge_corners;                // [2 * edge_count] the corners of the edge; the second is -1 at a border.
    int32_t *vertex_corners;              // [corner_count] corners around each vertex, ascending, in the ranges below.
    int32_t *corner_begins, *corner_ends; // [vertex_count] ranges in vertex_corners.
    int32_t *vertex_triangles, *triangle_begins, *triangle_ends;
    uint8_t *vertex_boundary;
    int32_t *sources; // [vertex_count] the source vertex of each one in the mesh.
    int32_t *scratch; // [4 * max_degree]
    int32_t max_degree;
    pli_fabric_cut cut;
    int64_t work; // Corners and edges visited by cuts so far, a measure of their cost.
};

// Copies the topology, with spare capacity. Returns false when memory ran out; release the fabric in both cases.
bool pli_fabric_build(pli_memory *memory, pli_fabric *fabric, const pli_topology *topology);
void pli_fabric_release(pli_memory *memory, pli_fabric *fabric);
// Adds capacity for `vertices` vertices and for opening `edges` edges in one cut. Returns false when memory ran out.
bool pli_fabric_reserve(pli_memory *memory, pli_fabric *fabric, int32_t vertices, int32_t edges);
// All cuts of a fabric, for snapshots.
typedef struct pli_fabric_record {
    int32_t vertex_count, split_count;
    const int32_t *sources;       // [vertex_count] the source vertex of each one in the mesh.
    const int32_t *face_vertices; // [corners] vertex of each corner.
    const int32_t *split_corners; // [split_count] the corner that moved to each new edge, in the order of the edges.
} pli_fabric_record;

// Applies a record to a newly built fabric with sufficient capacity. Returns false when the record belongs to another mesh.
bool pli_fabric_restore(pli_fabric *fabric, const pli_fabric_record *record);

static inline int32_t pli_next_in_face(const pli_fabric *f, int32_t corner)
{
    int32_t face = f->corner_faces[corner];
    return corner + 1 < f->faces.face_offsets[face + 1] ? corner + 1 : f->faces.face_offsets[face];
}

static inline int32_t pli_previous_in_face(const pli_fabric *f, int32_t corner)
{
    int32_t face = f->corner_faces[corner];
    return corner > f->faces.face_offsets[face] ? corner - 1 : f->faces.face_offsets[face + 1] - 1;
}

// Returns the corner on the other side of the edge that starts at `corner`, or -1.
static inline int32_t pli_twin(const pli_fabric *f, int32_t corner)
{
    const int32_t *corners = f->edge_corners + 2 * f->corner_edges[corner];
    return corners[corners[0] == corner];
}

// A cut: begin, open edges, separate. Separating fills `touched` and `copies`. The fan of `keep_corner` keeps its
// vertex; every other vertex stays with the fan of its lowest corner. -1 stands for no such corner.
void pli_fabric_begin(pli_fabric *fabric);
void pli_fabric_open(pli_fabric *fabric, int32_t edge);
void pli_fabric_separate(pli_fabric *fabric, int32_t keep_corner);
// Between opening and separating, these functions list the vertices that may be split; number the fans at one vertex by
// corner, in the order of vertex_corners, and return the number of fans (`fans` has max_degree entries; the start of
// `scratch` will do); or close the opened edges as if the cut had not begun.
void pli_fabric_list_touched(pli_fabric *fabric);
int32_t pli_fabric_number_fans(pli_fabric *fabric, int32_t vertex, int32_t *fans);
void pli_fabric_close(pli_fabric *fabric);

// Writes the edges at `vertex` between faces on different sides and returns their number. `sides` contains 1 or 0 for
// each corner at the vertex, in the order of vertex_corners.
int32_t pli_fabric_between(const pli_fabric *fabric, int32_t vertex, const uint8_t *sides, int32_t *edges);

// Adjacency in the present surface.
bool pli_fabric_joined(const pli_fabric *fabric, int32_t a, int32_t b);  // Whether an edge joins them.
int32_t pli_fabric_edge(const pli_fabric *fabric, int32_t a, int32_t b); // That edge, or -1.
// Whether the edge p1 - p2 has faces on both sides, whose next vertices are p3 and p4, in either order.
bool pli_fabric_hinge(const pli_fabric *fabric, int32_t p1, int32_t p2, int32_t p3, int32_t p4);
// Whether they are opposite to one edge with two faces.
bool pli_fabric_opposite(const pli_fabric *fabric, int32_t p3, int32_t p4);
bool pli_fabric_second(const pli_fabric *fabric, int32_t a, int32_t b); // Whether they have a common neighbour.
bool pli_fabric_face(const pli_fabric *fabric, int32_t a, int32_t b);   // Whether one face contains both.

#endif
