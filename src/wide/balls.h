// Which particles come near one another while they go on straight ways. Particles are in groups of those that lie together
// at rest, whose boxes are in blocks of 16, whose boxes are in blocks of 16, and so on.
#ifndef PLI_WIDE_BALLS_H
#define PLI_WIDE_BALLS_H

#include "wide/near.h"

enum { PLI_BALLS_GROUP = PLI_NEAR_BRANCHES };

// A particle that asks has about so many pairs at most: more than there is room for unless all has collapsed, and a bound on
// what that costs.
enum { PLI_BALLS_MOST = 512 };

// What is said of groups that have left their ways by too much, or by much.
enum { PLI_BALLS_ASTRAY = 2, PLI_BALLS_SOON = 1 };

// Where boxes that are not there lie.
#define PLI_BALLS_NOWHERE 1e30f

// Particles that lie together at rest. Numbers behind the last repeat it.
typedef struct pli_ball_group {
    int32_t particles[PLI_BALLS_GROUP];
    float start[3][PLI_BALLS_GROUP],
        way[3][PLI_BALLS_GROUP]; // Where they were, and how far each goes in a substep [m].
    float begun;                 // When they were there [substeps].
    int32_t count;
} pli_ball_group;

// Where the particles of a group rest [m].
typedef struct pli_ball_rest {
    float at[3][PLI_BALLS_GROUP];
} pli_ball_rest;

// Boxes about what goes on straight ways, now and at the end: the rows below a box of a tree (pli_near_tree).
typedef struct pli_ball_block {
    float rows[PLI_NEAR_ROWS][PLI_BALLS_GROUP];
} pli_ball_block;

typedef struct pli_balls {
    const pli_ball_group *groups;
    const pli_ball_rest *rests;   // Of groups.
    const pli_ball_block *blocks; // Of groups: the lowest level of the tree.
    pli_near_tree tree;
    const uint8_t *asks; // [groups]
    float now, end;      // Between these times [substeps]
    float reach;         // how near is near [m].
    float joined;        // Those nearer than this at rest are left out [m].
} pli_balls;

// Ranks: of particle i in group g, PLI_BALLS_GROUP * g + i.
typedef struct pli_ball_pair {
    int32_t rank[2];
} pli_ball_pair;

typedef struct pli_ball_kernels {
    // Pairs of one in a group that asks and another one; of two that both ask, the first does. Writes at most `room`, and says
    // how many there are.
    int32_t (*ask)(const pli_balls *balls, int32_t group, pli_ball_pair *out, int32_t room);
    // Says of groups whether any of their particles is off its way at a time by more than a limit for `soon` or `astray`;
    // limits are squared [m^2]. How far those are off that are not astray, squared.
    float (*stray)(const pli_ball_group *groups, int32_t count, const pli_particle *particles, float time,
                   const float limits[2], uint8_t *astray);
} pli_ball_kernels;

extern const pli_ball_kernels PLI_NAMED(pli_ball);

#endif
