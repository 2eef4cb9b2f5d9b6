// Adjacency queries on the cut surface, answered around one vertex.
#include "mesh/fabric/fabric.h"

// The edges at `v` either start or end at one of its corners.
static bool ends_at(const pli_fabric *f, int32_t corner, int32_t v) { return f->face_vertices[corner] == v; }

int32_t pli_fabric_edge(const pli_fabric *f, int32_t a, int32_t b)
{
    for (int32_t i = f->corner_begins[a]; i < f->corner_ends[a]; i++) {
        int32_t c = f->vertex_corners[i], before = pli_previous_in_face(f, c);
        if (ends_at(f, pli_next_in_face(f, c), b))
            return f->corner_edges[c];
        if (ends_at(f, before, b))
            return f->corner_edges[before];
    }
    return -1;
}

bool pli_fabric_joined(const pli_fabric *f, int32_t a, int32_t b) { return pli_fabric_edge(f, a, b) >= 0; }

// Returns the vertex after the edge that starts at `corner` in its face.
static int32_t follower(const pli_fabric *f, int32_t corner)
{
    return f->face_vertices[pli_next_in_face(f, pli_next_in_face(f, corner))];
}

static bool followed_by(const pli_fabric *f, int32_t edge, int32_t p3, int32_t p4)
{
    const int32_t *corners = f->edge_corners + 2 * edge;
    if (corners[1] < 0)
        return false;
    int32_t one = follower(f, corners[0]), other = follower(f, corners[1]);
    return (one == p3 && other == p4) || (one == p4 && other == p3);
}

bool pli_fabric_hinge(const pli_fabric *f, int32_t p1, int32_t p2, int32_t p3, int32_t p4)
{
    int32_t edge = pli_fabric_edge(f, p1, p2);
    return edge >= 0 && followed_by(f, edge, p3, p4);
}

bool pli_fabric_opposite(const pli_fabric *f, int32_t p3, int32_t p4)
{
    for (int32_t i = f->corner_begins[p3]; i < f->corner_ends[p3]; i++) {
        int32_t c = pli_previous_in_face(f, pli_previous_in_face(f, f->vertex_corners[i]));
        if (followed_by(f, f->corner_edges[c], p3, p4))
            return true;
    }
    return false;
}

bool pli_fabric_second(const pli_fabric *f, int32_t a, int32_t b)
{
    for (int32_t i = f->corner_begins[a]; i < f->corner_ends[a]; i++) {
        int32_t c = f->vertex_corners[i];
        if (pli_fabric_joined(f, f->face_vertices[pli_next_in_face(f, c)], b) ||
            pli_fabric_joined(f, f->face_vertices[pli_previous_in_face(f, c)], b))
            return true;
    }
    return false;
}

bool pli_fabric_face(const pli_fabric *f, int32_t a, int32_t b)
{
    for (int32_t i = f->corner_begins[a]; i < f->corner_ends[a]; i++) {
        int32_t face = f->corner_faces[f->vertex_corners[i]];
        for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
            if (f->face_vertices[c] == b)
                return true;
    }
    return false;
}
