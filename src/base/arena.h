// Scratch memory of one thread that is freed as a unit, so that stages need no capacities of their own.
//
//   block 1  [ taken | taken | free ]          A scope ends where it began: what was taken in it is free again,
//   block 2  [ taken | free         ]          blocks are kept. A reset joins several blocks into one that holds
//                 ^ scope ends here            what was taken, so that a step like the last allocates nothing.
#ifndef PLI_BASE_ARENA_H
#define PLI_BASE_ARENA_H

#include "base/memory.h"

typedef struct pli_arena_block pli_arena_block;

typedef struct pli_arena {
    pli_memory *memory;
    pli_arena_block *first, *current; // Blocks after the current one are empty.
    size_t used;                      // Bytes taken from the current block.
    size_t before;                    // Bytes of the blocks before it.
    size_t most;                      // Most bytes in use since the last trim, with the unused ends of these blocks.
} pli_arena;

// The state of an arena that pli_arena_end returns to.
typedef struct pli_arena_scope {
    pli_arena_block *block;
    size_t used, before;
} pli_arena_scope;

// Allocates `count` items of `size` bytes, aligned to PLI_ALIGNMENT, with undefined contents. Returns null when memory
// ran out. A count of 0 gives a valid pointer.
void *pli_arena_take(pli_arena *arena, int64_t count, size_t size);
// Allocates like pli_arena_take and zeroes the items.
void *pli_arena_take_zeroed(pli_arena *arena, int64_t count, size_t size);
#define PLI_TAKE(arena, type, count) ((type *)pli_arena_take((arena), (count), sizeof(type)))
#define PLI_TAKE_ZEROED(arena, type, count) ((type *)pli_arena_take_zeroed((arena), (count), sizeof(type)))

pli_arena_scope pli_arena_begin(const pli_arena *arena);
void pli_arena_end(pli_arena *arena, pli_arena_scope scope);

// Frees all items and merges several blocks into one, of 9/8 of the peak use since the last trim and at most their sum.
// If this allocation fails, the arena is empty and allocates again on demand.
void pli_arena_reset(pli_arena *arena);
// Shrinks the block of an empty arena to 9/8 of the peak use since the last trim if the block is larger than `least`
// bytes and more than twice the peak use.
void pli_arena_trim(pli_arena *arena, size_t least);
void pli_arena_release(pli_arena *arena);

#endif
