// Width 8: AVX2. Particles are loaded 16 bytes at a time and transposed 4x4 in each half of the registers; gathers were
// measured to be half as fast.
#ifndef PLI_BASE_SIMD_WIDE_AVX2_H
#define PLI_BASE_SIMD_WIDE_AVX2_H

#include "base/simd/pairs_avx.h"

#include <immintrin.h>

#define WIDE 8
typedef __m256 wide;
typedef __m256 wide_mask;

static inline wide wide_set(float a) { return _mm256_set1_ps(a); }
static inline wide wide_load(const float *a) { return _mm256_loadu_ps(a); }
static inline void wide_store(float *to, wide a) { _mm256_storeu_ps(to, a); }
// The first `count` lanes, fewer than WIDE.
static inline __m256i wide_part(int32_t count)
{
    static const int32_t masks[2 * WIDE] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(const void *)(masks + WIDE - count));
}
// Loads a part of a register. Memory after it may be written concurrently and is not read.
static inline wide wide_load_part(const float *from, int32_t count)
{
    return _mm256_maskload_ps(from, wide_part(count));
}
static inline void wide_store_part(float *to, wide a, int32_t count) { _mm256_maskstore_ps(to, wide_part(count), a); }
static inline wide wide_load_indexed(const float *from, const int32_t *index)
{
    return _mm256_i32gather_ps(from, _mm256_loadu_si256((const __m256i *)(const void *)index), 4);
}
static inline wide wide_sqrt(wide a) { return _mm256_sqrt_ps(a); }
static inline wide_mask wide_less(wide a, wide b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return _mm256_and_ps(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return _mm256_or_ps(a, b); }
static inline wide wide_select(wide_mask mask, wide yes, wide no) { return _mm256_blendv_ps(no, yes, mask); }
// Bit i is set where the mask holds in lane i.
static inline uint32_t wide_bits(wide_mask mask) { return (uint32_t)_mm256_movemask_ps(mask); }

static inline __m256 wide_pair(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

static inline void wide_transpose(__m256 *a, __m256 *b, __m256 *c, __m256 *d)
{
    __m256 ab_low = _mm256_unpacklo_ps(*a, *b), ab_high = _mm256_unpackhi_ps(*a, *b);
    __m256 cd_low = _mm256_unpacklo_ps(*c, *d), cd_high = _mm256_unpackhi_ps(*c, *d);
    *a = _mm256_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(1, 0, 1, 0));
    *b = _mm256_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(3, 2, 3, 2));
    *c = _mm256_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(1, 0, 1, 0));
    *d = _mm256_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    *x = wide_pair(from + scale * index[0], from + scale * index[4]);
    *y = wide_pair(from + scale * index[1], from + scale * index[5]);
    *z = wide_pair(from + scale * index[2], from + scale * index[6]);
    *w = wide_pair(from + scale * index[3], from + scale * index[7]);
    wide_transpose(x, y, z, w);
}

static inline void wide_store_pair(float *low, float *high, __m256 pair)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128(pair));
    _mm_storeu_ps(high, _mm256_extractf128_ps(pair, 1));
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    wide_transpose(&x, &y, &z, &w);
    wide_store_pair(to + scale * index[0], to + scale * index[4], x);
    wide_store_pair(to + scale * index[1], to + scale * index[5], y);
    wide_store_pair(to + scale * index[2], to + scale * index[6], z);
    wide_store_pair(to + scale * index[3], to + scale * index[7], w);
}

// WIDE particles as they are in memory: register q contains the particles of the lanes q and q + 4.
#define WIDE_BUNDLES
typedef struct wide_bundle {
    __m256 at[4];
} wide_bundle;

static inline wide_bundle wide_bundle_load(const pli_particle *particles, const pli_index *index)
{
    const float *from = &particles->x;
    return (wide_bundle){{wide_pair(from + 2 * (size_t)index[0].twice, from + 2 * (size_t)index[4].twice),
                          wide_pair(from + 2 * (size_t)index[1].twice, from + 2 * (size_t)index[5].twice),
                          wide_pair(from + 2 * (size_t)index[2].twice, from + 2 * (size_t)index[6].twice),
                          wide_pair(from + 2 * (size_t)index[3].twice, from + 2 * (size_t)index[7].twice)}};
}

