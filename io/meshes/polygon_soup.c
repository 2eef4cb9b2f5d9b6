// Growing arrays of positions and polygons, and welding of vertices at equal positions.
#include "meshes/polygon_soup.h"

#include <stdlib.h>
#include <string.h>

bool pli_polygons_add_vertex(pli_polygons *p, float x, float y, float z)
{
    if (!pli_array_reserve((void **)&p->positions, &p->vertex_capacity, (int64_t)p->vertex_count + 1,
                           3 * sizeof(float)))
        return false;
    float *at = p->positions + 3 * (size_t)p->vertex_count++;
    at[0] = x, at[1] = y, at[2] = z;
    return true;
}

bool pli_polygons_add_face(pli_polygons *p, const int32_t *corners, int32_t count)
{
    if (!pli_array_reserve((void **)&p->sizes, &p->face_capacity, (int64_t)p->face_count + 1, sizeof *p->sizes) ||
        !pli_array_reserve((void **)&p->corners, &p->corner_capacity, (int64_t)p->corner_count + count,
                           sizeof *p->corners))
        return false;
    p->sizes[p->face_count++] = count;
    if (count > 0)
        memcpy(p->corners + p->corner_count, corners, (size_t)count * sizeof *corners);
    p->corner_count += count;
    return true;
}

void pli_polygons_release(pli_polygons *p)
{
    free(p->positions);
    free(p->sizes);
    free(p->corners);
    free(p->file_corners);
    free(p->merged);
    pli_soup_layers_release(&p->layers);
    pli_soup_groups_release(&p->groups);
    *p = (pli_polygons){0};
}

typedef struct placed {
    float position[3];
    int32_t vertex;
} placed;

static int by_position(const void *a, const void *b)
{
    const placed *left = a, *right = b;
    for (int i = 0; i < 3; i++)
        if (left->position[i] != right->position[i])
            return left->position[i] < right->position[i] ? -1 : 1;
    return (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

static bool same_place(const placed *a, const placed *b)
{
    return a->position[0] == b->position[0] && a->position[1] == b->position[1] && a->position[2] == b->position[2];
}

// Writes to `target` the vertex that each vertex is merged into; the remaining ones keep their order.
static int32_t merge(pli_polygons *p, placed *items, int32_t *target)
{
    for (int32_t i = 0; i < p->vertex_count; i++) {
        memcpy(items[i].position, p->positions + 3 * i, sizeof items[i].position);
        items[i].vertex = i;
    }
    qsort(items, (size_t)p->vertex_count, sizeof *items, by_position);
    for (int32_t i = 0; i < p->vertex_count; i++)
        target[items[i].vertex] = i > 0 && same_place(&items[i], &items[i - 1]) ? target[items[i - 1].vertex]
                                                                                : items[i].vertex;
    int32_t kept = 0;
    for (int32_t i = 0; i < p->vertex_count; i++) {
        if (target[i] != i) {
            target[i] = target[target[i]];
            continue;
        }
        memmove(p->positions + 3 * kept, p->positions + 3 * i, 3 * sizeof(float));
        target[i] = kept++;
    }
    return kept;
}

int32_t pli_polygons_weld(pli_polygons *p)
{
    placed *items = malloc(((size_t)p->vertex_count + 1) * sizeof *items);
    int32_t merged = -1;
    p->merged = malloc(((size_t)p->vertex_count + 1) * sizeof *p->merged);
    p->file_corners = malloc(((size_t)p->corner_count + 1) * sizeof *p->file_corners);
    if (items && p->merged && p->file_corners) {
        int32_t kept = merge(p, items, p->merged);
        for (int32_t i = 0; i < p->corner_count; i++) {
            p->file_corners[i] = p->corners[i];
            if (p->corners[i] >= 0 && p->corners[i] < p->vertex_count)
                p->corners[i] = p->merged[p->corners[i]];
        }
        merged = p->vertex_count - kept;
        p->file_vertex_count = p->vertex_count;
        p->vertex_count = kept;
    }
    free(items);
    return merged;
}
