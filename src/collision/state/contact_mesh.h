// The contact mesh: the surface of a deformable or of a collider as collision sees it, with edges, neighbours and
// clusters. Its vertex i is particle first + i of the store.
//
//           2            apexes[3t + i]: the vertex opposite side i of triangle t,
//          / \           in the neighbouring triangle
//     s2  /   \  s1      side i runs from corner i to corner i + 1
//     /  t  \         edges: every side once, including the diagonals of quads
//       0-------1
//          s0            owned: bit i for corner i, bit 3 + i for side i,
//        apexes[3t]      if t is the first triangle that has it
#ifndef PLI_COLLISION_STATE_CONTACT_MESH_H
#define PLI_COLLISION_STATE_CONTACT_MESH_H

#include "base/layers.h"
#include "base/memory.h"
#include "base/vector.h"
#include "collision/certificate/flat_certificate.h"
#include "mesh/fabric/fabric.h"
#include "pliant/mesh.h"

// Contact parameters of one surface.
typedef struct pli_contact_mesh_material {
    float thickness;             // Contact keeps the mean of two deformables, or the sum with a collider [m], >= 0.
    const float *thicknesses;    // [vertex_count] thickness per vertex, at most `thickness`; null if uniform.
    float least_thickness;       // Least thickness of all vertices.
    float friction, restitution; // Coulomb coefficient, >= 0; fraction of the approach speed that is reflected, 0..1.
    const float *frictions;      // [vertex_count] coefficient per vertex; null to use `friction`.
    uint32_t layers, mask;       // Bits of the surface's layers, and of the layers it collides with.
    bool self_collision;         // The surface makes contact with itself.
    bool one_sided;              // Contact only with the front of the faces.
    float longest_edge;          // Longest side of a deformable's triangle at rest [m]; 0 for a collider.
    float width; // With a distance field: its mesh meets only cloth with longer edges than this [m]; else 0.
} pli_contact_mesh_material;

// The number of crossings of a surface with itself is computed when it is first read after a step.
enum { PLI_UNCOUNTED = -1 };

typedef struct pli_contact_mesh {
    int32_t first; // Index in the particle store of vertex 0.
    int32_t vertex_count, triangle_count, edge_count;
    int32_t *triangles; // [3 * triangle_count] vertices.
    int32_t *edges;     // [2 * edge_count] vertices, lower first; includes the diagonals of triangulated polygons.
    int32_t *apexes;    // [3 * triangle_count] vertex opposite each side in the neighbouring triangle; -1 at a border.
    int32_t *edge_triangles;   // [edge_count] first triangle at each edge; -1 for none.
    int32_t *vertex_triangles; // [vertex_count] first triangle at each vertex; -1 for none.
    uint8_t *owned;      // [triangle_count] corners (bits 0..2) and sides (bits 3..5) that no earlier triangle owns.
    int32_t *side_edges; // [3 * triangle_count] edge of each side.
    int32_t *ring_begins, *ring_ends, *ring; // Adjacent vertices of each vertex, in `ring` from begin to end.
    pli_clusters clusters;
    float *rest; // [3 * vertex_count] rest positions [m].
    // Capacities for tearing; 0 before the first tear.
    int32_t vertex_capacity, edge_capacity, ring_count, ring_capacity;
    int32_t *vertex_clusters; // [vertex_count] cluster of each vertex; null before the first tear.
    int32_t uncut_count;      // Vertices before the first tear; later vertices are copies.
    bool was_cut;
    int32_t
        own_crossings; // With self-contact by particles: edges through its own triangles at the end of the last step.
    // Pairs of self-contact by particles, owned by the deformable; else null.
    struct pli_particle_list *particle_list;
    pli_flat_certificate
        // For a surface with self-collision; null if it does not qualify (flat_cook.h). Unused once torn.
        *flat_certificate;
    float mean_edge, longest_edge; // Edge lengths at rest [m].
    float radius; // Radius of a sphere or capsule, whose mesh is one vertex or one edge [m]; 0 for other meshes.
    bool collider, closed; // Closed: the mesh has an inside.
    bool moving;           // A collider that moves during this step.
    bool contains;         // A collider that has free particles inside it in this substep.
    bool moves_out;        // A deformable moved out of the shape it started in; no friction with its container.
    bool yields;           // A rigidly moving collider that can stop partway.
    bool bends;            // A collider whose vertices can each stop partway.
    bool insists;          // A collider that completes its path: the cloth yields.
    bool lagged;           // Some vertices stopped partway in this step.
    bool refitted;         // The boxes of its clusters match its current position.
    int32_t cached_first;  // 1 + `first` once its trajectories are cached and while it does not move; else 0.
    int32_t number;        // Index of its owner, for callbacks and lists.
    pli_contact_mesh_material material;
    bool touched; // Contact with another surface pushed it in this substep.
    // A deformable without attachments, or a collider without a rigid body: only contact carries its load.
    bool loose;
    // How far its island sinks in this substep, now and before the last sweep [m]; 0 once its sweeps are finished.
    float sinking, sank;
    bool pressed; // The sweeps had drawn it into a heavier rigid body when contacts were last projected.
    struct pli_rigid_body_data *rigid; // The rigid body that carries the collider, or null.
} pli_contact_mesh;

