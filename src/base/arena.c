// Blocks of scratch memory in a list. Allocation bumps an offset in the current block; later blocks are empty.
#include "base/arena.h"

#include <string.h>

enum { LEAST_BLOCK = 4096 };   // Size of the first block [bytes].
enum { GROWN_PART = 4 };       // A new block has 1/GROWN_PART of the size of all earlier blocks, or the requested size.
enum { ARENA_SPARE_PART = 8 }; // A block that replaces others is larger than the used size by 1/SPARE_PART.
enum { TRIMMED_PART = 2 };     // A block is trimmed when less than 1/TRIMMED_PART of it was used.

// The header of a block; its items follow after one alignment.
struct pli_arena_block {
    pli_arena_block *next;
    size_t size; // Bytes for items, without this header.
};

_Static_assert(sizeof(pli_arena_block) <= PLI_ALIGNMENT, "items of a block are aligned");

static pli_arena_block *make_block(pli_arena *arena, size_t size)
{
    if (size > SIZE_MAX - PLI_ALIGNMENT)
        return NULL;
    pli_arena_block *block = pli_allocate_unset(arena->memory, PLI_ALIGNMENT + size, 1);
    if (block)
        *block = (pli_arena_block){NULL, size};
    return block;
}

// Makes a block current that can store `size` bytes: an empty block of the list, or a new block whose size is a
// fraction of all earlier blocks. The number of blocks thus grows with the logarithm of the demand.
static bool arena_advance(pli_arena *arena, size_t size)
{
    size_t sum = 0;
    pli_arena_block **to = &arena->first;
    for (; *to && *to != arena->current; to = &(*to)->next)
        sum += (*to)->size;
    if (*to) {
        sum += (*to)->size;
        to = &(*to)->next;
    }
    for (; *to && (*to)->size < size; to = &(*to)->next)
        sum += (*to)->size;
    size_t more = sum / GROWN_PART + LEAST_BLOCK;
    if (!*to)
        *to = make_block(arena, size > more ? size : more);
    if (!*to)
        return false;
    arena->current = *to;
    arena->used = 0;
    arena->before = sum;
    return true;
}

void *pli_arena_take(pli_arena *arena, int64_t count, size_t size)
{
    if (count < 0 || (size > 0 && (uint64_t)count > (SIZE_MAX - PLI_ALIGNMENT) / size))
        return NULL;
    size_t bytes = ((size_t)count * size + PLI_ALIGNMENT - 1) / PLI_ALIGNMENT * PLI_ALIGNMENT;
    if ((!arena->current || bytes > arena->current->size - arena->used) && !arena_advance(arena, bytes))
        return NULL;
    char *taken = (char *)arena->current + PLI_ALIGNMENT + arena->used;
    arena->used += bytes;
    arena->most = arena->before + arena->used > arena->most ? arena->before + arena->used : arena->most;
    return taken;
}

void *pli_arena_take_zeroed(pli_arena *arena, int64_t count, size_t size)
{
    void *taken = pli_arena_take(arena, count, size);
    return taken ? memset(taken, 0, (size_t)count * size) : NULL;
}

pli_arena_scope pli_arena_begin(const pli_arena *arena)
{
    return (pli_arena_scope){arena->current, arena->used, arena->before};
}

void pli_arena_end(pli_arena *arena, pli_arena_scope scope)
{
    arena->current = scope.block ? scope.block : arena->first;
    arena->used = scope.block ? scope.used : 0;
    arena->before = scope.block ? scope.before : 0;
}

// Returns the size of a block that replaces others, of which at most `most` bytes were in use.
static size_t roomy(size_t most) { return most + most / ARENA_SPARE_PART; }

void pli_arena_reset(pli_arena *arena)
{
    size_t sum = 0, most = arena->most, enough = roomy(most);
    for (const pli_arena_block *block = arena->first; block; block = block->next)
        sum += block->size;
    if (arena->first && arena->first->next) {
        pli_arena_release(arena);
        arena->first = make_block(arena, enough < sum ? enough : sum);
        arena->most = most;
    }
    arena->current = arena->first;
    arena->used = arena->before = 0;
}

void pli_arena_trim(pli_arena *arena, size_t least)
{
    size_t most = arena->most;
    if (arena->first && arena->first->size > least && most < arena->first->size / TRIMMED_PART) {
        pli_arena_release(arena);
        arena->current = arena->first = make_block(arena, roomy(most));
    }
    arena->most = 0;
}

void pli_arena_release(pli_arena *arena)
{
    for (pli_arena_block *block = arena->first, *next; block; block = next) {
        next = block->next;
        pli_release(arena->memory, block);
    }
    *arena = (pli_arena){.memory = arena->memory};
}
