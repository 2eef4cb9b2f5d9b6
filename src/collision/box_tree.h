// A tree of passages, 16 below each box: over the patches of a surface, and over the surfaces of a space.
#ifndef PLI_COLLISION_BOX_TREE_H
#define PLI_COLLISION_BOX_TREE_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/bounds.h"
#include "wide/near.h"

typedef struct pli_box_tree {
    int32_t count;         // Leaves.
    pli_near_tree tree;    // What is searched.
    pli_passage *passages; // Of the leaves, and of the boxes of the tree level by level, filled up to whole rows.
    uint8_t *fresh;        // By passage, 1 when it is not in the tree yet.
    float *rows;           // Of the tree.
} pli_box_tree;

// Makes one over so many leaves, all empty, of one that is zeroed or has another count; leaves one of that count as it is.
// False when memory ran out.
bool pli_box_tree_reserve(pli_memory *memory, pli_box_tree *tree, int32_t count);
void pli_box_tree_release(pli_memory *memory, pli_box_tree *tree);
// Sets the passage of a leaf, which a fit brings into the tree with all others that were set (`tasks` may be null).
void pli_box_tree_set(pli_box_tree *tree, int32_t leaf, const pli_passage *passage);
void pli_box_tree_fit(pli_box_tree *tree, pli_tasks *tasks);
// About all leaves that have been fitted.
pli_passage pli_box_tree_all(const pli_box_tree *tree);
pli_near_box pli_near_box_of(const pli_passage *passage);
// Calls found(data, leaf) for the leaves from `first` on that meet the box, ascending, until it is false.
void pli_box_tree_query(const pli_box_tree *tree, const pli_near_kernels *near, const pli_passage *box, int32_t first,
                        pli_near_found found, void *data);
// Looks into leaves, nearest boxes (as they are at the start) first, until no other is nearer to the point than the least squared
// distance that was found so far, which look(data, leaf) tells.
typedef double (*pli_box_tree_look)(void *data, int32_t leaf);
void pli_box_tree_nearest(const pli_box_tree *tree, pli_vec3 point, pli_box_tree_look look, void *data);
#endif
