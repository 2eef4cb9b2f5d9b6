// Pairs found by chunks on many threads, put one after the other.
#include "collision/find.h"

#include <string.h>

enum { FIRST_ROOM = 256 };

typedef struct gathering {
    pli_find *find;
    pli_find_chunk ask;
    pli_pair *into;
    int32_t room;
} gathering;

static void first_pass(void *data, int32_t chunk)
{
    gathering *g = data;
    pli_space *space = g->find->space;
    g->ask(g->find, chunk, space->scratch + (size_t)chunk * (size_t)g->room, g->room, &space->chunk_counts[chunk]);
}

// Chunks that had no room are asked again, into the place they turned out to need.
static void second_pass(void *data, int32_t chunk)
{
    gathering *g = data;
    pli_space *space = g->find->space;
    int32_t count = space->chunk_counts[chunk];
    pli_pair *into = g->into + space->chunk_starts[chunk];
    if (count == 0)
        return;
    if (count <= g->room)
        memcpy(into, space->scratch + (size_t)chunk * (size_t)g->room, (size_t)count * sizeof *into);
    else
        g->ask(g->find, chunk, into, count, &count);
}

static void apply_filter(pli_space *space, pli_pair_list *list)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++) {
        const pli_pair *pair = &list->pairs[i];
        if (pli_space_allows(space, pair->surface, pair->at, pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1, 4))
            list->pairs[kept++] = *pair;
    }
    list->count = kept;
}

bool pli_find_gather(pli_find *find, pli_pair_list *list, int32_t chunk_count, pli_find_chunk ask)
{
    pli_space *space = find->space;
    gathering g = {.find = find, .ask = ask, .room = list->room > 0 ? list->room : FIRST_ROOM};
    list->count = 0;
    if (!pli_reserve(space->memory, &space->scratch, &space->scratch_capacity, (int64_t)chunk_count * g.room,
                     sizeof *space->scratch) ||
        !pli_reserve(space->memory, &space->chunk_counts, &space->chunk_capacity, chunk_count, sizeof(int32_t)) ||
        !pli_reserve(space->memory, &space->chunk_starts, &space->start_capacity, chunk_count, sizeof(int32_t)))
        return false;
    pli_tasks_run(space->tasks, chunk_count, first_pass, &g);
    int64_t total = 0;
    list->room = g.room;
    for (int32_t i = 0; i < chunk_count; i++) {
        if (space->chunk_counts[i] > list->room)
            list->room = space->chunk_counts[i] + space->chunk_counts[i] / 4;
        space->chunk_starts[i] = (int32_t)(total < INT32_MAX ? total : INT32_MAX);
        total += space->chunk_counts[i];
    }
    if (total > INT32_MAX || !pli_reserve(space->memory, &list->pairs, &list->capacity, total, sizeof *list->pairs))
        return false;
    if (total == 0)
        return true;
    g.into = list->pairs;
    pli_tasks_run(space->tasks, chunk_count, second_pass, &g);
    list->count = (int32_t)total;
    if (space->allows)
        apply_filter(space, list);
    return true;
}
