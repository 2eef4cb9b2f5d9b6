// A tree of passages, 16 below each box: over the clusters of a surface, and over the surfaces of a space.
#ifndef PLI_COLLISION_BROADPHASE_BVH16_H
#define PLI_COLLISION_BROADPHASE_BVH16_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/broadphase/aabb.h"
#include "collision/narrowphase/pair_kernels.h"

typedef struct pli_bvh16 {
    int32_t count;              // Leaves.
    pli_near_tree tree;         // What is searched.
    pli_swept_box *swept_boxes; // Of the leaves, and of the boxes of the tree level by level, filled up to whole rows.
    uint8_t *dirty;             // By passage, 1 when it is not in the tree yet.
    float *rows;                // Of the tree.
} pli_bvh16;

// Makes one over so many leaves, all empty, of one that is zeroed or has another count; leaves one of that count as it is.
// False when memory ran out.
bool pli_bvh16_reserve(pli_memory *memory, pli_bvh16 *tree, int32_t count);
void pli_bvh16_release(pli_memory *memory, pli_bvh16 *tree);
// Sets the passage of a leaf, which a fit brings into the tree with all others that were set (`tasks` may be null).
void pli_bvh16_set(pli_bvh16 *tree, int32_t leaf, const pli_swept_box *swept_box);
void pli_bvh16_refit(pli_bvh16 *tree, pli_tasks *tasks);
// About all leaves that have been fitted.
pli_swept_box pli_bvh16_all(const pli_bvh16 *tree);
pli_near_box pli_near_box_of(const pli_swept_box *swept_box);
// Calls found(data, leaf) for the leaves from `first` on that meet the box, ascending, until it is false.
void pli_bvh16_query(const pli_bvh16 *tree, const pli_near_kernels *near, const pli_swept_box *box, int32_t first,
                     pli_near_found found, void *data);
// Looks into leaves, nearest boxes (as they are at the start) first, until no other is nearer to the point than the least squared
// distance that was found so far, which look(data, leaf) tells.
typedef double (*pli_bvh16_visit)(void *data, int32_t leaf);
void pli_bvh16_nearest(const pli_bvh16 *tree, pli_vec3 point, pli_bvh16_visit visit, void *data);
#endif
