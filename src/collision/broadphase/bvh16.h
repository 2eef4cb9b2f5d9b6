// 16-wide bounding volume hierarchy of swept boxes, over the clusters of a surface and over all surfaces.
#ifndef PLI_COLLISION_BROADPHASE_BVH16_H
#define PLI_COLLISION_BROADPHASE_BVH16_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/broadphase/aabb.h"
#include "collision/narrowphase/pair_kernels.h"

typedef struct pli_bvh16 {
    int32_t count;      // Number of leaves.
    pli_near_tree tree; // Structure that the SIMD query reads.
    // Boxes of the leaves, then of the nodes level by level, each level padded to 16; last, the box around all.
    pli_swept_box *swept_boxes;
    uint8_t *dirty; // [boxes] 1 for a box that changed since its node was refitted.
    float *rows;    // Boxes of the nodes, transposed into SIMD rows.
} pli_bvh16;

// Allocates a tree of `count` empty leaves, or keeps the present tree if it has that many. `tree` must be zeroed before its
// first use. Returns false when out of memory.
bool pli_bvh16_reserve(pli_memory *memory, pli_bvh16 *tree, int32_t count);
void pli_bvh16_release(pli_memory *memory, pli_bvh16 *tree);
// Sets the box of a leaf; refit then updates all nodes above leaves that were set. `tasks` may be null.
void pli_bvh16_set(pli_bvh16 *tree, int32_t leaf, const pli_swept_box *swept_box);
void pli_bvh16_refit(pli_bvh16 *tree, pli_tasks *tasks);
// The box around all leaves, as last refitted.
pli_swept_box pli_bvh16_all(const pli_bvh16 *tree);
pli_near_box pli_near_box_of(const pli_swept_box *swept_box);
// Calls found(data, leaf) for the leaves >= `first` that may meet the box during the interval, in ascending order,
// until it returns false.
void pli_bvh16_query(const pli_bvh16 *tree, const pli_near_kernels *near, const pli_swept_box *box, int32_t first,
                     pli_near_found found, void *data);
// Nearest-neighbour descent over the boxes at the start of the interval: calls visit(data, leaf), which returns the
// least squared distance found so far, and prunes boxes that are further away.
typedef double (*pli_bvh16_visit)(void *data, int32_t leaf);
void pli_bvh16_nearest(const pli_bvh16 *tree, pli_vec3 point, pli_bvh16_visit visit, void *data);
#endif
