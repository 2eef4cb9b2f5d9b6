// Additive conservative advancement: steps along the trajectories that cannot reach a collision. Each step is the
// distance divided by a bound of the relative displacement.
//
//    distance d        safe step             repeat until the end (clear)
//    a o <---------> o b                     or until d < least + 10 % (stop)
//      |-->        <-|     reach = bound of |relative displacement|
//       0.9 (d - least) / reach
#include "collision/ccd/advancement.h"

enum { ADVANCES_MAX = 512 };

static double longest(const pli_dvec3 *trajectories, int count)
{
    double square = 0.0;
    for (int i = 0; i < count; i++)
        square = fmax(square, pli_ddot(trajectories[i], trajectories[i]));
    return sqrt(square);
}

double pli_advance(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double level, double share)
{
    pli_dvec3 at[4], trajectories[4], mean = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        at[i] = from[i];
        trajectories[i] = pli_dsub(to[i], from[i]);
        mean = pli_dadd(mean, pli_dscale(trajectories[i], 0.25));
    }
    for (int i = 0; i < 4; i++)
        trajectories[i] = pli_dsub(trajectories[i], mean);
    int split = kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    double reach = longest(trajectories, split) + longest(trajectories + split, 4 - split);
    double distance = sqrt(pli_closest_points(kind, at).square), fraction = 0.0;
    double least = level + share * (distance - level);
    if (reach == 0.0)
        return 1.0;
    // Each step leaves a tenth of the remaining distance, so stopping near `least` is still safe.
    double stop = least + 0.1 * (distance - least);
    for (int i = 0; i < ADVANCES_MAX; i++) {
        double step = 0.9 * (distance - least) / reach;
        if (fraction + step >= 1.0)
            return 1.0;
        fraction += step;
        for (int k = 0; k < 4; k++)
            at[k] = pli_dadd(from[k], pli_dscale(trajectories[k], fraction));
        distance = sqrt(pli_closest_points(kind, at).square);
        if (distance < stop)
            return fraction;
    }
    return fraction;
}
