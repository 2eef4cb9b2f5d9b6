// State of the pair cache: candidate pairs found once stay valid while every particle is within the slack of the
// linear trajectory it had when they were found (slack.h, drawing in trajectories.c).
#ifndef PLI_COLLISION_STATE_PAIR_CACHE_H
#define PLI_COLLISION_STATE_PAIR_CACHE_H

#include "base/array.h"
#include "base/vector.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/state/slack.h"

// A pair of a list, in 32 bytes: what pli_candidate_pair has beyond this follows from the surfaces (pli_pair_read).
typedef struct pli_listed_pair {
    pli_vec3 normal;      // Unit direction from side b to side a that last separated them.
    float rest_distance;  // Distance that contact keeps [m].
    int32_t primitive[2]; // Vertex and triangle; of two edges the second is the complement of its index, below 0.
    union {
        int32_t surface[2]; // Surfaces of the two sides.
        // While it is being listed, these are the surfaces of its cluster pair.
        struct {
            float gap;    // Lower bound of the distance of the sides on their trajectories [m]; negative when unknown.
            int32_t side; // Which side of the cluster pair comes first.
        } found;
    };
} pli_listed_pair;

_Static_assert(sizeof(pli_listed_pair) == 32, "lists of pairs are what contact holds most of");

// Two primitives that may come into contact: vertex and triangle, or two edges. Stages read it from a list.
typedef struct pli_candidate_pair {
    int32_t at[4];        // Particles in the store; side a first.
    pli_vec3 normal;      // Unit direction from side b to side a that last separated them.
    float near;           // Distance beyond which the pair makes no contact [m].
    float rest_distance;  // Distance that contact keeps [m].
    float core;           // Part of the rest distance that is the radius of a sphere or capsule [m].
    int32_t surface[2];   // Surfaces of the two sides.
    int32_t primitive[2]; // Triangle or edge of its surface; for a vertex, its index.
    int32_t kind;         // A pli_pair_kind.
} pli_candidate_pair;

// By how much the sides of a pair may come closer than their trajectories say before contact, and before continuous
// collision detection, has to look at it [m].
typedef struct pli_pair_spare {
    float contact, crossing;
} pli_pair_spare;

// Two overlapping clusters, the second of the same or a later surface, and the range of their candidate pairs.
typedef struct pli_cluster_pair {
    int32_t surface[2], cluster[2];
    int32_t begin, count;
    pli_pair_spare least; // The least spares of its pairs.
    float least_rest;     // The least distance that contact of surfaces keeps, without radii, of its pairs [m].
    // Contacts of a substep hold in the next (contact_keep.h): 1 + its index when they were made, 0 for never, and how much
    // further its particles may move against one another until they are made anew [m].
    int32_t made;
    float leeway;
} pli_cluster_pair;

typedef struct pli_candidate_list {
    // Pairs of one cluster pair are contiguous; dead entries may lie between ranges.
    PLI_ARRAY(pli_listed_pair) pairs;
    PLI_ARRAY(pli_pair_spare) spares;          // [pairs.count] apart from the pairs, since most are left out by them.
    PLI_ARRAY(pli_cluster_pair) cluster_pairs; // In the order in which pairs are processed.
    int32_t count;                             // Number of live pairs.
    // Initial capacities of a search chunk; each grows to the largest number that a chunk has found.
    int32_t pair_chunk_capacity, cluster_pair_chunk_capacity;
} pli_candidate_list;

// A cluster of a surface.
typedef struct pli_cluster_place {
    int32_t surface, cluster;
} pli_cluster_place;

// Separate lists for pairs of deformables and carried colliders, and for pairs with kinematic colliders.
enum { PLI_LIST_DEFORMABLES, PLI_LIST_COLLIDERS, PLI_LIST_COUNT };

typedef struct pli_pair_cache {
    pli_candidate_list lists[PLI_LIST_COUNT];
    bool has_pairs[PLI_LIST_COUNT]; // Whether collision layers allow any pair at all.
    // [particle_count] position at age 0 [m], and displacement in one substep [m].
    PLI_ARRAY(pli_particle) starts;
    PLI_ARRAY(pli_particle) trajectories;
    pli_slack slack;
    int32_t usual_lifetime;          // Substeps that the lists of this step are likely to hold for.
    float contact_allowed_deviation; // Deviation up to which contacts are found without a new search [m].
    // Share of rest distances within which pairs are listed: 1, or less where only continuous collision detection asks.
    float reach_share;
    float near_share;          // PLI_NEAR_SHARE, or that of bodies.
    bool incomplete;           // Pairs are missing, for want of a budget; continuous collision detection has to search.
    float least_rest_distance; // Lower bound of the rest distances of all possible pairs [m].
} pli_pair_cache;

// Scratch memory of a local repair; valid while it runs.
typedef struct pli_repair {
    uint8_t *deviating;                  // [particle_count] 1 for particles whose trajectory was restarted.
    float *squared_deviations;           // [particle_count] squared deviation in this substep [m^2].
    uint8_t *marks;                      // Flags of each cluster, surface after surface.
    int32_t *cluster_bases;              // [surface_count] index of each surface's first cluster in `marks`.
    pli_cluster_place *queries, *refits; // Clusters that search again, and clusters whose boxes are refitted.
    int32_t query_count, refit_count;
    struct pli_sort_item *sorting; // Cluster pairs keyed by their clusters.
} pli_repair;

#endif
