// A window on a list of candidate pairs: pairs that pass a first, cheap test wait here until there are enough of each
// kind for the kernels, and leave in list order.
//
//     list      . a b . c . . d e ...      window   a b c d e      blocks   vertices and triangles:  a c d
//                                                                           edges:                   b e
#ifndef PLI_COLLISION_CONTACTS_PAIR_WINDOW_H
#define PLI_COLLISION_CONTACTS_PAIR_WINDOW_H

#include "collision/narrowphase/closest_kernels.h"
#include "collision/state/collision_state.h"

enum { PLI_WINDOW_PAIRS = 128, PLI_WINDOW_BLOCKS = PLI_WINDOW_PAIRS / PLI_NEAR_LANES };

// The position of a pair in the window: its block and lane among the pairs of its kind.
typedef struct pli_window_place {
    int32_t pair; // Index in the list.
    int32_t kind, slot;
} pli_window_place;

typedef struct pli_pair_window {
    const pli_collision *collision;
    pli_listed_pair *pairs;                // The list.
    int32_t offered[PLI_WINDOW_PAIRS + 1]; // Pairs in the window, and one that was not wanted.
    int32_t count;
    // After the test: the positions of the pairs in list order, the number of each kind, and whether the pairs were found.
    pli_window_place places[PLI_WINDOW_PAIRS];
    int32_t counts[2];
    pli_pair_block blocks[2][PLI_WINDOW_BLOCKS];
    uint32_t found[2][PLI_WINDOW_BLOCKS];
} pli_pair_window;

static inline void pli_pair_window_begin(pli_pair_window *window, const pli_collision *collision,
                                         pli_listed_pair *pairs)
{
    window->collision = collision;
    window->pairs = pairs;
    window->count = 0;
}
static inline bool pli_pair_window_is_full(const pli_pair_window *window) { return window->count == PLI_WINDOW_PAIRS; }
// Puts a pair of the list into the window if it is wanted, without an unpredictable branch. The window must not be
// full.
static inline void pli_pair_window_offer(pli_pair_window *window, int32_t pair, bool wanted)
{
    window->offered[window->count] = pair;
    window->count += wanted;
}
// `find_apart` finds the pairs that their direction keeps apart by more than `near`; `find_separated` finds the pairs
// whose direction proves to CCD that they do not cross.
void pli_pair_window_find_apart(pli_pair_window *window);
void pli_pair_window_find_separated(pli_pair_window *window);
// `found`: was the pair found? `misses`: did find_apart see that the lines of its edges come closest outside one of the edges?
static inline bool pli_pair_window_found(const pli_pair_window *window, const pli_window_place *at)
{
    return window->found[at->kind][at->slot / PLI_NEAR_LANES] >> at->slot % PLI_NEAR_LANES & 1;
}
static inline bool pli_pair_window_misses(const pli_pair_window *window, const pli_window_place *at)
{
    return window->blocks[at->kind][at->slot / PLI_NEAR_LANES].misses >> at->slot % PLI_NEAR_LANES & 1;
}

// Fills the lanes of a block after its first `count` pairs with copies of the first pair.
void pli_pair_block_fill(int32_t at[4][PLI_NEAR_LANES], int32_t count);

#endif
