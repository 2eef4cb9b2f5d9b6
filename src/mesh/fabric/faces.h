// The present faces of a deformable: the faces of its mesh until it is cut, then the faces of its fabric. Faces,
// corners and triangles never change their numbers; vertices and edges are added.
#ifndef PLI_MESH_FABRIC_FACES_H
#define PLI_MESH_FABRIC_FACES_H

#include "pliant/mesh.h"

typedef struct pli_faces {
    int32_t vertex_count, face_count, triangle_count, edge_count;
    const float *positions; // [3 * vertex_count] rest positions [m].
    const int32_t *face_offsets, *face_vertices;
    const int32_t *triangles, *triangle_faces;
    const int32_t *edges;                           // [2 * edge_count] lower vertex first.
    const int32_t *triangle_begins, *triangle_ends; // [vertex_count] ranges in vertex_triangles.
    const int32_t *vertex_triangles;                // Triangles around each vertex, ascending.
    const uint8_t *vertex_boundary;
} pli_faces;

static inline pli_faces pli_faces_of(const pli_topology *t)
{
    return (pli_faces){
        .vertex_count = t->vertex_count,
        .face_count = t->face_count,
        .triangle_count = t->triangle_count,
        .edge_count = t->edge_count,
        .positions = t->positions,
        .face_offsets = t->face_offsets,
        .face_vertices = t->face_vertices,
        .triangles = t->triangles,
        .triangle_faces = t->triangle_faces,
        .edges = t->edges,
        .triangle_begins = t->triangle_offsets,
        .triangle_ends = t->triangle_offsets + 1,
        .vertex_triangles = t->vertex_triangles,
        .vertex_boundary = t->vertex_boundary,
    };
}

#endif
