#include "collision/grid.h"

enum { CELL_BITS = 20, CELL_LIMIT = 1 << (CELL_BITS - 1), BLOCK = 16 };

typedef struct cell_range {
    int32_t low[3], high[3];
} cell_range;

// Cells beyond the limit are taken together, so that a stray particle costs time and nothing else.
static int32_t cell_at(float x, float size)
{
    float place = floorf(x / size);
    if (!(place >= (float)-CELL_LIMIT)) // Also what is not a number.
        return -CELL_LIMIT;
    return place > (float)(CELL_LIMIT - 1) ? CELL_LIMIT - 1 : (int32_t)place;
}

static uint64_t cell_key(int32_t level, int32_t x, int32_t y, int32_t z)
{
    const uint64_t mask = (1u << CELL_BITS) - 1;
    return (((uint64_t)(uint32_t)x & mask) << (2 * CELL_BITS) | ((uint64_t)(uint32_t)y & mask) << CELL_BITS |
            ((uint64_t)(uint32_t)z & mask)) |
           (uint64_t)level << (3 * CELL_BITS);
}

static int32_t bucket_of(const pli_grid *grid, uint64_t key)
{
    key *= 0x9e3779b97f4a7c15ull;
    key ^= key >> 32;
    return (int32_t)(key & (uint64_t)(grid->bucket_count - 1));
}

static float cell_size(const pli_grid *grid, int32_t level)
{
    return grid->cell * (float)(1 << level);
}

static float half_of(pli_bounds b)
{
    return 0.5f * fmaxf(fmaxf(b.high.x - b.low.x, b.high.y - b.low.y), b.high.z - b.low.z);
}

static int32_t level_of(const pli_grid *grid, float half)
{
    int32_t level = 0;
    while (level + 1 < PLI_GRID_LEVELS && 2.0f * half > cell_size(grid, level))
        level++;
    return level;
}

static uint64_t key_of(const pli_grid *grid, pli_bounds b, int32_t level)
{
    float size = cell_size(grid, level);
    return cell_key(level, cell_at(0.5f * (b.low.x + b.high.x), size), cell_at(0.5f * (b.low.y + b.high.y), size),
                    cell_at(0.5f * (b.low.z + b.high.z), size));
}

static bool reserve(pli_memory *memory, pli_grid *grid, int32_t count)
{
    int32_t buckets = 64;
    while (buckets < count)
        buckets *= 2;
    bool complete = pli_reserve(memory, &grid->starts, &grid->start_capacity, (int64_t)buckets + 1, sizeof(int32_t)) &&
                    pli_reserve(memory, &grid->buckets, &grid->bucket_capacity, count, sizeof(int32_t)) &&
                    pli_reserve(memory, &grid->items, &grid->item_capacity, count, sizeof(int32_t)) &&
                    pli_reserve(memory, &grid->cells, &grid->cell_capacity, count, sizeof(uint64_t));
    for (int32_t k = 0; k < 3; k++)
        complete = complete && pli_reserve(memory, &grid->low[k], &grid->low_capacity[k], count, sizeof(float)) &&
                   pli_reserve(memory, &grid->high[k], &grid->high_capacity[k], count, sizeof(float));
    if (complete)
        grid->bucket_count = buckets;
    return complete;
}

static void place_item(pli_grid *grid, int32_t slot, int32_t item, pli_bounds b, uint64_t key)
{
    grid->items[slot] = item;
    grid->cells[slot] = key;
    const float low[3] = {b.low.x, b.low.y, b.low.z}, high[3] = {b.high.x, b.high.y, b.high.z};
    for (int32_t k = 0; k < 3; k++) {
        grid->low[k][slot] = low[k];
        grid->high[k][slot] = high[k];
    }
}

