// Which way the surfaces go at an intersection. An edge with one end beyond goes back through its triangle to
// where the rest of its surface is, which is one way for all along the intersection (Baraff et al. 2003). Where
// nothing is cut off, the curve in which the surfaces cross is made shorter; what that asks of each edge is mostly
// noise along a straight curve, so its sum moves them all.
//
//   Volino, Magnenat-Thalmann 2006, Resolving Surface Collisions through Intersection Contour
//   Minimization.
#include "collision/contour.h"

// Of the sum: below that there is no common direction, as around a sleeve.
#define LEAST_SUM 0.5

// The direction, within a triangle that has the edge, in which the crossing runs from the edge.
static pli_dvec3 crossing_within(pli_dvec3 along, pli_dvec3 out, pli_dvec3 face_normal)
{
    pli_dvec3 direction = pli_dcross(pli_dcross(along, out), face_normal);
    double length = pli_dlength(direction), sign = pli_ddot(direction, out) < 0.0 ? -1.0 : 1.0;
    return length > 0.0 ? pli_dscale(direction, sign / length) : (pli_dvec3){0, 0, 0};
}

// Third corners of the triangles at an edge.
static int32_t apexes_of(const pli_surface *s, int32_t edge, int32_t apexes[2])
{
    int32_t triangle = s->edge_triangles[edge], count = 0;
    for (int32_t side = 0; side < 3 && triangle >= 0; side++) {
        if (s->side_edges[3 * triangle + side] != edge)
            continue;
        apexes[count++] = s->triangles[3 * triangle + (side + 2) % 3];
        if (s->apexes[3 * triangle + side] >= 0)
            apexes[count++] = s->apexes[3 * triangle + side];
        break;
    }
    return count;
}

// How the edge should move against the triangle for the crossing to become shorter.
static pli_dvec3 direction_of(const pli_space *space, const pli_tangle *t)
{
    const pli_surface *s = space->surfaces[t->edge_surface];
    pli_dvec3 a = pli_start_of(space, t->edge[0]), along = pli_dsub(pli_start_of(space, t->edge[1]), a);
    pli_dvec3 normal;
    double length = pli_dlength(along);
    if (!pli_normal_at_start(space, t->corners, &normal) || !(length > 0.0))
        return (pli_dvec3){0, 0, 0};
    along = pli_dscale(along, 1.0 / length);
    int32_t apexes[2], count = apexes_of(s, t->edge_index, apexes);
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        pli_dvec3 out = pli_dsub(pli_start_of(space, s->first + apexes[i]), a);
        out = pli_dsub(out, pli_dscale(along, pli_ddot(out, along)));
        sum = pli_dadd(sum, crossing_within(along, out, normal));
    }
    double slope = pli_ddot(along, normal);
    slope = fabs(slope) < 0.1 ? (slope < 0.0 ? -0.1 : 0.1) : slope;
    pli_dvec3 direction = pli_dsub(sum, pli_dscale(normal, pli_ddot(along, sum) / slope));
    double size = pli_dlength(direction);
    return size > 1.0 ? pli_dscale(direction, 1.0 / size) : direction;
}

// What is one-sided or closed has a right side to be on: the direction from its face, as the edge should move.
static bool has_front(const pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    const pli_surface *se = space->surfaces[t->edge_surface], *st = space->surfaces[t->triangle_surface];
    bool of_edge = se->material.one_sided || se->closed;
    const pli_surface *s = of_edge ? se : st;
    int32_t triangle = of_edge ? se->edge_triangles[t->edge_index] : t->triangle_index;
    if (!(s->material.one_sided || s->closed) || triangle < 0)
        return false;
    const int32_t *places = s->triangles + 3 * triangle;
    const int32_t corners[3] = {s->first + places[0], s->first + places[1], s->first + places[2]};
    pli_dvec3 normal;
    if (!pli_normal_at_start(space, corners, &normal))
        return false;
    *direction = pli_dscale(normal, of_edge ? -1.0 : 1.0);
    return true;
}

// Back through the triangle, for an edge with one end beyond.
static bool has_way_back(const pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    bool first = space->untangle.cuts.items[t->edge[0]].beyond, second = space->untangle.cuts.items[t->edge[1]].beyond;
    if (first == second)
        return false;
    pli_dvec3 back = pli_dsub(pli_start_of(space, t->edge[first]), pli_start_of(space, t->edge[second]));
    pli_dvec3 normal;
    if (!pli_normal_at_start(space, t->corners, &normal))
        return false;
    *direction = pli_dscale(normal, pli_ddot(normal, back) < 0.0 ? -1.0 : 1.0);
    return true;
}

// What is known of the direction in which the edge should move against the triangle, from them alone.
static bool own_direction(const pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    if (has_front(space, t, direction) || has_way_back(space, t, direction))
        return true;
    *direction = direction_of(space, t);
    return false;
}

static int32_t strand_root(pli_cut *cuts, int32_t i)
{
    while (cuts[i].strand != i)
        i = cuts[i].strand = cuts[cuts[i].strand].strand;
    return i;
}

static void join(pli_cut *cuts, int32_t i, int32_t k)
{
    int32_t a = strand_root(cuts, i), b = strand_root(cuts, k);
    cuts[a > b ? a : b].strand = a < b ? a : b;
}

// The strand that keeps the sum of an intersection, and the sign of an edge's motion in it.
static pli_cut *sum_of(pli_space *space, const pli_tangle *t, double *sign)
{
    int32_t a = strand_root(space->untangle.cuts.items, t->edge[0]),
            b = strand_root(space->untangle.cuts.items, t->corners[0]);
    *sign = a < b ? 1.0 : a > b ? -1.0 : 0.0;
    return &space->untangle.cuts.items[a < b ? a : b];
}

void pli_contours_sum(pli_space *space)
{
    for (int32_t i = 0; i < space->untangle.tangles.count; i++) {
        const pli_tangle *t = &space->untangle.tangles.items[i];
        join(space->untangle.cuts.items, t->edge[0], t->edge[1]);
        join(space->untangle.cuts.items, t->corners[0], t->corners[1]);
        join(space->untangle.cuts.items, t->corners[0], t->corners[2]);
    }
    for (int32_t i = 0; i < space->untangle.tangles.count; i++) {
        double sign;
        pli_dvec3 direction;
        bool known = own_direction(space, &space->untangle.tangles.items[i], &direction);
        pli_cut *strand = sum_of(space, &space->untangle.tangles.items[i], &sign);
        strand->sided = strand->sided || known;
        strand->pull = pli_dadd(strand->pull, pli_dscale(direction, sign));
    }
}

pli_way pli_contour_way(pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    if (own_direction(space, t, direction))
        return PLI_WAY_BACK;
    double sign;
    const pli_cut *strand = sum_of(space, t, &sign);
    double length = pli_dlength(strand->pull);
    if (!(length > LEAST_SUM) || sign == 0.0)
        return PLI_WAY_SHORTER;
    *direction = pli_dscale(strand->pull, sign / length);
    return strand->sided ? PLI_WAY_SHORTER : PLI_WAY_SLIDE;
}
