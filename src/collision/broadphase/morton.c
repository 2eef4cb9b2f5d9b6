// Morton codes with 21 bits for each axis, sorted by radix sort.
#include "collision/broadphase/morton.h"

#include "base/sort.h"
#include "collision/broadphase/aabb.h"

static uint64_t morton_spread(uint32_t x)
{
    uint64_t v = x & 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

static uint32_t cell_of(float x, float low, float size)
{
    return size > 0.0f ? (uint32_t)(fminf(fmaxf((x - low) / size, 0.0f), 1.0f) * 2097151.0f) : 0;
}

static uint64_t morton_key(pli_vec3 p, pli_aabb all)
{
    return morton_spread(cell_of(p.x, all.low.x, all.high.x - all.low.x)) << 2 |
           morton_spread(cell_of(p.y, all.low.y, all.high.y - all.low.y)) << 1 |
           morton_spread(cell_of(p.z, all.low.z, all.high.z - all.low.z));
}

static pli_vec3 morton_position(const float *positions, int32_t i)
{
    return (pli_vec3){positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

bool pli_morton_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                      int32_t position_count, int32_t *order)
{
    pli_sort_item *items = PLI_ALLOCATE(memory, pli_sort_item, triangle_count);
    if (!items)
        return false;
    pli_aabb all = pli_aabb_empty();
    for (int32_t i = 0; i < position_count; i++)
        pli_aabb_include(&all, morton_position(positions, i));
    for (int32_t t = 0; t < triangle_count; t++) {
        pli_vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = pli_add(sum, morton_position(positions, triangles[3 * t + k]));
        items[t] = (pli_sort_item){morton_key(pli_scale(sum, 1.0f / 3.0f), all), t};
    }
    bool complete = pli_sort(memory, items, triangle_count);
    for (int32_t t = 0; complete && t < triangle_count; t++)
        order[t] = items[t].value;
    pli_release(memory, items);
    return complete;
}
