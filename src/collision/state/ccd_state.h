// State of continuous collision detection. Arrays over particles live in the scratch arena while CCD runs.
#ifndef PLI_COLLISION_STATE_CCD_STATE_H
#define PLI_COLLISION_STATE_CCD_STATE_H

#include "base/array.h"
#include "base/vector.h"

// Sums over an impact zone: displacements of its vertices of colliders and of its held particles, and mass times displacement of
// the others.
typedef struct pli_impact_zone_sum {
    double led[3], led_count, fixed[3], fixed_count, free[3], mass;
} pli_impact_zone_sum;

// A candidate pair by its list and index.
typedef struct pli_failing {
    int32_t list, pair;
} pli_failing;

// The surface of an analytic shape at a particle's contact with it: the particle, predicted to be behind it, or of a shape that has
// to stop, is cut where it gets there.
typedef struct pli_wall {
    int32_t at;      // Particle in the store.
    int32_t shape;   // Number of the collider when it is led, and has to stop; -1 for one that rests.
    pli_vec3 normal; // Outward.
    float level;     // normal . x of the surface [m].
} pli_wall;

// A plane between the sides of a pair. The two levels are distances along the normal from `origin`. Their difference is the distance that is guaranteed.
typedef struct pli_plane {
    pli_dvec3 origin, normal; // The unit normal points from side b to side a.
    double level[2];          // Side a stays above the first, side b below the second [m].
    double gap_left;          // Each side leaves this much of the gap where it has it [m].
    double narrow_share;      // Share of its distance from the plane that a side leaves of a gap narrower than that.
    double across;            // How far sides that touch are across it at most [m]; 0 for others.
} pli_plane;

// The plane of a pair, and the shares of their trajectories that it leaves to its four particles.
typedef struct pli_placed_plane {
    pli_plane plane;
    float shares[4];
    bool is_placed; // Else the sides have no plane, and all that can stays.
} pli_placed_plane;

// Bits of pli_ccd_state.changed: continuous collision detection moved the particle; it is in a pair that was not clear.
enum { PLI_CCD_MOVED = 1, PLI_CCD_FAILED = 2 };

typedef struct pli_ccd_state {
    bool bounded;          // Guarantee by displacement bounds instead of advancement alone.
    bool squeezed;         // Planes come first: a collider has yielded in this step, or lags from the last.
    bool yielded;          // A collider has yielded in this step.
    bool led;              // The host leads or holds something that moves, or there are bodies.
    bool crowded;          // More pairs fail than the budget can bring apart: planes take all of them in this step.
    bool frozen;           // Intersecting primitives are under proof as well, so that they stay as they are.
    int32_t failed_before; // Pairs failed before this substep.
    PLI_ARRAY(pli_failing) failing; // Pairs whose trajectories are not clear.
    int32_t failing_capacity;       // Initial capacity of a parallel chunk for failing pairs.
    // Pairs for which planes have to hold, and their planes.
    PLI_ARRAY(pli_failing) concerned;
    PLI_ARRAY(pli_placed_plane) planes;
    PLI_ARRAY(pli_wall) walls; // That particles are predicted to be behind.
    // [lists][pairs] 1 for pairs with a plane between their sides. Later cuts take the plane of a pair with another one, if they cut
    // any of its particles, so that it holds for all rounds.
    uint8_t *has_plane[2];
    // [particle_count] bits of particles whose pairs are looked at again; marks of those in an impact zone.
    uint8_t *changed, *in_impact_zone;
    int32_t *impact_zones;                 // [particle_count] parents of a union-find.
    pli_impact_zone_sum *impact_zone_sums; // [particle_count] used at the roots of impact zones.
    int32_t *joined, joined_count;         // Held particles in one place (ccd/joined.h), in the arena.
    float *bounds;                         // [particle_count] displacement bound [m].
    float farthest_push;                   // Length of a displacement that no push exceeds [m]; 0 before it is known.
    int32_t limited_count, failed_pair_count; // Particles limited and pairs failed, summed over the step.
    PLI_ARRAY(float)
    withheld; // [particle_count] path that cuts have taken in this step [m]; count is 0 before the first.
} pli_ccd_state;

#endif
