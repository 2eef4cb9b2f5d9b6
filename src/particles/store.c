// The particle store: four parallel arrays that grow, insert and remove together. See particles/store.h.
#include "particles/store.h"

#include <string.h>

enum { STORE_ARRAYS = 4 };

static void arrays_of(pli_store *store, pli_particle **arrays[STORE_ARRAYS])
{
    arrays[0] = &store->particles;
    arrays[1] = &store->previous;
    arrays[2] = &store->velocities;
    arrays[3] = &store->lost;
}

// Grows the capacity by half, so that appending costs constant time on average. The first range fits exactly: a world
// of one large deformable wastes no memory.
static bool grow(pli_memory *memory, pli_store *store, int64_t needed)
{
    int64_t half_more = (int64_t)store->capacity + store->capacity / 2;
    int64_t capacity = needed > half_more ? needed : half_more;
    pli_particle **arrays[STORE_ARRAYS], *fresh[STORE_ARRAYS] = {NULL};
    arrays_of(store, arrays);
    bool complete = capacity <= INT32_MAX;
    for (int32_t i = 0; i < STORE_ARRAYS && complete; i++)
        complete = (fresh[i] = PLI_ALLOCATE(memory, pli_particle, capacity)) != NULL;
    for (int32_t i = 0; i < STORE_ARRAYS; i++) {
        if (complete && store->count > 0)
            memcpy(fresh[i], *arrays[i], (size_t)store->count * sizeof(pli_particle));
        pli_release(memory, complete ? *arrays[i] : fresh[i]);
        if (complete)
            *arrays[i] = fresh[i];
    }
    if (complete)
        store->capacity = (int32_t)capacity;
    return complete;
}

bool pli_store_add(pli_memory *memory, pli_store *store, int32_t count)
{
    int64_t needed = (int64_t)store->count + count;
    if (needed > store->capacity && !grow(memory, store, needed))
        return false;
    pli_particle **arrays[STORE_ARRAYS];
    arrays_of(store, arrays);
    for (int32_t i = 0; i < STORE_ARRAYS; i++)
        memset(*arrays[i] + store->count, 0, (size_t)count * sizeof(pli_particle));
    store->count = (int32_t)needed;
    return true;
}

bool pli_store_insert(pli_memory *memory, pli_store *store, int32_t at, int32_t count)
{
    size_t behind = (size_t)(store->count - at);
    if (!pli_store_add(memory, store, count))
        return false;
    pli_particle **arrays[STORE_ARRAYS];
    arrays_of(store, arrays);
    for (int32_t i = 0; i < STORE_ARRAYS; i++) {
        memmove(*arrays[i] + at + count, *arrays[i] + at, behind * sizeof(pli_particle));
        memset(*arrays[i] + at, 0, (size_t)count * sizeof(pli_particle));
    }
    return true;
}

void pli_store_remove(pli_store *store, int32_t first, int32_t count)
{
    pli_particle **arrays[STORE_ARRAYS];
    arrays_of(store, arrays);
    size_t behind = (size_t)(store->count - first - count);
    for (int32_t i = 0; i < STORE_ARRAYS; i++)
        memmove(*arrays[i] + first, *arrays[i] + first + count, behind * sizeof(pli_particle));
    store->count -= count;
}

void pli_store_release(pli_memory *memory, pli_store *store)
{
    pli_release(memory, store->particles);
    pli_release(memory, store->previous);
    pli_release(memory, store->velocities);
    pli_release(memory, store->lost);
    *store = (pli_store){0};
}
