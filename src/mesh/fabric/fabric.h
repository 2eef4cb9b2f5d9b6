// Topology that can be cut: edges are opened, and a vertex whose faces no longer hang together there
// is separated into one vertex for each fan of faces. What a cut costs depends on the faces around it
// alone.
//
//            b                      b             Opening a - v and v - b leaves two fans at v. The
//          / | \                  / | \           fan of the kept corner keeps v; every other one
//         p -v- q       ->       p -v  w- q       gets a copy w. Where an opened edge ended at a
//          \ | /                  \ | /           border, its end falls into two fans too (no
//            a                      a             bow-ties are left).
#ifndef PLI_MESH_FABRIC_FABRIC_H
#define PLI_MESH_FABRIC_FABRIC_H

#include "base/memory.h"
#include "pliant/constraint.h"
#include "mesh/fabric/faces.h"

struct pli_fabric {
    pli_faces faces; // The view of what follows.
    int32_t corner_count;
    int32_t vertex_capacity, edge_capacity;
    float *positions, *edge_lengths;
    int32_t *face_vertices, *triangles, *edges;
    int32_t *corner_faces;   // [corner_count]
    int32_t *corner_edges;   // [corner_count] of the edge that starts at the corner in its face.
    int32_t *edge_corners;   // [2 * edge_count] the corners whose edge it is; the second is -1 at a border.
    int32_t *vertex_corners; // [corner_count] around each vertex, ascending:
    int32_t *corner_begins, *corner_ends; // [vertex_count]
    int32_t *vertex_triangles, *triangle_begins, *triangle_ends;
    uint8_t *vertex_boundary;
    int32_t *sources; // [vertex_count] vertex of the mesh that each came from.
    int32_t *scratch; // [4 * most triangles or corners around a vertex]
    int32_t most;
    // Of the cut under way:
    int32_t *opened; // Edges, in pairs: kept and new.
    int32_t opened_count, opened_capacity;
    int32_t *touched; // Vertices at their ends, ascending.
    int32_t touched_count, touched_capacity;
    pli_vertex_copy *copies; // In order of their making, so that those of one source lie together.
    int32_t copy_count, copy_capacity;
    int64_t work; // Corners and edges looked at by cuts so far: what the cost is counted in.
};

// Copies the topology and leaves room. False when memory ran out; release it either way.
bool pli_fabric_build(pli_memory *memory, pli_fabric *fabric, const pli_topology *topology);
void pli_fabric_release(pli_memory *memory, pli_fabric *fabric);
// Room for `vertices` more and for the opening of `edges` edges in one cut. False when memory ran out.
bool pli_fabric_reserve(pli_memory *memory, pli_fabric *fabric, int32_t vertices, int32_t edges);
// What the cuts of a fabric come to.
typedef struct pli_fabric_record {
    int32_t vertex_count, split_count;
    const int32_t *sources;       // [vertex_count]
    const int32_t *face_vertices; // [corners]
    const int32_t *split_corners; // [split_count] the corner that each new edge has, in their order.
} pli_fabric_record;

// Makes a fabric that was just built what the record says. Room must have been made. False when the record
// is not of this mesh.
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

// The corner across the edge that starts at `corner`, or -1.
static inline int32_t pli_twin(const pli_fabric *f, int32_t corner)
{
    const int32_t *corners = f->edge_corners + 2 * f->corner_edges[corner];
    return corners[corners[0] == corner];
}

// A cut: begin; open edges; separate, which leaves `touched` and `copies`. The fan of `keep_corner`
// keeps its vertex; other vertices stay with the fan of their lowest corner. -1 keeps none.
void pli_fabric_begin(pli_fabric *fabric);
void pli_fabric_open(pli_fabric *fabric, int32_t edge);
void pli_fabric_separate(pli_fabric *fabric, int32_t keep_corner);

// The edges at `vertex` between faces on two sides: 1 and 0 by corner at the vertex, in the order of
// vertex_corners. Writes them to `edges` and returns how many.
int32_t pli_fabric_between(const pli_fabric *fabric, int32_t vertex, const uint8_t *sides, int32_t *edges);

// What the surface says about vertices.
bool pli_fabric_joined(const pli_fabric *fabric, int32_t a, int32_t b);  // By an edge.
int32_t pli_fabric_edge(const pli_fabric *fabric, int32_t a, int32_t b); // That edge, or -1.
// Whether the edge p1 - p2 has faces on both sides, followed there by p3 and p4, either way.
bool pli_fabric_hinge(const pli_fabric *fabric, int32_t p1, int32_t p2, int32_t p3, int32_t p4);
bool pli_fabric_opposite(const pli_fabric *fabric, int32_t p3, int32_t p4); // Beyond some edge of two faces.
bool pli_fabric_second(const pli_fabric *fabric, int32_t a, int32_t b);     // Joined to a common neighbour.
bool pli_fabric_face(const pli_fabric *fabric, int32_t a, int32_t b);       // In one face.

#endif
