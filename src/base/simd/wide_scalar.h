// Width 1: plain C, the reference that the other back ends are tested against.
#ifndef PLI_BASE_SIMD_WIDE_SCALAR_H
#define PLI_BASE_SIMD_WIDE_SCALAR_H

#include <math.h>
#include <stdbool.h>

#define WIDE 1
typedef float wide;
typedef bool wide_mask;

static inline wide wide_set(float a) { return a; }
static inline wide wide_load(const float *a) { return *a; }
static inline void wide_store(float *to, wide a) { *to = a; }
// A part of one lane is empty, so nothing is read.
static inline wide wide_load_part(const float *from, int32_t count) { return (void)from, (void)count, 0.0f; }
// A part of one lane is empty, so nothing is stored.
static inline void wide_store_part(float *to, wide a, int32_t count) { (void)to, (void)a, (void)count; }
static inline wide wide_load_indexed(const float *from, const int32_t *index) { return from[*index]; }
static inline wide wide_sqrt(wide a) { return sqrtf(a); }
static inline wide_mask wide_less(wide a, wide b) { return a < b; }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return a && b; }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return a || b; }
static inline wide wide_select(wide_mask mask, wide yes, wide no) { return mask ? yes : no; }
// Bit 0 is set where the mask holds.
static inline uint32_t wide_bits(wide_mask mask) { return mask ? 1u : 0u; }

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    const float *at = from + scale * *index;
    *x = at[0], *y = at[1], *z = at[2], *w = at[3];
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    float *at = to + scale * *index;
    at[0] = x, at[1] = y, at[2] = z, at[3] = w;
}

// One particle as four floats.
#define QUADS 1
typedef struct quads {
    float at[4];
} quads;

static inline quads quads_set(float x, float y, float z, float w) { return (quads){{x, y, z, w}}; }
static inline quads quads_load(const pli_particle *from) { return quads_set(from->x, from->y, from->z, from->w); }
static inline void quads_store(pli_particle *to, quads a) { *to = (pli_particle){a.at[0], a.at[1], a.at[2], a.at[3]}; }
static inline quads quads_same(const pli_particle *from) { return quads_load(from); }
static inline quads quads_spread(const float *from) { return quads_set(*from, *from, *from, *from); }
static inline quads quads_add(quads a, quads b)
{
    return quads_set(a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]);
}
static inline quads quads_subtract(quads a, quads b)
{
    return quads_set(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2], a.at[3] - b.at[3]);
}
static inline quads quads_multiply(quads a, quads b)
{
    return quads_set(a.at[0] * b.at[0], a.at[1] * b.at[1], a.at[2] * b.at[2], a.at[3] * b.at[3]);
}
static inline quads quads_min(quads a, quads b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] = a.at[k] < b.at[k] ? a.at[k] : b.at[k];
    return a;
}
static inline quads quads_max(quads a, quads b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] = a.at[k] < b.at[k] ? b.at[k] : a.at[k];
    return a;
}
#define QUADS_TAKE(a, i, j, k) quads_set((a).at[i], (a).at[j], (a).at[k], (a).at[3])
static inline quads quads_keep_w(quads a, quads w) { return quads_set(a.at[0], a.at[1], a.at[2], w.at[3]); }
static inline quads quads_sum(quads a)
{
    float sum = a.at[0] + a.at[1] + a.at[2];
    return quads_set(sum, sum, sum, sum);
}
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    return particle.at[3] != 0.0f ? yes : no;
}

#endif
