// Width 16: AVX-512 F and DQ. Particles are transposed 4x4 in each quarter of the registers; masks have one bit for each lane.
#ifndef PLI_BASE_SIMD_WIDE_AVX512_H
#define PLI_BASE_SIMD_WIDE_AVX512_H

#include "base/simd/pairs_avx.h"

#include <immintrin.h>

#define WIDE 16
typedef __m512 wide;
typedef __mmask16 wide_mask;

static inline wide wide_set(float a) { return _mm512_set1_ps(a); }
static inline wide wide_load(const float *a) { return _mm512_loadu_ps(a); }
static inline void wide_store(float *to, wide a) { _mm512_storeu_ps(to, a); }
// Loads the first `count` lanes, fewer than WIDE. Memory after them may be written concurrently and is not read.
static inline wide wide_load_part(const float *from, int32_t count)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1u), from);
}
// Stores the first `count` lanes, fewer than WIDE.
static inline void wide_store_part(float *to, wide a, int32_t count)
{
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1u), a);
}
// Without optimisation gcc expands the gather through its own macro, which warns of a sign conversion.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
static inline wide wide_load_indexed(const float *from, const int32_t *index)
{
    return _mm512_i32gather_ps(_mm512_loadu_si512(index), from, 4);
}
#pragma GCC diagnostic pop
static inline wide wide_sqrt(wide a) { return _mm512_sqrt_ps(a); }
static inline wide_mask wide_less(wide a, wide b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return _kand_mask16(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return _kor_mask16(a, b); }
static inline wide wide_select(wide_mask mask, wide yes, wide no) { return _mm512_mask_blend_ps(mask, no, yes); }
// Bit i is set where the mask holds in lane i.
static inline uint32_t wide_bits(wide_mask mask) { return mask; }

// The particles at index[0], [4], [8] and [12], one in each quarter.
static inline __m512 wide_four(const float *from, const uint32_t *index, size_t scale)
{
    __m512 low = _mm512_castps128_ps512(_mm_loadu_ps(from + scale * index[0]));
    __m256 high = _mm256_castps128_ps256(_mm_loadu_ps(from + scale * index[8]));
    low = _mm512_insertf32x4(low, _mm_loadu_ps(from + scale * index[4]), 1);
    high = _mm256_insertf128_ps(high, _mm_loadu_ps(from + scale * index[12]), 1);
    return _mm512_insertf32x8(low, high, 1);
}

static inline void wide_transpose(__m512 *a, __m512 *b, __m512 *c, __m512 *d)
{
    __m512 ab_low = _mm512_unpacklo_ps(*a, *b), ab_high = _mm512_unpackhi_ps(*a, *b);
    __m512 cd_low = _mm512_unpacklo_ps(*c, *d), cd_high = _mm512_unpackhi_ps(*c, *d);
    *a = _mm512_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(1, 0, 1, 0));
    *b = _mm512_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(3, 2, 3, 2));
    *c = _mm512_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(1, 0, 1, 0));
    *d = _mm512_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    *x = wide_four(from, index, scale);
    *y = wide_four(from, index + 1, scale);
    *z = wide_four(from, index + 2, scale);
    *w = wide_four(from, index + 3, scale);
    wide_transpose(x, y, z, w);
}

static inline void wide_store_four(float *to, const uint32_t *index, size_t scale, __m512 four)
{
    _mm_storeu_ps(to + scale * index[0], _mm512_castps512_ps128(four));
    _mm_storeu_ps(to + scale * index[4], _mm512_extractf32x4_ps(four, 1));
    _mm_storeu_ps(to + scale * index[8], _mm512_extractf32x4_ps(four, 2));
    _mm_storeu_ps(to + scale * index[12], _mm512_extractf32x4_ps(four, 3));
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    wide_transpose(&x, &y, &z, &w);
    wide_store_four(to, index, scale, x);
    wide_store_four(to, index + 1, scale, y);
    wide_store_four(to, index + 2, scale, z);
    wide_store_four(to, index + 3, scale, w);
}

// WIDE particles as they are in memory: register q contains the particles of the lanes q, q + 4, q + 8 and q + 12.
#define WIDE_BUNDLES
typedef struct wide_bundle {
    __m512 at[4];
} wide_bundle;

