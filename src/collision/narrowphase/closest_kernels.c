// Tests of listed pairs, 16 at a time. Closest points are in double, as in closest_points.c and in the same order of
// operations, because decisions that affect states depend on them.
#include "collision/narrowphase/closest_kernels.h"

#include <string.h>

// Edges at an angle with a smaller squared sine count as parallel. For others the float parameter of the closest point
// of two lines has an error of at most LINE_MARGIN of an edge.
#define LINE_ANGLE 1e-3f
#define LINE_MARGIN 0.02f

/* ---- float -------------------------------------------------------------------------------------- */

WIDE_INLINE wide3 closest_load(const pli_particle *particles, const int32_t *at)
{
    wide_particle p;
    wide_load_particles(particles, at, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

static inline void load_corners_of(const pli_particle *particles, const pli_pair_block *b, int32_t lane, wide3 at[4])
{
    for (int i = 0; i < 4; i++)
        at[i] = closest_load(particles, b->at[i] + lane);
}

static inline wide closest_gap_along(const wide3 at[4], wide3 normal, int split)
{
    wide d[4] = {wide_set(0.0f)};
    for (int i = 1; i < 4; i++)
        d[i] = wide3_dot(normal, wide3_sub(at[i], at[0]));
    if (split == 2)
        return wide_min(d[0], d[1]) - wide_max(d[2], d[3]);
    return d[0] - wide_max(wide_max(d[1], d[2]), d[3]);
}

// A pair in its lanes: corners before, and gaps before and after.
typedef struct closest_lanes {
    wide3 before[4];
    wide start, end;
} closest_lanes;

static inline void load_lanes(closest_lanes *l, const pli_particle *before, const pli_particle *after,
                              const pli_pair_block *b, int32_t lane, int split)
{
    wide3 normal = {wide_load(b->normal[0] + lane), wide_load(b->normal[1] + lane), wide_load(b->normal[2] + lane)},
          to[4];
    load_corners_of(before, b, lane, l->before);
    load_corners_of(after, b, lane, to);
    l->start = closest_gap_along(l->before, normal, split);
    l->end = closest_gap_along(to, normal, split);
}

static inline wide_mask lines_miss(const wide3 p[4])
{
    wide3 d1 = wide3_sub(p[1], p[0]), d2 = wide3_sub(p[3], p[2]), r = wide3_sub(p[0], p[2]);
    wide a = wide3_dot(d1, d1), e = wide3_dot(d2, d2), b = wide3_dot(d1, d2), c = wide3_dot(d1, r),
         f = wide3_dot(d2, r);
    wide whole = a * e - b * b, s = b * f - c * e, t = a * f - b * c, margin = wide_set(LINE_MARGIN) * whole;
    wide_mask below = wide_or(wide_less(s, -margin), wide_less(t, -margin));
    wide_mask above = wide_or(wide_less(whole + margin, s), wide_less(whole + margin, t));
    wide_mask askew = wide_less(wide_set(LINE_ANGLE) * a * e, whole);
    return wide_and(askew, wide_or(below, above));
}

static inline uint32_t closest_apart(const pli_particle *before, const pli_particle *after, pli_pair_block *b,
                                     int split)
{
    uint32_t bits = 0, misses = 0;
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane += WIDE) {
        closest_lanes l;
        load_lanes(&l, before, after, b, lane, split);
        wide limit = wide_load(b->limit + lane);
        bits |= wide_bits(wide_and(wide_less(limit, l.start), wide_less(limit, l.end))) << lane;
        if (split == 2)
            misses |= wide_bits(lines_miss(l.before)) << lane;
    }
    b->misses = misses;
    return bits;
}

static uint32_t triangles_apart(const pli_particle *before, const pli_particle *after, pli_pair_block *block)
{
    return closest_apart(before, after, block, 1);
}

static uint32_t edges_apart(const pli_particle *before, const pli_particle *after, pli_pair_block *block)
{
    return closest_apart(before, after, block, 2);
}

static inline uint32_t separated(const pli_particle *before, const pli_particle *after, const pli_pair_block *b,
                                 int split)
{
    uint32_t bits = 0;
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane += WIDE) {
        closest_lanes l;
        load_lanes(&l, before, after, b, lane, split);
        wide least = wide_min(wide_load(b->limit + lane), wide_set(0.5f) * l.start);
        wide_mask ahead = wide_and(wide_less(wide_set(0.0f), l.start), wide_less(least, l.end));
        bits |= wide_bits(wide_and(ahead, wide_less(wide_set(PLI_LEAST_GAP), least))) << lane;
    }
    return bits;
}

