// Interface of the pair kernels: box tests and separating directions for particles on linear trajectories.
#ifndef PLI_COLLISION_NARROWPHASE_PAIR_KERNELS_H
#define PLI_COLLISION_NARROWPHASE_PAIR_KERNELS_H

#include "base/vector.h"
#include "base/simd/wide.h"

#include <stdbool.h>

// Items of one call, as bits of a word. Arrays of boxes are padded, so that whole SIMD registers can be read at their
// end.
enum { PLI_NEAR_ITEMS_MAX = 24, PLI_NEAR_CAPACITY = 32, PLI_NEAR_LANES = 16 };

// Rows of a box array: low x, y, z and high x, y, z at the start of the interval, then the same at its end.
enum { PLI_NEAR_LOW = 0, PLI_NEAR_HIGH = 3, PLI_NEAR_END = 6, PLI_NEAR_ROWS = 12 };

// Swept boxes of primitives, as PLI_NEAR_ROWS rows of `count` floats.
typedef struct pli_near_items {
    const float *values;
    int32_t count;
} pli_near_items;

// A block of primitive pairs. Input: particles, side a first. Output: a direction that separates the sides at the
// start, and a lower bound of the gap along it over the interval [m]; negative when unknown.
typedef struct pli_near_pairs {
    int32_t at[4][PLI_NEAR_LANES];
    float gap[PLI_NEAR_LANES], normal[3][PLI_NEAR_LANES];
} pli_near_pairs;

// A swept box: low and high corner at the start and at the end [m].
typedef struct pli_near_box {
    float start[2][3], end[2][3];
} pli_near_box;

// Returns the bits of the items of `ones` that may meet the box during the interval. For each of these, at its index, `found` gets the
// bits of `others` that may come within `reach` [m] of it.
typedef uint32_t (*pli_near_meet)(const pli_near_items *ones, const pli_near_box *box, const pli_near_items *others,
                                  float reach, uint32_t found[PLI_NEAR_CAPACITY]);

// Structure of a 16-wide BVH: for each level, leaves first, the SIMD rows of the children of each node.
enum { PLI_NEAR_BRANCHES = 16, PLI_NEAR_LEVELS = 8 };
typedef struct pli_near_tree {
    const float *levels[PLI_NEAR_LEVELS];
    int32_t counts[PLI_NEAR_LEVELS]; // Boxes of each level; padding lanes never match.
    int32_t depth;
} pli_near_tree;

// Computes the number of boxes of each level over `leaves` >= 1 leaves, and of all levels before it (starts). Returns
// the number of nodes.
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

// Calls found(data, leaf) for the leaves >= `first` that may meet the box, in ascending order, until it returns false.
typedef bool (*pli_near_found)(void *data, int32_t leaf);
typedef void (*pli_near_query)(const pli_near_tree *tree, const pli_near_box *box, int32_t first, pli_near_found found,
                               void *data);

// Linear trajectories: positions at age 0 [m], and displacements in one substep [m].
typedef struct pli_near_trajectories {
    const pli_particle *starts, *steps;
} pli_near_trajectories;

// Computes gaps and separating directions of pairs over the interval between two ages [substeps].
typedef void (*pli_near_separate)(const pli_near_trajectories *trajectories, const float ages[2], pli_near_pairs *pairs,
                                  int32_t blocks);
// Writes each particle's squared deviation from its trajectory, the larger of the values now (at `age`) and one substep
// later. Returns the largest [m^2].
typedef float (*pli_near_squared_deviations)(const pli_particle *now, const pli_particle *later,
                                             const pli_near_trajectories *trajectories, float age, int32_t count,
                                             float *squares);

// Returns only the largest squared deviation [m^2].
typedef float (*pli_near_largest_deviation)(const pli_particle *now, const pli_particle *later,
                                            const pli_near_trajectories *trajectories, float age, int32_t count);

// Are all coordinates within +-limit [m]? NaN counts as outside.
typedef bool (*pli_near_are_within)(const pli_particle *particles, int32_t count, float limit);

typedef struct pli_near_kernels {
    pli_near_meet meet;
    pli_near_query query;
    pli_near_separate edge_edges, vertex_triangles;
    pli_near_squared_deviations squared_deviations;
    pli_near_largest_deviation largest_deviation;
    pli_near_are_within are_within;
} pli_near_kernels;

extern const pli_near_kernels PLI_NAMED(pli_near);

#endif
