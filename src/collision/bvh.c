#include "collision/bvh.h"

#include "base/sort.h"

enum { LEAF = 4, STACK = 64 };

static uint64_t spread(uint32_t x)
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

static uint64_t key_of(pli_vec3 p, pli_bounds all)
{
    return spread(cell_of(p.x, all.low.x, all.high.x - all.low.x)) << 2 |
           spread(cell_of(p.y, all.low.y, all.high.y - all.low.y)) << 1 |
           spread(cell_of(p.z, all.low.z, all.high.z - all.low.z));
}

static pli_vec3 position(const float *positions, int32_t i)
{
    return (pli_vec3){positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

static void fill_keys(pli_sort_item *items, const int32_t *triangles, int32_t count, const float *positions,
                      pli_bounds all)
{
    for (int32_t t = 0; t < count; t++) {
        pli_vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = pli_add(sum, position(positions, triangles[3 * t + k]));
        items[t] = (pli_sort_item){key_of(pli_scale(sum, 1.0f / 3.0f), all), t};
    }
}

bool pli_bvh_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                   int32_t position_count, int32_t *order)
{
    pli_sort_item *items = PLI_ALLOCATE(memory, pli_sort_item, triangle_count);
    if (!items)
        return false;
    pli_bounds all = pli_bounds_empty();
    for (int32_t i = 0; i < position_count; i++)
        pli_bounds_include(&all, position(positions, i));
    fill_keys(items, triangles, triangle_count, positions, all);
    bool complete = pli_sort(memory, items, triangle_count);
    for (int32_t t = 0; complete && t < triangle_count; t++)
        order[t] = items[t].value;
    pli_release(memory, items);
    return complete;
}

bool pli_bvh_build(pli_memory *memory, pli_bvh *bvh, const int32_t *triangles, int32_t triangle_count,
                   const float *positions, int32_t position_count)
{
    *bvh = (pli_bvh){.triangle_count = triangle_count, .leaf_count = 1};
    while ((int64_t)bvh->leaf_count * LEAF < triangle_count)
        bvh->leaf_count *= 2;
    bvh->order = PLI_ALLOCATE(memory, int32_t, triangle_count);
    bvh->boxes = PLI_ALLOCATE(memory, pli_bounds, 2 * (int64_t)bvh->leaf_count - 1);
    return bvh->order && bvh->boxes &&
           pli_bvh_order(memory, triangles, triangle_count, positions, position_count, bvh->order);
}

void pli_bvh_release(pli_memory *memory, pli_bvh *bvh)
{
    pli_release(memory, bvh->order);
    pli_release(memory, bvh->boxes);
    *bvh = (pli_bvh){0};
}

// Triangles of a leaf, shared out evenly.
static int32_t leaf_begin(const pli_bvh *bvh, int32_t leaf)
{
    return (int32_t)((int64_t)leaf * bvh->triangle_count / bvh->leaf_count);
}

void pli_bvh_refit(pli_bvh *bvh, pli_bvh_box box, void *data)
{
    for (int32_t leaf = 0; leaf < bvh->leaf_count; leaf++) {
        pli_bounds all = pli_bounds_empty();
        for (int32_t k = leaf_begin(bvh, leaf); k < leaf_begin(bvh, leaf + 1); k++)
            all = pli_bounds_join(all, box(data, bvh->order[k]));
        bvh->boxes[bvh->leaf_count - 1 + leaf] = all;
    }
    for (int32_t node = bvh->leaf_count - 2; node >= 0; node--)
        bvh->boxes[node] = pli_bounds_join(bvh->boxes[2 * node + 1], bvh->boxes[2 * node + 2]);
}

void pli_bvh_query(const pli_bvh *bvh, pli_bounds box, pli_bvh_found found, void *data)
{
    int32_t stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t node = stack[--depth];
        if (!pli_bounds_meet(bvh->boxes[node], box))
            continue;
        int32_t leaf = node - (bvh->leaf_count - 1);
        if (leaf < 0) {
            stack[depth++] = 2 * node + 2;
            stack[depth++] = 2 * node + 1;
            continue;
        }
        for (int32_t k = leaf_begin(bvh, leaf); k < leaf_begin(bvh, leaf + 1); k++)
            found(data, bvh->order[k]);
    }
}

typedef struct nearest {
    int32_t triangle;
    double square;
} nearest;

static void look_into_leaf(const pli_bvh *bvh, int32_t leaf, pli_bvh_square square, void *data, nearest *best)
{
    for (int32_t k = leaf_begin(bvh, leaf); k < leaf_begin(bvh, leaf + 1); k++) {
        double s = square(data, bvh->order[k]);
        if (s < best->square || (s == best->square && bvh->order[k] < best->triangle))
            *best = (nearest){bvh->order[k], s};
    }
}

int32_t pli_bvh_nearest(const pli_bvh *bvh, pli_vec3 point, pli_bvh_square square, void *data)
{
    int32_t stack[STACK], depth = 0;
    nearest best = {-1, INFINITY};
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t node = stack[--depth], leaf = node - (bvh->leaf_count - 1);
        // Boxes are measured in float: a little nearer, so that none is passed by.
        if (0.9999 * (double)pli_bounds_square(bvh->boxes[node], point) > best.square)
            continue;
        if (leaf >= 0) {
            look_into_leaf(bvh, leaf, square, data, &best);
            continue;
        }
        int32_t left = 2 * node + 1;
        bool left_first = pli_bounds_square(bvh->boxes[left], point) <= pli_bounds_square(bvh->boxes[left + 1], point);
        stack[depth++] = left_first ? left + 1 : left;
        stack[depth++] = left_first ? left : left + 1;
    }
    return best.triangle;
}

float pli_bounds_square(pli_bounds b, pli_vec3 p)
{
    pli_vec3 out = {fmaxf(fmaxf(b.low.x - p.x, p.x - b.high.x), 0.0f),
                    fmaxf(fmaxf(b.low.y - p.y, p.y - b.high.y), 0.0f),
                    fmaxf(fmaxf(b.low.z - p.z, p.z - b.high.z), 0.0f)};
    return pli_dot(out, out);
}
