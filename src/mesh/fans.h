// Walking around a vertex from face to face. A fan is a maximal chain of faces around a vertex, each sharing an edge
// with the next; a manifold vertex has one. A fan is open when it ends at edges without a twin, closed when it returns
// to its start.
//
//         b --- a        At v, the face v a b is entered across v a (the edge that starts at its
//          \   /         corner) and left across v b when the walk goes counter-clockwise. Where
//           \ /          faces disagree in orientation the next one is entered across the edge
//            v           that ends at its corner: no step relies on orientation.
#ifndef PLI_MESH_FANS_H
#define PLI_MESH_FANS_H

#include "mesh/draft.h"

typedef struct pli_fan_place {
    int32_t corner; // Corner at the vertex walked around.
    // Whether the face was entered across the edge that starts at the corner, rather than the one that ends there.
    bool entered_out;
} pli_fan_place;

static inline int32_t pli_fan_entry(const pli_draft *draft, pli_fan_place place)
{
    return place.entered_out ? place.corner : pli_previous_corner(draft, place.corner);
}

static inline int32_t pli_fan_exit(const pli_draft *draft, pli_fan_place place)
{
    return place.entered_out ? pli_previous_corner(draft, place.corner) : place.corner;
}

// Crosses to the next face around `vertex`; false at an edge without a twin.
static inline bool pli_fan_advance(const pli_draft *draft, int32_t vertex, pli_fan_place *place)
{
    int32_t twin = draft->corner_twins[pli_fan_exit(draft, *place)];
    if (twin < 0)
        return false;
    place->entered_out = draft->face_vertices[twin] == vertex;
    place->corner = place->entered_out ? twin : pli_next_corner(draft, twin);
    return true;
}

static inline bool pli_fan_same(pli_fan_place a, pli_fan_place b)
{
    return a.corner == b.corner && a.entered_out == b.entered_out;
}

// Returns the end of the directed edge `corner` that is not `vertex`.
static inline int32_t pli_other_end(const pli_draft *draft, int32_t corner, int32_t vertex)
{
    int32_t from = draft->face_vertices[corner];
    return from == vertex ? draft->face_vertices[pli_next_corner(draft, corner)] : from;
}

// Returns the start of the fan of `corner`, walked counter-clockwise as seen in the face of that corner: the border if
// the fan is open, the corner itself if it is closed.
pli_fan_place pli_fan_start(const pli_draft *draft, int32_t corner);

// Writes the fan number of each corner at its vertex, counted from 0 by lowest corner. `fan` is -1 everywhere at the
// start. Returns the number of fans at the vertex.
int32_t pli_number_fans(const pli_draft *draft, int32_t vertex, int32_t *fan);

// Writes the boundary loops: offsets [boundary edges + 1], vertices [boundary edges]. Returns the number of loops, or
// -1 when memory ran out. All edges must be manifold.
int32_t pli_fill_boundary(const pli_draft *draft, int32_t *offsets, int32_t *vertices);

// Fills the rings of all vertices, fan by fan. Returns false when memory ran out; the caller must then call
// pli_draft_release.
bool pli_draft_rings(pli_draft *draft);

#endif
