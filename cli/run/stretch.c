// Stretch is measured in double from the mesh and the positions as the user sees them, independently of the engine's own figures.
#include "run/stretch.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double length_of(const float *a, const float *b)
{
    double sum = 0.0;
    for (int32_t k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(sum);
}

// Edges of zero rest length, for example at unwelded seams, have no stretch.
static double stretch_of(const pli_topology *rest, pli_view positions, int32_t edge)
{
    int32_t a = rest->edges[2 * edge], b = rest->edges[2 * edge + 1];
    double length = length_of(rest->positions + 3 * (size_t)a, rest->positions + 3 * (size_t)b);
    double now = length_of(pli_view_at(positions, a), pli_view_at(positions, b));
    return length > 0.0 ? fmax(now / length - 1.0, 0.0) : 0.0;
}

bool pli_cli_stretch_measure(pli_world *world, pli_deformable deformable, pli_cli_stretch *stretch)
{
    const pli_mesh *mesh;
    *stretch = (pli_cli_stretch){0.0, 0.0, 0.0};
    if (pli_deformable_get_mesh(world, deformable, &mesh, NULL) != PLI_STATUS_OK)
        return false;
    const pli_topology *rest = pli_mesh_topology(mesh);
    const pli_view positions = pli_deformable_positions(world, deformable);
    int32_t count = rest->edge_count;
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    if (!values)
        return false;
    for (int32_t e = 0; e < count; e++)
        values[e] = stretch_of(rest, positions, e);
    qsort(values, (size_t)count, sizeof *values, ascending);
    if (count > 0)
        *stretch = (pli_cli_stretch){values[count - 1 - count / 2], values[count - 1 - count / 100], values[count - 1]};
    free(values);
    return true;
}
