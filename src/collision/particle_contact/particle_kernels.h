// Interface of the particle kernels: particles that come within reach of each other on linear trajectories. Particles
// are in groups of 16, under a 16-wide BVH.
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_KERNELS_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_KERNELS_H

#include "collision/narrowphase/pair_kernels.h"

enum { PLI_PARTICLE_GROUP_SIZE = PLI_NEAR_BRANCHES };

// Limit of the pairs of one particle, which bounds the cost when a deformable has collapsed.
enum { PLI_PARTICLE_PAIRS_MAX = 512 };

// Marks of a group: a particle deviates by more than the slack, or by more than SOON_SHARE of it.
enum { PLI_GROUP_DEVIATES = 2, PLI_GROUP_DEVIATES_SOON = 1 };

// Low corner of an empty box; the high corner is its negative.
#define PLI_PARTICLE_BOX_EMPTY 1e30f

// Particles that are near each other at rest. Unused entries repeat the last particle.
typedef struct pli_particle_group {
    int32_t particles[PLI_PARTICLE_GROUP_SIZE];
    // Position at begin_time [m], and displacement in one substep [m].
    float start[3][PLI_PARTICLE_GROUP_SIZE], trajectory[3][PLI_PARTICLE_GROUP_SIZE];
    float begin_time; // Time at which the trajectories start [substeps].
    int32_t count;
} pli_particle_group;

// Rest positions of a group [m].
typedef struct pli_particle_group_rest {
    float at[3][PLI_PARTICLE_GROUP_SIZE];
} pli_particle_group_rest;

// Swept boxes of 16 groups or blocks: one node of the tree (pli_near_tree).
typedef struct pli_particle_group_boxes {
    float rows[PLI_NEAR_ROWS][PLI_PARTICLE_GROUP_SIZE];
} pli_particle_group_boxes;

typedef struct pli_particle_search {
    const pli_particle_group *groups;
    const pli_particle_group_rest *rests;   // [groups] rest positions.
    const pli_particle_group_boxes *blocks; // Lowest level of the tree: boxes of groups.
    pli_near_tree tree;
    const uint8_t *queries; // [groups] nonzero for groups that query.
    float now, end;         // Interval of the search [substeps].
    float reach;            // Largest distance of a pair [m].
    float near_reach;       // Largest distance of a pair nearer at rest than `layers` [m].
    float layers;           // [m]
    float joined;           // Pairs nearer than this at rest are skipped [m].
} pli_particle_search;

// Two particles; particle i of group g has rank PLI_PARTICLE_GROUP_SIZE * g + i.
typedef struct pli_particle_rank_pair {
    int32_t rank[2];
} pli_particle_rank_pair;

typedef struct pli_particle_contact_kernels {
    // Finds pairs of a querying group's particles with all others; when both groups query, the first one reports the
    // pair. Writes at most `capacity` pairs and returns how many there are.
    int32_t (*query)(const pli_particle_search *job, int32_t group, pli_particle_rank_pair *out, int32_t capacity);
    // Marks the groups with a particle whose deviation at `time` exceeds the squared limits [m^2] of DEVIATES_SOON and
    // DEVIATES. Returns the largest squared deviation of the groups below the second limit.
    float (*deviation)(const pli_particle_group *groups, int32_t count, const pli_particle *particles, float time,
                       const float limits[2], uint8_t *deviating);
} pli_particle_contact_kernels;

extern const pli_particle_contact_kernels PLI_NAMED(pli_particle_contact);

#endif
