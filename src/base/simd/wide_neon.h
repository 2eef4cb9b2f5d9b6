// Width 4: NEON of 64-bit ARM processors, which rounds and keeps denormals as IEEE 754 requires.
#ifndef PLI_BASE_SIMD_WIDE_NEON_H
#define PLI_BASE_SIMD_WIDE_NEON_H

#include <arm_neon.h>

#define WIDE 4
typedef float32x4_t wide;
typedef uint32x4_t wide_mask;

static inline wide wide_set(float a) { return vdupq_n_f32(a); }
static inline wide wide_load(const float *a) { return vld1q_f32(a); }
static inline void wide_store(float *to, wide a) { vst1q_f32(to, a); }
// Loads the first `count` lanes, fewer than WIDE. Memory after them may be written concurrently and is not read.
static inline wide wide_load_part(const float *from, int32_t count)
{
    const wide none = wide_set(0.0f);
    if (count == 1)
        return vld1q_lane_f32(from, none, 0);
    const wide two = vcombine_f32(vld1_f32(from), vget_high_f32(none));
    return count == 2 ? two : vld1q_lane_f32(from + 2, two, 2);
}
// Stores the first `count` lanes, fewer than WIDE.
static inline void wide_store_part(float *to, wide a, int32_t count)
{
    if (count >= 2)
        vst1_f32(to, vget_low_f32(a));
    if (count == 1)
        vst1q_lane_f32(to, a, 0);
    else if (count == 3)
        vst1q_lane_f32(to + 2, a, 2);
}
static inline wide wide_load_indexed(const float *from, const int32_t *index)
{
    const float lanes[WIDE] = {from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
    return wide_load(lanes);
}
static inline wide wide_sqrt(wide a) { return vsqrtq_f32(a); }
static inline wide_mask wide_less(wide a, wide b) { return vcltq_f32(a, b); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return vandq_u32(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return vorrq_u32(a, b); }
static inline wide wide_select(wide_mask mask, wide yes, wide no) { return vbslq_f32(mask, yes, no); }
// Bit i is set where the mask holds in lane i.
static inline uint32_t wide_bits(wide_mask mask)
{
    static const uint32_t bits[WIDE] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(bits)));
}

static inline void wide_transpose(float32x4_t *a, float32x4_t *b, float32x4_t *c, float32x4_t *d)
{
    float32x4x2_t ab = vtrnq_f32(*a, *b), cd = vtrnq_f32(*c, *d);
    *a = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    *b = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    *c = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    *d = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    *x = vld1q_f32(from + scale * index[0]);
    *y = vld1q_f32(from + scale * index[1]);
    *z = vld1q_f32(from + scale * index[2]);
    *w = vld1q_f32(from + scale * index[3]);
    wide_transpose(x, y, z, w);
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    wide_transpose(&x, &y, &z, &w);
    vst1q_f32(to + scale * index[0], x);
    vst1q_f32(to + scale * index[1], y);
    vst1q_f32(to + scale * index[2], z);
    vst1q_f32(to + scale * index[3], w);
}

// One particle as four floats.
#define QUADS 1
typedef float32x4_t quads;

static inline quads quads_set(float x, float y, float z, float w)
{
    const float from[4] = {x, y, z, w};
    return vld1q_f32(from);
}
static inline quads quads_load(const pli_particle *from) { return vld1q_f32(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { vst1q_f32(&to->x, a); }
static inline quads quads_same(const pli_particle *from) { return quads_load(from); }
static inline quads quads_spread(const float *from) { return vdupq_n_f32(*from); }
static inline quads quads_add(quads a, quads b) { return vaddq_f32(a, b); }
static inline quads quads_subtract(quads a, quads b) { return vsubq_f32(a, b); }
static inline quads quads_multiply(quads a, quads b) { return vmulq_f32(a, b); }
#define QUADS_TAKE(a, i, j, k) ((quads){(a)[i], (a)[j], (a)[k], (a)[3]})
static inline quads quads_keep_w(quads a, quads w) { return vcopyq_laneq_f32(a, 3, w, 3); }
static inline quads quads_sum(quads a)
{
    float32x4_t b = vsetq_lane_f32(0.0f, a, 3);
    b = vpaddq_f32(b, b);
    return vpaddq_f32(b, b);
}
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    uint32x4_t held = vceqzq_f32(vdupq_laneq_f32(particle, 3));
    return vbslq_f32(held, no, yes);
}

#endif
