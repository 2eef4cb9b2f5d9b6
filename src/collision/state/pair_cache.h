// State of the pair cache: candidate pairs from one search stay valid while every particle is within the slack of the
// linear trajectory it had at the search (slack.h; drawing in trajectories.c).
#ifndef PLI_COLLISION_STATE_PAIR_CACHE_H
#define PLI_COLLISION_STATE_PAIR_CACHE_H

#include "base/array.h"
#include "base/vector.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/state/slack.h"

// A pair of a list, in 32 bytes: the other members of pli_candidate_pair follow from the surfaces (pli_pair_read).
typedef struct pli_listed_pair {
    pli_vec3 normal;      // Last unit direction from side b to side a that separated them.
    float rest_distance;  // Distance that contact keeps [m].
    int32_t primitive[2]; // Vertex and triangle; or two edges, the second as the complement of its index, below 0.
    union {
        int32_t surface[2]; // Surfaces of the two sides.
        // During the search these replace the surfaces, which the cluster pair has.
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
    pli_vec3 normal;      // Last unit direction from side b to side a that separated them.
    float near;           // Distance beyond which the pair makes no contact [m].
    float rest_distance;  // Distance that contact keeps [m].
    float core;           // Part of the rest distance that is the radius of a sphere or capsule [m].
    int32_t surface[2];   // Surfaces of the two sides.
    int32_t primitive[2]; // Triangle or edge index in its surface; for a vertex, its index.
    int32_t kind;         // A pli_pair_kind.
} pli_candidate_pair;

// How much closer than their trajectories predict the sides of a pair may come before contact, and before continuous
// collision detection, must test the pair [m].
typedef struct pli_pair_spare {
    float contact, crossing;
} pli_pair_spare;

// Two overlapping clusters, the second of the same or a later surface, and the range of their candidate pairs.
typedef struct pli_cluster_pair {
    int32_t surface[2], cluster[2];
    int32_t begin, count;
    pli_pair_spare least; // The smallest spares of its pairs.
    float least_rest;     // The smallest distance, without radii, that contact keeps for its pairs [m].
    // Contacts persist over substeps (contact.h): 1 + the index of the pair when its contacts were made, 0 if they never were; and
    // how much further its particles may move relative to one another before the contacts are rebuilt [m].
    int32_t made;
    float leeway;
} pli_cluster_pair;

typedef struct pli_candidate_list {
    // Pairs of one cluster pair are contiguous; dead entries may lie between ranges.
    PLI_ARRAY(pli_listed_pair) pairs;
    PLI_ARRAY(pli_pair_spare) spares;          // [pairs.count] stored separately, since they exclude most pairs.
    PLI_ARRAY(pli_cluster_pair) cluster_pairs; // In the order in which pairs are processed.
    int32_t count;                             // Number of live pairs.
    // Initial capacities of a search chunk; each grows to the largest number that a chunk has found.
    int32_t pair_chunk_capacity, cluster_pair_chunk_capacity;
} pli_candidate_list;

// A cluster of a surface.
typedef struct pli_cluster_place {
    int32_t surface, cluster;
} pli_cluster_place;

// Separate lists: pairs of deformables and carried colliders, and pairs with kinematic colliders.
enum { PLI_LIST_DEFORMABLES, PLI_LIST_COLLIDERS, PLI_LIST_COUNT };

typedef struct pli_pair_cache {
    pli_candidate_list lists[PLI_LIST_COUNT];
    bool has_pairs[PLI_LIST_COUNT]; // The collision layers allow pairs in this list.
    // [particle_count] position at age 0 [m], and displacement in one substep [m].
    PLI_ARRAY(pli_particle) starts;
    PLI_ARRAY(pli_particle) trajectories;
    pli_slack slack;
    int32_t usual_lifetime;          // Expected number of substeps for which the lists of this step stay valid.
    float contact_allowed_deviation; // Deviation up to which contacts are found without a new search [m].
    // Fraction of the rest distances within which pairs are listed: 1, or less if only continuous collision detection needs pairs.
    float reach_share;
    float near_share;          // PLI_NEAR_SHARE, or PLI_RIGID_NEAR_SHARE with bodies.
    bool incomplete;           // Pairs are missing because the budget ran out; CCD must search.
    float least_rest_distance; // Lower bound of the rest distances of all possible pairs [m].
} pli_pair_cache;

// Scratch memory of a local repair; valid while it runs.
typedef struct pli_repair {
    float *squared_deviations;           // [particle_count] squared deviation in this substep [m^2].
    pli_cluster_place *queries, *refits; // Clusters that search again, and clusters that need new boxes.
    int32_t query_count, refit_count;
    struct pli_sort_item *sorting; // Cluster pairs keyed by their clusters.
} pli_repair;

#endif
