// 16-wide bounding volume hierarchy of swept boxes (Wald, Benthin, Boulos 2008, Getting Rid of Packets, on wide
// trees), with a fixed shape: leaves are ordered in space when cooked, and refitting never moves them. The 16 children
// of a node are one SIMD block: 12 rows (low and high x, y, z at the start and at the end) of 16 lanes.
//
//    level 2                 [ root node: 16 lanes ]
//                             /        |        \      a node: the boxes of its 16 children
//    level 1        [ 16 lanes ] [ 16 lanes ] [ 9 lanes + 7 empty ]
//                    /    |
//    level 0   [ 16 leaves ] [ 16 leaves ] ...       leaf = cluster or surface
#include "collision/broadphase/bvh16.h"

#include <string.h>

enum { ROW_FLOATS = PLI_NEAR_ROWS * PLI_NEAR_BRANCHES, BVH16_REFIT_GRAIN = 16 };

// Padding lanes hold an empty box and never match.
static bool bvh16_allocate(pli_memory *memory, pli_bvh16 *tree, int32_t count)
{
    int32_t starts[PLI_NEAR_LEVELS], boxes = pli_near_tree_shape(&tree->tree, count, starts);
    int64_t places = PLI_NEAR_BRANCHES * (int64_t)boxes + 1;
    tree->count = count;
    tree->swept_boxes = PLI_ALLOCATE(memory, pli_swept_box, places);
    tree->dirty = PLI_ALLOCATE(memory, uint8_t, places);
    tree->rows = PLI_ALLOCATE(memory, float, ROW_FLOATS *(int64_t)boxes);
    if (!tree->swept_boxes || !tree->dirty || !tree->rows)
        return false;
    for (int64_t i = 0; i < places; i++)
        tree->swept_boxes[i] = pli_swept_box_empty();
    for (int32_t level = 0; level < tree->tree.depth; level++)
        tree->tree.levels[level] = tree->rows + ROW_FLOATS * (int64_t)starts[level];
    return true;
}

void pli_bvh16_release(pli_memory *memory, pli_bvh16 *tree)
{
    pli_release(memory, tree->swept_boxes);
    pli_release(memory, tree->dirty);
    pli_release(memory, tree->rows);
    *tree = (pli_bvh16){0};
}

void pli_bvh16_set(pli_bvh16 *tree, int32_t leaf, const pli_swept_box *swept_box)
{
    tree->swept_boxes[leaf] = *swept_box;
    tree->dirty[leaf] = 1;
}

bool pli_bvh16_reserve(pli_memory *memory, pli_bvh16 *tree, int32_t count)
{
    if (tree->rows && tree->count == count)
        return true;
    pli_bvh16_release(memory, tree);
    if (bvh16_allocate(memory, tree, count))
        return true;
    pli_bvh16_release(memory, tree);
    return false;
}

_Static_assert(sizeof(pli_swept_box) == PLI_NEAR_ROWS * sizeof(float), "a swept box is one column of the rows");

static int32_t boxes_over(int32_t count) { return (count + PLI_NEAR_BRANCHES - 1) / PLI_NEAR_BRANCHES; }

typedef struct bvh16_refitting {
    pli_bvh16 *tree;
    int32_t first, above; // Nodes first..above-1 form the level.
} bvh16_refitting;

// Refits the nodes of one level that have a dirty child and marks their own box dirty one level up. The last box of
// the array bounds all leaves.
static void bvh16_refit_chunk(void *data, int32_t chunk)
{
    const bvh16_refitting *f = data;
    pli_bvh16 *tree = f->tree;
    int32_t begin = f->first + chunk * BVH16_REFIT_GRAIN,
            end = begin + BVH16_REFIT_GRAIN < f->above ? begin + BVH16_REFIT_GRAIN : f->above;
    for (int32_t box = begin; box < end; box++) {
        uint8_t *dirty = &tree->dirty[PLI_NEAR_BRANCHES * box];
        static const uint8_t none[PLI_NEAR_BRANCHES];
        if (memcmp(dirty, none, sizeof none) == 0)
            continue;
        memset(dirty, 0, PLI_NEAR_BRANCHES);
        // Transpose the boxes of a node's 16 children into rows of lanes, and returns the box around all of them.
        const pli_swept_box *swept_boxes = &tree->swept_boxes[PLI_NEAR_BRANCHES * box];
        float *rows = tree->rows + ROW_FLOATS * (int64_t)box;
        pli_swept_box all = pli_swept_box_empty();
        for (int32_t i = 0; i < PLI_NEAR_BRANCHES; i++) {
            float values[PLI_NEAR_ROWS];
            memcpy(values, &swept_boxes[i], sizeof values);
            for (int32_t row = 0; row < PLI_NEAR_ROWS; row++)
                rows[row * PLI_NEAR_BRANCHES + i] = values[row];
            all = pli_swept_box_join(all, swept_boxes[i]);
        }
        pli_bvh16_set(tree, PLI_NEAR_BRANCHES * f->above + box - f->first, &all);
    }
}

