// State of continuous collision detection. Arrays over particles live in the scratch arena while CCD runs.
#ifndef PLI_COLLISION_STATE_CCD_STATE_H
#define PLI_COLLISION_STATE_CCD_STATE_H

#include "base/array.h"
#include "base/vector.h"

// Sums over an impact zone: displacements of its collider vertices (`led`), displacements of its pinned particles
// (`fixed`), and mass times displacement of its free particles.
typedef struct pli_impact_zone_sum {
    double led[3], led_count, fixed[3], fixed_count, free[3], mass;
} pli_impact_zone_sum;

// A candidate pair, given by its list and its index in that list.
typedef struct pli_failing {
    int32_t list, pair;
} pli_failing;

// The surface of an analytic shape where a particle touches it. The particle is cut at this surface if it is predicted
// to end behind it, or if the shape must stop.
typedef struct pli_wall {
    int32_t at;      // Particle in the store.
    int32_t shape;   // Index of a moving collider, which must stop; -1 for a collider at rest.
    pli_vec3 normal; // Outward unit normal.
    float level;     // The surface is where normal . x equals this value [m].
} pli_wall;

// A plane between the sides of a pair. Both levels are distances along the normal from `origin`, and their difference is the guaranteed
// distance.
typedef struct pli_plane {
    pli_dvec3 origin, normal; // The unit normal points from side b to side a.
    double level[2];          // Side a stays above the first level, side b below the second [m].
    double gap_left;          // Each side leaves this much of the gap if the gap is wide enough [m].
    double narrow_share;      // In a narrower gap, a side leaves this fraction of its distance from the plane.
    double across;            // Largest distance that touching sides reach across it [m]; 0 for other sides.
} pli_plane;

// The plane of a pair, and the fraction of its trajectory that it leaves to each of the four particles.
typedef struct pli_placed_plane {
    pli_plane plane;
    float shares[4];
    bool is_placed; // Otherwise the sides have no plane, and everything that can stop stays in place.
} pli_placed_plane;

// Bits of pli_ccd_state.changed: CCD moved the particle; the particle belongs to a pair that was not clear.
enum { PLI_CCD_MOVED = 1, PLI_CCD_FAILED = 2 };

typedef struct pli_ccd_state {
    bool squeezed;         // A collider yielded in this step or still trails from the last: planes come first.
    bool yielded;          // A collider yielded in this step.
    bool led;              // The application moves or pins something that moves, or bodies exist.
    bool crowded;          // More pairs fail than the budget can push apart: planes handle all of them in this step.
    bool frozen;           // Intersecting primitives are proved too, so that they stay as they are.
    int32_t failed_before; // Failed pairs before this substep.
    PLI_ARRAY(pli_failing) failing; // Pairs whose trajectories are not clear.
    int32_t failing_capacity;       // Initial capacity of a parallel chunk for failing pairs.
    // Pairs that need a plane, and their planes.
    PLI_ARRAY(pli_failing) concerned;
    PLI_ARRAY(pli_placed_plane) planes;
    PLI_ARRAY(pli_wall) walls; // Surfaces that particles are predicted to end behind.
    // [lists][pairs] 1 for pairs with a plane between their sides. If a later cut shortens any particle of such a pair,
    // it also uses the plane of the pair, which therefore holds for all rounds.
    uint8_t *has_plane[2];
    // [particle_count] bits of particles whose pairs are tested again; marks of particles in an impact zone.
    uint8_t *changed, *in_impact_zone;
    int32_t *impact_zones;                 // [particle_count] parents of a union-find.
    pli_impact_zone_sum *impact_zone_sums; // [particle_count] used at the roots of impact zones.
    int32_t *joined, joined_count;         // Pinned particles that share a position (ccd/joined.h), in the arena.
    float farthest_push;                   // No push makes a displacement longer than this [m]; 0 before it is known.
    int32_t limited_count, failed_pair_count; // Limited particles and failed pairs, summed over the step.
    PLI_ARRAY(float)
    withheld; // [particle_count] path length that cuts removed in this step [m]; count is 0 before the first cut.
} pli_ccd_state;

#endif
