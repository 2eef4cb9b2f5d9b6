// malloc and its family in an eighth of the code that wasi-libc has for them: blocks with the sizes of themselves and of the one
// before, and lists of free ones by size, a quarter of a power of two each. The library allocates on one thread.
//
//   | before, size | memory ...      | before, size | next, previous ... |      the last is in use for ever, without memory
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, GRAIN = 16, PAGE = 1 << 16, BINS = 128, LOOKS = 16 };
#define USED 1u
#define MOST 0x7fff0000u

typedef struct block {
    uint32_t before, size;         // Bytes of both with their headers, multiples of GRAIN; `size` with USED.
    struct block *next, *previous; // While it is free.
} block;

static block *bins[BINS], *last; // The block at the end, of the size 0.
static uint32_t filled[BINS / 32];

static block *at(block *from, uint32_t bytes) { return (block *)((char *)from + bytes); }
static block *back(block *from, uint32_t bytes) { return (block *)((char *)from - bytes); }
static block *of(void *memory) { return (block *)((char *)memory - HEADER); }
static void *memory_of(block *found) { return (char *)found + HEADER; }
static uint32_t size_of(const block *one) { return one->size & ~USED; }

static uint32_t bin_of(uint32_t size)
{
    uint32_t power = 31 - (uint32_t)__builtin_clz(size);
    return 4 * power + (size >> (power - 2) & 3);
}

static void take_out(block *one)
{
    uint32_t bin = bin_of(one->size);
    if (one->next)
        one->next->previous = one->previous;
    if (one->previous)
        one->previous->next = one->next;
    else if (!(bins[bin] = one->next))
        filled[bin / 32] &= ~(1u << bin % 32);
}

static void set_size(block *one, uint32_t size, uint32_t used)
{
    one->size = size | used;
    at(one, size)->before = size;
}

// Gives a block back, with the free ones on both sides of it.
static void put_in(block *one)
{
    uint32_t size = size_of(one);
    block *after = at(one, size), *before = back(one, one->before);
    if (!(after->size & USED)) {
        take_out(after);
        size += after->size;
    }
    if (one->before && !(before->size & USED)) {
        take_out(before);
        size += before->size;
        one = before;
    }
    set_size(one, size, 0);
    uint32_t bin = bin_of(size);
    one->previous = NULL, one->next = bins[bin];
    if (one->next)
        one->next->previous = one;
    bins[bin] = one;
    filled[bin / 32] |= 1u << bin % 32;
}

// Cuts what is beyond `size` off a block that is in use.
static void cut(block *one, uint32_t size)
{
    uint32_t rest = size_of(one) - size;
    if (rest < 2 * GRAIN)
        return;
    set_size(one, size, USED);
    block *left = at(one, size);
    set_size(left, rest, USED);
    put_in(left);
}

// Memory from begin to end, both multiples of GRAIN, becomes a free block, together with what was before it.
static void add(char *begin, char *end)
{
    block *first = last;
    if (!last || (char *)last + HEADER != begin) {
        first = (block *)(begin + HEADER);
        first->before = 0;
    }
    last = (block *)(end - HEADER);
    set_size(first, (uint32_t)((char *)last - (char *)first), USED);
    last->size = USED;
    put_in(first);
}

// More memory from the machine; pages that others took in between stay theirs.
static bool grow(uint32_t size)
{
    extern char __heap_base;
    size_t pages = __builtin_wasm_memory_size(0);
    char *begin = (char *)((uintptr_t)(&__heap_base + GRAIN - 1) / GRAIN * GRAIN), *end = (char *)(pages * PAGE);
    bool first = !last;
    if (first && end - begin >= 2 * GRAIN)
        add(begin, end);
    if (first && end - begin >= (ptrdiff_t)size + 2 * GRAIN)
        return true;
    size_t more = (size + 2 * GRAIN + PAGE - 1) / PAGE, before = __builtin_wasm_memory_grow(0, more);
    if (before == SIZE_MAX)
        return false;
    add((char *)(before * PAGE), (char *)((before + more) * PAGE));
    return true;
}

static block *find(uint32_t size)
{
    uint32_t bin = bin_of(size);
    block *one = bins[bin];
    for (int looks = 0; one && one->size < size; one = one->next)
        if (++looks == LOOKS) {
            one = NULL;
            break;
        }
    if (one)
        return one;
    // Any block of a higher bin is large enough.
    for (uint32_t word = ++bin / 32; word < BINS / 32; word++) {
        uint32_t higher = filled[word] & (word == bin / 32 ? ~0u << bin % 32 : ~0u);
        if (higher)
            return bins[32 * word + (uint32_t)__builtin_ctz(higher)];
    }
    return NULL;
}

void *malloc(size_t wanted)
{
    if (wanted > MOST)
        return NULL;
    uint32_t size = ((uint32_t)wanted + HEADER + GRAIN - 1) / GRAIN * GRAIN;
    block *one = find(size);
    if (!one && grow(size))
        one = find(size);
    if (!one)
        return NULL;
    take_out(one);
    one->size |= USED;
    cut(one, size);
    return memory_of(one);
}

void free(void *memory)
{
    if (memory)
        put_in(of(memory));
}

void *calloc(size_t count, size_t each)
{
    uint64_t size = (uint64_t)count * each;
    void *memory = malloc(size > MOST ? SIZE_MAX : (size_t)size);
    return memory ? memset(memory, 0, (size_t)size) : NULL;
}

void *realloc(void *memory, size_t wanted)
{
    void *moved = malloc(wanted);
    if (!moved || !memory)
        return moved;
    size_t had = size_of(of(memory)) - HEADER;
    memcpy(moved, memory, had < wanted ? had : wanted);
    free(memory);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment <= GRAIN)
        return malloc(size);
    if (alignment > MOST / 4 || size > MOST / 4)
        return NULL;
    char *memory = malloc(size + alignment + GRAIN);
    if (!memory)
        return NULL;
    char *aligned = memory + GRAIN;
    aligned += (size_t) - (uintptr_t)aligned % alignment;
    block *one = of(memory), *found = of(aligned);
    uint32_t skipped = (uint32_t)(aligned - memory), all = size_of(one);
    set_size(one, skipped, USED);
    set_size(found, all - skipped, USED);
    put_in(one);
    cut(found, ((uint32_t)size + HEADER + GRAIN - 1) / GRAIN * GRAIN);
    return aligned;
}

// One instruction each, where wasi-libc has loops of a kilobyte.
void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __builtin_memcpy(to, from, size); }
void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
