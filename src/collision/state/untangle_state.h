// State of intersections that are being resolved.
#ifndef PLI_COLLISION_STATE_UNTANGLE_STATE_H
#define PLI_COLLISION_STATE_UNTANGLE_STATE_H

#include "base/array.h"
#include "base/vector.h"

// An edge through a triangle, at the parameter `part` of the edge, 0..1.
typedef struct pli_intersection {
    int32_t edge_surface, edge_index, triangle_surface, triangle_index;
    int32_t edge[2], corners[3]; // Particles in the store.
    double part;
} pli_intersection;

// Union-find node of a particle, in three forests: regions, components and contours (regions.c, contour.c).
typedef struct pli_intersection_region {
    // Parents towards the root of its region (joined by uncut edges) and component (joined by any edge).
    int32_t region, component;
    // At a region's root: number of particles; at a component's root: root of the largest region, -1 for none.
    int32_t size, largest;
    int32_t partner; // At a region's root: the surface that cuts it off.
    bool beyond;     // Not in the largest region of its component.
    // Parent towards the root of its contour: particles beside the same intersection, on one side of it.
    int32_t contour;
    pli_dvec3 direction_sum; // At a contour's root: sum of the directions of its intersections.
    bool has_known_side;     // At a contour's root: some edge has a known correct side.
} pli_intersection_region;

// Bits of pli_untangling.grown.
enum { PLI_GROWN_EDGE = 1, PLI_GROWN_TRIANGLE = 2 };

typedef struct pli_untangling {
    bool unverified;                            // Surfaces may have been placed into each other; test everything.
    bool placed;                                // The host may have placed one thing into another since the last step.
    bool raises;                                // The next search says how many there may be.
    bool touching;                              // Sides of listed pairs touched when these were found; test everything.
    int32_t allowed;                            // Most intersections that there may be at the end of a substep.
    bool lasting;                               // Intersections have persisted for long; separate them slowly.
    PLI_ARRAY(uint8_t) intersecting;            // [particle_count] 1 for vertices of an intersection.
    PLI_ARRAY(pli_intersection) intersections;  // Edge-triangle pairs that intersect.
    PLI_ARRAY(pli_intersection_region) regions; // [particle_count] while intersections exist.
    PLI_ARRAY(int32_t) inside_of; // [particle_count] 1 + the closed or round collider around the particle; 0 for none.
    int32_t inside_count;         // Number of particles inside of a collider.
    int32_t round_count;          // Number of those in balls and capsules of bodies, where deep_count counts pairs.
    int32_t deep_count;           // At the end of the last step: pairs with a round collider that reach into it.
    PLI_ARRAY(pli_intersection) others; // Room for those at the end of a substep, and which vertices they have.
    PLI_ARRAY(uint8_t) others_intersecting;
    // Scratch arena, during the substep: where particles were before they were separated, or null; and what may not go on.
    struct pli_particle *starts; // [particle_count]
    uint8_t *grown;              // [particle_count] bits of particles of intersections that are new at the end.
    // Scratch arena, during the search:
    uint8_t *doubtful;         // [clusters] 1 for clusters with an intersecting, cut off or enclosed particle.
    uint8_t *cut_edges;        // [edges of deformables] 1 when the edge crosses an odd number of triangles.
    int32_t *inside_particles; // [inside_count] particles inside of a collider.
    pli_dvec3 *shifts;         // [particle_count] separation already applied in this substep [m].
} pli_untangling;

#endif
