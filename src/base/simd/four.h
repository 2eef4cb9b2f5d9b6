// Four floats in one register. They are available on every processor with SIMD, whatever back end the other kernels use.
#ifndef PLI_BASE_SIMD_FOUR_H
#define PLI_BASE_SIMD_FOUR_H

#include "base/simd/wide.h"

#include <stdbool.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float pli_four __attribute__((vector_size(16)));
typedef int32_t pli_four_mask __attribute__((vector_size(16)));

static inline pli_four pli_four_set(float a) { return (pli_four){a, a, a, a}; }

static inline pli_four pli_four_at(const float *a)
{
    pli_four four;
    memcpy(&four, a, sizeof four);
    return four;
}

static inline pli_four pli_four_of(const pli_particle *p) { return pli_four_at(&p->x); }

static inline pli_four pli_four_select(pli_four_mask mask, pli_four yes, pli_four no)
{
    return (pli_four)((mask & (pli_four_mask)yes) | (~mask & (pli_four_mask)no));
}

// Whether the mask holds in any of the first three lanes.
static inline bool pli_four_any_of_three(pli_four_mask mask)
{
#ifdef __SSE2__
    return (_mm_movemask_ps((__m128)mask) & 7) != 0;
#else
    return (mask[0] | mask[1] | mask[2]) != 0;
#endif
}

// Returns the smaller or the larger lane: a < b ? a : b, or a > b ? a : b, with NaN treated as by SIMD instructions.
static inline pli_four pli_four_lower(pli_four a, pli_four b)
{
#ifdef __SSE2__
    return _mm_min_ps(a, b);
#else
    return pli_four_select(a < b, a, b);
#endif
}

static inline pli_four pli_four_higher(pli_four a, pli_four b)
{
#ifdef __SSE2__
    return _mm_max_ps(a, b);
#else
    return pli_four_select(a > b, a, b);
#endif
}

#endif
