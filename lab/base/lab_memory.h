// Memory of an experiment. Running out of memory ends the program: experiments need little, and nothing of an
// unfinished one is kept.
#ifndef PLI_LAB_MEMORY_H
#define PLI_LAB_MEMORY_H

#include <stddef.h>

// Reallocates to `count` elements of `size` bytes, as realloc gives it; never NULL.
void *lab_grow(void *memory, size_t count, size_t size);

#endif
