// Allocation through the user's hooks, counted, zeroed and aligned to a cache line.
#ifndef PLI_BASE_MEMORY_H
#define PLI_BASE_MEMORY_H

#include "base/error.h"

#define PLI_ALIGNMENT 64

typedef struct pli_memory {
    pli_hooks hooks;
    size_t bytes;        // Held now.
    int64_t allocations; // Made so far.
} pli_memory;

// Completes missing hooks with the defaults.
pli_memory pli_memory_make(const pli_hooks *hooks);

// `count` zeroed elements of `size` bytes; null on failure or overflow. A count of 0 gives a valid
// pointer. Released with pli_release.
void *pli_allocate(pli_memory *memory, size_t count, size_t size);
// The same, but not zeroed: for what is filled whole before it is read.
void *pli_allocate_unset(pli_memory *memory, size_t count, size_t size);
#define PLI_ALLOCATE_UNSET(memory, type, count) ((type *)pli_allocate_unset((memory), (size_t)(count), sizeof(type)))
#define PLI_ALLOCATE(memory, type, count) ((type *)pli_allocate((memory), (size_t)(count), sizeof(type)))

// Null is allowed.
void pli_release(pli_memory *memory, void *allocation);

// Makes room for `needed` elements in the array at *(void **)array, at least doubling; contents are
// kept, new room is zeroed. False on failure, with the array untouched.
bool pli_reserve(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size);
// The same for what is written before it is read: new room is anything, so that what is never used costs nothing.
bool pli_reserve_unset(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size);

// An allocated copy of a string; null stays null (and is then no failure). False on failure.
bool pli_copy_string(pli_memory *memory, const char *text, char **copy);

#endif
