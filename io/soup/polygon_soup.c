// Growing arrays of positions and polygons.
#include "soup/polygon_soup.h"

#include <stdlib.h>
#include <string.h>

bool pli_polygons_add_vertex(pli_polygons *p, float x, float y, float z)
{
    if (!pli_soup_reserve((void **)&p->positions, &p->vertex_capacity, (int64_t)p->vertex_count + 1, 3 * sizeof(float)))
        return false;
    float *at = p->positions + 3 * (size_t)p->vertex_count++;
    at[0] = x, at[1] = y, at[2] = z;
    return true;
}

bool pli_polygons_add_face(pli_polygons *p, const int32_t *corners, int32_t count)
{
    if (!pli_soup_reserve((void **)&p->sizes, &p->face_capacity, (int64_t)p->face_count + 1, sizeof *p->sizes) ||
        !pli_soup_reserve((void **)&p->corners, &p->corner_capacity, (int64_t)p->corner_count + count,
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