void pli_bvh16_refit(pli_bvh16 *tree, pli_tasks *tasks)
{
    bvh16_refitting f = {.tree = tree};
    for (int32_t level = 0; level < tree->tree.depth; level++, f.first = f.above) {
        f.above = f.first + boxes_over(tree->tree.counts[level]);
        pli_tasks_run(tasks, (f.above - f.first + BVH16_REFIT_GRAIN - 1) / BVH16_REFIT_GRAIN, bvh16_refit_chunk, &f);
    }
}

pli_swept_box pli_bvh16_all(const pli_bvh16 *tree)
{
    int32_t boxes = 0;
    for (int32_t level = 0; level < tree->tree.depth; level++)
        boxes += boxes_over(tree->tree.counts[level]);
    return tree->swept_boxes[PLI_NEAR_BRANCHES * boxes];
}

pli_near_box pli_near_box_of(const pli_swept_box *swept_box)
{
    const pli_aabb *a = &swept_box->start, *b = &swept_box->end;
    return (pli_near_box){{{a->low.x, a->low.y, a->low.z}, {a->high.x, a->high.y, a->high.z}},
                          {{b->low.x, b->low.y, b->low.z}, {b->high.x, b->high.y, b->high.z}}};
}

// A leaf is skipped when one axis separates both boxes on the same side at the start and at the end: then it does so
// at every time between (aabb.h).
void pli_bvh16_query(const pli_bvh16 *tree, const pli_near_kernels *near, const pli_swept_box *box, int32_t first,
                     pli_near_found found, void *data)
{
    const pli_near_box about = pli_near_box_of(box);
    if (tree->count > 0)
        near->query(&tree->tree, &about, first, found, data);
}

typedef struct descent {
    const pli_bvh16 *tree;
    int32_t bases[PLI_NEAR_LEVELS]; // Index of the first box of each level.
    pli_vec3 point;
    pli_bvh16_visit visit;
    void *data;
} descent;

// Squared distance from a point to a box [m^2]; 0 inside.
static float square_to(pli_aabb b, pli_vec3 p)
{
    pli_vec3 out = {fmaxf(fmaxf(b.low.x - p.x, p.x - b.high.x), 0.0f),
                    fmaxf(fmaxf(b.low.y - p.y, p.y - b.high.y), 0.0f),
                    fmaxf(fmaxf(b.low.z - p.z, p.z - b.high.z), 0.0f)};
    return pli_dot(out, out);
}

// Visits the children of a node, nearest box first. Distances are computed in float, so they are shrunk by 1e-4 to
// stay lower bounds.
static double descend(const descent *d, int32_t level, int32_t first, double least)
{
    int32_t left = d->tree->tree.counts[level] - first, count = left < PLI_NEAR_BRANCHES ? left : PLI_NEAR_BRANCHES;
    double squares[PLI_NEAR_BRANCHES];
    for (int32_t i = 0; i < count; i++)
        squares[i] = 0.9999 * (double)square_to(d->tree->swept_boxes[d->bases[level] + first + i].start, d->point);
    for (int32_t visited = 0; visited < count; visited++) {
        int32_t next = 0;
        for (int32_t i = 1; i < count; i++)
            next = squares[i] < squares[next] ? i : next;
        if (squares[next] > least)
            return least;
        squares[next] = INFINITY;
        least = level == 0 ? d->visit(d->data, first + next)
                           : descend(d, level - 1, PLI_NEAR_BRANCHES * (first + next), least);
    }
    return least;
}

void pli_bvh16_nearest(const pli_bvh16 *tree, pli_vec3 point, pli_bvh16_visit visit, void *data)
{
    descent d = {.tree = tree, .point = point, .visit = visit, .data = data};
    for (int32_t level = 1; level < tree->tree.depth; level++)
        d.bases[level] = d.bases[level - 1] + PLI_NEAR_BRANCHES * boxes_over(tree->tree.counts[level - 1]);
    if (tree->count > 0)
        descend(&d, tree->tree.depth - 1, 0, INFINITY);
}
