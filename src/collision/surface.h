// The surface of a deformable or of a collider as contact sees it: triangles and edges over places
// of the particle store.
#ifndef PLI_COLLISION_SURFACE_H
#define PLI_COLLISION_SURFACE_H

#include "base/memory.h"
#include "base/vector.h"
#include "collision/sheet.h"
#include "pliant/mesh.h"
#include "tearing/fabric.h"

// What collides how.
typedef struct pli_surface_material {
    float thickness; // Distance kept, with the other side's share [m].
    float friction, restitution;
    uint32_t layers, mask;
    bool self_collision, one_sided;
} pli_surface_material;

typedef struct pli_surface {
    int32_t first; // Place in the store of its place 0.
    int32_t vertex_count, triangle_count, edge_count;
    int32_t *triangles;        // [3 * triangle_count] places.
    int32_t *edges;            // [2 * edge_count] places, of the triangles: diagonals of polygons too.
    int32_t *apexes;           // [3 * triangle_count] across the side from corner i to i + 1; -1 at a border.
    int32_t *edge_triangles;   // [edge_count] the first triangle at each; -1 where there is none.
    int32_t *vertex_triangles; // [vertex_count] the first triangle at each place; -1 where there is none.
    uint8_t *owned;            // [triangle_count] bits 0..2: corners, 3..5: sides, that no earlier triangle has.
    int32_t *side_edges;       // [3 * triangle_count] edge of each side.
    int32_t *ring_begins, *ring_ends, *ring; // Places that share an edge with a place.
    pli_patches patches;
    float *rest;                                                       // [3 * vertex_count] by place.
    int32_t vertex_capacity, edge_capacity, ring_count, ring_capacity; // Room for cuts; 0 until it is made.
    int32_t *vertex_patches; // [vertex_count] of each place; null until it is cut.
    bool was_cut;
    struct pli_particle_list *particle_list; // Its owner's. Of what keeps clear of itself by particles; else null.
    pli_sheet *sheet; // Of what collides with itself and is smooth enough at rest; else null. Not when cut.
    float mean_edge, longest_edge; // At rest [m].
    float radius;                  // Of spheres and capsules, which are a vertex or an edge with this about it [m].
    bool collider, closed;         // Closed: it has an inside.
    bool moving;                   // A collider in this step.
    bool laid;                     // The boxes of its patches are about where it is.
    int32_t begun;                 // 1 + `first` when its ways were begun, while it stays in place; else 0.
    int32_t number;                // Of its owner, for callbacks and lists.
    pli_surface_material material;
    bool touched;            // By another surface in this substep.
    struct pli_rigid *rigid; // That carries it, or null.
} pli_surface;

// Builds the tables. `places[v]` is the place of vertex v; null when they are the same. False when
// memory ran out; release it either way.
bool pli_surface_build(pli_memory *memory, pli_surface *surface, const pli_faces *shape, const int32_t *places);
// Has it told where it is too smooth to touch itself. False when memory ran out.
bool pli_surface_make_sheet(pli_memory *memory, const pli_near_kernels *kernels, pli_surface *surface);
// One vertex, or two joined by an edge.
bool pli_surface_build_thin(pli_memory *memory, pli_surface *surface, const float *positions, int32_t count);
void pli_surface_release(pli_memory *memory, pli_surface *surface);

// A collider that no rigid body carries: it does not ask, but is asked.
static inline bool pli_surface_stands(const pli_surface *s) { return s->collider && !s->rigid; }

// For a collider that has moved.
static inline void pli_surface_forget_place(pli_surface *s)
{
    s->laid = false;
    s->begun = 0;
}

// At most so many places are in a patch, each as often as it is part of something there.
enum { PLI_PATCH_PLACES = 4 * PLI_PATCH_MOST };
// The places of all that is in a patch. How many.
int32_t pli_surface_places(const pli_surface *surface, int32_t patch, int32_t places[PLI_PATCH_PLACES]);

static inline const pli_sheet *pli_surface_sheet(const pli_surface *s) { return s->was_cut ? NULL : s->sheet; }

// Whether two surfaces, or a surface and itself, may touch by their layers.
static inline bool pli_surfaces_meet(const pli_surface *a, const pli_surface *b)
{
    if (a->collider && b->collider)
        return false;
    if (a == b)
        return a->material.self_collision;
    return (a->material.layers & b->material.mask) && (b->material.layers & a->material.mask);
}

#endif
