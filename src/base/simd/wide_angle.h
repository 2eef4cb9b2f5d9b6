// atan2 from additions, multiplications and one division: the same bits for every width, compiler and libc. The odd
// polynomial was fitted for this file to the arc tangent on 0..1, error 8e-9; the result is within 3e-7 rad. Kernels
// wait for its latency, so it has a short dependency chain rather than the fewest operations.
#ifndef PLI_BASE_SIMD_WIDE_ANGLE_H
#define PLI_BASE_SIMD_WIDE_ANGLE_H

#include "base/simd/wide.h"

#define WIDE_PI 3.14159265358979f

// Arc tangent of q in 0..1. Below 1e-4 it equals q to the last bit, and powers of q are taken as 0: on nearly flat
// sheets they would be subnormal, and each operation on a subnormal number costs a hundred cycles.
static inline __attribute__((always_inline)) wide wide_atan(wide q)
{
    wide base = wide_select(wide_less(q, wide_set(1e-4f)), wide_set(0.0f), q);
    wide z = base * base, z2 = z * z;
    wide low = (wide_set(-0.33332987f) + wide_set(0.199903962f) * z) +
               (wide_set(-0.14185972f) + wide_set(0.105739199f) * z) * z2;
    wide high = (wide_set(-0.0736668124f) + wide_set(0.041121577f) * z) +
                (wide_set(-0.0151323675f) + wide_set(0.00262220344f) * z) * z2;
    return q + q * z * (low + high * (z2 * z2));
}

// The angle of (x, y) in (-pi, pi]; 0 at the origin.
static inline __attribute__((always_inline)) wide wide_atan2(wide y, wide x)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f), back = wide_set(-1.0f);
    wide ax = wide_abs(x), ay = wide_abs(y);
    wide_mask steep = wide_less(ax, ay), behind = wide_less(x, zero);
    wide longer = wide_select(steep, ay, ax), shorter = wide_select(steep, ax, ay);
    // The angle is a multiple of a right angle plus or minus the angle to the nearer axis.
    wide turn = wide_select(steep, wide_set(0.5f * WIDE_PI), wide_select(behind, wide_set(WIDE_PI), zero));
    wide side = wide_select(steep, back, one) * wide_select(behind, back, one);
    wide above = wide_select(wide_less(y, zero), back, one);
    wide angle = wide_atan(shorter / wide_select(wide_less(zero, longer), longer, one));
    return above * turn + (above * side) * angle;
}

#endif
