// Moves of eight pairs of particles in registers of 8 floats, for AVX2 and AVX-512. A register contains the same particle of two pairs as
// in memory. Filling and storing take one insert and one extract, where registers of 16 floats take three.
#ifndef PLI_BASE_SIMD_PAIRS_AVX_H
#define PLI_BASE_SIMD_PAIRS_AVX_H

#include <immintrin.h>

#define WIDE_PAIRS 8

static inline __m256 wide_two(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}

static inline void wide_store_two(float *low, float *high, __m256 two)
{
    _mm_store_ps(low, _mm256_castps256_ps128(two));
    _mm_store_ps(high, _mm256_extractf128_ps(two, 1));
}

// Moves the pairs q and q + 4, whose factors fill the halves of two registers.
static inline void wide_move_two(float *particles, const pli_index *first, const pli_index *second, int32_t q,
                                 __m256 share, __m256 other)
{
    float *low[2] = {particles + 2 * (size_t)first[q].twice, particles + 2 * (size_t)second[q].twice};
    float *high[2] = {particles + 2 * (size_t)first[q + 4].twice, particles + 2 * (size_t)second[q + 4].twice};
    __m256 a = wide_two(low[0], high[0]), b = wide_two(low[1], high[1]), along = a - b;
    wide_store_two(low[0], high[0], _mm256_blend_ps(a + along * share, a, 0x88));
    wide_store_two(low[1], high[1], _mm256_blend_ps(b + along * other, b, 0x88));
}

// Moves the particles of each pair along first minus second, by one fraction of it for the first particle and another
// for the second. Their w are finite and not negative.
static inline void wide_move_pairs(pli_particle *particles, const pli_index *first, const pli_index *second,
                                   const float *shares, const float *others)
{
    __m256 share = _mm256_loadu_ps(shares), other = _mm256_loadu_ps(others);
    float *to = &particles->x;
    wide_move_two(to, first, second, 0, _mm256_permute_ps(share, 0x00), _mm256_permute_ps(other, 0x00));
    wide_move_two(to, first, second, 1, _mm256_permute_ps(share, 0x55), _mm256_permute_ps(other, 0x55));
    wide_move_two(to, first, second, 2, _mm256_permute_ps(share, 0xaa), _mm256_permute_ps(other, 0xaa));
    wide_move_two(to, first, second, 3, _mm256_permute_ps(share, 0xff), _mm256_permute_ps(other, 0xff));
}

#endif
