// What intersects is brought apart: an edge with one end beyond goes back through its triangle to where
// the rest of its surface is, which is one way for all along an intersection (Baraff et al. 2003). Where
// nothing is cut off, it moves so that the curve in which the surfaces cross becomes shorter.
//
//   Volino, Magnenat-Thalmann 2006, Resolving Surface Collisions through Intersection Contour
//   Minimization.
#include "collision/hold.h"
#include "collision/tangle.h"

// Mean edges that an edge and its triangle are moved against each other in a second.
#define EDGE_RATE 24.0
#define HOPELESS_SHARE 0.1

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
    pli_dvec3 c = pli_start_of(space, t->corners[0]);
    pli_dvec3 normal = pli_dcross(pli_dsub(pli_start_of(space, t->corners[1]), c),
                                  pli_dsub(pli_start_of(space, t->corners[2]), c));
    double area = pli_dlength(normal), length = pli_dlength(along);
    if (!(area > 0.0) || !(length > 0.0))
        return (pli_dvec3){0, 0, 0};
    normal = pli_dscale(normal, 1.0 / area);
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
    const int32_t *corners = s->triangles + 3 * triangle;
    pli_dvec3 a = pli_start_of(space, s->first + corners[0]);
    pli_dvec3 normal = pli_dcross(pli_dsub(pli_start_of(space, s->first + corners[1]), a),
                                  pli_dsub(pli_start_of(space, s->first + corners[2]), a));
    double length = pli_dlength(normal);
    if (!(length > 0.0))
        return false;
    *direction = pli_dscale(normal, (of_edge ? -1.0 : 1.0) / length);
    return true;
}

// Whether a part of it is on its way out of the collider that it crosses.
static bool leaves_already(const pli_space *space, const pli_tangle *t)
{
    for (int k = 0; k < 5 && space->within_count > 0; k++) {
        int32_t solid = space->within[k < 2 ? t->edge[k] : t->corners[k - 2]] - 1;
        if (solid >= 0 && (solid == t->edge_surface || solid == t->triangle_surface))
            return true;
    }
    return false;
}

// Back through the triangle, for an edge with one end beyond.
static bool has_way_back(const pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    bool first = space->cuts[t->edge[0]].beyond, second = space->cuts[t->edge[1]].beyond;
    if (first == second)
        return false;
    pli_dvec3 back = pli_dsub(pli_start_of(space, t->edge[first]), pli_start_of(space, t->edge[second]));
    pli_dvec3 c = pli_start_of(space, t->corners[0]);
    pli_dvec3 normal = pli_dcross(pli_dsub(pli_start_of(space, t->corners[1]), c),
                                  pli_dsub(pli_start_of(space, t->corners[2]), c));
    double length = pli_dlength(normal);
    if (!(length > 0.0))
        return false;
    *direction = pli_dscale(normal, (pli_ddot(normal, back) < 0.0 ? -1.0 : 1.0) / length);
    return true;
}

// Where an edge goes through a triangle, in weights of its corners.
static void weigh_corners(const pli_space *space, const pli_tangle *t, double weights[3])
{
    pli_dvec3 ends[2] = {pli_start_of(space, t->edge[0]), pli_start_of(space, t->edge[1])};
    pli_dvec3 at[4] = {pli_dadd(pli_dscale(ends[0], 1.0 - t->part), pli_dscale(ends[1], t->part))};
    for (int k = 0; k < 3; k++)
        at[1 + k] = pli_start_of(space, t->corners[k]);
    pli_closest closest = pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
    for (int k = 0; k < 3; k++)
        weights[k] = -closest.weights[1 + k];
}

// The end of the edge that is further back along the direction goes no further.
static void hold(pli_space *space, const pli_tangle *t, const double weights[3], pli_dvec3 direction)
{
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    pli_dvec3 along = pli_dsub(pli_start_of(space, t->edge[1]), pli_start_of(space, t->edge[0]));
    int32_t end = t->edge[pli_ddot(along, direction) < 0.0];
    space->holds[space->hold_count++] = pli_hold_of(end, t->corners, weights, direction, surfaces);
}

static void pull_apart(pli_space *space, const pli_tangle *t)
{
    pli_dvec3 direction;
    if (leaves_already(space, t))
        return;
    bool known = has_front(space, t, &direction) || has_way_back(space, t, &direction);
    if (!known)
        direction = direction_of(space, t);
    double corners[3];
    weigh_corners(space, t, corners);
    const double weights[5] = {1.0 - t->part, t->part, -corners[0], -corners[1], -corners[2]};
    double yields = 0.0, shifted = 0.0;
    for (int k = 0; k < 5; k++) {
        int32_t i = k < 2 ? t->edge[k] : t->corners[k - 2];
        yields += (double)space->particles[i].w * weights[k] * weights[k];
        shifted += weights[k] * pli_ddot(space->shifts[i], direction);
    }
    double rate = EDGE_RATE * (space->hopeless ? HOPELESS_SHARE : 1.0);
    double size = rate * (double)(space->step * space->surfaces[t->edge_surface]->mean_edge);
    for (int k = 0; k < 5 && yields > 0.0 && shifted < size; k++) {
        int32_t i = k < 2 ? t->edge[k] : t->corners[k - 2];
        double share = (double)space->particles[i].w * weights[k] * (size - shifted) / yields;
        space->shifts[i] = pli_dadd(space->shifts[i], pli_dscale(direction, share));
        pli_space_shift(space, i, pli_dscale(direction, share));
    }
    if (known && !space->hopeless)
        hold(space, t, corners, direction);
}

bool pli_tangles_pull_apart(pli_space *space)
{
    if (space->tangled_count == 0)
        return true;
    if (!pli_reserve(space->memory, &space->shifts, &space->shift_capacity, space->particle_count, sizeof(pli_dvec3)) ||
        !pli_holds_reserve(space, space->hold_count + space->tangled_count))
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->shifts[i] = (pli_dvec3){0, 0, 0};
    for (int32_t i = 0; i < space->tangled_count; i++)
        pull_apart(space, &space->tangles[i]);
    return true;
}
