// A surface in patches: a few triangles that lie together, and the vertices and edges that no earlier
// patch has. Searches go from patch to patch, each with a box, under a tree of boxes.
#ifndef PLI_COLLISION_PATCH_H
#define PLI_COLLISION_PATCH_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/bounds.h"
#include "wide/near.h"

enum { PLI_PATCH_SIZE = 8 }; // Triangles; where there are none, edges or vertices.

typedef enum pli_primitive {
    PLI_PRIMITIVE_VERTEX,
    PLI_PRIMITIVE_TRIANGLE,
    PLI_PRIMITIVE_EDGE,
    PLI_PRIMITIVE_COUNT
} pli_primitive;

// At most so many of one kind in a patch: all sides of its triangles.
enum { PLI_PATCH_MOST = 3 * PLI_PATCH_SIZE };

typedef struct pli_patches {
    int32_t count;
    int32_t *items[PLI_PRIMITIVE_COUNT];                              // Vertices, triangles and edges, patch by patch.
    int32_t *starts[PLI_PRIMITIVE_COUNT], *ends[PLI_PRIMITIVE_COUNT]; // [count] into items.
    int32_t packed[PLI_PRIMITIVE_COUNT]; // Where runs without room to spare end; behind lie runs of PLI_PATCH_MOST.
    int32_t used[PLI_PRIMITIVE_COUNT], rooms[PLI_PRIMITIVE_COUNT]; // Of the items, and room for them.
    int32_t *patch_of;                                             // [triangle_count] of each triangle.
    // Where all this was when it was last looked at:
    float *boxes[PLI_PRIMITIVE_COUNT]; // About the items, patch by patch (pli_patches_items).
    uint8_t *laid;                     // [count] whether the boxes of its items are those of now, as passages are.
    pli_near_tree tree;                // Over the patches.
    pli_passage *passages; // Of the patches, and of the boxes of the tree level by level, filled up to whole rows.
    uint8_t *fresh;        // By passage, 1 when it is not in the tree yet.
    float *rows;           // Of the tree.
} pli_patches;

// What patches are made of.
typedef struct pli_patch_source {
    int32_t vertex_count, triangle_count, edge_count;
    const int32_t *triangles;  // [3 * triangle_count]
    const int32_t *side_edges; // [3 * triangle_count]
    const int32_t *edges;      // [2 * edge_count]
    const float *rest;         // [3 * vertex_count]
} pli_patch_source;

// False when memory ran out; release it either way.
bool pli_patches_build(pli_memory *memory, pli_patches *patches, const pli_patch_source *source);
// Room to put `more` items of a kind into patches. False when memory ran out.
bool pli_patches_reserve(pli_memory *memory, pli_patches *patches, pli_primitive kind, int32_t more);
// Brings the vertices and edges of every patch into ascending order, in which these keep them: puts an item into a
// patch, or takes one out, if it is there. A patch has at most the items that its triangles have.
void pli_patches_sort(pli_patches *patches);
void pli_patches_put(pli_patches *patches, pli_primitive kind, int32_t patch, int32_t item);
bool pli_patches_take_out(pli_patches *patches, pli_primitive kind, int32_t patch, int32_t item);
// Corners of a vertex, a triangle and an edge.
extern const int32_t pli_primitive_corners[PLI_PRIMITIVE_COUNT];
// The boxes of the items of one kind in a patch, and where they are written.
pli_near_items pli_patches_items(const pli_patches *patches, pli_primitive kind, int32_t patch);
float *pli_patches_boxes(const pli_patches *patches, pli_primitive kind, int32_t patch);
// Sets the passage of a patch, which goes into the tree with all others that were set (`tasks` may be null).
void pli_patches_set(pli_patches *patches, int32_t patch, const pli_passage *passage);
void pli_patches_fit_tree(pli_patches *patches, pli_tasks *tasks);
pli_near_box pli_near_box_of(const pli_passage *passage);
// Calls found(data, patch) for the patches from `first` on that meet the box, ascending.
void pli_patches_query(const pli_patches *patches, const pli_near_kernels *near, pli_passage box, int32_t first,
                       pli_near_found found, void *data);
// The same for those that the boxes above patches hold, PLI_NEAR_BRANCHES each but the last; the tree has more than one level.
pli_passage pli_patches_above(const pli_patches *patches, int32_t box);
void pli_patches_query_above(const pli_patches *patches, const pli_near_kernels *near, pli_passage box, int32_t first,
                             pli_near_found found, void *data);
void pli_patches_release(pli_memory *memory, pli_patches *patches);

#endif
