#include "wide/balls.h"

#define INLINE static inline __attribute__((always_inline))

INLINE wide3 spread(const float *const row[3], int32_t i)
{
    return (wide3){wide_set(row[0][i]), wide_set(row[1][i]), wide_set(row[2][i])};
}

INLINE wide3 load(const float *const row[3], int32_t i)
{
    return (wide3){wide_load(row[0] + i), wide_load(row[1] + i), wide_load(row[2] + i)};
}

// Near at the start, at the end, or where they are nearest between: |p + s w|^2 is least at s = -(p . w) / (w . w).
INLINE wide_mask near(const pli_balls *balls, wide3 from, wide3 way, int32_t i)
{
    wide3 p = wide3_sub(load(balls->from, i), from), w = wide3_sub(load(balls->way, i), way), q = wide3_add(p, w);
    wide square = wide_set(balls->reach * balls->reach);
    wide pp = wide3_dot(p, p), pw = wide3_dot(p, w), ww = wide3_dot(w, w);
    wide_mask ends = wide_or(wide_less(pp, square), wide_less(wide3_dot(q, q), square));
    wide_mask between = wide_and(wide_less(pw, wide_set(0.0f)), wide_less(-pw, ww));
    return wide_or(ends, wide_and(between, wide_less((pp - square) * ww, pw * pw)));
}

// A particle in all lanes.
typedef struct ball {
    wide3 from, way, rest;
} ball;

INLINE uint32_t wanted(const pli_balls *balls, const ball *one, int32_t i)
{
    wide3 r = wide3_sub(load(balls->rest, i), one->rest);
    wide_mask apart = wide_not(wide_less(wide3_dot(r, r), wide_set(balls->joined * balls->joined)));
    return wide_bits(wide_and(apart, near(balls, one->from, one->way, i)));
}

INLINE uint32_t first_bits(int32_t count) { return count < WIDE ? (1u << count) - 1u : ~0u; }

static int32_t meet(const pli_balls *balls, pli_ball_run ones, pli_ball_run others, pli_ball_pair *out, int32_t room)
{
    int32_t count = 0, first = others.begin;
    for (int32_t one = ones.begin; one < ones.end; one++) {
        float along = balls->along[one];
        while (first < others.end && balls->along[first] < along - balls->window - balls->loose)
            first++;
        int32_t i = ones.begin == others.begin ? one + 1 : first;
        int32_t most = count + PLI_BALLS_MOST;
        ball here = {spread(balls->from, one), spread(balls->way, one), spread(balls->rest, one)};
        for (; i < others.end && balls->along[i] <= along + balls->window + balls->loose && count < most; i += WIDE)
            for (uint32_t found = wanted(balls, &here, i) & first_bits(others.end - i); found && count < most; found &= found - 1) {
                if (count < room)
                    out[count] = (pli_ball_pair){{one, i + __builtin_ctz(found)}};
                count++;
            }
    }
    return count;
}

const pli_ball_kernels PLI_NAMED(pli_ball) = {meet};
