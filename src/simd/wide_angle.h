// atan2 from additions, multiplications and one division: the same bits for every width, compiler
// and libc. Odd polynomial fitted by us to the arc tangent on 0..tan(pi/8), error 3e-8; the result
// is within 3e-7 rad.
#ifndef PLI_SIMD_WIDE_ANGLE_H
#define PLI_SIMD_WIDE_ANGLE_H

#include "simd/wide.h"

#define PLI_PI 3.14159265358979f

// Arc tangent of low / high for 0 <= low <= high; 0 when both are 0.
static inline wide wide_atan_quotient(wide low, wide high)
{
    // Beyond tan(pi/8): atan(q) = pi/4 + atan((q - 1) / (q + 1)).
    wide_mask steep = wide_less(wide_set(0.414213562f) * high, low);
    wide up = wide_select(steep, low - high, low);
    wide down = wide_select(steep, low + high, high);
    wide q = up * wide_inverse_above(down, 0.0f);
    wide z = q * q;
    wide series = wide_set(-0.13877678f) + z * wide_set(0.08053719f);
    series = wide_set(0.1997771f) + z * series;
    series = wide_set(-0.3333295f) + z * series;
    return wide_select(steep, wide_set(0.25f * PLI_PI), wide_set(0.0f)) + (q + q * z * series);
}

// In (-pi, pi]; 0 at the origin.
static inline wide wide_atan2(wide y, wide x)
{
    wide ax = wide_abs(x), ay = wide_abs(y);
    wide_mask over = wide_less(ax, ay);
    wide angle = wide_atan_quotient(wide_select(over, ax, ay), wide_select(over, ay, ax));
    angle = wide_select(over, wide_set(0.5f * PLI_PI) - angle, angle);
    angle = wide_select(wide_less(x, wide_set(0.0f)), wide_set(PLI_PI) - angle, angle);
    return wide_select(wide_less(y, wide_set(0.0f)), -angle, angle);
}

#endif
