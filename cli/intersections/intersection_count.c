// Bounding boxes find the candidate pairs; exact tests decide.
#include "intersections/intersection_count.h"

#include "intersections/triangle_pair.h"

#include <string.h>

enum { CORNERS = 3 };

typedef struct counter {
    const pli_cli_surface *surfaces;
    pli_cli_intersections *crossings;
} counter;

// Finds a triangle by its number among those of all surfaces.
typedef struct corner_list {
    int32_t surface, triangle;
    int32_t vertices[CORNERS];
} corner_list;

static corner_list find(const counter *c, int32_t item)
{
    corner_list found = {.triangle = item};
    while (found.triangle >= c->surfaces[found.surface].triangle_count)
        found.triangle -= c->surfaces[found.surface++].triangle_count;
    memcpy(found.vertices, c->surfaces[found.surface].triangles + CORNERS * (int64_t)found.triangle,
           sizeof found.vertices);
    return found;
}

static void exchange(int32_t *vertices, int32_t i, int32_t j)
{
    int32_t old = vertices[i];
    vertices[i] = vertices[j];
    vertices[j] = old;
}

// Moves the common vertices to the front; returns their number.
static int32_t put_shared_first(corner_list *a, corner_list *b)
{
    int32_t shared = 0;
    for (int32_t i = 0; i < CORNERS && a->surface == b->surface; i++)
        for (int32_t j = shared; j < CORNERS; j++)
            if (a->vertices[i] == b->vertices[j]) {
                exchange(a->vertices, i, shared);
                exchange(b->vertices, j, shared++);
                break;
            }
    return shared;
}

static void corners(const counter *c, const corner_list *list, const float *points[CORNERS])
{
    for (int i = 0; i < CORNERS; i++)
        points[i] = c->surfaces[list->surface].positions + CORNERS * (int64_t)list->vertices[i];
}

static bool is_lower(const int32_t *surfaces, const int32_t *triangles, const pli_cli_intersections *than)
{
    for (int i = 0; i < 2; i++) {
        if (surfaces[i] != than->surfaces[i])
            return surfaces[i] < than->surfaces[i];
        if (triangles[i] != than->triangles[i])
            return triangles[i] < than->triangles[i];
    }
    return false;
}

static void count_crossing(const counter *c, const corner_list *a, const corner_list *b)
{
    pli_cli_intersections *found = c->crossings;
    const int32_t surfaces[2] = {a->surface, b->surface}, triangles[2] = {a->triangle, b->triangle};
    if (pli_cli_intersections_total(found) == 0 || is_lower(surfaces, triangles, found)) {
        memcpy(found->surfaces, surfaces, sizeof surfaces);
        memcpy(found->triangles, triangles, sizeof triangles);
    }
    if (a->surface == b->surface)
        found->own++;
    else if (c->surfaces[a->surface].collider || c->surfaces[b->surface].collider)
        found->collider++;
    else
        found->between++;
}

static void visit(void *data, int32_t first, int32_t second)
{
    const counter *c = data;
    corner_list a = find(c, first < second ? first : second), b = find(c, first < second ? second : first);
    const float *of_a[CORNERS], *of_b[CORNERS];
    int32_t shared = put_shared_first(&a, &b);
    corners(c, &a, of_a);
    corners(c, &b, of_b);
    switch (pli_cli_triangle_pair(of_a, of_b, shared)) {
    case PLI_CLI_CROSSING:
        count_crossing(c, &a, &b);
        break;
    case PLI_CLI_TOUCHING:
        c->crossings->touching++;
        break;
    case PLI_CLI_APART:
        break;
    }
}

static void enclose(const pli_cli_surface *surface, int32_t triangle, pli_cli_box *box)
{
    const int32_t *vertices = surface->triangles + CORNERS * (int64_t)triangle;
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = box->high[axis] = surface->positions[CORNERS * (int64_t)vertices[0] + axis];
        for (int i = 1; i < CORNERS; i++) {
            float at = surface->positions[CORNERS * (int64_t)vertices[i] + axis];
            box->low[axis] = at < box->low[axis] ? at : box->low[axis];
            box->high[axis] = at > box->high[axis] ? at : box->high[axis];
        }
    }
}

bool pli_cli_intersections_count(const pli_cli_surface *surfaces, int32_t surface_count, pli_cli_box *boxes,
                                 pli_cli_intersections *crossings)
{
    counter c = {surfaces, crossings};
    int32_t count = 0;
    *crossings = (pli_cli_intersections){.own = 0};
    for (int32_t i = 0; i < surface_count; i++)
        for (int32_t k = 0; k < surfaces[i].triangle_count; k++) {
            enclose(&surfaces[i], k, &boxes[count]);
            boxes[count].fixed = surfaces[i].collider;
            boxes[count].item = count;
            count++;
        }
    return pli_cli_overlaps(boxes, count, visit, &c);
}

int64_t pli_cli_intersections_total(const pli_cli_intersections *crossings)
{
    return crossings->own + crossings->between + crossings->collider;
}
