// Two passes over the chunks: the first fills scratch memory and counts, the second copies to the running offsets.
#include "base/parallel_append.h"

#include "base/stop_request.h"

#include <string.h>

// Chunks are searched in rounds that reuse the scratch memory, so that it does not grow with the number of chunks.
enum { APPEND_FIRST_CAPACITY = 64, CHUNKS_PER_ROUND = 16, CHUNKS_PER_THREAD = 4 };
// A round whose scratch memory would exceed this size [bytes] processes its chunks in parts.
enum { LARGE_SCRATCH = 1 << 17 };
// Scratch memory of a chunk is at most this fraction of the limit of the array; a chunk that finds more is searched twice.
enum { APPEND_CHUNK_SHARE = 32 };

typedef struct append_round {
    const pli_appending *search;
    unsigned char *scratch, *out;
    int32_t first, capacity;
    int32_t *counts, *starts;
} append_round;

static void first_pass(void *data, int32_t i)
{
    const append_round *r = data;
    r->search->append(r->search->data, r->first + i, r->scratch + (size_t)i * (size_t)r->capacity * r->search->size,
                      r->capacity, &r->counts[i]);
}

// Copies results that fitted into the scratch memory. A chunk that overflowed it is searched again, directly into the array.
static void second_pass(void *data, int32_t i)
{
    const append_round *r = data;
    size_t size = r->search->size;
    int32_t count = r->counts[i];
    unsigned char *out = r->out + (size_t)r->starts[i] * size;
    if (count == 0)
        return;
    if (count <= r->capacity)
        memcpy(out, r->scratch + (size_t)i * (size_t)r->capacity * size, (size_t)count * size);
    else {
        int32_t found;
        r->search->append(r->search->data, r->first + i, out, count, &found);
        r->counts[i] = found < count ? found : count;
    }
}

// Closes the gaps after chunks that found fewer items in their second search. This happens if a search remembers its
// first pass and coordinates are so large that rounding decides. Returns the number of items in the array.
static int32_t close_chunk_gaps(const append_round *r, int32_t chunks, int32_t count)
{
    size_t size = r->search->size;
    for (int32_t i = 0; i < chunks; i++) {
        if (count != r->starts[i])
            memmove(r->out + (size_t)count * size, r->out + (size_t)r->starts[i] * size, (size_t)r->counts[i] * size);
        count += r->counts[i];
    }
    return count;
}

// Raises the capacity of later rounds to 5/4 of the largest count of this round, within the limit for a chunk.
static void raise_capacity(const pli_appending *search, const int32_t *counts, int32_t chunks)
{
    for (int32_t i = 0; i < chunks; i++) {
        int64_t wanted = (int64_t)counts[i] + counts[i] / 4;
        if (search->most > 0 && wanted > search->most / APPEND_CHUNK_SHARE)
            wanted = search->most / APPEND_CHUNK_SHARE;
        if (counts[i] > *search->capacity && wanted > *search->capacity)
            *search->capacity = (int32_t)(wanted < INT32_MAX ? wanted : INT32_MAX);
    }
}

// Searches the next `chunks` chunks of the round concurrently, and appends their results.
static bool run_side_by_side(const pli_append_tools *tools, append_round *r, int32_t chunks, void *array,
                             int32_t *count, int32_t *capacity)
{
    const pli_appending *search = r->search;
    pli_tasks_run(tools->tasks, chunks, first_pass, r);
    int64_t total = *count;
    for (int32_t i = 0; i < chunks; i++) {
        r->starts[i] = (int32_t)(total < INT32_MAX ? total : INT32_MAX);
        total += r->counts[i];
    }
    if (search->most > 0 && total > search->most)
        return !(*search->is_over = true);
    if (total > INT32_MAX || !pli_reserve_unset(tools->arena->memory, array, capacity, total, search->size))
        return false;
    if (total == *count)
        return true;
    memcpy(&r->out, array, sizeof r->out);
    pli_tasks_run(tools->tasks, chunks, second_pass, r);
    *count = close_chunk_gaps(r, chunks, *count);
    return true;
}

// Returns the number of chunks to search concurrently. Each chunk needs `chunk_bytes` of scratch memory, and a few
// threads need no large total.
static int32_t append_width(const pli_tasks *tasks, size_t chunk_bytes)
{
    int32_t threads = pli_tasks_width(tasks), width = CHUNKS_PER_ROUND;
    while (threads > 0 && width > CHUNKS_PER_THREAD * threads && (size_t)width * chunk_bytes > LARGE_SCRATCH)
        width /= 2;
    return width;
}

// The capacity changes only between rounds, so the choice of chunks that are searched twice does not depend on the threads.
static bool run_round(const pli_append_tools *tools, append_round *r, int32_t chunks, void *array, int32_t *count,
                      int32_t *capacity)
{
    r->capacity = *r->search->capacity > 0 ? *r->search->capacity : APPEND_FIRST_CAPACITY;
    int32_t width = append_width(tools->tasks, (size_t)r->capacity * r->search->size), before = *count;
    bool complete = true;
    r->scratch = pli_arena_take(tools->arena, (int64_t)width * r->capacity, r->search->size);
    if (!r->scratch)
        return false;
    for (int32_t done = 0; done < chunks; done += width) {
        int32_t now = chunks - done < width ? chunks - done : width;
        // A search remembers some of its results, which must not depend on the width, so it visits all chunks.
        if (complete)
            complete = run_side_by_side(tools, r, now, array, count, capacity);
        else
            pli_tasks_run(tools->tasks, now, first_pass, r);
        raise_capacity(r->search, r->counts, now);
        r->first += now;
    }
    if (!complete)
        *count = before; // An unfinished search keeps the same number of items for every width.
    return complete;
}

bool pli_parallel_append(const pli_append_tools *tools, const pli_appending *search, void *array, int32_t *count,
                         int32_t *capacity)
{
    int32_t counts[CHUNKS_PER_ROUND], starts[CHUNKS_PER_ROUND];
    bool complete = true;
    for (int32_t first = 0; first < search->chunks && complete; first += CHUNKS_PER_ROUND) {
        append_round r = {.search = search, .first = first, .counts = counts, .starts = starts};
        int32_t chunks = search->chunks - first < CHUNKS_PER_ROUND ? search->chunks - first : CHUNKS_PER_ROUND;
        const pli_arena_scope scope = pli_arena_begin(tools->arena);
        complete = !pli_tasks_must_stop(tools->tasks) && run_round(tools, &r, chunks, array, count, capacity);
        pli_arena_end(tools->arena, scope);
    }
    return complete;
}
