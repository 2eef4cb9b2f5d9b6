// Closest points of a vertex and a triangle, and of two edges.
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
