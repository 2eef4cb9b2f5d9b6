// Direction in which an intersection is resolved.
//
//       edge                 region cut off: the edge goes back through the triangle, towards the
//        | beyond            larger part of its surface (Baraff, Witkin, Kass 2003)
//    ----*------ triangle
//        |                   nothing cut off: the intersection contour is shortened
//        v direction         (Volino, Magnenat-Thalmann 2006)
//
// Single edges along a straight contour give noisy directions, so all of them move along the sum over the contour.
//
// Volino, Magnenat-Thalmann 2006, Resolving Surface Collisions through Intersection Contour Minimization.
#include "collision/untangle/contour.h"

// Below this length of the sum there is no common direction, as for a contour around a sleeve.
#define LEAST_SUM 0.5

// Unit direction of the contour within a triangle, away from the edge.
static pli_dvec3 crossing_within(pli_dvec3 along, pli_dvec3 out, pli_dvec3 face_normal)
{
    pli_dvec3 direction = pli_dcross(pli_dcross(along, out), face_normal);
    double length = pli_dlength(direction), sign = pli_ddot(direction, out) < 0.0 ? -1.0 : 1.0;
    return length > 0.0 ? pli_dscale(direction, sign / length) : (pli_dvec3){0, 0, 0};
}

// Vertices opposite an edge in its triangles. Returns how many.
static int32_t apexes_of(const pli_contact_mesh *s, int32_t edge, int32_t apexes[2])
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

// Negative gradient of the contour's length: the direction in which the edge moves relative to the triangle to shorten it.
static pli_dvec3 contour_edge_direction(const pli_collision *collision, const pli_intersection *t)
{
    const pli_contact_mesh *s = collision->surfaces[t->edge_surface];
    pli_dvec3 a = pli_start_position(collision, t->edge[0]),
              along = pli_dsub(pli_start_position(collision, t->edge[1]), a);
    pli_dvec3 normal;
    double length = pli_dlength(along);
    if (!pli_normal_at_start(collision, t->corners, &normal) || !(length > 0.0))
        return (pli_dvec3){0, 0, 0};
    along = pli_dscale(along, 1.0 / length);
    int32_t apexes[2], count = apexes_of(s, t->edge_index, apexes);
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        pli_dvec3 out = pli_dsub(pli_start_position(collision, s->first + apexes[i]), a);
        out = pli_dsub(out, pli_dscale(along, pli_ddot(out, along)));
        sum = pli_dadd(sum, crossing_within(along, out, normal));
    }
    double gradient = pli_ddot(along, normal);
    gradient = fabs(gradient) < 0.1 ? (gradient < 0.0 ? -0.1 : 0.1) : gradient;
    pli_dvec3 direction = pli_dsub(sum, pli_dscale(normal, pli_ddot(along, sum) / gradient));
    double size = pli_dlength(direction);
    return size > 1.0 ? pli_dscale(direction, 1.0 / size) : direction;
}

// One-sided and closed surfaces have a correct side: the face normal is the direction.
static bool has_front(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    const pli_contact_mesh *se = collision->surfaces[t->edge_surface], *st = collision->surfaces[t->triangle_surface];
    bool of_edge = se->material.one_sided || se->closed;
    const pli_contact_mesh *s = of_edge ? se : st;
    int32_t triangle = of_edge ? se->edge_triangles[t->edge_index] : t->triangle_index;
    if (!(s->material.one_sided || s->closed) || triangle < 0)
        return false;
    const int32_t *places = s->triangles + 3 * triangle;
    const int32_t corners[3] = {s->first + places[0], s->first + places[1], s->first + places[2]};
    pli_dvec3 normal;
    if (!pli_normal_at_start(collision, corners, &normal))
        return false;
    *direction = pli_dscale(normal, of_edge ? -1.0 : 1.0);
    return true;
}

// The direction back through the triangle, for an edge with one end in a region cut off.
static bool can_go_back(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    bool first = collision->untangle.regions.items[t->edge[0]].beyond,
         second = collision->untangle.regions.items[t->edge[1]].beyond;
    if (first == second)
        return false;
    pli_dvec3 back = pli_dsub(pli_start_position(collision, t->edge[first]),
                              pli_start_position(collision, t->edge[second]));
    pli_dvec3 normal;
    if (!pli_normal_at_start(collision, t->corners, &normal))
        return false;
    *direction = pli_dscale(normal, pli_ddot(normal, back) < 0.0 ? -1.0 : 1.0);
    return true;
}

// Direction of one intersection alone. Returns false if only the gradient of the contour's length gives one.
static bool own_direction(const pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    if (has_front(collision, t, direction) || can_go_back(collision, t, direction))
        return true;
    *direction = contour_edge_direction(collision, t);
    return false;
}

static int32_t contour_root(pli_intersection_region *regions, int32_t i)
{
    while (regions[i].contour != i)
        i = regions[i].contour = regions[regions[i].contour].contour;
    return i;
}

static void contour_join(pli_intersection_region *regions, int32_t i, int32_t k)
{
    int32_t a = contour_root(regions, i), b = contour_root(regions, k);
    regions[a > b ? a : b].contour = a < b ? a : b;
}

// The contour of an intersection, and the sign of the edge's motion in its sum.
static pli_intersection_region *contour_of(pli_collision *collision, const pli_intersection *t, double *sign)
{
    int32_t a = contour_root(collision->untangle.regions.items, t->edge[0]),
            b = contour_root(collision->untangle.regions.items, t->corners[0]);
    *sign = a < b ? 1.0 : a > b ? -1.0 : 0.0;
    return &collision->untangle.regions.items[a < b ? a : b];
}

void pli_contours_sum(pli_collision *collision)
{
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        const pli_intersection *t = &collision->untangle.intersections.items[i];
        contour_join(collision->untangle.regions.items, t->edge[0], t->edge[1]);
        contour_join(collision->untangle.regions.items, t->corners[0], t->corners[1]);
        contour_join(collision->untangle.regions.items, t->corners[0], t->corners[2]);
    }
    for (int32_t i = 0; i < collision->untangle.intersections.count; i++) {
        double sign;
        pli_dvec3 direction;
        bool known = own_direction(collision, &collision->untangle.intersections.items[i], &direction);
        pli_intersection_region *contour = contour_of(collision, &collision->untangle.intersections.items[i], &sign);
        contour->has_known_side = contour->has_known_side || known;
        contour->direction_sum = pli_dadd(contour->direction_sum, pli_dscale(direction, sign));
    }
}

pli_contour_case pli_contour_direction(pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction)
{
    if (own_direction(collision, t, direction))
        return PLI_CONTOUR_BACK;
    double sign;
    const pli_intersection_region *contour = contour_of(collision, t, &sign);
    double length = pli_dlength(contour->direction_sum);
    if (!(length > LEAST_SUM) || sign == 0.0)
        return PLI_CONTOUR_SHORTER;
    *direction = pli_dscale(contour->direction_sum, sign / length);
    return contour->has_known_side ? PLI_CONTOUR_SHORTER : PLI_CONTOUR_SLIDE;
}
