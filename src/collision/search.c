#include "collision/search.h"

static void measure_surfaces(pli_space *space, pli_find *find)
{
    double edges = 0.0, count = 0.0;
    float keep = 0.0f, collider_keep = 0.0f, carried_keep = 0.0f, least = INFINITY;
    for (int32_t s = 0; s < space->surface_count; s++) {
        const pli_surface *surface = space->surfaces[s];
        if (surface->collider)
            collider_keep = fmaxf(collider_keep, surface->material.thickness);
        if (pli_surface_stands(surface))
            continue;
        if (surface->collider)
            carried_keep = fmaxf(carried_keep, surface->material.thickness);
        find->vertex_bases[s + 1] = find->vertex_bases[s] + surface->vertex_count;
        find->edge_bases[s + 1] = find->edge_bases[s] + surface->edge_count;
        find->patch_bases[s + 1] = find->patch_bases[s] + surface->patches.count;
        find->surface_count = s + 1;
        if (surface->collider)
            continue;
        edges += (double)surface->mean_edge * surface->edge_count;
        count += surface->edge_count;
        keep = fmaxf(keep, surface->material.thickness);
        // Parts of one surface keep less where they are near at rest.
        least = surface->material.self_collision ? 0.0f : fminf(least, surface->material.thickness);
    }
    space->cache.least_keep = isfinite(least) ? least : 0.0f;
    find->mean_edge = count > 0.0 ? (float)(edges / count) : 1.0f;
    find->reach[PLI_LIST_DEFORMABLES] = keep + carried_keep;
    find->reach[PLI_LIST_COLLIDERS] = keep + collider_keep;
}

// A search that looks at one time alone reads trajectories as well.
static bool reserve(pli_space *space)
{
    return pli_array_reserve(space->memory, &space->cache.starts, space->particle_count) &&
           pli_array_reserve(space->memory, &space->cache.ways, space->particle_count);
}

bool pli_find_begin(pli_space *space, pli_find *find)
{
    int64_t bases = (int64_t)space->surface_count + 1;
    int32_t *all = PLI_TAKE(&space->arena, int32_t, 3 * bases);
    if (!all || !reserve(space))
        return false;
    *find = (pli_find){.space = space, .vertex_bases = all};
    find->edge_bases = find->vertex_bases + bases;
    find->patch_bases = find->edge_bases + bases;
    find->vertex_bases[0] = find->edge_bases[0] = find->patch_bases[0] = 0;
    measure_surfaces(space, find);
    return true;
}

int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item)
{
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (bases[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}
