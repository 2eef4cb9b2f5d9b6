// The surface of a deformable or of a collider as contact sees it: triangles and edges over places
// of the particle store.
#ifndef PLI_COLLISION_STATE_CONTACT_MESH_H
#define PLI_COLLISION_STATE_CONTACT_MESH_H

#include "base/memory.h"
#include "base/vector.h"
#include "collision/certificate/flat_certificate.h"
#include "mesh/fabric/fabric.h"
#include "pliant/mesh.h"

// What collides how.
typedef struct pli_contact_mesh_material {
    float thickness; // Distance kept, with the other side's share [m].
    float friction, restitution;
    uint32_t layers, mask;
    bool self_collision, one_sided;
} pli_contact_mesh_material;

typedef struct pli_contact_mesh {
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
    pli_clusters clusters;
    float *rest;                                                       // [3 * vertex_count] by place.
    int32_t vertex_capacity, edge_capacity, ring_count, ring_capacity; // Room for cuts; 0 until it is made.
    int32_t *vertex_clusters; // [vertex_count] of each place; null until it is cut.
    bool was_cut;
    struct pli_particle_list *particle_list; // Its owner's. Of what keeps clear of itself by particles; else null.
    pli_flat_certificate
        *flat_certificate; // Of what collides with itself and is smooth enough at rest; else null. Not when cut.
    float mean_edge, longest_edge; // At rest [m].
    float radius;                  // Of spheres and capsules, which are a vertex or an edge with this about it [m].
    bool collider, closed;         // Closed: it has an inside.
    bool moving;                   // A collider in this step.
    bool refitted;                 // The boxes of its clusters are about where it is.
    int32_t begun;                 // 1 + `first` when its trajectories were begun, while it stays in place; else 0.
    int32_t number;                // Of its owner, for callbacks and lists.
    pli_contact_mesh_material material;
    bool touched;                      // By another surface in this substep.
    struct pli_rigid_body_data *rigid; // That carries it, or null.
} pli_contact_mesh;

// Builds the tables. `places[v]` is the place of vertex v; null when they are the same. False when
// memory ran out; release it either way.
bool pli_contact_mesh_build(pli_memory *memory, pli_contact_mesh *surface, const pli_faces *shape,
                            const int32_t *places);
// Has it told where it is too smooth to touch itself. False when memory ran out.
bool pli_contact_mesh_make_flat_certificate(pli_memory *memory, const pli_near_kernels *kernels,
                                            pli_contact_mesh *surface);
// One vertex, or two joined by an edge.
bool pli_contact_mesh_build_thin(pli_memory *memory, pli_contact_mesh *surface, const float *positions, int32_t count);
void pli_contact_mesh_release(pli_memory *memory, pli_contact_mesh *surface);

// A collider that no rigid body carries: it does not ask, but is asked.
static inline bool pli_contact_mesh_stands(const pli_contact_mesh *s) { return s->collider && !s->rigid; }

// For a collider that has moved.
static inline void pli_contact_mesh_forget_place(pli_contact_mesh *s)
{
    s->refitted = false;
    s->begun = 0;
}

// At most so many places are in a cluster, each as often as it is part of something there.
enum { PLI_CLUSTER_PLACES = 4 * PLI_CLUSTER_MOST };
// The places of all that is in a cluster. How many.
int32_t pli_contact_mesh_places(const pli_contact_mesh *surface, int32_t cluster, int32_t places[PLI_CLUSTER_PLACES]);

static inline const pli_flat_certificate *pli_contact_mesh_flat_certificate(const pli_contact_mesh *s)
{
    return s->was_cut ? NULL : s->flat_certificate;
}

// Whether two surfaces, or a surface and itself, may touch by their layers.
static inline bool pli_surfaces_meet(const pli_contact_mesh *a, const pli_contact_mesh *b)
{
    if (a->collider && b->collider)
        return false;
    if (a == b)
        return a->material.self_collision;
    return (a->material.layers & b->material.mask) && (b->material.layers & a->material.mask);
}

#endif
