// Partition of a contact mesh into clusters of 8 triangles, and their update when the mesh is torn.
#include "collision/broadphase/cluster.h"

#include "base/sort.h"
#include "collision/broadphase/morton.h"
#include "collision/broadphase/kd_order.h"

#include <string.h>

enum { CLUSTER_SPARE_SHARE = 8 };
// Meshes with fewer triangles keep Morton order: their searches are cheap, and the contact order of existing scenes,
// on which their pinned hashes depend, stays the same. Larger ones use a k-d order, whose boxes overlap less.
enum { KD_TRIANGLES = 4096 };

const int32_t pli_primitive_corners[PLI_PRIMITIVE_COUNT] = {1, 3, 2};

_Static_assert((int)PLI_NEAR_ITEMS_MAX >= (int)PLI_CLUSTER_ITEMS_MAX, "the items of a cluster fit into one call");

typedef struct cluster_builder {
    pli_clusters *clusters;
    const pli_cluster_source *source;
    uint8_t *assigned[PLI_PRIMITIVE_COUNT];
    int32_t counts[PLI_PRIMITIVE_COUNT]; // Items assigned so far.
    int32_t in_cluster;                  // Items in the open cluster: triangles, or else edges, or else vertices.
} cluster_builder;

static float *make_boxes(pli_memory *memory, int64_t items)
{
    return PLI_ALLOCATE(memory, float, PLI_NEAR_ROWS *items + PLI_NEAR_CAPACITY);
}

static bool cluster_allocate(pli_memory *memory, cluster_builder *b)
{
    const pli_cluster_source *s = b->source;
    const int64_t all[PLI_PRIMITIVE_COUNT] = {s->vertex_count, s->triangle_count, s->edge_count};
    int64_t limit = 5 + (all[0] + all[1] + all[2]) / PLI_CLUSTER_SIZE;
    bool complete = true;
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        b->clusters->items[kind] = PLI_ALLOCATE(memory, int32_t, all[kind]);
        b->clusters->starts[kind] = PLI_ALLOCATE(memory, int32_t, limit);
        b->clusters->ends[kind] = PLI_ALLOCATE(memory, int32_t, limit);
        b->clusters->boxes[kind] = make_boxes(memory, all[kind]);
        b->assigned[kind] = PLI_ALLOCATE(memory, uint8_t, all[kind]);
        complete = complete && b->clusters->items[kind] && b->clusters->starts[kind] && b->clusters->ends[kind] &&
                   b->clusters->boxes[kind] && b->assigned[kind];
    }
    b->clusters->cluster_of = PLI_ALLOCATE(memory, int32_t, s->triangle_count);
    return complete && b->clusters->cluster_of;
}

static void assign(cluster_builder *b, pli_primitive kind, int32_t item)
{
    if (b->assigned[kind][item])
        return;
    b->assigned[kind][item] = 1;
    b->clusters->items[kind][b->counts[kind]++] = item;
}

static void close_cluster(cluster_builder *b)
{
    if (b->in_cluster == 0)
        return;
    b->in_cluster = 0;
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        b->clusters->ends[kind][b->clusters->count] = b->counts[kind];
        b->clusters->starts[kind][b->clusters->count + 1] = b->counts[kind];
    }
    b->clusters->count++;
}

static void count_in_cluster(cluster_builder *b)
{
    if (++b->in_cluster == PLI_CLUSTER_SIZE)
        close_cluster(b);
}

// Edges and vertices that belong to no triangle, in ascending order.
static void assign_loose(cluster_builder *b)
{
    const pli_cluster_source *s = b->source;
    for (int32_t e = 0; e < s->edge_count; e++) {
        if (b->assigned[PLI_PRIMITIVE_EDGE][e])
            continue;
        assign(b, PLI_PRIMITIVE_EDGE, e);
        assign(b, PLI_PRIMITIVE_VERTEX, s->edges[2 * e]);
        assign(b, PLI_PRIMITIVE_VERTEX, s->edges[2 * e + 1]);
        count_in_cluster(b);
    }
    close_cluster(b);
    for (int32_t v = 0; v < s->vertex_count; v++) {
        if (b->assigned[PLI_PRIMITIVE_VERTEX][v])
            continue;
        assign(b, PLI_PRIMITIVE_VERTEX, v);
        count_in_cluster(b);
    }
    close_cluster(b);
}

static bool order_triangles(pli_memory *memory, const pli_cluster_source *s, int32_t *order)
{
    if (s->triangle_count < KD_TRIANGLES)
        return pli_morton_order(memory, s->triangles, s->triangle_count, s->rest, s->vertex_count, order);
    // Order triangles by the sum of their corners, which is three times their centre.
    float *sums = PLI_ALLOCATE(memory, float, 3 * (int64_t)s->triangle_count);
    for (int64_t i = 0; sums && i < 9 * (int64_t)s->triangle_count; i++)
        sums[3 * (i / 9) + i % 3] += s->rest[3 * (int64_t)s->triangles[i / 3] + i % 3];
    bool complete = sums && pli_kd_order(memory, sums, s->triangle_count, PLI_CLUSTER_SIZE, order);
    pli_release(memory, sums);
    return complete;
}

