// Ear clipping: cuts off the corner with the shortest diagonal among all corners whose triangle lies inside the
// polygon. When no such corner is left, the remaining polygon becomes a fan.
// G. H. Meisters, Polygons Have Ears, 1975; in the plane of M. Newell's normal.
//
//        p3 ------ p2       The triangle p4 p0 p1 is an ear: convex at p0, and no other corner is in it.
//       /           \.      Cutting along p4 - p1 leaves the polygon p1 p2 p3 p4.
//     p4             |
//       \ - - - - - p1
//        p0 ------/
#include "mesh/ear_clipping.h"

pli_dvec3 pli_newell_normal(const pli_dvec3 *points, int32_t count)
{
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 1; i + 1 < count; i++)
        sum = pli_dadd(sum, pli_dcross(pli_dsub(points[i], points[0]), pli_dsub(points[i + 1], points[0])));
    return sum;
}

static double corner_turn(const pli_clip_corner *a, const pli_clip_corner *b, const pli_clip_corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool same_point(const pli_clip_corner *a, const pli_clip_corner *b) { return a->x == b->x && a->y == b->y; }

static bool is_ear(const pli_clip_corner *corners, int32_t corner)
{
    const pli_clip_corner *b = &corners[corner], *a = &corners[b->previous], *c = &corners[b->next];
    if (!(corner_turn(a, b, c) > 0))
        return false;
    for (int32_t i = c->next; i != b->previous; i = corners[i].next) {
        const pli_clip_corner *p = &corners[i];
        bool inside = corner_turn(a, b, p) >= 0 && corner_turn(b, c, p) >= 0 && corner_turn(c, a, p) >= 0;
        if (inside && !same_point(p, a) && !same_point(p, b) && !same_point(p, c))
            return false;
    }
    return true;
}

static double diagonal(const pli_clip_corner *corners, int32_t corner)
{
    const pli_clip_corner *a = &corners[corners[corner].previous], *c = &corners[corners[corner].next];
    return (c->x - a->x) * (c->x - a->x) + (c->y - a->y) * (c->y - a->y);
}

// Returns the ear with the shortest diagonal; -1 when there is none, as in a polygon that intersects itself.
static int32_t best_ear(const pli_clip_corner *corners, int32_t start, int32_t left)
{
    int32_t best = -1;
    for (int32_t i = start, k = 0; k < left; k++, i = corners[i].next)
        if (corners[i].is_ear && (best < 0 || diagonal(corners, i) < diagonal(corners, best)))
            best = i;
    return best;
}

static void flatten_polygon(const pli_dvec3 *points, int32_t count, pli_clip_corner *corners)
{
    pli_dvec3 normal = pli_newell_normal(points, count);
    double length = pli_dlength(normal);
    pli_dvec3 n = length > 0 ? pli_dscale(normal, 1 / length) : (pli_dvec3){0, 0, 1};
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    pli_dvec3 helper = {ax <= ay && ax <= az, ay < ax && ay <= az, az < ax && az < ay};
    pli_dvec3 u = pli_dcross(helper, n), v = pli_dcross(n, u);
    for (int32_t i = 0; i < count; i++) {
        pli_dvec3 p = pli_dsub(points[i], points[0]);
        corners[i] = (pli_clip_corner){
            .x = pli_ddot(p, u),
            .y = pli_ddot(p, v),
            .previous = i == 0 ? count - 1 : i - 1,
            .next = i == count - 1 ? 0 : i + 1,
        };
    }
}

static void write_triangle(int32_t *triangle, int32_t a, int32_t b, int32_t c)
{
    triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

void pli_clip_polygon(const pli_dvec3 *points, int32_t count, pli_clip_corner *corners, int32_t *triangles)
{
    flatten_polygon(points, count, corners);
    bool clipping = count <= PLI_CLIPPED_CORNERS_MAX;
    for (int32_t i = 0; clipping && i < count; i++)
        corners[i].is_ear = is_ear(corners, i);
    int32_t start = 0;
    for (int32_t left = count; left > 2; left--, triangles += 3) {
        int32_t corner = clipping ? best_ear(corners, start, left) : -1;
        clipping = corner >= 0;
        if (!clipping)
            corner = corners[start].next;
        int32_t before = corners[corner].previous, after = corners[corner].next;
        write_triangle(triangles, before, corner, after);
        corners[before].next = after;
        corners[after].previous = before;
        start = corner == start ? after : start;
        if (clipping && left > 4) {
            corners[before].is_ear = is_ear(corners, before);
            corners[after].is_ear = is_ear(corners, after);
        }
    }
}
