// Allocation that ends the program when memory runs out.
#include "base/lab_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *lab_grow(void *memory, size_t count, size_t size)
{
    void *grown = count > SIZE_MAX / size ? NULL : realloc(memory, count * size + 1);
    if (!grown) {
        fputs("pliant: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}
