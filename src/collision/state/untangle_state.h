// State of intersections that are being resolved.
#ifndef PLI_COLLISION_STATE_UNTANGLE_STATE_H
#define PLI_COLLISION_STATE_UNTANGLE_STATE_H

#include "base/array.h"
#include "base/vector.h"

// An edge that crosses a triangle, at parameter `part` of the edge, 0..1.
typedef struct pli_intersection {
    int32_t edge_surface, edge_index, triangle_surface, triangle_index;
    int32_t edge[2], corners[3]; // Particles in the store.
    double part;
} pli_intersection;

// Union-find node of a particle, in three forests: regions, components and contours (separate.c, separate.c).
typedef struct pli_intersection_region {
    // Parents towards the root of its region (joined by uncut edges) and component (joined by any edge).
    int32_t region, component;
    // At a region's root: number of particles; at a component's root: root of the largest region, -1 for none.
    int32_t size, largest;
    int32_t partner; // At a region's root: the surface that cuts it off.
    bool beyond;     // Outside the largest region of its component.
    // Parent towards the root of its contour: particles next to the same intersection, on one side of it.
    int32_t contour;
    pli_dvec3 direction_sum; // At a contour's root: sum of the directions of its intersections.
    bool has_known_side;     // At a contour's root: some edge has a known correct side.
} pli_intersection_region;

// Bits of pli_untangling.grown.
enum { PLI_GROWN_EDGE = 1, PLI_GROWN_TRIANGLE = 2 };

typedef struct pli_untangling {
    bool unverified;                            // Surfaces may have been placed into each other; test everything.
    bool placed;                                // Objects may have been placed into each other since the last step.
    bool raises;                                // The next search sets the allowed number of intersections.
    bool touching;                              // Sides of listed pairs touched at the search; test everything.
    int32_t allowed;                            // Largest allowed number of intersections at the end of a substep.
    bool lasting;                               // Intersections have persisted for long; separate them slowly.
    PLI_ARRAY(uint8_t) intersecting;            // [particle_count] 1 for vertices of an intersection.
    PLI_ARRAY(pli_intersection) intersections;  // Edge-triangle pairs that intersect.
    PLI_ARRAY(pli_intersection_region) regions; // [particle_count] while intersections exist.
    PLI_ARRAY(int32_t) inside_of; // [particle_count] 1 + the closed or round collider around the particle; 0 for none.
    int32_t inside_count;         // Number of particles inside a collider.
    int32_t round_count;          // Number of them inside balls and capsules, where deep_count counts pairs.
    int32_t deep_count;           // Number of pairs that reach into a ball or capsule at the end of the last step.
    PLI_ARRAY(pli_intersection) others; // Intersections at the end of a substep, and marks of their vertices.
    PLI_ARRAY(uint8_t) others_intersecting;
    // Scratch arena, during the substep: positions before separation, or null; and particles that must not move on.
    struct pli_particle *starts; // [particle_count]
    uint8_t *grown;              // [particle_count] bits of particles in intersections that are new at the end.
    // Scratch arena, during the search:
    uint8_t *doubtful;         // [clusters] 1 for clusters with an intersecting, cut-off or enclosed particle.
    uint8_t *cut_edges;        // [edges of deformables] 1 if the edge crosses an odd number of triangles.
    int32_t *inside_particles; // [inside_count] particles inside a collider.
    pli_dvec3 *shifts;         // [particle_count] separation already applied in this substep [m].
} pli_untangling;

#endif
