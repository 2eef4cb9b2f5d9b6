// Finds the straightest neighbour by the smallest cosine, with directions in double.
#include "mesh/generators/straightest.h"

#include "base/sort.h"
#include "base/vector.h"

int32_t pli_fan_max_degree(const pli_topology *topology, int32_t begin, int32_t end)
{
    int32_t most = 0;
    for (int32_t v = begin; v < end; v++) {
        int32_t count = topology->ring_offsets[v + 1] - topology->ring_offsets[v];
        most = count > most ? count : most;
    }
    return most;
}

bool pli_fan_reserve(pli_memory *memory, pli_fan *fan, int32_t most)
{
    fan->vertices = PLI_ALLOCATE(memory, int32_t, most);
    fan->directions = pli_allocate(memory, (size_t)most, sizeof *fan->directions);
    bool grown = most <= PLI_USUAL_FAN || pli_direction_tree_reserve(memory, &fan->tree, most);
    return grown && fan->vertices && fan->directions;
}

void pli_fan_release(pli_memory *memory, pli_fan *fan)
{
    pli_release(memory, fan->vertices);
    pli_release(memory, fan->directions);
    pli_direction_tree_release(memory, &fan->tree);
    *fan = (pli_fan){0};
}

void pli_fan_load(pli_fan *fan, const pli_topology *topology, int32_t v)
{
    int32_t begin = topology->ring_offsets[v];
    fan->count = topology->ring_offsets[v + 1] - begin;
    for (int32_t i = 0; i < fan->count; i++)
        fan->vertices[i] = topology->ring_vertices[begin + i];
    pli_sort_integers(fan->vertices, fan->count);
}

void pli_fan_load_directions(pli_fan *fan, const pli_topology *topology, int32_t v)
{
    const float *centre = topology->positions + 3 * v;
    for (int32_t i = 0; i < fan->count; i++) {
        const float *end = topology->positions + 3 * fan->vertices[i];
        pli_dvec3 d = {(double)end[0] - (double)centre[0], (double)end[1] - (double)centre[1],
                       (double)end[2] - (double)centre[2]};
        double length = pli_dlength(d), inverse = length > 0.0 ? 1.0 / length : 0.0;
        fan->directions[i][0] = d.x * inverse;
        fan->directions[i][1] = d.y * inverse;
        fan->directions[i][2] = d.z * inverse;
    }
    if (fan->count > PLI_USUAL_FAN)
        pli_direction_tree_build(&fan->tree, (const double(*)[3])fan->directions, fan->count);
}

int32_t pli_fan_straightest(const pli_fan *fan, int32_t from, double bound, double tolerance)
{
    if (fan->count > PLI_USUAL_FAN)
        return pli_direction_tree_opposite(&fan->tree, fan->directions[from], from, bound, tolerance);
    int32_t best = -1;
    double best_cosine = bound;
    pli_dvec3 direction = pli_dmake(fan->directions[from]);
    for (int32_t i = 0; i < fan->count; i++) {
        double cosine = pli_ddot(direction, pli_dmake(fan->directions[i]));
        if (i == from || !(cosine < best_cosine - (best < 0 ? 0.0 : tolerance)))
            continue;
        best = i;
        best_cosine = cosine;
    }
    return best;
}
