// Segment and triangle: collision/narrowphase/crossing.h.
#include "collision/narrowphase/crossing.h"

static double crossing_side(pli_dvec3 a, pli_dvec3 b, pli_dvec3 c, pli_dvec3 d)
{
    return pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), pli_dsub(d, a));
}

bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part)
{
    double first = crossing_side(corners[0], corners[1], corners[2], ends[0]);
    double second = crossing_side(corners[0], corners[1], corners[2], ends[1]);
    if ((first > 0.0) == (second > 0.0))
        return false;
    double a = crossing_side(ends[0], ends[1], corners[0], corners[1]);
    double b = crossing_side(ends[0], ends[1], corners[1], corners[2]);
    double c = crossing_side(ends[0], ends[1], corners[2], corners[0]);
    *part = first / (first - second);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}
