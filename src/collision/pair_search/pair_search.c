// Reach of a search over all surfaces, and lookup of the surface that owns an item.
#include "collision/pair_search/pair_search.h"

bool pli_find_begin(pli_collision *collision, pli_find *find)
{
    int64_t bases = (int64_t)collision->surface_count + 1;
    int32_t *all = PLI_TAKE(&collision->arena, int32_t, 3 * bases);
    // Searches at a single instant also read trajectories, with an age of 0.
    if (!all || !(pli_array_reserve(collision->memory, &collision->cache.starts, collision->particle_count) &&
                  pli_array_reserve(collision->memory, &collision->cache.trajectories, collision->particle_count)))
        return false;
    *find = (pli_find){.collision = collision, .vertex_bases = all};
    find->edge_bases = find->vertex_bases + bases;
    find->cluster_bases = find->edge_bases + bases;
    find->vertex_bases[0] = find->edge_bases[0] = find->cluster_bases[0] = 0;
    float mean_edge = INFINITY, rest_distance = 0.0f, collider_distance = 0.0f, carried_distance = 0.0f,
          least = INFINITY;
    for (int32_t s = 0; s < collision->surface_count; s++) {
        const pli_contact_mesh *surface = collision->surfaces[s];
        if (surface->collider)
            collider_distance = fmaxf(collider_distance, surface->material.thickness);
        if (pli_contact_mesh_is_kinematic(surface))
            continue;
        if (surface->collider)
            carried_distance = fmaxf(carried_distance, surface->material.thickness);
        find->vertex_bases[s + 1] = find->vertex_bases[s] + surface->vertex_count;
        find->edge_bases[s + 1] = find->edge_bases[s] + surface->edge_count;
        find->cluster_bases[s + 1] = find->cluster_bases[s] + surface->clusters.count;
        find->surface_count = s + 1;
        if (surface->collider)
            continue;
        if (surface->mean_edge > 0.0f)
            mean_edge = fminf(mean_edge, surface->mean_edge);
        rest_distance = fmaxf(rest_distance, surface->material.thickness);
        // Pairs of one surface may keep less than the thickness if they are closer at rest.
        least = surface->material.self_collision ? 0.0f : fminf(least, surface->material.least_thickness);
    }
    collision->cache.least_rest_distance = isfinite(least) ? least : 0.0f;
    find->mean_edge = isfinite(mean_edge) ? mean_edge : 1.0f;
    find->reach[PLI_LIST_DEFORMABLES] = rest_distance + carried_distance;
    find->reach[PLI_LIST_COLLIDERS] = rest_distance + collider_distance;
    return true;
}

float pli_find_reach(const pli_find *find, int32_t list, int32_t a, int32_t b)
{
    const pli_contact_mesh *one = find->collision->surfaces[a], *other = find->collision->surfaces[b];
    float both = one->material.thickness + other->material.thickness;
    float rest = one->collider || other->collider ? both
                 : one == other                   ? pli_find_own_distance(one, one->material.thickness)
                                                  : 0.5f * both;
    return pli_lower(pli_collision_reach(find->collision, rest), find->reach[list]);
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
