// Which particles come near one another while they go on straight ways.
#ifndef PLI_WIDE_BALLS_H
#define PLI_WIDE_BALLS_H

#include "simd/wide.h"

// Behind the last particle of a row of floats there is room to read so many more.
enum { PLI_BALLS_ROOM = 16 };

// A particle has no more pairs than this with those of a run: more than there is room for unless all has collapsed, and a
// bound on what that costs.
enum { PLI_BALLS_MOST = 128 };

// Particles by rank, each coordinate in a row of floats.
typedef struct pli_balls {
    const float *from[3], *way[3]; // Where they start [m], and how far they go.
    const float *rest[3];          // Where they rest [m]:
    float joined;                  // those nearer than this there are left out [m].
    const float *along;            // By what ranks rise, but for `loose` [m].
    float loose, window;           // Those whose `along` is further apart than the window do not come near one another.
    float reach;                   // How near is near [m].
} pli_balls;

typedef struct pli_ball_run {
    int32_t begin, end; // Ranks.
} pli_ball_run;

typedef struct pli_ball_pair {
    int32_t rank[2];
} pli_ball_pair;

typedef struct pli_ball_kernels {
    // Pairs of one of `ones` and one of `others`; when both are the same run, each pair once. Writes at most `room`, and says
    // how many there are.
    int32_t (*meet)(const pli_balls *balls, pli_ball_run ones, pli_ball_run others, pli_ball_pair *out, int32_t room);
} pli_ball_kernels;

extern const pli_ball_kernels PLI_NAMED(pli_ball);

#endif
