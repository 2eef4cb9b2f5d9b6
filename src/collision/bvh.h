// A hierarchy of boxes over triangles, for colliders: built once, refitted as they move.
//
// The tree is complete: the children of node i are 2 i + 1 and 2 i + 2, and its leaves are runs of
// triangles along a Morton curve, so that nothing but boxes is stored.
#ifndef PLI_COLLISION_BVH_H
#define PLI_COLLISION_BVH_H

#include "base/memory.h"
#include "collision/bounds.h"

typedef struct pli_bvh {
    int32_t triangle_count, leaf_count; // leaf_count is a power of two.
    int32_t *order;                     // [triangle_count] triangles along the curve.
    pli_bounds *boxes;                  // [2 * leaf_count - 1]
} pli_bvh;

// Triangles along a Morton curve through their centres. False when memory ran out.
bool pli_bvh_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                   int32_t position_count, int32_t *order);

// `triangles` are 3 places each into `positions`, which are 3 floats each. False when memory ran out.
bool pli_bvh_build(pli_memory *memory, pli_bvh *bvh, const int32_t *triangles, int32_t triangle_count,
                   const float *positions, int32_t position_count);
void pli_bvh_release(pli_memory *memory, pli_bvh *bvh);

// Boxes about the triangles' boxes, which box(data, triangle) tells.
typedef pli_bounds (*pli_bvh_box)(void *data, int32_t triangle);
void pli_bvh_refit(pli_bvh *bvh, pli_bvh_box box, void *data);

// Calls found(data, triangle) for triangles of leaves that meet the box, in a fixed order.
typedef void (*pli_bvh_found)(void *data, int32_t triangle);
void pli_bvh_query(const pli_bvh *bvh, pli_bounds box, pli_bvh_found found, void *data);

// The triangle for which square(data, triangle), its squared distance from the point, is least; of
// equals the lowest. -1 when there is none.
typedef double (*pli_bvh_square)(void *data, int32_t triangle);
int32_t pli_bvh_nearest(const pli_bvh *bvh, pli_vec3 point, pli_bvh_square square, void *data);

// Squared distance from a point to a box, 0 inside.
float pli_bounds_square(pli_bounds box, pli_vec3 point);

#endif
