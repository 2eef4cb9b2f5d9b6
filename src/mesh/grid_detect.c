// Grid detection. A grid has one border of 2 (rows + columns) - 4 vertices, which with the number of vertices gives
// both dimensions. Vertices that are not numbered row by row are found row by row: the next vertex of a row is the
// unnumbered one adjacent to both the last and the one above it.
//
//     0  1  2  3
//     4  5  ?            ? is adjacent to 5 (left) and 2 (above)
#include "mesh/grid_detect.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS_TRIED = 256 };

typedef struct grid_walk {
    const pli_topology *topology;
    int32_t *order; // -1 where unknown.
    int32_t *found; // Vertices in the order they were numbered.
    int32_t count;
} grid_walk;

static bool are_neighbours(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (t->ring_vertices[i] == b)
            return true;
    return false;
}

static int32_t order_place(const int32_t *order, int32_t vertex) { return order ? order[vertex] : vertex; }

// Whether these places form a grid of the mesh.
static bool grid_fits(const pli_topology *t, const int32_t *order, int32_t columns)
{
    int32_t straight = 0, rows = t->vertex_count / columns;
    for (int32_t e = 0; e < t->edge_count; e++) {
        int32_t a = order_place(order, t->edges[2 * e]), b = order_place(order, t->edges[2 * e + 1]);
        int32_t down = abs(a / columns - b / columns), across = abs(a % columns - b % columns);
        if (down > 1 || across > 1)
            return false;
        straight += down + across == 1;
    }
    return straight == rows * (columns - 1) + columns * (rows - 1);
}

static int32_t grid_find_next(const grid_walk *w, int32_t left, int32_t above)
{
    const pli_topology *t = w->topology;
    for (int32_t i = t->ring_offsets[left]; i < t->ring_offsets[left + 1]; i++) {
        int32_t vertex = t->ring_vertices[i];
        if (w->order[vertex] < 0 && are_neighbours(t, vertex, above))
            return vertex;
    }
    return -1;
}

static void grid_append(grid_walk *w, int32_t vertex)
{
    w->order[vertex] = w->count;
    w->found[w->count++] = vertex;
}

// Numbers rows of `columns` vertices. The first row starts at the border vertex of `corner`.
static bool number_rows(grid_walk *w, int32_t corner, int32_t columns)
{
    const pli_topology *t = w->topology;
    int32_t border = t->boundary_offsets[1], rows = t->vertex_count / columns;
    for (int32_t j = 0; j < columns; j++)
        grid_append(w, t->boundary_vertices[(corner + j) % border]);
    for (int32_t i = 1; i < rows; i++) {
        int32_t first = t->boundary_vertices[(corner + border - i) % border];
        if (w->order[first] >= 0)
            return false;
        grid_append(w, first);
        for (int32_t j = 1; j < columns; j++) {
            int32_t next = grid_find_next(w, w->found[w->count - 1], w->found[w->count - columns]);
            if (next < 0)
                return false;
            grid_append(w, next);
        }
    }
    return true;
}

static void clear_numbers(grid_walk *w)
{
    while (w->count > 0)
        w->order[w->found[--w->count]] = -1;
}

static bool try_corners(grid_walk *w, int32_t columns)
{
    const pli_topology *t = w->topology;
    int32_t border = t->boundary_offsets[1], tried = 0;
    for (int32_t i = 0; i < border && tried < CORNERS_TRIED; i++) {
        int32_t vertex = t->boundary_vertices[i];
        if (t->triangle_offsets[vertex + 1] - t->triangle_offsets[vertex] > 2)
            continue;
        tried++;
        if (number_rows(w, i, columns) && grid_fits(t, w->order, columns))
            return true;
        clear_numbers(w);
    }
    return false;
}

// Finds the two dimensions that the counts allow, the larger first.
static bool sides_of(const pli_topology *t, int32_t sides[2])
{
    if (t->boundary_loop_count != 1 || t->component_count != 1)
        return false;
    int64_t sum = ((int64_t)t->boundary_offsets[1] + 4) / 2, square = sum * sum - 4 * (int64_t)t->vertex_count;
    int64_t root = square < 0 ? -1 : (int64_t)llround(sqrt((double)square));
    if (root < 0 || root * root != square || (sum - root) % 2 != 0)
        return false;
    sides[0] = (int32_t)((sum + root) / 2), sides[1] = (int32_t)((sum - root) / 2);
    return sides[1] >= 2 && (int64_t)sides[0] * sides[1] == t->vertex_count;
}

static void set_size(pli_tensor *tensor, const pli_topology *t, int32_t columns)
{
    tensor->columns = columns;
    tensor->rows = t->vertex_count / columns;
}

bool pli_tensor_find(pli_memory *memory, const pli_topology *topology, pli_tensor *tensor)
{
    int32_t sides[2];
    *tensor = (pli_tensor){0};
    if (!sides_of(topology, sides))
        return true;
    for (int32_t s = 0; s < 2; s++) {
        if (!grid_fits(topology, NULL, sides[s]))
            continue;
        set_size(tensor, topology, sides[s]);
        return true;
    }
    grid_walk w = {topology, PLI_ALLOCATE(memory, int32_t, topology->vertex_count),
                   PLI_ALLOCATE(memory, int32_t, topology->vertex_count), 0};
    bool complete = w.order && w.found;
    for (int32_t v = 0; complete && v < topology->vertex_count; v++)
        w.order[v] = -1;
    for (int32_t s = 0; complete && s < 2 && tensor->rows == 0; s++)
        if (try_corners(&w, sides[s]))
            set_size(tensor, topology, sides[s]);
    pli_release(memory, w.found);
    if (tensor->rows > 0)
        tensor->order = w.order;
    else
        pli_release(memory, w.order);
    return complete;
}
