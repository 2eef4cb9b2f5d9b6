// The tutorial's two lists for triangles: neighbours across edges, and pairs of adjacent triangles by their four
// vertices.
// After "The Most Performant Bending Constraint" (C. Cincotti 2022): findTriNeighbors, getTriPairIds.
#include "base/sort.h"
#include "pliant/mesh.h"

static int32_t next_in_triangle(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static int32_t list_edges(const int32_t *triangles, int32_t corner_count, pli_sort_item *items)
{
    int32_t count = 0;
    for (int32_t corner = 0; corner < corner_count; corner++) {
        uint64_t from = (uint64_t)triangles[corner], to = (uint64_t)triangles[next_in_triangle(corner)];
        if (from != to)
            items[count++] = (pli_sort_item){from < to ? from << 32 | to : to << 32 | from, corner};
    }
    return count;
}

static void pair_first_two(const pli_sort_item *items, int32_t count, int32_t *neighbors)
{
    for (int32_t i = 1; i < count; i++) {
        bool starts_run = i == 1 || items[i - 1].key != items[i - 2].key;
        if (!starts_run || items[i].key != items[i - 1].key)
            continue;
        neighbors[items[i - 1].value] = items[i].value;
        neighbors[items[i].value] = items[i - 1].value;
    }
}

pli_status pli_find_triangle_neighbors(const int32_t *triangles, int32_t triangle_count, int32_t vertex_count,
                                       int32_t *neighbors, pli_error *error)
{
    if (triangle_count < 0 || triangle_count > INT32_MAX / 3)
        return pli_fail(error, PLI_STATUS_INVALID_MESH, "triangle neighbours: %d triangles; give 0 to %d",
                        (int)triangle_count, INT32_MAX / 3);
    int32_t corner_count = 3 * triangle_count;
    for (int32_t corner = 0; corner < corner_count; corner++)
        if (triangles[corner] < 0 || triangles[corner] >= vertex_count)
            return pli_fail(error, PLI_STATUS_INVALID_MESH, "triangle neighbours: triangle %d names vertex %d of %d",
                            (int)(corner / 3), (int)triangles[corner], (int)vertex_count);
    pli_memory memory = pli_memory_make(NULL);
    pli_sort_item *items = PLI_ALLOCATE(&memory, pli_sort_item, corner_count);
    int32_t count = items ? list_edges(triangles, corner_count, items) : 0;
    bool sorted = items && pli_sort(&memory, items, count);
    if (sorted) {
        for (int32_t corner = 0; corner < corner_count; corner++)
            neighbors[corner] = -1;
        pair_first_two(items, count, neighbors);
    }
    pli_release(&memory, items);
    return sorted ? pli_succeed(error) : pli_fail_memory(error);
}

int32_t pli_triangle_pairs(const int32_t *triangles, int32_t triangle_count, const int32_t *neighbors, int32_t *pairs,
                           int32_t capacity)
{
    int32_t count = 0;
    for (int32_t corner = 0; corner < 3 * triangle_count; corner++) {
        int32_t other = neighbors[corner], next = next_in_triangle(corner);
        if (other < corner)
            continue;
        if (count < capacity) {
            int32_t *pair = pairs + 4 * (size_t)count;
            pair[0] = triangles[corner];
            pair[1] = triangles[next];
            pair[2] = triangles[next_in_triangle(next)];
            pair[3] = triangles[next_in_triangle(next_in_triangle(other))];
        }
        count++;
    }
    return count;
}