// Builds edges, neighbours and clusters. `places[v]` is the mesh vertex of shape vertex v; null for the identity.
// Returns false when out of memory; release the mesh either way.
bool pli_contact_mesh_build(pli_memory *memory, pli_contact_mesh *surface, const pli_faces *shape,
                            const int32_t *places);
// Builds the certificate that proves "no self-contact here" where cloth is smooth. Returns false when out of memory.
bool pli_contact_mesh_make_flat_certificate(pli_memory *memory, const pli_near_kernels *kernels,
                                            pli_contact_mesh *surface);
// Builds a mesh without triangles: one vertex (a sphere), or two joined by an edge (a capsule).
bool pli_contact_mesh_build_thin(pli_memory *memory, pli_contact_mesh *surface, const float *positions, int32_t count);
void pli_contact_mesh_release(pli_memory *memory, pli_contact_mesh *surface);

// Is this a kinematic collider, static or moved by the user, not by a rigid body? Such colliders issue no queries; the
// deformables query them.
static inline bool pli_contact_mesh_is_kinematic(const pli_contact_mesh *s) { return s->collider && !s->rigid; }

// Does the collider always complete its path, whatever it meets?
static inline bool pli_contact_mesh_is_firm(const pli_contact_mesh *s)
{
    return s->collider && !s->yields && !s->bends;
}

// Marks the boxes and trajectories of a collider as stale after it was moved.
static inline void pli_contact_mesh_invalidate(pli_contact_mesh *s)
{
    s->refitted = false;
    s->cached_first = 0;
}

// Upper bound of the number of vertices that pli_contact_mesh_places lists, including repetitions.
enum { PLI_CLUSTER_PLACES = 4 * PLI_CLUSTER_ITEMS_MAX };
// Lists the vertices of all primitives in a cluster, with repetitions. Returns their number.
int32_t pli_contact_mesh_places(const pli_contact_mesh *surface, int32_t cluster, int32_t places[PLI_CLUSTER_PLACES]);
// Returns the vertices of a cluster: each vertex of its flat certificate once, or else the vertices written to `listed`.
const int32_t *pli_contact_mesh_cluster_places(const pli_contact_mesh *surface, int32_t cluster,
                                               int32_t listed[PLI_CLUSTER_PLACES], int32_t *count);

static inline const pli_flat_certificate *pli_contact_mesh_flat_certificate(const pli_contact_mesh *s)
{
    return s->was_cut ? NULL : s->flat_certificate;
}

// Do the collision layers and masks allow contact between two surfaces, or of a surface with itself?
static inline bool pli_surfaces_collide(const pli_contact_mesh *a, const pli_contact_mesh *b)
{
    if (a->collider && b->collider)
        return false;
    if (a == b)
        return a->material.self_collision;
    if (!(a->material.width < b->material.longest_edge) && a->material.width > 0.0f)
        return false;
    if (!(b->material.width < a->material.longest_edge) && b->material.width > 0.0f)
        return false;
    return pli_layers_meet(a->material.layers, a->material.mask, b->material.layers, b->material.mask);
}

#endif
