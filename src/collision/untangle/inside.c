// Point-in-mesh test by winding numbers along axis-aligned rays, and the nearest point of a mesh.
#include "collision/untangle/inside.h"

typedef struct inside_ray {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
    pli_dvec3 origin;
    int32_t axis, winding;
} inside_ray;

static double ray_component(pli_dvec3 v, int32_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A triangle ahead counts +1 if it faces along the axis, and -1 if it faces against it.
static void cross_triangle(inside_ray *r, int32_t triangle)
{
    int32_t corners[3], left = 0;
    for (int k = 0; k < 3; k++)
        corners[k] = r->surface->first + r->surface->triangles[3 * triangle + k];
    for (int k = 0; k < 3; k++) {
        // The side on which an axis-aligned ray passes the edge. The edge is always evaluated from its lower vertex, so that
        // both of its triangles get the same answer; a ray through the edge passes on the right.
        int32_t from = corners[k];
        int32_t to = corners[(k + 1) % 3];
        pli_dvec3 a = pli_dsub(pli_start_position(r->collision, from < to ? from : to), r->origin);
        pli_dvec3 b = pli_dsub(pli_start_position(r->collision, from < to ? to : from), r->origin);
        int32_t u = (r->axis + 1) % 3, v = (r->axis + 2) % 3;
        bool on_left = ray_component(a, u) * ray_component(b, v) > ray_component(a, v) * ray_component(b, u);
        left += on_left == (from < to);
    }
    if (left != 0 && left != 3)
        return;
    pli_dvec3 a = pli_dsub(pli_start_position(r->collision, corners[0]), r->origin);
    pli_dvec3 b = pli_dsub(pli_start_position(r->collision, corners[1]), r->origin);
    pli_dvec3 c = pli_dsub(pli_start_position(r->collision, corners[2]), r->origin);
    double ahead = pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), a);
    if (left == 3 && ahead > 0.0)
        r->winding++;
    if (left == 0 && ahead < 0.0)
        r->winding--;
}

static bool cross_cluster(void *data, int32_t cluster)
{
    inside_ray *r = data;
    const pli_clusters *p = &r->surface->clusters;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        cross_triangle(r, p->items[PLI_PRIMITIVE_TRIANGLE][i]);
    return true;
}

static bool winds_around(const pli_collision *collision, int32_t surface, pli_vec3 point, int32_t axis)
{
    inside_ray r = {
        collision, collision->surfaces[surface], {(double)point.x, (double)point.y, (double)point.z}, axis, 0};
    pli_aabb box = {point,
                    {axis == 0 ? INFINITY : point.x, axis == 1 ? INFINITY : point.y, axis == 2 ? INFINITY : point.z}};
    const pli_swept_box stays = {box, box};
    pli_bvh16_query(&r.surface->clusters.tree, collision->near, &stays, 0, cross_cluster, &r);
    return r.winding > 0;
}

// A majority of three rays corrects for rounding and for single flipped faces.
bool pli_inside(const pli_collision *collision, int32_t surface, pli_vec3 point)
{
    bool first = winds_around(collision, surface, point, 0), second = winds_around(collision, surface, point, 1);
    return first == second ? first : winds_around(collision, surface, point, 2);
}

typedef struct nearest_query {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
    pli_dvec3 point;
    int32_t triangle;
    double least;
} nearest_query;

static pli_closest closest_of(const nearest_query *l, int32_t triangle)
{
    pli_dvec3 at[4] = {l->point};
    for (int k = 0; k < 3; k++)
        at[1 + k] = pli_start_position(l->collision, l->surface->first + l->surface->triangles[3 * triangle + k]);
    return pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
}

// Ties go to the lowest triangle, so that the search order does not matter.
static double nearest_in_cluster(void *data, int32_t cluster)
{
    nearest_query *l = data;
    const pli_clusters *p = &l->surface->clusters;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++) {
        int32_t triangle = p->items[PLI_PRIMITIVE_TRIANGLE][i];
        double square = closest_of(l, triangle).square;
        if (square < l->least || (square == l->least && triangle < l->triangle))
            l->least = square, l->triangle = triangle;
    }
    return l->least;
}

pli_nearest pli_inside_nearest(const pli_collision *collision, int32_t surface, pli_vec3 point)
{
    nearest_query l = {
        collision, collision->surfaces[surface], {(double)point.x, (double)point.y, (double)point.z}, -1, INFINITY};
    pli_nearest nearest = {.triangle = -1};
    pli_bvh16_nearest(&l.surface->clusters.tree, point, nearest_in_cluster, &l);
    nearest.triangle = l.triangle;
    if (nearest.triangle >= 0)
        nearest.closest = closest_of(&l, nearest.triangle);
    return nearest;
}
