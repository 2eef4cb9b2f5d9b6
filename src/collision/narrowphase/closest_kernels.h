// Interface of the kernels that test listed pairs 16 at a time: gaps along known directions, and closest points. Results
// are bit-identical to the functions for one pair (pli_pair_gap, pli_closest_points).
#ifndef PLI_COLLISION_NARROWPHASE_CLOSEST_KERNELS_H
#define PLI_COLLISION_NARROWPHASE_CLOSEST_KERNELS_H

#include "collision/narrowphase/closest_points.h"
#include "collision/narrowphase/pair_kernels.h"

// A direction separates two sides only if the gap along it exceeds this [m].
#define PLI_LEAST_GAP 1e-7f

// A block of pairs of one kind. Lanes without a pair repeat another one.
typedef struct pli_pair_block {
    int32_t at[4][PLI_NEAR_LANES];   // Particles, side a first.
    float normal[3][PLI_NEAR_LANES]; // Unit directions from side b to side a.
    float limit[PLI_NEAR_LANES];     // Gap that the test requires [m].
    uint32_t
        misses; // Output for edges: bits of pairs whose lines are closest outside of an edge, by more than rounding.
} pli_pair_block;

// pli_closest of 16 pairs.
typedef struct pli_closest_block {
    double weights[4][PLI_NEAR_LANES], apart[3][PLI_NEAR_LANES], square[PLI_NEAR_LANES];
} pli_closest_block;

static inline pli_closest pli_closest_in(const pli_closest_block *b, int32_t lane)
{
    return (pli_closest){{b->weights[0][lane], b->weights[1][lane], b->weights[2][lane], b->weights[3][lane]},
                         {b->apart[0][lane], b->apart[1][lane], b->apart[2][lane]},
                         b->square[lane]};
}

// Bits of pairs that their direction separates before and after the substep. `apart` requires more than the limit at both
// times and sets `misses` at the positions before; `separated` requires more than the limit, or half of the gap before, at
// the positions after.
typedef uint32_t (*pli_pairs_apart)(const pli_particle *before, const pli_particle *after, pli_pair_block *block);
// Writes the closest points of pairs of one kind, in double.
typedef void (*pli_pair_closest)(const pli_particle *particles, const int32_t at[4][PLI_NEAR_LANES],
                                 pli_closest_block *block);

// Rows are indexed by pli_pair_kind.
typedef struct pli_closest_kernels {
    pli_pairs_apart apart[2];
    pli_pairs_apart separated[2];
    pli_pair_closest closest[2];
} pli_closest_kernels;

extern const pli_closest_kernels PLI_NAMED(pli_closest);

#endif
