// What many threads find by chunks, one after the other in the order of the chunks.
#ifndef PLI_BASE_PARALLEL_APPEND_H
#define PLI_BASE_PARALLEL_APPEND_H

#include "base/arena.h"
#include "base/array.h"
#include "base/tasks.h"

// Writes at most `capacity` items and says how many there are.
typedef void (*pli_append_chunk)(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count);

typedef struct pli_appending {
    size_t size; // Of an item [bytes].
    int32_t chunks;
    int32_t *capacity; // What a chunk gets at first: as much as one has needed, told here again.
    pli_append_chunk ask;
    void *data;
} pli_appending;

typedef struct pli_append_tools {
    pli_arena *arena; // For what chunks find before there is capacity for it.
    pli_tasks *tasks;
} pli_append_tools;

// Appends to the array at *(void **)array. False when memory ran out.
bool pli_parallel_append(const pli_append_tools *tools, const pli_appending *what, void *array, int32_t *count,
                         int32_t *capacity);
// The same to a PLI_ARRAY.
#define pli_append_to(tools, what, array)                                                                              \
    pli_parallel_append((tools), (what), &(array)->items, &(array)->count, &(array)->capacity)

#endif
