// State of intersections that are being brought apart.
#ifndef PLI_COLLISION_STATE_UNTANGLE_STATE_H
#define PLI_COLLISION_STATE_UNTANGLE_STATE_H

#include "base/array.h"
#include "base/vector.h"

// An edge that goes through a triangle at a part of its length.
typedef struct pli_intersection {
    int32_t edge_surface, edge_index, triangle_surface, triangle_index;
    int32_t edge[2], corners[3]; // Places in the store.
    double part;
} pli_intersection;

// Which part of its surface a particle is in, where intersections cut it.
typedef struct pli_intersection_region {
    int32_t part, whole;   // Towards the roots of its part, and of all that edges join it to.
    int32_t size, largest; // Of a part: particles; of a whole: the root of its largest part, -1 for none.
    int32_t partner;       // Of a part: the surface that cuts it off.
    bool beyond;           // Whether its part is not the largest of the whole.
    int32_t strand;        // Towards the root of those next to the same intersection on the same side.
    pli_dvec3 pull;        // Of a strand: sum of the directions in which it should move.
    bool sided;            // Of a strand: whether there is an edge of which the right side is known.
} pli_intersection_region;

typedef struct pli_untangling {
    bool unverified;                 // Whether anything may have been placed into anything.
    bool hopeless;                   // Whether intersections have lasted for long, so that they are pulled gently.
    PLI_ARRAY(uint8_t) intersecting; // [particle_count] 1 while it is part of an intersection.
    PLI_ARRAY(pli_intersection) intersections; // Pairs of an edge and a triangle that intersect.
    PLI_ARRAY(pli_intersection_region) cuts;   // [particle_count] while anything intersects.
    PLI_ARRAY(int32_t) within;                 // [particle_count] 1 + the closed collider it is inside of; 0 for none.
    int32_t within_count;                      // Particles inside of one.
    // In the arena, while intersections are looked for:
    uint8_t *doubtful;  // By cluster of what asks: whether part of it intersects, or is beyond or inside.
    uint8_t *cut_edges; // By edge of deformables: 1 when an odd number of triangles lies across it.
    int32_t *leaving;   // Particles inside of a closed collider.
    pli_dvec3 *shifts;  // [particle_count] that pulling apart made in this substep.
} pli_untangling;

#endif