bool pli_clusters_build(pli_memory *memory, pli_clusters *clusters, const pli_cluster_source *s)
{
    *clusters = (pli_clusters){0};
    cluster_builder b = {.clusters = clusters, .source = s};
    int32_t *order = PLI_ALLOCATE(memory, int32_t, s->triangle_count);
    bool complete = cluster_allocate(memory, &b) && order && order_triangles(memory, s, order);
    if (complete) {
        const pli_cluster_source *of = b.source;
        for (int32_t i = 0; i < of->triangle_count; i++) {
            assign(&b, PLI_PRIMITIVE_TRIANGLE, order[i]);
            b.clusters->cluster_of[order[i]] = b.clusters->count;
            for (int32_t k = 0; k < 3; k++) {
                assign(&b, PLI_PRIMITIVE_VERTEX, of->triangles[3 * order[i] + k]);
                assign(&b, PLI_PRIMITIVE_EDGE, of->side_edges[3 * order[i] + k]);
            }
            count_in_cluster(&b);
        }
        close_cluster(&b);
        assign_loose(&b);
        // One slot stays free after the packed runs, so that an empty run at their end differs from the runs appended
        // later.
        for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
            clusters->packed[kind] = clusters->capacities[kind] = b.counts[kind];
            clusters->used[kind] = b.counts[kind] + 1;
        }
        complete = pli_bvh16_reserve(memory, &clusters->tree, clusters->count);
        clusters->refitted = PLI_ALLOCATE(memory, uint8_t, clusters->count);
    }
    pli_release(memory, order);
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
        pli_release(memory, b.assigned[kind]);
    return complete && clusters->refitted;
}

void pli_clusters_release(pli_memory *memory, pli_clusters *clusters)
{
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++) {
        pli_release(memory, clusters->items[kind]);
        pli_release(memory, clusters->starts[kind]);
        pli_release(memory, clusters->ends[kind]);
        pli_release(memory, clusters->boxes[kind]);
    }
    pli_release(memory, clusters->refitted);
    pli_bvh16_release(memory, &clusters->tree);
    pli_release(memory, clusters->cluster_of);
    *clusters = (pli_clusters){0};
}

bool pli_clusters_reserve(pli_memory *memory, pli_clusters *clusters, pli_primitive kind, int32_t more)
{
    int64_t needed = clusters->used[kind] + (int64_t)more * PLI_CLUSTER_ITEMS_MAX;
    if (needed <= clusters->capacities[kind])
        return true;
    // Boxes are rebuilt before each use, so only the item lists are copied when the arrays grow.
    int64_t capacity = needed + needed / CLUSTER_SPARE_SHARE;
    int32_t *items = capacity <= INT32_MAX ? PLI_ALLOCATE(memory, int32_t, capacity) : NULL;
    float *boxes = items ? make_boxes(memory, capacity) : NULL;
    if (!boxes) {
        pli_release(memory, items);
        return false;
    }
    memcpy(items, clusters->items[kind], (size_t)clusters->capacities[kind] * sizeof *items);
    pli_release(memory, clusters->items[kind]);
    pli_release(memory, clusters->boxes[kind]);
    clusters->items[kind] = items, clusters->boxes[kind] = boxes;
    clusters->capacities[kind] = (int32_t)capacity;
    return true;
}

// A packed run that grows moves to the end of the array, where it has the capacity of a full cluster.
void pli_clusters_insert(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item)
{
    int32_t *items = clusters->items[kind], *start = &clusters->starts[kind][cluster],
            *end = &clusters->ends[kind][cluster];
    if (*start <= clusters->packed[kind]) {
        int32_t to = clusters->used[kind];
        for (int32_t i = *start; i < *end; i++)
            items[to + i - *start] = items[i];
        *end = to + *end - *start;
        *start = to;
        clusters->used[kind] += PLI_CLUSTER_ITEMS_MAX;
    }
    int32_t at = (*end)++;
    for (; at > *start && items[at - 1] > item; at--)
        items[at] = items[at - 1];
    items[at] = item;
}

void pli_clusters_sort(pli_clusters *clusters)
{
    static const pli_primitive kinds[2] = {PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_EDGE};
    for (int32_t i = 0; i < 2; i++)
        for (int32_t cluster = 0; cluster < clusters->count; cluster++) {
            int32_t begin = clusters->starts[kinds[i]][cluster];
            pli_sort_integers(clusters->items[kinds[i]] + begin, clusters->ends[kinds[i]][cluster] - begin);
        }
}

bool pli_clusters_remove(pli_clusters *clusters, pli_primitive kind, int32_t cluster, int32_t item)
{
    int32_t *items = clusters->items[kind], *end = &clusters->ends[kind][cluster];
    for (int32_t i = clusters->starts[kind][cluster]; i < *end; i++) {
        if (items[i] != item)
            continue;
        for (--*end; i < *end; i++)
            items[i] = items[i + 1];
        return true;
    }
    return false;
}

float *pli_clusters_boxes(const pli_clusters *clusters, pli_primitive kind, int32_t cluster)
{
    return clusters->boxes[kind] + PLI_NEAR_ROWS * (int64_t)clusters->starts[kind][cluster];
}

pli_near_items pli_clusters_items(const pli_clusters *clusters, pli_primitive kind, int32_t cluster)
{
    return (pli_near_items){pli_clusters_boxes(clusters, kind, cluster),
                            clusters->ends[kind][cluster] - clusters->starts[kind][cluster]};
}
