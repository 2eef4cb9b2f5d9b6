// How far a primitive is from others while their particles go on straight trajectories.
#ifndef PLI_COLLISION_NARROWPHASE_PAIR_KERNELS_H
#define PLI_COLLISION_NARROWPHASE_PAIR_KERNELS_H

#include "base/vector.h"
#include "simd/wide.h"

#include <stdbool.h>

// At most so many items of a kind at once, as bits of a word; behind the last float of any there is room to read more.
enum { PLI_NEAR_ITEMS_MAX = 24, PLI_NEAR_CAPACITY = 32, PLI_NEAR_LANES = 16 };

// Rows of the boxes of items, by axis from these on: at the start of their trajectories, and at the end.
enum { PLI_NEAR_LOW = 0, PLI_NEAR_HIGH = 3, PLI_NEAR_END = 6, PLI_NEAR_ROWS = 12 };

// Boxes about primitives in rows of `count` floats.
typedef struct pli_near_items {
    const float *values;
    int32_t count;
} pli_near_items;

// Pairs of primitives side by side: the particles of each, side a first, a direction that separates the sides at the
// start, and how far they are apart along it at least on straight trajectories; negative when it is not known.
typedef struct pli_near_pairs {
    int32_t at[4][PLI_NEAR_LANES];
    float gap[PLI_NEAR_LANES], normal[3][PLI_NEAR_LANES];
} pli_near_pairs;

// Low x, y, z and high x, y, z of a box at the start, and at the end.
typedef struct pli_near_box {
    float start[2][3], end[2][3];
} pli_near_box;

// Which items may meet the box on their trajectories.
typedef uint32_t (*pli_near_meet)(const pli_near_items *items, const pli_near_box *box);
// Which others may come as near as `reach` to item `one` of `ones`.
typedef uint32_t (*pli_near_meet_one)(const pli_near_items *ones, int32_t one, const pli_near_items *others,
                                      float reach);

// A tree of boxes, PLI_NEAR_BRANCHES below each but at the ends of levels: from the leaves up, rows of those below one box.
enum { PLI_NEAR_BRANCHES = 16, PLI_NEAR_LEVELS = 8 };
typedef struct pli_near_tree {
    const float *levels[PLI_NEAR_LEVELS];
    int32_t counts[PLI_NEAR_LEVELS]; // Of boxes in a level; what fills up its rows is never found.
    int32_t depth;
} pli_near_tree;

// Sets how many boxes each level has over so many leaves, at least one, and how many come before it (starts). How many in all.
static inline int32_t pli_near_tree_shape(pli_near_tree *tree, int32_t leaves, int32_t starts[PLI_NEAR_LEVELS])
{
    int32_t boxes = 0;
    tree->depth = 0;
    for (int32_t count = leaves; tree->depth == 0 || count > 1; tree->depth++) {
        starts[tree->depth] = boxes;
        tree->counts[tree->depth] = count;
        count = (count + PLI_NEAR_BRANCHES - 1) / PLI_NEAR_BRANCHES;
        boxes += count;
    }
    return boxes;
}

// Calls found(data, leaf) for the leaves from `first` on that may meet the box, ascending, until it is false.
typedef bool (*pli_near_found)(void *data, int32_t leaf);
typedef void (*pli_near_query)(const pli_near_tree *tree, const pli_near_box *box, int32_t first, pli_near_found found,
                               void *data);

// Straight trajectories: where particles start, and what a substep does.
typedef struct pli_near_trajectories {
    const pli_particle *starts, *steps;
} pli_near_trajectories;

// Sets gaps and directions of pairs whose particles are looked at between two ages.
typedef void (*pli_near_separate)(const pli_near_trajectories *trajectories, const float ages[2], pli_near_pairs *pairs,
                                  int32_t blocks);
// Sets the squares of how far each is at an age or a substep later, whichever is more, and tells the largest [m^2].
typedef float (*pli_near_squared_deviations)(const pli_particle *now, const pli_particle *later,
                                             const pli_near_trajectories *trajectories, float age, int32_t count,
                                             float *squares);

// Tells the largest of these squares.
typedef float (*pli_near_largest_deviation)(const pli_particle *now, const pli_particle *later,
                                            const pli_near_trajectories *trajectories, float age, int32_t count);

// Whether all coordinates are less than a limit, either way; what is no number is not.
typedef bool (*pli_near_are_within)(const pli_particle *particles, int32_t count, float limit);

typedef struct pli_near_kernels {
    pli_near_meet meet;
    pli_near_meet_one meet_one;
    pli_near_query query;
    pli_near_separate edge_edges, vertex_triangles;
    pli_near_squared_deviations squared_deviations;
    pli_near_largest_deviation largest_deviation;
    pli_near_are_within are_within;
} pli_near_kernels;

extern const pli_near_kernels PLI_NAMED(pli_near);

#endif