static inline wide_bundle wide_bundle_load(const pli_particle *particles, const pli_index *index)
{
    const float *from = &particles->x;
    const uint32_t *at = &index->twice;
    return (wide_bundle){
        {wide_four(from, at, 2), wide_four(from, at + 1, 2), wide_four(from, at + 2, 2), wide_four(from, at + 3, 2)}};
}

static inline void wide_bundle_store(pli_particle *particles, const pli_index *index, wide_bundle a)
{
    float *to = &particles->x;
    for (int q = 0; q < 4; q++)
        wide_store_four(to, &index->twice + q, 2, a.at[q]);
}

static inline void wide_bundle_vectors(wide_bundle a, wide *x, wide *y, wide *z)
{
    __m512 low01 = _mm512_unpacklo_ps(a.at[0], a.at[1]), low23 = _mm512_unpacklo_ps(a.at[2], a.at[3]);
    *x = _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    *y = _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    *z = _mm512_shuffle_ps(_mm512_unpackhi_ps(a.at[0], a.at[1]), _mm512_unpackhi_ps(a.at[2], a.at[3]),
                           _MM_SHUFFLE(1, 0, 1, 0));
}

static inline wide wide_bundle_masses(wide_bundle a)
{
    __m512 high01 = _mm512_unpackhi_ps(a.at[0], a.at[1]), high23 = _mm512_unpackhi_ps(a.at[2], a.at[3]);
    return _mm512_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline __m512 wide_add_but_w(__m512 a, __m512 b) { return _mm512_mask_add_ps(a, 0x7777, a, b); }

// a + b s in x, y and z; w of a.
static inline wide_bundle wide_bundle_add_scaled(wide_bundle a, wide_bundle b, wide s)
{
    a.at[0] = wide_add_but_w(a.at[0], b.at[0] * _mm512_permute_ps(s, _MM_SHUFFLE(0, 0, 0, 0)));
    a.at[1] = wide_add_but_w(a.at[1], b.at[1] * _mm512_permute_ps(s, _MM_SHUFFLE(1, 1, 1, 1)));
    a.at[2] = wide_add_but_w(a.at[2], b.at[2] * _mm512_permute_ps(s, _MM_SHUFFLE(2, 2, 2, 2)));
    a.at[3] = wide_add_but_w(a.at[3], b.at[3] * _mm512_permute_ps(s, _MM_SHUFFLE(3, 3, 3, 3)));
    return a;
}

// Four particles, four floats each.
#define QUADS 4
typedef __m512 quads;

static inline quads quads_set(float x, float y, float z, float w)
{
    return _mm512_broadcast_f32x4(_mm_setr_ps(x, y, z, w));
}
static inline quads quads_load(const pli_particle *from) { return _mm512_loadu_ps(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { _mm512_storeu_ps(&to->x, a); }
static inline quads quads_same(const pli_particle *from) { return _mm512_broadcast_f32x4(_mm_loadu_ps(&from->x)); }
static inline quads quads_spread(const float *from)
{
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                                 _mm512_castps128_ps512(_mm_loadu_ps(from)));
}
static inline quads quads_add(quads a, quads b) { return _mm512_add_ps(a, b); }
static inline quads quads_subtract(quads a, quads b) { return _mm512_sub_ps(a, b); }
static inline quads quads_multiply(quads a, quads b) { return _mm512_mul_ps(a, b); }
static inline quads quads_sum(quads a)
{
    __m512 b = _mm512_maskz_mov_ps(0x7777, a);
    b = _mm512_add_ps(b, _mm512_permute_ps(b, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm512_add_ps(b, _mm512_permute_ps(b, _MM_SHUFFLE(1, 0, 3, 2)));
}
#define QUADS_TAKE(a, i, j, k) _mm512_permute_ps(a, _MM_SHUFFLE(3, k, j, i))
static inline quads quads_keep_w(quads a, quads w) { return _mm512_mask_blend_ps(0x8888, a, w); }
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    __m512 w = _mm512_permute_ps(particle, _MM_SHUFFLE(3, 3, 3, 3));
    return wide_select(_mm512_cmp_ps_mask(w, _mm512_setzero_ps(), _CMP_NEQ_UQ), yes, no);
}

#endif
