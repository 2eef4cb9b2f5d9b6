#include "base/parallel_append.h"

#include <string.h>

// Chunks of a wave share the scratch memory, which then does not grow with what there is.
enum { FIRST_CAPACITY = 64, WAVEFRONT = 64, BLOCK = 16 };

typedef struct wavefront {
    const pli_appending *what;
    unsigned char *scratch, *into;
    int32_t first, capacity;
    int32_t *counts, *starts;
} wavefront;

static void first_pass(void *data, int32_t i)
{
    const wavefront *w = data;
    w->what->ask(w->what->data, w->first + i, w->scratch + (size_t)i * (size_t)w->capacity * w->what->size, w->capacity,
                 &w->counts[i]);
}

// Chunks that had no capacity are asked again, into the place they turned out to need.
static void second_pass(void *data, int32_t i)
{
    const wavefront *w = data;
    size_t size = w->what->size;
    int32_t count = w->counts[i];
    unsigned char *into = w->into + (size_t)w->starts[i] * size;
    if (count == 0)
        return;
    if (count <= w->capacity)
        memcpy(into, w->scratch + (size_t)i * (size_t)w->capacity * size, (size_t)count * size);
    else
        w->what->ask(w->what->data, w->first + i, into, count, &count);
}

static bool run_wavefront(const pli_append_tools *tools, wavefront *w, int32_t chunks, void *array, int32_t *count,
                          int32_t *capacity)
{
    const pli_appending *what = w->what;
    w->capacity = *what->capacity > 0 ? *what->capacity : FIRST_CAPACITY;
    w->scratch = pli_arena_take(tools->arena, (int64_t)WAVEFRONT * w->capacity, what->size);
    if (!w->scratch)
        return false;
    pli_tasks_run(tools->tasks, chunks, first_pass, w);
    int64_t total = *count;
    for (int32_t i = 0; i < chunks; i++) {
        if (w->counts[i] > *what->capacity)
            *what->capacity = w->counts[i] + w->counts[i] / 4;
        w->starts[i] = (int32_t)(total < INT32_MAX ? total : INT32_MAX);
        total += w->counts[i];
    }
    if (total > INT32_MAX || !pli_reserve_unset(tools->arena->memory, array, capacity, total, what->size))
        return false;
    if (total == *count)
        return true;
    memcpy(&w->into, array, sizeof w->into);
    pli_tasks_run(tools->tasks, chunks, second_pass, w);
    *count = (int32_t)total;
    return true;
}

bool pli_parallel_append(const pli_append_tools *tools, const pli_appending *what, void *array, int32_t *count,
                         int32_t *capacity)
{
    int32_t counts[WAVEFRONT], starts[WAVEFRONT];
    bool complete = true;
    for (int32_t first = 0; first < what->chunks && complete; first += WAVEFRONT) {
        wavefront w = {.what = what, .first = first, .counts = counts, .starts = starts};
        int32_t chunks = what->chunks - first < WAVEFRONT ? what->chunks - first : WAVEFRONT;
        const pli_arena_scope scope = pli_arena_begin(tools->arena);
        complete = run_wavefront(tools, &w, chunks, array, count, capacity);
        pli_arena_end(tools->arena, scope);
    }
    return complete;
}
