// Position of the plane of a pair: it crosses the shortest line between the sides at the start, at a fraction that
// depends on the approach speed of each side, so that only a moving side is cut.
#include "collision/ccd/plane.h"

#include "collision/untangle/touching.h"

// A side that approaches much more slowly than the other still gets this fraction of the gap.
#define PLANE_LEAST_SHARE 0.05
// Fractions of its distance from the plane that a particle leaves: in a wide gap, so that advancement can prove the
// pair clear as well (ccd.c); and in a gap that is already narrower.
#define PLANE_LEFT_SHARE 0.3
#define NARROW_SHARE 0.9

static double height(const pli_plane *plane, pli_dvec3 at)
{
    return pli_ddot(plane->normal, pli_dsub(at, plane->origin));
}

// Positions of the sides along the normal: the lowest point of side a, the highest of side b; and how far each side approaches [m].
typedef struct extents {
    double edge[2], comes[2];
} extents;

static extents extents_of(const pli_plane_pair *pair, const pli_plane *plane)
{
    extents e = {{INFINITY, -INFINITY}, {0.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        int side = pli_pair_side(pair->kind, k);
        double start = height(plane, pair->from[k]), end = height(plane, pair->to[k]);
        double comes = side == 0 ? start - end : end - start;
        if (pair->firm[side])
            start = side == 0 ? fmin(start, end) : fmax(start, end);
        else
            e.comes[side] = fmax(e.comes[side], comes);
        e.edge[side] = side == 0 ? fmin(e.edge[0], start) : fmax(e.edge[1], start);
    }
    return e;
}

static double gap_of(const pli_plane_pair *pair, const extents *e) { return e->edge[0] - e->edge[1] - pair->least; }

// If sides nearly touch, the rounding error of their shortest line exceeds the gap that it leaves between sides of this size. The common
// normal, of the triangle or of both edges, has no such error. Such sides come no closer, so they stay further apart than touching sides.
static bool turn_to_common_normal(const pli_plane_pair *pair, pli_dvec3 apart, pli_plane *plane)
{
    const pli_dvec3 *at = pair->from;
    pli_dvec3 normal = pair->kind == PLI_PAIR_EDGE_EDGE ? pli_dcross(pli_dsub(at[1], at[0]), pli_dsub(at[3], at[2]))
                                                        : pli_dcross(pli_dsub(at[2], at[1]), pli_dsub(at[3], at[1]));
    double length = pli_dlength(normal);
    if (!(length > 0.0))
        return false;
    plane->normal = pli_dscale(normal, (pli_ddot(normal, apart) < 0.0 ? -1.0 : 1.0) / length);
    return true;
}

bool pli_plane_between(const pli_plane_pair *pair, pli_plane *plane)
{
    pli_closest c = pli_closest_points(pair->kind, pair->from);
    double distance = sqrt(c.square);
    const bool apart = distance > PLI_TOUCHING;
    plane->origin = pair->from[0];
    plane->normal = apart ? pli_dscale(c.apart, 1.0 / distance) : pair->normal;
    plane->gap_left = pair->gap_left;
    extents e = extents_of(pair, plane);
    plane->across = apart ? 0.0 : PLI_ACROSS;
    plane->narrow_share = NARROW_SHARE;
    if (apart && gap_of(pair, &e) < 0.0 && turn_to_common_normal(pair, c.apart, plane)) {
        e = extents_of(pair, plane);
        plane->narrow_share = 1.0;
    }
    double gap = gap_of(pair, &e), both = e.comes[0] + e.comes[1];
    if (!(gap >= -plane->across) || !(pli_dlength(plane->normal) > 0.5))
        return false;
    double share = both > 0.0 && both < INFINITY ? e.comes[1] / both : 0.5;
    share = fmin(fmax(share, PLANE_LEAST_SHARE), 1.0 - PLANE_LEAST_SHARE);
    plane->level[1] = e.edge[1] + share * gap;
    plane->level[0] = plane->level[1] + pair->least;
    return true;
}

// Distance of a point from the side's level, positive on the side's own side.
static double clearance(const pli_plane *plane, int side, pli_dvec3 at)
{
    double up = height(plane, at) - plane->level[side];
    return side == 0 ? up : -up;
}

double pli_plane_share(const pli_plane *plane, int side, pli_dvec3 from, pli_dvec3 to)
{
    double start = clearance(plane, side, from), end = clearance(plane, side, to);
    double left = fmin(plane->narrow_share * start, fmax(0.5 * plane->gap_left, PLANE_LEFT_SHARE * start));
    if (end >= left)
        return 1.0;
    double share = (start - left) / (start - end);
    return share > 0.0 ? fmin(share, 1.0) : 0.0;
}

bool pli_plane_keeps(const pli_plane *plane, int side, pli_dvec3 at)
{
    return clearance(plane, side, at) >= -plane->across;
}
