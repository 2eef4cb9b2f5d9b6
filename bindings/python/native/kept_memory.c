// Blocks of worlds that arrays of Python keep. Kept addresses are few (one for each array that is alive), and worlds
// give memory back seldom, so that lists are searched from end to end.
#include "kept_memory.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct kept_address {
    uintptr_t address;
    int64_t count; // Arrays that show it.
} kept_address;

typedef struct returned_block {
    void *memory;
    size_t size;
} returned_block;

// One list for the process, since an array may outlive its world, and all of it is under the lock.
static struct {
    pthread_mutex_t lock;
    kept_address *addresses;
    returned_block *blocks; // Given back by their worlds while an address in them was kept.
    size_t address_count, address_capacity, block_count, block_capacity;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool reserve(void **items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return false;
    *items = grown, *capacity = wanted;
    return true;
}

static bool holds(const void *memory, size_t size)
{
    uintptr_t first = (uintptr_t)memory;
    for (size_t i = 0; i < kept.address_count; i++)
        if (kept.addresses[i].address - first < size) // Addresses below wrap to large numbers.
            return true;
    return false;
}

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    pthread_mutex_lock(&kept.lock);
    bool is_kept = holds(memory, size);
    void *blocks = kept.blocks;
    // Without room for a note of it the block is never freed, rather than freed under an array.
    if (is_kept && reserve(&blocks, &kept.block_capacity, kept.block_count, sizeof *kept.blocks)) {
        kept.blocks = blocks;
        kept.blocks[kept.block_count++] = (returned_block){memory, size};
    }
    pthread_mutex_unlock(&kept.lock);
    if (!is_kept)
        free(memory);
}

pli_hooks pli_python_hooks(void)
{
    pli_hooks hooks = pli_hooks_default();
    hooks.allocate = allocate;
    hooks.release = release;
    return hooks;
}

static bool keep(uintptr_t address)
{
    for (size_t i = 0; i < kept.address_count; i++)
        if (kept.addresses[i].address == address) {
            kept.addresses[i].count++;
            return true;
        }
    void *addresses = kept.addresses;
    if (!reserve(&addresses, &kept.address_capacity, kept.address_count, sizeof *kept.addresses))
        return false;
    kept.addresses = addresses;
    kept.addresses[kept.address_count++] = (kept_address){address, 1};
    return true;
}

bool pli_python_keep(const void *address)
{
    pthread_mutex_lock(&kept.lock);
    bool done = keep((uintptr_t)address);
    pthread_mutex_unlock(&kept.lock);
    return done;
}

static void free_what_nobody_keeps(void)
{
    size_t left = 0;
    for (size_t i = 0; i < kept.block_count; i++) {
        returned_block block = kept.blocks[i];
        if (holds(block.memory, block.size))
            kept.blocks[left++] = block;
        else
            free(block.memory);
    }
    kept.block_count = left;
}

void pli_python_drop(const void *address)
{
    pthread_mutex_lock(&kept.lock);
    for (size_t i = 0; i < kept.address_count; i++)
        if (kept.addresses[i].address == (uintptr_t)address && --kept.addresses[i].count == 0) {
            kept.addresses[i] = kept.addresses[--kept.address_count];
            free_what_nobody_keeps();
            break;
        }
    pthread_mutex_unlock(&kept.lock);
}

int64_t pli_python_kept_bytes(void)
{
    int64_t bytes = 0;
    pthread_mutex_lock(&kept.lock);
    for (size_t i = 0; i < kept.block_count; i++)
        bytes += (int64_t)kept.blocks[i].size;
    pthread_mutex_unlock(&kept.lock);
    return bytes;
}
