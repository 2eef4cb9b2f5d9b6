// Builds the scenarios of cloth and closed surfaces that fall onto a ball.
#ifndef BENCH_OVER_BALL_H
#define BENCH_OVER_BALL_H

#include "bench/scenarios/scenario.h"

// A square sheet of `side` x `side` vertices falls onto a ball that lies on the ground: over a regular grid,
// over a Delaunay triangulation, and over one that also keeps clear of itself.
pli_status bench_build_ball(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_remeshed(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_delaunay(bench_live *live, int32_t side, pli_error *error);
// An irregular sphere of about `count` vertices, kept at its volume, falls onto the ball.
pli_status bench_build_closed(bench_live *live, int32_t count, pli_error *error);

#endif
