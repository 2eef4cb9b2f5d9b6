// If the corners of two triangles lie on both sides of each other's plane, each triangle cuts the common line of the planes in an
// interval, and they cross when the intervals overlap (Guigue and Devillers 2003). Only corners that lie exactly in a plane need the
// slower tests.
#include "intersections/triangle_pair.h"

#include "intersections/exact_sign.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* ---- segments ------------------------------------------------------------------------------- */

static bool ranges_meet(float a, float b, float c, float d)
{
    float low = a < b ? a : b, high = a < b ? b : a;
    return (c >= low || d >= low) && (c <= high || d <= high);
}

static bool segments_meet_flat(const float *p, const float *q, const float *r, const float *s, int first, int second)
{
    if (!ranges_meet(p[first], q[first], r[first], s[first]) ||
        !ranges_meet(p[second], q[second], r[second], s[second]))
        return false;
    return pli_cli_side_of_line(p, q, r, first, second) * pli_cli_side_of_line(p, q, s, first, second) <= 0 &&
           pli_cli_side_of_line(r, s, p, first, second) * pli_cli_side_of_line(r, s, q, first, second) <= 0;
}

// Coplanar segments meet when their projections along every axis do: one of the projections preserves the plane.
static bool segments_meet(const float *p, const float *q, const float *r, const float *s)
{
    return pli_cli_side_of_plane(p, q, r, s) == 0 && segments_meet_flat(p, q, r, s, 0, 1) &&
           segments_meet_flat(p, q, r, s, 1, 2) && segments_meet_flat(p, q, r, s, 2, 0);
}

/* ---- a segment and a triangle --------------------------------------------------------------- */

static int side(const float *const t[3], const float *p) { return pli_cli_side_of_plane(t[0], t[1], t[2], p); }

// Whether a point in the plane of a triangle is in its interior.
static bool inside_flat(const float *const t[3], const float *p)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, sum = 0;
        for (int k = 0; k < 3; k++)
            sum += pli_cli_side_of_line(t[k], t[(k + 1) % 3], p, i, j);
        if (sum == 3 || sum == -3)
            return true;
    }
    return false;
}

static bool meets_flat(const float *p, const float *q, const float *const t[3])
{
    return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) || segments_meet(p, q, t[2], t[0]) ||
           inside_flat(t, p);
}

// The sides on which the triangle's edges pass the line through p and q.
static void pass(const float *p, const float *q, const float *const t[3], int passes[3])
{
    for (int k = 0; k < 3; k++)
        passes[k] = pli_cli_side_of_plane(p, q, t[k], t[(k + 1) % 3]);
}

static bool straddles(const int sides[3])
{
    return (sides[0] > 0 || sides[1] > 0 || sides[2] > 0) && (sides[0] < 0 || sides[1] < 0 || sides[2] < 0);
}

static bool all_equal(const int sides[3]) { return sides[0] == sides[1] && sides[1] == sides[2]; }

// Whether the segment and the triangle have a point in common, ends and border included.
static bool meets(const float *p, const float *q, const float *const t[3])
{
    int of_p = side(t, p), of_q = side(t, q), passes[3];
    if (of_p * of_q > 0)
        return false;
    if (of_p == 0 && of_q == 0)
        return meets_flat(p, q, t);
    pass(p, q, t, passes);
    return !straddles(passes);
}

// Whether the segment passes through the interior of the triangle.
static bool pierces(const float *p, const float *q, const float *const t[3])
{
    int passes[3];
    if (side(t, p) * side(t, q) >= 0)
        return false;
    pass(p, q, t, passes);
    return passes[0] != 0 && all_equal(passes);
}

static bool an_edge(bool (*test)(const float *p, const float *q, const float *const t[3]), const float *const a[3],
                    const float *const b[3])
{
    return test(a[0], a[1], b) || test(a[1], a[2], b) || test(a[2], a[0], b);
}

/* ---- two triangles -------------------------------------------------------------------------- */

// Rotates the corners so that the first one is alone on its side of the other's plane; returns that side.
static int put_lone_first(const float *const t[3], const int sides[3], const float *turned[3])
{
    int lone = 0;
    while (sides[lone] == 0 || sides[(lone + 1) % 3] == sides[lone] || sides[(lone + 2) % 3] == sides[lone])
        lone++;
    for (int i = 0; i < 3; i++)
        turned[i] = t[(lone + i) % 3];
    return sides[lone];
}

