// Every allocation starts with a header that stores its size, which is passed to the release hook.
#include "base/memory.h"

#include <string.h>

enum { LARGE = 1 << 20 }; // Arrays of at least this size [bytes] grow by a smaller factor.

pli_memory pli_memory_make(const pli_hooks *hooks)
{
    pli_memory memory = {.hooks = pli_hooks_default()};
    if (!hooks)
        return memory;
    if (hooks->allocate && hooks->release) {
        memory.hooks.allocate = hooks->allocate;
        memory.hooks.release = hooks->release;
    }
    if (hooks->log)
        memory.hooks.log = hooks->log;
    memory.hooks.assertion = hooks->assertion;
    memory.hooks.user = hooks->user;
    return memory;
}

void *pli_allocate_unset(pli_memory *memory, size_t count, size_t size)
{
    size_t payload, total;
    if (__builtin_mul_overflow(count, size, &payload) || __builtin_add_overflow(payload, (size_t)PLI_ALIGNMENT, &total))
        return NULL;
    memory->asking++;
    char *block = memory->hooks.allocate(memory->hooks.user, total, PLI_ALIGNMENT);
    memory->asking--;
    if (!block)
        return NULL;
    memset(block, 0, PLI_ALIGNMENT);
    memcpy(block, &total, sizeof total);
    memory->bytes += total;
    memory->allocations++;
    return block + PLI_ALIGNMENT;
}

void *pli_allocate(pli_memory *memory, size_t count, size_t size)
{
    void *allocation = pli_allocate_unset(memory, count, size);
    if (allocation)
        memset(allocation, 0, count * size);
    return allocation;
}

void pli_release(pli_memory *memory, void *allocation)
{
    if (!allocation)
        return;
    char *block = (char *)allocation - PLI_ALIGNMENT;
    size_t total;
    memcpy(&total, block, sizeof total);
    memory->bytes -= total;
    memory->asking++;
    memory->hooks.release(memory->hooks.user, block, total);
    memory->asking--;
}

// Returns the next capacity of an array of `capacity` items: twice as large, or a quarter larger for a large array.
static int64_t grown_capacity(int64_t capacity, size_t size)
{
    return (size_t)capacity * size < LARGE ? 2 * capacity : capacity + capacity / 4;
}

static bool memory_grow(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size, bool zero)
{
    if (needed <= *capacity)
        return true;
    int64_t new_capacity = grown_capacity(*capacity, size);
    if (new_capacity < needed || new_capacity > INT32_MAX)
        new_capacity = needed;
    if (needed > INT32_MAX)
        return false;
    char *grown = pli_allocate_unset(memory, (size_t)new_capacity, size);
    if (!grown)
        return false;
    void *old;
    memcpy(&old, array, sizeof old);
    size_t kept = old ? (size_t)*capacity * size : 0;
    if (old)
        memcpy(grown, old, kept);
    if (zero)
        memset(grown + kept, 0, (size_t)new_capacity * size - kept);
    pli_release(memory, old);
    memcpy(array, &grown, sizeof grown);
    *capacity = (int32_t)new_capacity;
    return true;
}

bool pli_reserve(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size)
{
    return memory_grow(memory, array, capacity, needed, size, true);
}

bool pli_reserve_unset(pli_memory *memory, void *array, int32_t *capacity, int64_t needed, size_t size)
{
    return memory_grow(memory, array, capacity, needed, size, false);
}

bool pli_copy_string(pli_memory *memory, const char *text, char **copy)
{
    *copy = NULL;
    if (!text)
        return true;
    size_t length = strlen(text) + 1;
    *copy = pli_allocate(memory, length, 1);
    if (*copy)
        memcpy(*copy, text, length);
    return *copy != NULL;
}
