// Flat rectangles and tubes: the same grid of squares, flat or rolled up.
//
//      quads      diagonal    alternating    crossed
//      .--.--.    .--.--.      .--.--.      .--.--.
//      |  |  |    | /| /|      | /|\ |      |\/|\/|
//      |  |  |    |/ |/ |      |/ | \|      |/\|/\|
//      '--'--'    '--'--'      '--'--'      '--'--'
#include "mesh/primitives/mesh_list.h"

// The counts of the largest grids are well inside 32 bits.
static const int64_t vertices_max = 100 * 1000 * 1000;

static pli_status check_grid_levels(const char *what, int32_t across, int32_t across_min, int32_t along,
                                    pli_grid_pattern pattern, pli_error *error)
{
    const pli_status invalid = PLI_STATUS_INVALID_ARGUMENT;
    if (!(pattern == PLI_GRID_QUADS || pattern == PLI_GRID_DIAGONAL || pattern == PLI_GRID_ALTERNATING ||
          pattern == PLI_GRID_CROSSED))
        return pli_fail(error, invalid, "%s: there is no pattern %d; use one of pli_grid_pattern", what, (int)pattern);
    if (across < across_min || along < 2)
        return pli_fail(error, invalid, "%s: %d by %d vertices are too few; %d by 2 is the least", what, (int)across,
                        (int)along, (int)across_min);
    if ((int64_t)across * along > vertices_max)
        return pli_fail(error, invalid, "%s: %d by %d vertices are more than the %d allowed", what, (int)across,
                        (int)along, (int)vertices_max);
    return PLI_STATUS_OK;
}

pli_status pli_mesh_create_grid_with(const pli_hooks *hooks, int32_t columns, int32_t rows, float width, float depth,
                                     pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    pli_status status = check_grid_levels("grid", columns, 2, rows, pattern, error);
    if (status)
        return status;
    if (!pli_is_length(width) || !pli_is_length(depth))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "grid: width %g and depth %g [m] must be positive",
                        (double)width, (double)depth);
    const double step_x = (double)width / (columns - 1), step_z = (double)depth / (rows - 1);
    const double x = -0.5 * (double)width, z = -0.5 * (double)depth;
    pli_mesh_list list = pli_mesh_list_start(hooks);
    for (int32_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < columns; column++)
            pli_mesh_list_vertex(&list, x + step_x * column, 0, z + step_z * row);
    for (int32_t row = 0; row + 1 < rows; row++)
        for (int32_t column = 0; column + 1 < columns; column++) {
            int32_t a = row * columns + column, centre = -1;
            const int32_t square[4] = {a, a + columns, a + columns + 1, a + 1};
            if (pattern == PLI_GRID_CROSSED)
                centre = pli_mesh_list_vertex(&list, x + step_x * (column + 0.5), 0, z + step_z * (row + 0.5));
            pli_mesh_list_square(&list, pattern, square, row + column, centre);
        }
    return pli_mesh_list_finish(&list, mesh, error);
}

typedef struct tube_shape {
    int32_t around, along;
    double radius, length;
} tube_shape;

static int32_t add_tube_vertex(pli_mesh_list *list, const tube_shape *tube, double around, double along)
{
    const double turn = 2 * 3.14159265358979323846 * around / tube->around;
    return pli_mesh_list_vertex(list, tube->radius * cos(turn), tube->length * (along / (tube->along - 1) - 0.5),
                                tube->radius * sin(turn));
}

static void add_tube_squares(pli_mesh_list *list, const tube_shape *tube, pli_grid_pattern pattern)
{
    for (int32_t i = 0; i + 1 < tube->along; i++)
        for (int32_t k = 0; k < tube->around; k++) {
            int32_t ring = i * tube->around, next = (k + 1) % tube->around, centre = -1;
            const int32_t square[4] = {ring + k, ring + tube->around + k, ring + tube->around + next, ring + next};
            if (pattern == PLI_GRID_CROSSED)
                centre = add_tube_vertex(list, tube, k + 0.5, i + 0.5);
            pli_mesh_list_square(list, pattern, square, i + k, centre);
        }
}

static void add_tube_caps(pli_mesh_list *list, const tube_shape *tube)
{
    const int32_t top = (tube->along - 1) * tube->around;
    const int32_t low = pli_mesh_list_vertex(list, 0, -0.5 * tube->length, 0);
    const int32_t high = pli_mesh_list_vertex(list, 0, 0.5 * tube->length, 0);
    for (int32_t k = 0; k < tube->around; k++) {
        int32_t next = (k + 1) % tube->around;
        pli_mesh_list_triangle(list, low, k, next);
        pli_mesh_list_triangle(list, high, top + next, top + k);
    }
}

pli_status pli_mesh_create_tube_with(const pli_hooks *hooks, int32_t around, int32_t along, float radius, float length,
                                     bool capped, pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    pli_status status = check_grid_levels("tube", around, 3, along, pattern, error);
    if (status)
        return status;
    if (!pli_is_length(radius) || !pli_is_length(length))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "tube: radius %g and length %g [m] must be positive",
                        (double)radius, (double)length);
    const tube_shape tube = {around, along, (double)radius, (double)length};
    pli_mesh_list list = pli_mesh_list_start(hooks);
    for (int32_t i = 0; i < along; i++)
        for (int32_t k = 0; k < around; k++)
            add_tube_vertex(&list, &tube, k, i);
    add_tube_squares(&list, &tube, pattern);
    if (capped)
        add_tube_caps(&list, &tube);
    return pli_mesh_list_finish(&list, mesh, error);
}
