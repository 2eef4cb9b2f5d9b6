/// Pliant, queries: rays.
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_ray_hit {
    pli_deformable deformable;
    int32_t face;        ///< Of the mesh.
    int32_t vertices[3]; ///< Of the triangle hit.
    float weights[3];    ///< Of the vertices at the point; sum 1.
    float distance;      ///< From the origin [m].
    pli_vec3 position;   ///< [m]
    pli_vec3 normal;     ///< Unit, of the face.
} pli_ray_hit;

/// The nearest point where a ray meets a deformable of the layers in `mask`, from either side. False
/// when there is none within `reach` [m], or the direction is zero or not finite. Cost: one pass over
/// the triangles.
PLI_API bool pli_world_ray(const pli_world *world, pli_vec3 origin, pli_vec3 direction, float reach, uint32_t mask,
                           pli_ray_hit *hit);

/// Where a ray first meets a collider as it is now, wherever a body carries it or its vertices have gone: the distance
/// from `origin` along `direction` [m] and the unit normal there, as pli_shape_ray has them. False when there is none
/// within `reach` [m], when an argument is not finite, and when the collider is gone.
PLI_API bool pli_collider_ray(const pli_world *world, pli_collider collider, pli_vec3 origin, pli_vec3 direction,
                              float reach, float *distance, pli_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
