// Closest points of a vertex and a triangle, and of two edges; advancement along linear trajectories.
#include "collision/narrowphase/closest_points.h"

static pli_dvec3 closest_between(pli_dvec3 a, pli_dvec3 b, double t)
{
    return pli_dadd(a, pli_dscale(pli_dsub(b, a), t));
}

static pli_closest result(const double weights[4], const pli_dvec3 at[4])
{
    pli_closest c = {.weights = {weights[0], weights[1], weights[2], weights[3]}};
    // Differences to one of the points stay accurate far from the origin. The weights sum to zero, so the sum is
    // unchanged.
    for (int i = 1; i < 4; i++)
        c.apart = pli_dadd(c.apart, pli_dscale(pli_dsub(at[i], at[0]), weights[i]));
    c.square = pli_ddot(c.apart, c.apart);
    return c;
}

// Comparisons compile to two instructions; fmin and fmax would also handle NaN.
static double clamped(double a)
{
    double b = a > 0.0 ? a : 0.0;
    return b < 1.0 ? b : 1.0;
}

static double closest_along(pli_dvec3 p, pli_dvec3 a, pli_dvec3 b)
{
    pli_dvec3 ab = pli_dsub(b, a);
    double whole = pli_ddot(ab, ab);
    return whole > 0.0 ? clamped((pli_ddot(pli_dsub(p, a), ab)) / whole) : 0.0;
}

static pli_closest vertex_triangle(const pli_dvec3 at[4])
{
    pli_dvec3 ab = pli_dsub(at[2], at[1]), ac = pli_dsub(at[3], at[1]), ap = pli_dsub(at[0], at[1]);
    double d1 = pli_ddot(ab, ap), d2 = pli_ddot(ac, ap);
    pli_dvec3 bp = pli_dsub(at[0], at[2]), cp = pli_dsub(at[0], at[3]);
    double d3 = pli_ddot(ab, bp), d4 = pli_ddot(ac, bp), d5 = pli_ddot(ab, cp), d6 = pli_ddot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, sum = va + vb + vc;
    if (!(va > 0.0 && vb > 0.0 && vc > 0.0 && sum > 0.0)) {
        // The closest of the three sides. Degenerate triangles have no Voronoi regions, so they are handled here too.
        pli_closest best = {.square = INFINITY};
        for (int i = 0; i < 3; i++) {
            int a = 1 + i, b = 1 + (i + 1) % 3;
            double t = closest_along(at[0], at[a], at[b]), weights[4] = {1.0, 0.0, 0.0, 0.0};
            weights[a] = t - 1.0;
            weights[b] = -t;
            pli_closest side = result(weights, at);
            if (side.square < best.square)
                best = side;
        }
        return best;
    }
    const double weights[4] = {1.0, -va / sum, -vb / sum, -vc / sum};
    return result(weights, at);
}

static pli_closest edge_edge(const pli_dvec3 at[4])
{
    pli_dvec3 d1 = pli_dsub(at[1], at[0]), d2 = pli_dsub(at[3], at[2]), r = pli_dsub(at[0], at[2]);
    double a = pli_ddot(d1, d1), e = pli_ddot(d2, d2), f = pli_ddot(d2, r), c = pli_ddot(d1, r), b = pli_ddot(d1, d2);
    double denominator = a * e - b * b, s = 0.0;
    if (denominator > 1e-12 * a * e)
        s = clamped((b * f - c * e) / denominator);
    double t = closest_along(closest_between(at[0], at[1], s), at[2], at[3]);
    s = closest_along(closest_between(at[2], at[3], t), at[0], at[1]);
    const double weights[4] = {1.0 - s, s, t - 1.0, -t};
    return result(weights, at);
}

pli_closest pli_closest_points(pli_pair_kind kind, const pli_dvec3 at[4])
{
    return kind == PLI_PAIR_EDGE_EDGE ? edge_edge(at) : vertex_triangle(at);
}

/* ---- crossing -------------------------------------------------------------------------------- */

// Segment and triangle: collision/narrowphase/closest_points.h.

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

/* ---- conservative advancement ---------------------------------------------------------------- */

// Additive conservative advancement: steps along the trajectories that cannot reach a collision. Each step is the
// distance divided by a bound of the relative displacement.
//
//    distance d        safe step             repeat until the end (clear)
//    a o <---------> o b                     or until d < least + 10 % (stop)
//      |-->        <-|     reach = bound of |relative displacement|
//       0.9 (d - least) / reach

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
