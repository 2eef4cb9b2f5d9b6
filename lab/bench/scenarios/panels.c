// Panels are made of the faces of a grid: some are left out, and the vertices are moved.
//
//    +----+       concave: without the         +--+ +--+    pieces: without the middle row
//    |    |____   quarter at the end           |  | |  |    and column of squares
//    |         |  of both axes                 +--+ +--+
//    +---------+                               +--+ +--+
#include "bench/scenarios/panels.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Whether a square with its first corner there belongs to the panel.
static bool has_square(bench_panel panel, int32_t side, int32_t column, int32_t row)
{
    if (panel == BENCH_PANEL_CONCAVE)
        return column < side / 2 || row < side / 2;
    return panel != BENCH_PANEL_PIECES || (column != side / 2 && row != side / 2);
}

// Copies the triangles of the panel, and numbers its vertices in the order of the grid. Returns the number of triangles.
static int32_t choose(bench_panel panel, int32_t side, const pli_topology *grid, int32_t *corners, int32_t *numbers)
{
    int32_t count = 0;
    for (int32_t i = 0; i < grid->face_count; i++) {
        int32_t square = i / 2;
        for (int32_t k = 0; k < 3 && has_square(panel, side, square % (side - 1), square / (side - 1)); k++) {
            int32_t vertex = grid->face_vertices[grid->face_offsets[i] + k];
            numbers[vertex] = 1;
            corners[count++] = vertex;
        }
    }
    int32_t used = 0;
    for (int32_t i = 0; i < grid->vertex_count; i++)
        numbers[i] = numbers[i] ? used++ : -1;
    for (int32_t i = 0; i < count; i++)
        corners[i] = numbers[corners[i]];
    return count / 3;
}

static int32_t place(bench_panel panel, const pli_topology *grid, float width, const int32_t *numbers, float *positions)
{
    double radius = (double)width / pi;
    int32_t count = 0;
    for (int32_t i = 0; i < grid->vertex_count; i++) {
        if (numbers[i] < 0)
            continue;
        const float *from = grid->positions + 3 * (ptrdiff_t)i;
        float *to = positions + 3 * (ptrdiff_t)numbers[i];
        to[0] = from[0], to[1] = from[1], to[2] = from[2];
        if (panel == BENCH_PANEL_CURVED) {
            double angle = (double)from[0] / radius;
            to[0] = (float)(radius * sin(angle)), to[1] = (float)(radius * cos(angle));
        }
        count++;
    }
    return count;
}

pli_status bench_create_panel(bench_panel panel, int32_t side, float width, pli_mesh **mesh, pli_error *error)
{
    pli_mesh *whole = NULL;
    pli_status status = pli_mesh_create_grid(side, side, width, width, PLI_GRID_DIAGONAL, &whole, error);
    if (status != PLI_STATUS_OK || panel == BENCH_PANEL_FLAT) {
        *mesh = whole;
        return status;
    }
    const pli_topology *grid = pli_mesh_topology(whole);
    int32_t *corners = malloc((size_t)grid->corner_count * sizeof *corners);
    int32_t *numbers = calloc((size_t)grid->vertex_count, sizeof *numbers);
    float *positions = malloc(3 * (size_t)grid->vertex_count * sizeof *positions);
    if (corners && numbers && positions) {
        pli_mesh_def def = pli_mesh_def_default();
        def.face_vertices = corners, def.face_count = choose(panel, side, grid, corners, numbers);
        def.positions = positions, def.vertex_count = place(panel, grid, width, numbers, positions);
        status = pli_mesh_create(&def, mesh, error);
    } else {
        status = pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    }
    free(positions);
    free(numbers);
    free(corners);
    pli_mesh_destroy(whole);
    return status;
}