static void swap_last(const float *t[3])
{
    const float *last = t[2];
    t[2] = t[1];
    t[1] = last;
}

static pli_cli_relation compare_intervals(const float *const a[3], const int of_a[3], const float *const b[3],
                                          const int of_b[3])
{
    const float *s[3], *t[3];
    int lone_s = put_lone_first(a, of_a, s), lone_t = put_lone_first(b, of_b, t);
    if (lone_s < 0)
        swap_last(t);
    if (lone_t < 0)
        swap_last(s);
    int before = pli_cli_side_of_plane(s[0], s[1], t[0], t[1]), behind = pli_cli_side_of_plane(s[0], s[2], t[2], t[0]);
    if (before > 0 || behind > 0)
        return PLI_CLI_APART;
    return before < 0 && behind < 0 ? PLI_CLI_CROSSING : PLI_CLI_TOUCHING;
}

static bool find_sides(const float *const t[3], const float *const other[3], int sides[3])
{
    for (int i = 0; i < 3; i++)
        sides[i] = side(t, other[i]);
    return sides[0] == 0 || !all_equal(sides);
}

static bool all_zero(const int sides[3]) { return sides[0] == 0 && all_equal(sides); }

static pli_cli_relation without_shared(const float *const a[3], const float *const b[3])
{
    int of_a[3], of_b[3];
    if (!find_sides(b, a, of_a) || !find_sides(a, b, of_b))
        return PLI_CLI_APART;
    if (straddles(of_a) && straddles(of_b))
        return compare_intervals(a, of_a, b, of_b);
    // A triangle without area has no normal, so every point is in its plane.
    if ((straddles(of_a) && all_zero(of_b) && an_edge(pierces, a, b)) ||
        (straddles(of_b) && all_zero(of_a) && an_edge(pierces, b, a)))
        return PLI_CLI_CROSSING;
    return an_edge(meets, a, b) || an_edge(meets, b, a) ? PLI_CLI_TOUCHING : PLI_CLI_APART;
}

/* ---- two triangles of a mesh with common vertices ------------------------------------------- */

static bool equal(const float *p, const float *q) { return p[0] == q[0] && p[1] == q[1] && p[2] == q[2]; }

static bool has_area(const float *const t[3])
{
    return pli_cli_side_of_line(t[0], t[1], t[2], 0, 1) != 0 || pli_cli_side_of_line(t[0], t[1], t[2], 1, 2) != 0 ||
           pli_cli_side_of_line(t[0], t[1], t[2], 2, 0) != 0;
}

static bool a_corner_is_in(const float *const a[3], const float *const b[3])
{
    return (!equal(a[1], a[0]) && meets(a[1], a[1], b)) || (!equal(a[2], a[0]) && meets(a[2], a[2], b));
}

// Treats a triangle without area as the segments from the shared corner to its other corners.
static bool a_side_meets(const float *const a[3], const float *const b[3])
{
    return has_area(b) && (segments_meet(a[0], a[1], b[1], b[2]) || segments_meet(a[0], a[2], b[1], b[2]));
}

// The intersection of both triangles contains the shared corner, so it reaches from there to the
// edge opposite to it in one of them.
static bool meet_beyond_corner(const float *const a[3], const float *const b[3])
{
    if (has_area(a) && has_area(b))
        return meets(a[1], a[2], b) || meets(b[1], b[2], a);
    return a_corner_is_in(a, b) || a_corner_is_in(b, a) || a_side_meets(a, b) || a_side_meets(b, a);
}

static pli_cli_relation with_shared_corner(const float *const a[3], const float *const b[3])
{
    int a1 = side(b, a[1]), a2 = side(b, a[2]);
    if (a1 * a2 > 0)
        return PLI_CLI_APART;
    int b1 = side(a, b[1]), b2 = side(a, b[2]);
    if (b1 * b2 > 0)
        return PLI_CLI_APART;
    if (a1 * a2 < 0 && b1 * b2 < 0)
        return pli_cli_side_of_plane(a[2], a[1], b[0], b[1]) == a1 ? PLI_CLI_CROSSING : PLI_CLI_APART;
    return meet_beyond_corner(a, b) ? PLI_CLI_TOUCHING : PLI_CLI_APART;
}