static inline void wide_bundle_store(pli_particle *particles, const pli_index *index, wide_bundle a)
{
    float *to = &particles->x;
    wide_store_pair(to + 2 * (size_t)index[0].twice, to + 2 * (size_t)index[4].twice, a.at[0]);
    wide_store_pair(to + 2 * (size_t)index[1].twice, to + 2 * (size_t)index[5].twice, a.at[1]);
    wide_store_pair(to + 2 * (size_t)index[2].twice, to + 2 * (size_t)index[6].twice, a.at[2]);
    wide_store_pair(to + 2 * (size_t)index[3].twice, to + 2 * (size_t)index[7].twice, a.at[3]);
}

static inline void wide_bundle_vectors(wide_bundle a, wide *x, wide *y, wide *z)
{
    __m256 low01 = _mm256_unpacklo_ps(a.at[0], a.at[1]), low23 = _mm256_unpacklo_ps(a.at[2], a.at[3]);
    *x = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    *y = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    *z = _mm256_shuffle_ps(_mm256_unpackhi_ps(a.at[0], a.at[1]), _mm256_unpackhi_ps(a.at[2], a.at[3]),
                           _MM_SHUFFLE(1, 0, 1, 0));
}

static inline wide wide_bundle_masses(wide_bundle a)
{
    __m256 high01 = _mm256_unpackhi_ps(a.at[0], a.at[1]), high23 = _mm256_unpackhi_ps(a.at[2], a.at[3]);
    return _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline __m256 wide_add_but_w(__m256 a, __m256 b) { return _mm256_blend_ps(a + b, a, 0x88); }

// a + b s in x, y and z; w of a.
static inline wide_bundle wide_bundle_add_scaled(wide_bundle a, wide_bundle b, wide s)
{
    a.at[0] = wide_add_but_w(a.at[0], b.at[0] * _mm256_permute_ps(s, _MM_SHUFFLE(0, 0, 0, 0)));
    a.at[1] = wide_add_but_w(a.at[1], b.at[1] * _mm256_permute_ps(s, _MM_SHUFFLE(1, 1, 1, 1)));
    a.at[2] = wide_add_but_w(a.at[2], b.at[2] * _mm256_permute_ps(s, _MM_SHUFFLE(2, 2, 2, 2)));
    a.at[3] = wide_add_but_w(a.at[3], b.at[3] * _mm256_permute_ps(s, _MM_SHUFFLE(3, 3, 3, 3)));
    return a;
}

// Two particles, four floats each.
#define QUADS 2
typedef __m256 quads;

static inline quads quads_set(float x, float y, float z, float w) { return _mm256_setr_ps(x, y, z, w, x, y, z, w); }
static inline quads quads_load(const pli_particle *from) { return _mm256_loadu_ps(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { _mm256_storeu_ps(&to->x, a); }
static inline quads quads_same(const pli_particle *from)
{
    return _mm256_broadcast_ps((const __m128 *)(const void *)from);
}
static inline quads quads_spread(const float *from)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_set1_ps(from[0])), _mm_set1_ps(from[1]), 1);
}
static inline quads quads_add(quads a, quads b) { return _mm256_add_ps(a, b); }
static inline quads quads_subtract(quads a, quads b) { return _mm256_sub_ps(a, b); }
static inline quads quads_multiply(quads a, quads b) { return _mm256_mul_ps(a, b); }
static inline quads quads_sum(quads a)
{
    __m256 b = _mm256_blend_ps(a, _mm256_setzero_ps(), 0x88);
    b = _mm256_add_ps(b, _mm256_permute_ps(b, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm256_add_ps(b, _mm256_permute_ps(b, _MM_SHUFFLE(1, 0, 3, 2)));
}
#define QUADS_TAKE(a, i, j, k) _mm256_permute_ps(a, _MM_SHUFFLE(3, k, j, i))
static inline quads quads_keep_w(quads a, quads w) { return _mm256_blend_ps(a, w, 0x88); }
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    __m256 w = _mm256_permute_ps(particle, _MM_SHUFFLE(3, 3, 3, 3));
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(w, _mm256_setzero_ps(), _CMP_NEQ_UQ));
}

#endif
