#include "collision/patch.h"

#include "base/sort.h"
#include "collision/morton.h"
#include "collision/compact.h"

#include <string.h>

enum { SPARE_SHARE = 8 };
// From so many triangles on, patches are compact groups; the search of fewer takes little time, and the order in which their
// contacts come is left as it was.
enum { GROUPED = 4096 };

const int32_t pli_primitive_corners[PLI_PRIMITIVE_COUNT] = {1, 3, 2};

_Static_assert((int)PLI_NEAR_MOST >= (int)PLI_PATCH_MOST, "all that is in a patch is looked at at once");

typedef struct builder {
    pli_patches *patches;
    const pli_patch_source *source;
    uint8_t *taken[PLI_PRIMITIVE_COUNT];
    int32_t counts[PLI_PRIMITIVE_COUNT]; // Items so far.
    int32_t in_patch;                    // Triangles, edges or vertices that count for its size.
} builder;

static float *make_boxes(pli_memory *memory, int64_t items)
{
    return PLI_ALLOCATE(memory, float, PLI_NEAR_ROWS *items + PLI_NEAR_ROOM);
}

static bool allocate(pli_memory *memory, builder *b)
{
    const pli_patch_source *s = b->source;
    const int64_t all[PLI_PRIMITIVE_COUNT] = {s->vertex_count, s->triangle_count, s->edge_count};
    int64_t most = 5 + (all[0] + all[1] + all[2]) / PLI_PATCH_SIZE;
    bool complete = true;
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        b->patches->items[kind] = PLI_ALLOCATE(memory, int32_t, all[kind]);
        b->patches->starts[kind] = PLI_ALLOCATE(memory, int32_t, most);
        b->patches->ends[kind] = PLI_ALLOCATE(memory, int32_t, most);
        b->patches->boxes[kind] = make_boxes(memory, all[kind]);
        b->taken[kind] = PLI_ALLOCATE(memory, uint8_t, all[kind]);
        complete = complete && b->patches->items[kind] && b->patches->starts[kind] && b->patches->ends[kind] &&
                   b->patches->boxes[kind] && b->taken[kind];
    }
    b->patches->patch_of = PLI_ALLOCATE(memory, int32_t, s->triangle_count);
    return complete && b->patches->patch_of;
}

static void take(builder *b, pli_primitive kind, int32_t item)
{
    if (b->taken[kind][item])
        return;
    b->taken[kind][item] = 1;
    b->patches->items[kind][b->counts[kind]++] = item;
}

static void close_patch(builder *b)
{
    if (b->in_patch == 0)
        return;
    b->in_patch = 0;
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        b->patches->ends[kind][b->patches->count] = b->counts[kind];
        b->patches->starts[kind][b->patches->count + 1] = b->counts[kind];
    }
    b->patches->count++;
}

static void count_in(builder *b)
{
    if (++b->in_patch == PLI_PATCH_SIZE)
        close_patch(b);
}

static void take_triangles(builder *b, const int32_t *order)
{
    const pli_patch_source *s = b->source;
    for (int32_t i = 0; i < s->triangle_count; i++) {
        take(b, PLI_PRIMITIVE_TRIANGLE, order[i]);
        b->patches->patch_of[order[i]] = b->patches->count;
        for (int32_t k = 0; k < 3; k++) {
            take(b, PLI_PRIMITIVE_VERTEX, s->triangles[3 * order[i] + k]);
            take(b, PLI_PRIMITIVE_EDGE, s->side_edges[3 * order[i] + k]);
        }
        count_in(b);
    }
    close_patch(b);
}

// Edges and vertices without triangles, in their order.
static void take_rest(builder *b)
{
    const pli_patch_source *s = b->source;
    for (int32_t e = 0; e < s->edge_count; e++) {
        if (b->taken[PLI_PRIMITIVE_EDGE][e])
            continue;
        take(b, PLI_PRIMITIVE_EDGE, e);
        take(b, PLI_PRIMITIVE_VERTEX, s->edges[2 * e]);
        take(b, PLI_PRIMITIVE_VERTEX, s->edges[2 * e + 1]);
        count_in(b);
    }
    close_patch(b);
    for (int32_t v = 0; v < s->vertex_count; v++) {
        if (b->taken[PLI_PRIMITIVE_VERTEX][v])
            continue;
        take(b, PLI_PRIMITIVE_VERTEX, v);
        count_in(b);
    }
    close_patch(b);
}

// By sums of corners.
static bool order_compactly(pli_memory *memory, const pli_patch_source *s, int32_t *order)
{
    float *sums = PLI_ALLOCATE(memory, float, 3 * (int64_t)s->triangle_count);
    for (int64_t i = 0; sums && i < 9 * (int64_t)s->triangle_count; i++)
        sums[3 * (i / 9) + i % 3] += s->rest[3 * (int64_t)s->triangles[i / 3] + i % 3];
    bool complete = sums && pli_compact_order(memory, sums, s->triangle_count, PLI_PATCH_SIZE, order);
    pli_release(memory, sums);
    return complete;
}