// Whether the third corner is in the other triangle but not on the shared edge.
static bool third_is_in(const float *const a[3], const float *const b[3])
{
    return meets(a[2], a[2], b) && !segments_meet(a[2], a[2], a[0], a[1]);
}

// Two triangles that share an edge have more in common only when one is folded flat onto the other.
static pli_cli_relation with_shared_edge(const float *const a[3], const float *const b[3])
{
    if (side(a, b[2]) != 0)
        return PLI_CLI_APART;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        if (pli_cli_side_of_line(a[0], a[1], a[2], i, j) * pli_cli_side_of_line(a[0], a[1], b[2], i, j) > 0)
            return PLI_CLI_TOUCHING;
    }
    return third_is_in(a, b) || third_is_in(b, a) ? PLI_CLI_TOUCHING : PLI_CLI_APART;
}

/* ---- what rounded numbers can settle -------------------------------------------------------- */

static const double error_share = 32.0 * DBL_EPSILON;

static void subtract(const float *p, const float *q, double difference[3])
{
    for (int x = 0; x < 3; x++)
        difference[x] = (double)p[x] - (double)q[x];
}

// Adds the direction from p to q, normalised by its largest component.
static void add_direction(const float *p, const float *q, double sign, double direction[3])
{
    double d[3];
    subtract(q, p, d);
    double longest = fmax(fmax(fabs(d[0]), fabs(d[1])), fabs(d[2]));
    for (int x = 0; x < 3 && longest > 0.0; x++)
        direction[x] += sign * d[x] / longest;
}

// Whether all corners starting at `first` are behind (-1) or in front of (+1) the plane through `origin` perpendicular to the
// direction, by more than the rounding error.
static bool all_beside(const float *origin, const double direction[3], const float *const t[3], int32_t first,
                       double way)
{
    for (int32_t i = first; i < 3; i++) {
        double d[3], height = 0.0, size = 0.0;
        subtract(t[i], origin, d);
        for (int x = 0; x < 3; x++) {
            height += d[x] * direction[x];
            size += fabs(d[x] * direction[x]);
        }
        if (!(way * height > error_share * size))
            return false;
    }
    return true;
}

// Whether a plane through the shared corner separates the other corners.
static bool clearly_apart_at_corner(const float *const a[3], const float *const b[3])
{
    double direction[3] = {0.0};
    for (int i = 1; i < 3; i++) {
        add_direction(a[0], a[i], -1.0, direction);
        add_direction(b[0], b[i], 1.0, direction);
    }
    return all_beside(a[0], direction, a, 1, -1.0) && all_beside(a[0], direction, b, 1, 1.0);
}

// Whether the third corners are on different sides of the shared edge: not folded back.
static bool clearly_apart_at_edge(const float *const a[3], const float *const b[3])
{
    double e[3], p[3], q[3], sum = 0.0, size = 0.0;
    subtract(a[1], a[0], e);
    subtract(a[2], a[0], p);
    subtract(b[2], a[0], q);
    for (int i = 0, j = 1; i < 3; i++, j = (j + 1) % 3) {
        sum += (e[i] * p[j] - e[j] * p[i]) * (e[i] * q[j] - e[j] * q[i]);
        size += (fabs(e[i] * p[j]) + fabs(e[j] * p[i])) * (fabs(e[i] * q[j]) + fabs(e[j] * q[i]));
    }
    return sum < -error_share * size;
}

pli_cli_relation pli_cli_triangle_pair(const float *const a[3], const float *const b[3], int32_t shared)
{
    switch (shared) {
    case 0:
        return without_shared(a, b);
    case 1:
        return clearly_apart_at_corner(a, b) ? PLI_CLI_APART : with_shared_corner(a, b);
    case 2:
        return clearly_apart_at_edge(a, b) ? PLI_CLI_APART : with_shared_edge(a, b);
    default:
        return PLI_CLI_TOUCHING;
    }
}
