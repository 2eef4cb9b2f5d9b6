// Width 4: SSE2. Particles are loaded 16 bytes at a time and transposed, which was measured to be faster than gathering
// single coordinates.
#ifndef PLI_BASE_SIMD_WIDE_SSE2_H
#define PLI_BASE_SIMD_WIDE_SSE2_H

#include <emmintrin.h>

#define WIDE 4
typedef __m128 wide;
typedef __m128 wide_mask;

static inline wide wide_set(float a) { return _mm_set1_ps(a); }
static inline wide wide_load(const float *a) { return _mm_loadu_ps(a); }
static inline void wide_store(float *to, wide a) { _mm_storeu_ps(to, a); }
// Loads the first `count` lanes, fewer than WIDE. Memory after them may be written concurrently and is not read.
static inline wide wide_load_part(const float *from, int32_t count)
{
    if (count == 1)
        return _mm_load_ss(from);
    const wide two = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from));
    return count == 2 ? two : _mm_movelh_ps(two, _mm_load_ss(from + 2));
}
// Stores the first `count` lanes, fewer than WIDE.
static inline void wide_store_part(float *to, wide a, int32_t count)
{
    if (count >= 2)
        _mm_storel_epi64((__m128i *)(void *)to, _mm_castps_si128(a));
    if (count == 1)
        _mm_store_ss(to, a);
    else if (count == 3)
        _mm_store_ss(to + 2, _mm_movehl_ps(a, a));
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

// WIDE particles as they are in memory, one for each register. They are aligned, so instructions take them from memory.
#define WIDE_BUNDLES
typedef struct wide_bundle {
    __m128 at[4];
} wide_bundle;

static inline wide_bundle wide_bundle_load(const pli_particle *particles, const pli_index *index)
{
    const float *from = &particles->x;
    return (wide_bundle){
        {_mm_load_ps(from + 2 * (size_t)index[0].twice), _mm_load_ps(from + 2 * (size_t)index[1].twice),
         _mm_load_ps(from + 2 * (size_t)index[2].twice), _mm_load_ps(from + 2 * (size_t)index[3].twice)}};
}

static inline void wide_bundle_store(pli_particle *particles, const pli_index *index, wide_bundle a)
{
    float *to = &particles->x;
    for (int q = 0; q < 4; q++)
        _mm_store_ps(to + 2 * (size_t)index[q].twice, a.at[q]);
}

static inline void wide_bundle_vectors(wide_bundle a, wide *x, wide *y, wide *z)
{
    __m128 low01 = _mm_unpacklo_ps(a.at[0], a.at[1]), low23 = _mm_unpacklo_ps(a.at[2], a.at[3]);
    *x = _mm_movelh_ps(low01, low23);
    *y = _mm_movehl_ps(low23, low01);
    *z = _mm_movelh_ps(_mm_unpackhi_ps(a.at[0], a.at[1]), _mm_unpackhi_ps(a.at[2], a.at[3]));
}

static inline wide wide_bundle_masses(wide_bundle a)
{
    return _mm_movehl_ps(_mm_unpackhi_ps(a.at[2], a.at[3]), _mm_unpackhi_ps(a.at[0], a.at[1]));
}

// Computes a + b in x, y and z, and adds -0 to the w of a.
static inline __m128 wide_add_but_w(__m128 a, __m128 b)
{
    const __m128 xyz = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0)), none = _mm_setr_ps(0.0f, 0.0f, 0.0f, -0.0f);
    return a + _mm_or_ps(_mm_and_ps(b, xyz), none);
}

// Computes a + b s in x, y and z, and keeps the w of a.
static inline wide_bundle wide_bundle_add_scaled(wide_bundle a, wide_bundle b, wide s)
{
    a.at[0] = wide_add_but_w(a.at[0], b.at[0] * _mm_shuffle_ps(s, s, 0x00));
    a.at[1] = wide_add_but_w(a.at[1], b.at[1] * _mm_shuffle_ps(s, s, 0x55));
    a.at[2] = wide_add_but_w(a.at[2], b.at[2] * _mm_shuffle_ps(s, s, 0xaa));
    a.at[3] = wide_add_but_w(a.at[3], b.at[3] * _mm_shuffle_ps(s, s, 0xff));
    return a;
}

// Puts a factor in x, y and z and 0 in w, from lane 0 or 2 of factors interleaved with zeros.
#define WIDE_SHARE_0(a) _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), _MM_SHUFFLE(1, 0, 0, 0)))
#define WIDE_SHARE_2(a) _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), _MM_SHUFFLE(3, 2, 2, 2)))

#define WIDE_PAIRS 4

static inline void wide_move_pair(float *first, float *second, __m128 share, __m128 other)
{
    __m128 along = _mm_sub_ps(_mm_load_ps(first), _mm_load_ps(second));
    _mm_store_ps(first, _mm_add_ps(_mm_mul_ps(share, along), _mm_load_ps(first)));
    _mm_store_ps(second, _mm_add_ps(_mm_mul_ps(other, along), _mm_load_ps(second)));
}

// Moves the particles of each pair along first minus second, by one fraction of it for the first particle and another
// for the second. Their w are finite and not negative.
static inline void wide_move_pairs(pli_particle *particles, const pli_index *first, const pli_index *second,
                                   const float *shares, const float *others)
{
    const __m128 zero = _mm_setzero_ps(), share = _mm_loadu_ps(shares), other = _mm_loadu_ps(others);
    __m128 share01 = _mm_unpacklo_ps(share, zero), share23 = _mm_unpackhi_ps(share, zero);
    __m128 other01 = _mm_unpacklo_ps(other, zero), other23 = _mm_unpackhi_ps(other, zero);
    float *to = &particles->x;
    wide_move_pair(to + 2 * (size_t)first[0].twice, to + 2 * (size_t)second[0].twice, WIDE_SHARE_0(share01),
                   WIDE_SHARE_0(other01));
    wide_move_pair(to + 2 * (size_t)first[1].twice, to + 2 * (size_t)second[1].twice, WIDE_SHARE_2(share01),
                   WIDE_SHARE_2(other01));
    wide_move_pair(to + 2 * (size_t)first[2].twice, to + 2 * (size_t)second[2].twice, WIDE_SHARE_0(share23),
                   WIDE_SHARE_0(other23));
    wide_move_pair(to + 2 * (size_t)first[3].twice, to + 2 * (size_t)second[3].twice, WIDE_SHARE_2(share23),
                   WIDE_SHARE_2(other23));
}

// One particle as four floats.
#define QUADS 1
typedef __m128 quads;

static inline quads quads_set(float x, float y, float z, float w) { return _mm_setr_ps(x, y, z, w); }
static inline quads quads_load(const pli_particle *from) { return _mm_loadu_ps(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { _mm_storeu_ps(&to->x, a); }
static inline quads quads_same(const pli_particle *from) { return quads_load(from); }
static inline quads quads_spread(const float *from) { return _mm_set1_ps(*from); }
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
