// Which particles come near one another while they go on straight trajectories. Particles are in groups of those that lie together
// at rest, whose boxes are in blocks of 16, whose boxes are in blocks of 16, and so on.
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_KERNELS_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_KERNELS_H

#include "collision/narrowphase/pair_kernels.h"

enum { PLI_PARTICLE_GROUP_SIZE = PLI_NEAR_BRANCHES };

// A particle that asks has about so many pairs at most: more than there is room for unless all has collapsed, and a bound on
// what that costs.
enum { PLI_PARTICLE_PAIRS_MAX = 512 };

// What is said of groups that have left their trajectories by too much, or by much.
enum { PLI_GROUP_DEVIATES = 2, PLI_GROUP_DEVIATES_SOON = 1 };

// Where boxes that are not there lie.
#define PLI_PARTICLE_BOX_EMPTY 1e30f

// Particles that lie together at rest. Numbers behind the last repeat it.
typedef struct pli_particle_group {
    int32_t particles[PLI_PARTICLE_GROUP_SIZE];
    float start[3][PLI_PARTICLE_GROUP_SIZE],
        trajectory[3][PLI_PARTICLE_GROUP_SIZE]; // Where they were, and how far each goes in a substep [m].
    float begin_time;                           // When they were there [substeps].
    int32_t count;
} pli_particle_group;

// Where the particles of a group rest [m].
typedef struct pli_particle_group_rest {
    float at[3][PLI_PARTICLE_GROUP_SIZE];
} pli_particle_group_rest;

// Boxes about what goes on straight trajectories, now and at the end: the rows below a box of a tree (pli_near_tree).
typedef struct pli_particle_group_boxes {
    float rows[PLI_NEAR_ROWS][PLI_PARTICLE_GROUP_SIZE];
} pli_particle_group_boxes;

typedef struct pli_particle_search {
    const pli_particle_group *groups;
    const pli_particle_group_rest *rests;   // Of groups.
    const pli_particle_group_boxes *blocks; // Of groups: the lowest level of the tree.
    pli_near_tree tree;
    const uint8_t *asks; // [groups]
    float now, end;      // Between these times [substeps]
    float reach;         // how near is near [m].
    float joined;        // Those nearer than this at rest are left out [m].
} pli_particle_search;

// Ranks: of particle i in group g, PLI_PARTICLE_CONTACTS_GROUP * g + i.
typedef struct pli_particle_rank_pair {
    int32_t rank[2];
} pli_particle_rank_pair;

typedef struct pli_particle_contact_kernels {
    // Pairs of one in a group that asks and another one; of two that both ask, the first does. Writes at most `room`, and says
    // how many there are.
    int32_t (*ask)(const pli_particle_search *job, int32_t group, pli_particle_rank_pair *out, int32_t capacity);
    // Says of groups whether any of their particles is off its way at a time by more than a limit for `soon` or `astray`;
    // limits are squared [m^2]. How far those are off that are not astray, squared.
    float (*deviation)(const pli_particle_group *groups, int32_t count, const pli_particle *particles, float time,
                       const float limits[2], uint8_t *deviating);
} pli_particle_contact_kernels;

extern const pli_particle_contact_kernels PLI_NAMED(pli_particle_contact);

#endif
