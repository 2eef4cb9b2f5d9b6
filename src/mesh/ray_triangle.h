// Watertight ray-triangle intersection: no ray passes between neighbouring triangles.
//
//   Woop, Benthin, Wald 2013, Watertight Ray/Triangle Intersection. The ray is sheared onto an axis, so that
//   each vertex has one position in the plane across it, for every triangle. In double the sign of an edge
//   function of such positions is right or zero, and zero counts as inside for both triangles at the edge.
//
//        v |   c
//          |  / \            The ray is the origin of the plane (u, v); it meets the triangle when the three
//          | / + \           edge functions have the same sign or are zero.
//          |a --- b
//          +--------- u
#ifndef PLI_MESH_RAY_TRIANGLE_H
#define PLI_MESH_RAY_TRIANGLE_H

#include "base/vector.h"

typedef struct pli_sheared_ray {
    double origin[3], shear[3];
    int32_t along, u, v; // Axes: the largest component of the direction, and the two after it.
    double per_along;    // Length along the ray for a unit along the axis.
} pli_sheared_ray;

// A vertex in sheared coordinates.
typedef struct pli_sheared_vertex {
    double u, v, along;
} pli_sheared_vertex;

// Prepares a ray. False when the direction is zero or something is not finite.
static inline bool pli_ray_shear(pli_vec3 origin, pli_vec3 direction, pli_sheared_ray *r)
{
    const double d[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 0.0) || !pli_finite3(direction) || !pli_finite3(origin))
        return false;
    *r = (pli_sheared_ray){.origin = {(double)origin.x, (double)origin.y, (double)origin.z}};
    for (int32_t k = 1; k < 3; k++)
        r->along = fabs(d[k]) > fabs(d[r->along]) ? k : r->along;
    r->u = (r->along + 1) % 3;
    r->v = (r->along + 2) % 3;
    r->shear[0] = d[r->u] / d[r->along];
    r->shear[1] = d[r->v] / d[r->along];
    r->per_along = length / d[r->along];
    return true;
}

// Returns the vertex at three floats, in sheared coordinates.
static inline pli_sheared_vertex pli_ray_shear_point(const pli_sheared_ray *r, const float *p)
{
    const double at[3] = {(double)p[0] - r->origin[0], (double)p[1] - r->origin[1], (double)p[2] - r->origin[2]};
    double along = at[r->along];
    return (pli_sheared_vertex){at[r->u] - r->shear[0] * along, at[r->v] - r->shear[1] * along, along};
}

static inline double pli_ray_side(const pli_sheared_vertex *a, const pli_sheared_vertex *b)
{
    return a->u * b->v - a->v * b->u;
}

// Whether the ray meets the triangle; also returns the weights of the corners (sum 1) and the distance along the ray.
static inline bool pli_ray_meets(const pli_sheared_ray *r, const pli_sheared_vertex corners[3], double weights[3],
                                 double *distance)
{
    double sum = 0.0, along = 0.0;
    bool positive = false, negative = false;
    for (int32_t k = 0; k < 3; k++) {
        weights[k] = pli_ray_side(&corners[(k + 1) % 3], &corners[(k + 2) % 3]);
        positive = positive || weights[k] > 0.0;
        negative = negative || weights[k] < 0.0;
        sum += weights[k];
    }
    if (positive == negative) // The ray misses the triangle, or sees it edge-on.
        return false;
    for (int32_t k = 0; k < 3; k++) {
        weights[k] /= sum;
        along += weights[k] * corners[k].along;
    }
    *distance = along * r->per_along;
    return *distance >= 0.0;
}

#endif
