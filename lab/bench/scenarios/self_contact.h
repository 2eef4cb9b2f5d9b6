// Builds the scenarios that show what contact between surfaces costs: where cloth touches itself, and where it may but
// does not.
#ifndef BENCH_SELF_CONTACT_H
#define BENCH_SELF_CONTACT_H

#include "bench/scenarios/scenario.h"

// A sheet of side x side vertices falls upright onto the ground and crumples.
pli_status bench_build_heap(bench_live *live, int32_t side, pli_error *error);
// A sheet hangs by the whole of its upper row, which is drawn together, so that it wrinkles into itself.
pli_status bench_build_hanging(bench_live *live, int32_t side, pli_error *error);
// Cloth that keeps clear of itself swings from its upper row and touches nothing: a flat grid, a Delaunay sheet, a panel
// that is curved at rest, one with a concave outline, and one of several pieces.
pli_status bench_build_apart_flat(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_apart_irregular(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_apart_curved(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_apart_concave(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_apart_pieces(bench_live *live, int32_t side, pli_error *error);
// An irregular sphere of about `count` vertices, kept at its volume and clear of itself, falls onto the ground.
pli_status bench_build_apart_closed(bench_live *live, int32_t count, pli_error *error);
// A sheet falls over an irregular mesh collider of 12 k triangles.
pli_status bench_build_over_mesh(bench_live *live, int32_t side, pli_error *error);
// `count` sheets of 10 x 10 vertices, 60 cm apart, that may touch each other and swing from two corners.
pli_status bench_build_sheets(bench_live *live, int32_t count, pli_error *error);

#endif