bool pli_grid_fill(pli_memory *memory, pli_grid *grid, const pli_bounds *boxes, int32_t count, float cell)
{
    if (!reserve(memory, grid, count))
        return false;
    grid->cell = cell;
    grid->count = count;
    for (int32_t level = 0; level < PLI_GRID_LEVELS; level++)
        grid->half[level] = -1.0f;
    for (int32_t i = 0; i <= grid->bucket_count; i++)
        grid->starts[i] = 0;
    for (int32_t i = 0; i < count; i++) {
        float half = half_of(boxes[i]);
        int32_t level = level_of(grid, half);
        grid->half[level] = fmaxf(grid->half[level], half);
        grid->buckets[i] = bucket_of(grid, key_of(grid, boxes[i], level));
        grid->starts[grid->buckets[i]]++;
    }
    int32_t sum = 0;
    for (int32_t i = 0; i <= grid->bucket_count; i++) {
        sum += grid->starts[i];
        grid->starts[i] = sum;
    }
    for (int32_t i = count - 1; i >= 0; i--)
        place_item(grid, --grid->starts[grid->buckets[i]], i, boxes[i],
                   key_of(grid, boxes[i], level_of(grid, half_of(boxes[i]))));
    return true;
}

void pli_grid_release(pli_memory *memory, pli_grid *grid)
{
    void *arrays[] = {grid->starts, grid->buckets, grid->items,   grid->cells,   grid->low[0],
                      grid->low[1], grid->low[2],  grid->high[0], grid->high[1], grid->high[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    *grid = (pli_grid){0};
}

static void look_in_bucket(const pli_grid *grid, uint64_t key, pli_bounds box, pli_grid_found found, void *data)
{
    int32_t bucket = bucket_of(grid, key);
    int32_t end = grid->starts[bucket + 1];
    for (int32_t begin = grid->starts[bucket]; begin < end; begin += BLOCK) {
        int32_t count = end - begin < BLOCK ? end - begin : BLOCK;
        uint8_t meets[BLOCK];
        for (int32_t i = 0; i < count; i++) {
            int32_t at = begin + i;
            meets[i] = (uint8_t)((grid->low[0][at] <= box.high.x) & (box.low.x <= grid->high[0][at]) &
                                 (grid->low[1][at] <= box.high.y) & (box.low.y <= grid->high[1][at]) &
                                 (grid->low[2][at] <= box.high.z) & (box.low.z <= grid->high[2][at]));
        }
        for (int32_t i = 0; i < count; i++)
            if (meets[i] && grid->cells[begin + i] == key)
                found(data, grid->items[begin + i]);
    }
}

static cell_range range_of(const pli_grid *grid, pli_bounds box, int32_t level)
{
    float size = cell_size(grid, level);
    // A little more than the largest half, for the rounding of centres.
    box = pli_bounds_grow(box, 1.001f * grid->half[level] + 1e-6f * size);
    return (cell_range){{cell_at(box.low.x, size), cell_at(box.low.y, size), cell_at(box.low.z, size)},
                        {cell_at(box.high.x, size), cell_at(box.high.y, size), cell_at(box.high.z, size)}};
}

// Boxes of more cells than there are items are answered by looking at all items.
static bool look_at_all(const pli_grid *grid, const cell_range *r)
{
    double cells = 1.0;
    for (int32_t k = 0; k < 3; k++)
        cells *= (double)r->high[k] - r->low[k] + 1.0;
    return cells > (double)grid->count;
}

static void query_level(const pli_grid *grid, int32_t level, pli_bounds box, pli_grid_found found, void *data)
{
    cell_range r = range_of(grid, box, level);
    if (look_at_all(grid, &r)) {
        for (int32_t i = 0; i < grid->count; i++) {
            pli_bounds item = {{grid->low[0][i], grid->low[1][i], grid->low[2][i]},
                               {grid->high[0][i], grid->high[1][i], grid->high[2][i]}};
            if ((int32_t)(grid->cells[i] >> (3 * CELL_BITS)) == level && pli_bounds_meet(item, box))
                found(data, grid->items[i]);
        }
        return;
    }
    for (int32_t x = r.low[0]; x <= r.high[0]; x++)
        for (int32_t y = r.low[1]; y <= r.high[1]; y++)
            for (int32_t z = r.low[2]; z <= r.high[2]; z++)
                look_in_bucket(grid, cell_key(level, x, y, z), box, found, data);
}

void pli_grid_query(const pli_grid *grid, pli_bounds box, pli_grid_found found, void *data)
{
    for (int32_t level = 0; level < PLI_GRID_LEVELS && grid->count > 0; level++)
        if (grid->half[level] >= 0.0f)
            query_level(grid, level, box, found, data);
}
