// Allocation through the hooks of the application; it is counted, zeroed and aligned to a cache line.
#ifndef PLI_BASE_MEMORY_H
#define PLI_BASE_MEMORY_H

#include "base/error.h"

#define PLI_ALIGNMENT 64

typedef struct pli_memory {
    pli_hooks hooks;
    size_t bytes;        // Bytes allocated and not yet released, headers included.
    int64_t allocations; // Allocations made so far, released or not.
    // Number of running application callbacks: memory hooks, and calls of the owner that may invoke a callback. While
    // it is positive, the owner cannot be changed.
    _Atomic int32_t asking;
} pli_memory;

// Copies the hooks and replaces missing ones by the defaults; `hooks` may be null.
pli_memory pli_memory_make(const pli_hooks *hooks);

// Allocates `count` zeroed elements of `size` bytes; null on failure or overflow. A count of 0 gives a valid pointer.
// Release with pli_release.
void *pli_allocate(pli_memory *memory, size_t count, size_t size);
// Allocates without zeroing, for memory that is written in full before it is read.
void *pli_allocate_unset(pli_memory *memory, size_t count, size_t size);
#define PLI_ALLOCATE_UNSET(memory, type, count) ((type *)pli_allocate_unset((memory), (size_t)(count), sizeof(type)))
#define PLI_ALLOCATE(memory, type, count) ((type *)pli_allocate((memory), (size_t)(count), sizeof(type)))

// Releases an allocation; null is allowed.
void pli_release(pli_memory *memory, void *allocation);

// Grows the array at *(void **)array to at least `needed` elements, by doubling or, for a large array, by a quarter.
// Contents are kept, new elements are zeroed. Returns false on failure, with the array unchanged.
bool pli_reserve(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size);
// Grows without zeroing, so unused capacity costs no memory traffic.
bool pli_reserve_unset(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size);

// Allocates a copy of a string; null stays null, which is not a failure. Returns false on failure.
bool pli_copy_string(pli_memory *memory, const char *text, char **copy);

#endif
