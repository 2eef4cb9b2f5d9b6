// Shrinks arrays and scratch memory of collision that were much too large for many steps.
#include "collision/state/trim.h"

#include <string.h>

// Arrays smaller than LEAST_BYTES are left alone.
enum { LEAST_BYTES = 1 << 20, MUCH = 2, TRIM_SPARE_PART = 4, CHUNK_LEAST = 64 };

// A growable array: the addresses of its members.
typedef struct growable {
    void *items; // Address of the pointer to the items.
    int32_t *count, *capacity;
    size_t size;
} growable;

#define GROWABLE(array)                                                                                                \
    {                                                                                                                  \
        &(array).items, &(array).count, &(array).capacity, sizeof *(array).items                                       \
    }

static void list_arrays(pli_collision *c, growable to[PLI_TRIMMED_ARRAYS])
{
    pli_candidate_list *lists = c->cache.lists;
    const growable all[PLI_TRIMMED_ARRAYS] = {
        GROWABLE(lists[0].pairs),
        GROWABLE(lists[0].cluster_pairs),
        GROWABLE(lists[1].pairs),
        GROWABLE(lists[1].cluster_pairs),
        GROWABLE(c->ccd.failing),
        GROWABLE(c->contacts.surface_contacts),
        GROWABLE(c->contacts.blocks),
        GROWABLE(c->contacts.scalar),
        GROWABLE(c->contacts.one_sided),
        GROWABLE(c->untangle.intersections),
        GROWABLE(c->ccd.concerned),
        {&c->ccd.planes.items, &c->ccd.concerned.count, &c->ccd.planes.capacity, sizeof *c->ccd.planes.items},
    };
    memcpy(to, all, sizeof all);
}

void pli_collision_note_sizes(pli_collision *collision)
{
    growable arrays[PLI_TRIMMED_ARRAYS];
    list_arrays(collision, arrays);
    for (int32_t i = 0; i < PLI_TRIMMED_ARRAYS; i++)
        if (*arrays[i].count > collision->trim.most[i])
            collision->trim.most[i] = *arrays[i].count;
}

// Moves the items to memory of `capacity` items. A failed allocation leaves the array as it is.
static void shrink(pli_memory *memory, const growable *array, int32_t capacity)
{
    void *old, *made = pli_allocate_unset(memory, (size_t)capacity, array->size);
    if (!made)
        return;
    memcpy(&old, array->items, sizeof old);
    memcpy(made, old, (size_t)*array->count * array->size);
    pli_release(memory, old);
    memcpy(array->items, &made, sizeof made);
    *array->capacity = capacity;
}

void pli_collision_trim(pli_collision *collision)
{
    if (++collision->trim.steps < PLI_TRIM_STEPS)
        return;
    growable arrays[PLI_TRIMMED_ARRAYS];
    list_arrays(collision, arrays);
    for (int32_t i = 0; i < PLI_TRIMMED_ARRAYS; i++) {
        int32_t most = collision->trim.most[i];
        bool large = (size_t)*arrays[i].capacity * arrays[i].size > LEAST_BYTES;
        if (large && *arrays[i].capacity / MUCH > most && *arrays[i].count <= most)
            shrink(collision->memory, &arrays[i], most + most / TRIM_SPARE_PART + 1);
    }
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        // The spares have one entry per pair, so they shrink to the capacity of the pairs.
        pli_candidate_list *of = &collision->cache.lists[list];
        growable spares = GROWABLE(of->spares);
        spares.count = &of->pairs.count;
        if (of->spares.capacity > of->pairs.capacity)
            shrink(collision->memory, &spares, of->pairs.capacity);
    }
    // The initial capacity of a search chunk otherwise only grows, up to the largest number of items that a chunk has found.
    int32_t *capacities[] = {&collision->cache.lists[0].pair_chunk_capacity,
                             &collision->cache.lists[0].cluster_pair_chunk_capacity,
                             &collision->cache.lists[1].pair_chunk_capacity,
                             &collision->cache.lists[1].cluster_pair_chunk_capacity,
                             &collision->ccd.failing_capacity,
                             &collision->contacts.chunk_capacity};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
        if (*capacities[i] > CHUNK_LEAST)
            *capacities[i] /= 2;
    pli_arena_trim(&collision->arena, LEAST_BYTES);
    pli_arena_trim(&collision->step_arena, LEAST_BYTES);
    collision->trim = (pli_trim){0};
}
