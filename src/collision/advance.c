#include "collision/advance.h"

enum { ADVANCES_MAX = 512 };

static double longest(const pli_dvec3 *ways, int count)
{
    double square = 0.0;
    for (int i = 0; i < count; i++)
        square = fmax(square, pli_ddot(ways[i], ways[i]));
    return sqrt(square);
}

double pli_advance(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double share)
{
    pli_dvec3 at[4], ways[4], mean = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        at[i] = from[i];
        ways[i] = pli_dsub(to[i], from[i]);
        mean = pli_dadd(mean, pli_dscale(ways[i], 0.25));
    }
    for (int i = 0; i < 4; i++)
        ways[i] = pli_dsub(ways[i], mean);
    int split = kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    double reach = longest(ways, split) + longest(ways + split, 4 - split);
    double distance = sqrt(pli_closest_points(kind, at).square), least = share * distance, gone = 0.0;
    if (reach == 0.0)
        return 1.0;
    // A tenth of the room is left by each advance, so it is safe to end with the one that came near.
    double stop = least + 0.1 * (distance - least);
    for (int i = 0; i < ADVANCES_MAX; i++) {
        double next = 0.9 * (distance - least) / reach;
        if (gone + next >= 1.0)
            return 1.0;
        gone += next;
        for (int k = 0; k < 4; k++)
            at[k] = pli_dadd(from[k], pli_dscale(ways[k], gone));
        distance = sqrt(pli_closest_points(kind, at).square);
        if (distance < stop)
            return gone;
    }
    return gone;
}