static bool order_triangles(pli_memory *memory, const pli_patch_source *s, int32_t *order)
{
    if (s->triangle_count < GROUPED)
        return pli_morton_order(memory, s->triangles, s->triangle_count, s->rest, s->vertex_count, order);
    return order_compactly(memory, s, order);
}

bool pli_patches_build(pli_memory *memory, pli_patches *patches, const pli_patch_source *s)
{
    *patches = (pli_patches){0};
    builder b = {.patches = patches, .source = s};
    int32_t *order = PLI_ALLOCATE(memory, int32_t, s->triangle_count);
    bool complete = allocate(memory, &b) && order && order_triangles(memory, s, order);
    if (complete) {
        take_triangles(&b, order);
        take_rest(&b);
        // One place is left free, so that an empty run at the end is known from those behind.
        for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
            patches->packed[kind] = patches->rooms[kind] = b.counts[kind];
            patches->used[kind] = b.counts[kind] + 1;
        }
        complete = pli_box_tree_reserve(memory, &patches->tree, patches->count);
        patches->laid = PLI_ALLOCATE(memory, uint8_t, patches->count);
    }
    pli_release(memory, order);
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
        pli_release(memory, b.taken[kind]);
    return complete && patches->laid;
}

void pli_patches_release(pli_memory *memory, pli_patches *patches)
{
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        pli_release(memory, patches->items[kind]);
        pli_release(memory, patches->starts[kind]);
        pli_release(memory, patches->ends[kind]);
        pli_release(memory, patches->boxes[kind]);
    }
    pli_release(memory, patches->laid);
    pli_box_tree_release(memory, &patches->tree);
    pli_release(memory, patches->patch_of);
    *patches = (pli_patches){0};
}

bool pli_patches_reserve(pli_memory *memory, pli_patches *patches, pli_primitive kind, int32_t more)
{
    int64_t needed = patches->used[kind] + (int64_t)more * PLI_PATCH_MOST;
    if (needed <= patches->rooms[kind])
        return true;
    // Boxes are large and made anew: they grow by a part, and are not copied.
    int64_t room = needed + needed / SPARE_SHARE;
    int32_t *items = room <= INT32_MAX ? PLI_ALLOCATE(memory, int32_t, room) : NULL;
    float *boxes = items ? make_boxes(memory, room) : NULL;
    if (!boxes) {
        pli_release(memory, items);
        return false;
    }
    memcpy(items, patches->items[kind], (size_t)patches->rooms[kind] * sizeof *items);
    pli_release(memory, patches->items[kind]);
    pli_release(memory, patches->boxes[kind]);
    patches->items[kind] = items, patches->boxes[kind] = boxes;
    patches->rooms[kind] = (int32_t)room;
    return true;
}

// A packed run that gets longer moves behind all others, where it has all the room it can need.
void pli_patches_put(pli_patches *patches, pli_primitive kind, int32_t patch, int32_t item)
{
    int32_t *items = patches->items[kind], *start = &patches->starts[kind][patch], *end = &patches->ends[kind][patch];
    if (*start <= patches->packed[kind]) {
        int32_t to = patches->used[kind];
        for (int32_t i = *start; i < *end; i++)
            items[to + i - *start] = items[i];
        *end = to + *end - *start;
        *start = to;
        patches->used[kind] += PLI_PATCH_MOST;
    }
    int32_t at = (*end)++;
    for (; at > *start && items[at - 1] > item; at--)
        items[at] = items[at - 1];
    items[at] = item;
}

void pli_patches_sort(pli_patches *patches)
{
    static const pli_primitive kinds[2] = {PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_EDGE};
    for (int32_t i = 0; i < 2; i++)
        for (int32_t patch = 0; patch < patches->count; patch++) {
            int32_t begin = patches->starts[kinds[i]][patch];
            pli_sort_integers(patches->items[kinds[i]] + begin, patches->ends[kinds[i]][patch] - begin);
        }
}

bool pli_patches_take_out(pli_patches *patches, pli_primitive kind, int32_t patch, int32_t item)
{
    int32_t *items = patches->items[kind], *end = &patches->ends[kind][patch];
    for (int32_t i = patches->starts[kind][patch]; i < *end; i++) {
        if (items[i] != item)
            continue;
        for (--*end; i < *end; i++)
            items[i] = items[i + 1];
        return true;
    }
    return false;
}

float *pli_patches_boxes(const pli_patches *patches, pli_primitive kind, int32_t patch)
{
    return patches->boxes[kind] + PLI_NEAR_ROWS * (int64_t)patches->starts[kind][patch];
}

pli_near_items pli_patches_items(const pli_patches *patches, pli_primitive kind, int32_t patch)
{
    return (pli_near_items){pli_patches_boxes(patches, kind, patch),
                            patches->ends[kind][patch] - patches->starts[kind][patch]};
}
