// Segment and triangle: collision/narrowphase/crossing.h.
#include "collision/narrowphase/crossing.h"

static double side_of(pli_dvec3 a, pli_dvec3 b, pli_dvec3 c, pli_dvec3 d)
{
    return pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), pli_dsub(d, a));
}

bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part)
{
    double first = side_of(corners[0], corners[1], corners[2], ends[0]);
    double second = side_of(corners[0], corners[1], corners[2], ends[1]);
    if ((first > 0.0) == (second > 0.0))
        return false;
    double a = side_of(ends[0], ends[1], corners[0], corners[1]);
    double b = side_of(ends[0], ends[1], corners[1], corners[2]);
    double c = side_of(ends[0], ends[1], corners[2], corners[0]);
    *part = first / (first - second);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}
