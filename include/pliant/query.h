/// Pliant, queries: intersections of rays with deformables and colliders, for picking and line of sight.
///
///     pli_ray_hit hit;
///     if (pli_world_ray(world, eye, direction, 100.0f, UINT32_MAX, &hit))
///         grab(hit.deformable, hit.vertices, hit.weights);   // hit.position: weighted sum of the vertices
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The nearest intersection of a ray with a deformable.
typedef struct pli_ray_hit {
    pli_deformable deformable;
    int32_t face;        ///< Face of the mesh.
    int32_t vertices[3]; ///< Vertices of the triangle hit.
    float weights[3];    ///< Barycentric weights of the vertices at the intersection; their sum is 1.
    float distance;      ///< Distance from the origin of the ray [m].
    pli_vec3 position;   ///< Position of the intersection [m].
    pli_vec3 normal;     ///< Unit normal of the face.
} pli_ray_hit;

/// Finds the nearest intersection of a ray with the deformables of the layers in `mask`, on either side of their faces. Returns
/// false if there is none within `reach` [m], or if the direction is zero or not finite. `direction` may have any other length.
/// Cost: one pass over the triangles.
PLI_API bool pli_world_ray(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach, uint32_t mask,
                           pli_ray_hit *hit);

/// Finds the first intersection of a ray with a collider at its current pose and vertices, including colliders that a body
/// carries: the distance from `origin` along `direction` [m] and the unit normal, as in pli_shape_ray. Returns false if there is
/// none within `reach` [m], if an argument is not finite, and if the collider no longer exists.
PLI_API bool pli_collider_ray(const pli_world *world, pli_collider collider, pli_vec3 origin, pli_vec3 direction,
                              float reach, float *distance, pli_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
