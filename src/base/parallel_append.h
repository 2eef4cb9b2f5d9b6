// Parallel append: threads search chunks of a problem, and their results are stored in one array in the order of the
// chunks. The array does not depend on the number of threads.
//
//     round of chunks      0        1        2          first pass: each chunk fills its part of a scratch buffer
//     scratch           [aa  ]   [bbbbb   [c   ]        (chunk 1 found more than its part holds)
//     array          ...|aa|bbbbbbbbb|c|                second pass: copied; chunk 1 is searched again, in place
//
// Where scratch memory would be large, a round processes its chunks in parts that match the number of threads.
#ifndef PLI_BASE_PARALLEL_APPEND_H
#define PLI_BASE_PARALLEL_APPEND_H

#include "base/arena.h"
#include "base/array.h"
#include "base/tasks.h"

// Searches one chunk: writes its first `capacity` items to `out` and sets `count` to the number of all its items, >= 0.
typedef void (*pli_append_chunk)(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count);

// One search.
typedef struct pli_appending {
    size_t size;       // Size of an item [bytes].
    int32_t chunks;    // Number of chunks, >= 0.
    int32_t *capacity; // Scratch items for a chunk, 0 at first; raised for later searches when a chunk finds more.
    pli_append_chunk append;
    void *data;   // First argument of `append`.
    int64_t most; // Maximum number of items in the array; 0 for no limit.
    // Set when the array would exceed `most`: the search ends after the round and returns false. Null without `most`.
    bool *is_over;
} pli_appending;

// The scratch memory and the threads of a search.
typedef struct pli_append_tools {
    pli_arena *arena;
    pli_tasks *tasks;
} pli_append_tools;

// Appends all items to the array at *(void **)array, which is grown. Returns false when memory ran out, when there are
// more than `most` items, or when the tasks must stop.
bool pli_parallel_append(const pli_append_tools *tools, const pli_appending *search, void *array, int32_t *count,
                         int32_t *capacity);
// Does the same for a PLI_ARRAY.
#define pli_append_to(tools, search, array)                                                                            \
    pli_parallel_append((tools), (search), &(array)->items, &(array)->count, &(array)->capacity)

#endif