static uint32_t triangles_separated(const pli_particle *before, const pli_particle *after, pli_pair_block *block)
{
    return separated(before, after, block, 1);
}

static uint32_t edges_separated(const pli_particle *before, const pli_particle *after, pli_pair_block *block)
{
    return separated(before, after, block, 2);
}

/* ---- double ------------------------------------------------------------------------------------- */

// Lanes of double in a register of the back end, as a compiler vector type: + - * / and comparisons work on each
// lane.
enum { CLOSEST_DOUBLES = WIDE >= 4 ? WIDE / 2 : 2 };
typedef double doubles __attribute__((vector_size(8 * CLOSEST_DOUBLES)));
typedef int64_t doubles_mask __attribute__((vector_size(8 * CLOSEST_DOUBLES)));
typedef struct doubles3 {
    doubles x, y, z;
} doubles3;

static inline doubles set(double a) { return a - (doubles){0}; }
static inline doubles select(doubles_mask mask, doubles yes, doubles no)
{
    return (doubles)((mask & (doubles_mask)yes) | (~mask & (doubles_mask)no));
}
static inline doubles_mask above(doubles a, doubles b) { return (doubles_mask)(a > b); }
static inline doubles3 doubles_add(doubles3 a, doubles3 b) { return (doubles3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline doubles3 sub(doubles3 a, doubles3 b) { return (doubles3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline doubles3 doubles_scale(doubles3 a, doubles s) { return (doubles3){a.x * s, a.y * s, a.z * s}; }
static inline doubles doubles_dot(doubles3 a, doubles3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// part / whole, clamped to 0..1; 0 where `whole` is not positive.
static inline doubles doubles_share(doubles part, doubles whole)
{
    doubles zero = set(0.0), one = set(1.0);
    doubles_mask positive = above(whole, zero);
    doubles share = part / select(positive, whole, one);
    share = select(above(share, zero), share, zero);
    return select(positive, select(above(one, share), share, one), zero);
}

static inline doubles doubles_along(doubles3 p, doubles3 a, doubles3 b)
{
    doubles3 ab = sub(b, a);
    return doubles_share(doubles_dot(sub(p, a), ab), doubles_dot(ab, ab));
}

typedef struct closest_points {
    doubles weights[4], square;
    doubles3 apart;
} closest_points;

static inline closest_points closest_result(const doubles weights[4], const doubles3 at[4])
{
    doubles zero = set(0.0);
    closest_points c = {{weights[0], weights[1], weights[2], weights[3]}, zero, {zero, zero, zero}};
    for (int i = 1; i < 4; i++)
        c.apart = doubles_add(c.apart, doubles_scale(sub(at[i], at[0]), weights[i]));
    c.square = doubles_dot(c.apart, c.apart);
    return c;
}

static inline closest_points closer(doubles_mask mask, const closest_points *a, const closest_points *b)
{
    closest_points c;
    for (int i = 0; i < 4; i++)
        c.weights[i] = select(mask, a->weights[i], b->weights[i]);
    c.square = select(mask, a->square, b->square);
    c.apart = (doubles3){select(mask, a->apart.x, b->apart.x), select(mask, a->apart.y, b->apart.y),
                         select(mask, a->apart.z, b->apart.z)};
    return c;
}

static inline closest_points closest_side(const doubles3 at[4])
{
    closest_points best = {.square = set(INFINITY)};
    for (int i = 0; i < 3; i++) {
        int a = 1 + i, b = 1 + (i + 1) % 3;
        doubles t = doubles_along(at[0], at[a], at[b]), weights[4] = {set(1.0), set(0.0), set(0.0), set(0.0)};
        weights[a] = t - set(1.0);
        weights[b] = -t;
        closest_points side = closest_result(weights, at);
        best = closer(above(best.square, side.square), &side, &best);
    }
    return best;
}

static inline closest_points of_triangle(const doubles3 at[4])
{
    doubles3 ab = sub(at[2], at[1]), ac = sub(at[3], at[1]), ap = sub(at[0], at[1]);
    doubles d1 = doubles_dot(ab, ap), d2 = doubles_dot(ac, ap), zero = set(0.0);
    doubles3 bp = sub(at[0], at[2]), cp = sub(at[0], at[3]);
    doubles d3 = doubles_dot(ab, bp), d4 = doubles_dot(ac, bp), d5 = doubles_dot(ab, cp), d6 = doubles_dot(ac, cp);
    doubles va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, sum = va + vb + vc;
    doubles_mask inside = above(va, zero) & above(vb, zero) & above(vc, zero) & above(sum, zero);
    sum = select(inside, sum, set(1.0));
    const doubles weights[4] = {set(1.0), -va / sum, -vb / sum, -vc / sum};
    closest_points face = closest_result(weights, at), side = closest_side(at);
    return closer(inside, &face, &side);
}

static inline doubles3 doubles_between(doubles3 a, doubles3 b, doubles t)
{
    return doubles_add(a, doubles_scale(sub(b, a), t));
}

static inline closest_points of_edges(const doubles3 at[4])
{
    doubles3 d1 = sub(at[1], at[0]), d2 = sub(at[3], at[2]), r = sub(at[0], at[2]);
    doubles a = doubles_dot(d1, d1), e = doubles_dot(d2, d2), f = doubles_dot(d2, r), c = doubles_dot(d1, r),
            b = doubles_dot(d1, d2), zero = set(0.0);
    doubles denominator = a * e - b * b;
    doubles_mask askew = above(denominator, set(1e-12) * a * e);
    // For skew lines the denominator is positive, so this is the clamped quotient.
    doubles s = select(askew, doubles_share(b * f - c * e, denominator), zero);
    doubles t = doubles_along(doubles_between(at[0], at[1], s), at[2], at[3]);
    s = doubles_along(doubles_between(at[2], at[3], t), at[0], at[1]);
    const doubles weights[4] = {set(1.0) - s, s, t - set(1.0), -t};
    return closest_result(weights, at);
}

typedef struct closest_corners {
    float x[4][PLI_NEAR_LANES], y[4][PLI_NEAR_LANES], z[4][PLI_NEAR_LANES];
} closest_corners;

static inline doubles widened(const float *from)
{
    doubles to = {0};
    for (int32_t i = 0; i < (int32_t)CLOSEST_DOUBLES; i++)
        to[i] = (double)from[i];
    return to;
}

static inline void doubles_store(double *to, doubles a) { memcpy(to, &a, sizeof a); }

static inline void closest_load_corners(const pli_particle *particles, const int32_t at[4][PLI_NEAR_LANES],
                                        closest_corners *all)
{
    for (int i = 0; i < 4; i++)
        for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane += WIDE) {
            wide3 p = closest_load(particles, at[i] + lane);
            wide_store(all->x[i] + lane, p.x), wide_store(all->y[i] + lane, p.y), wide_store(all->z[i] + lane, p.z);
        }
}

static inline void find_closest(const pli_particle *particles, const int32_t at[4][PLI_NEAR_LANES],
                                pli_closest_block *block, pli_pair_kind kind)
{
    closest_corners all;
    closest_load_corners(particles, at, &all);
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane += (int32_t)CLOSEST_DOUBLES) {
        doubles3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = (doubles3){widened(all.x[i] + lane), widened(all.y[i] + lane), widened(all.z[i] + lane)};
        closest_points c = kind == PLI_PAIR_EDGE_EDGE ? of_edges(p) : of_triangle(p);
        for (int i = 0; i < 4; i++)
            doubles_store(block->weights[i] + lane, c.weights[i]);
        doubles_store(block->apart[0] + lane, c.apart.x), doubles_store(block->apart[1] + lane, c.apart.y);
        doubles_store(block->apart[2] + lane, c.apart.z), doubles_store(block->square + lane, c.square);
    }
}

static void closest_of_triangles(const pli_particle *particles, const int32_t at[4][PLI_NEAR_LANES],
                                 pli_closest_block *block)
{
    find_closest(particles, at, block, PLI_PAIR_VERTEX_TRIANGLE);
}

static void closest_of_edges(const pli_particle *particles, const int32_t at[4][PLI_NEAR_LANES],
                             pli_closest_block *block)
{
    find_closest(particles, at, block, PLI_PAIR_EDGE_EDGE);
}

const pli_closest_kernels PLI_NAMED(pli_closest) = {
    {triangles_apart, edges_apart}, {triangles_separated, edges_separated}, {closest_of_triangles, closest_of_edges}};
