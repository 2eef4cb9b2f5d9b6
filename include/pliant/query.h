/// Pliant, queries: where a ray meets a deformable, for picking and for sight.
///
///     pli_ray_hit hit;
///     if (pli_world_ray(world, eye, direction, 100.0f, UINT32_MAX, &hit))
///         grab(hit.deformable, hit.vertices, hit.weights);   // hit.position = sum of weights times vertices
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The nearest point that a ray meets.
typedef struct pli_ray_hit {
    pli_deformable deformable;
    int32_t face;        ///< Face of the mesh.
    int32_t vertices[3]; ///< Vertices of the triangle hit.
    float weights[3];    ///< Weights of the vertices at the point; sum 1.
    float distance;      ///< From the origin [m].
    pli_vec3 position;   ///< [m]
    pli_vec3 normal;     ///< Unit, of the face.
} pli_ray_hit;

/// Finds the nearest intersection of a ray with the deformables of the layers in `mask`, from either side. Returns
/// false when there is none within `reach` [m], or the direction is zero or not finite. `direction` may have any
/// length. Cost: one pass over the triangles.
PLI_API bool pli_world_ray_sized(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach,
                                 uint32_t mask, pli_ray_hit *hit, size_t size);
static inline bool pli_world_ray(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach,
                                 uint32_t mask, pli_ray_hit *hit)
{
    return pli_world_ray_sized(world, origin, direction, reach, mask, hit, sizeof *hit);
}

/// Where a ray first meets a collider as it is now, wherever a body carries it or its vertices have gone: the distance
/// from `origin` along `direction` [m] and the unit normal there, as pli_shape_ray has them. False when there is none
/// within `reach` [m], when an argument is not finite, and when the collider is gone.
PLI_API bool pli_collider_ray(const pli_world *world, pli_collider collider, pli_vec3 origin, pli_vec3 direction,
                              float reach, float *distance, pli_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
