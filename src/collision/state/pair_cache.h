// State of the pair cache: candidate pairs found once stay valid while every particle is near the linear trajectory it had when
// they were found (slack.h).
#ifndef PLI_COLLISION_STATE_PAIR_CACHE_H
#define PLI_COLLISION_STATE_PAIR_CACHE_H

#include "base/array.h"
#include "base/vector.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/state/slack.h"

// A vertex and a triangle, or two edges.
typedef struct pli_candidate_pair {
    int32_t at[4];        // Places in the store; side a first.
    pli_vec3 normal;      // A direction from b to a that separated them when last looked at.
    float rest_distance;  // Distance to keep [m].
    float core;           // Of that, what is the radius of a sphere or capsule [m].
    int32_t surface[2];   // Of the sides, among the space's.
    int32_t primitive[2]; // Triangle or edge of its surface; for a vertex, its place.
    int32_t kind;         // pli_pair_kind
    float gap;            // How far the sides are apart at least on straight trajectories; negative when unknown [m].
} pli_candidate_pair;

// Two clusters that are near, of a surface and the same or a later one, and their pairs.
typedef struct pli_cluster_pair {
    int32_t surface[2], cluster[2];
    int32_t begin, count;
} pli_cluster_pair;

typedef struct pli_candidate_list {
    PLI_ARRAY(pli_candidate_pair) pairs;       // Pairs of a meeting are contiguous; dropped ones may lie between them.
    PLI_ARRAY(pli_cluster_pair) cluster_pairs; // In the order in which pairs are looked at.
    int32_t count;                             // Pairs of cluster pairs.
    int32_t room, cluster_pair_capacity;       // That a chunk of a search gets: as much as one has needed.
} pli_candidate_list;

typedef struct pli_cluster_place {
    int32_t surface, cluster;
} pli_cluster_place;

enum { PLI_LIST_DEFORMABLES, PLI_LIST_COLLIDERS, PLI_LIST_COUNT };

typedef struct pli_pair_cache {
    pli_candidate_list lists[PLI_LIST_COUNT];
    bool has_pairs[PLI_LIST_COUNT]; // Whether any two surfaces may meet at all.
    // [particle_count] Trajectories: where they begin, and what a substep does.
    PLI_ARRAY(pli_particle) starts;
    PLI_ARRAY(pli_particle) trajectories;
    pli_slack slack;
    float contact_allowed_deviation; // How far particles may be off their trajectories when contacts are made [m].
    float least_rest_distance;       // Of all pairs that may be [m].

} pli_pair_cache;

// Scratch of a local repair, in the arena while it lasts.
typedef struct pli_repair {
    uint8_t *deviating;                 // [particle_count] 1 for particles that have left their trajectories.
    float *squares_off;                 // [particle_count] how far each is off in this substep, squared [m^2].
    uint8_t *marks;                     // Of the clusters of all surfaces.
    int32_t *cluster_bases;             // First of each surface among those.
    pli_cluster_place *asking, *wanted; // Patches that search again, and whose boxes are laid anew.
    int32_t asking_count, wanted_count;
    struct pli_sort_item *sorting; // Meetings, by the order of their clusters.
} pli_repair;

#endif
