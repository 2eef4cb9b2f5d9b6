// Width 4: SSE2. Particles are loaded 16 bytes at a time and transposed, which measured faster than gathering single
// coordinates.
#ifndef PLI_SIMD_WIDE_SSE2_H
#define PLI_SIMD_WIDE_SSE2_H

#include <emmintrin.h>

#define WIDE 4
typedef __m128 wide;
typedef __m128 wide_mask;

static inline wide wide_set(float a) { return _mm_set1_ps(a); }
static inline wide wide_load(const float *a) { return _mm_loadu_ps(a); }
static inline void wide_store(float *to, wide a) { _mm_storeu_ps(to, a); }
// Stores the first `count` lanes, fewer than WIDE.
static inline void wide_store_part(float *to, wide a, int32_t count)
{
    float lanes[WIDE];
    _mm_storeu_ps(lanes, a);
    for (int32_t i = 0; i < count; i++)
        to[i] = lanes[i];
}
static inline wide wide_load_indexed(const float *from, const int32_t *index)
{
    return _mm_setr_ps(from[index[0]], from[index[1]], from[index[2]], from[index[3]]);
}
static inline wide wide_sqrt(wide a) { return _mm_sqrt_ps(a); }
static inline wide_mask wide_less(wide a, wide b) { return _mm_cmplt_ps(a, b); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return _mm_and_ps(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return _mm_or_ps(a, b); }
static inline wide wide_select(wide_mask mask, wide yes, wide no)
{
    return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
}
// Bit i is set where the mask holds in lane i.
static inline uint32_t wide_bits(wide_mask mask) { return (uint32_t)_mm_movemask_ps(mask); }

static inline void wide_transpose(__m128 *a, __m128 *b, __m128 *c, __m128 *d) { _MM_TRANSPOSE4_PS(*a, *b, *c, *d); }

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    __m128 a = _mm_loadu_ps(from + scale * index[0]), b = _mm_loadu_ps(from + scale * index[1]);
    __m128 c = _mm_loadu_ps(from + scale * index[2]), d = _mm_loadu_ps(from + scale * index[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    *x = a, *y = b, *z = c, *w = d;
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    _MM_TRANSPOSE4_PS(x, y, z, w);
    _mm_storeu_ps(to + scale * index[0], x);
    _mm_storeu_ps(to + scale * index[1], y);
    _mm_storeu_ps(to + scale * index[2], z);
    _mm_storeu_ps(to + scale * index[3], w);
}

// One particle as four floats.
#define QUADS 1
typedef __m128 quads;

static inline quads quads_set(float x, float y, float z, float w) { return _mm_setr_ps(x, y, z, w); }
static inline quads quads_load(const pli_particle *from) { return _mm_loadu_ps(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { _mm_storeu_ps(&to->x, a); }
static inline quads quads_add(quads a, quads b) { return _mm_add_ps(a, b); }
static inline quads quads_subtract(quads a, quads b) { return _mm_sub_ps(a, b); }
static inline quads quads_multiply(quads a, quads b) { return _mm_mul_ps(a, b); }
#define QUADS_TAKE(a, i, j, k) _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, k, j, i))
static inline quads quads_keep_w(quads a, quads w)
{
    return wide_select(_mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1)), w, a);
}
static inline quads quads_sum(quads a)
{
    __m128 b = quads_keep_w(a, _mm_setzero_ps());
    b = _mm_add_ps(b, _mm_shuffle_ps(b, b, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_add_ps(b, _mm_shuffle_ps(b, b, _MM_SHUFFLE(1, 0, 3, 2)));
}
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    __m128 w = _mm_shuffle_ps(particle, particle, _MM_SHUFFLE(3, 3, 3, 3));
    return wide_select(_mm_cmpneq_ps(w, _mm_setzero_ps()), yes, no);
}

#endif
