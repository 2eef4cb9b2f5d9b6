// What lists of pairs are good for: particles that keep near straight ways for a few substeps.
#include "collision/find.h"

// Of the mean edge: how far particles may leave their ways.
#define BUDGET_SHARE 0.15f

typedef struct measuring {
    pli_space *space;
    float age;
} measuring;

static int32_t chunk_count(const pli_space *space)
{
    return (space->particle_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN;
}

static int32_t chunk_end(const pli_space *space, int32_t chunk)
{
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN;
    return end < space->particle_count ? end : space->particle_count;
}

static void begin_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    pli_space *space = m->space;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < chunk_end(space, chunk); i++) {
        space->starts[i] = pli_place_of(&space->previous[i]);
        space->ways[i] = pli_sub(pli_place_of(&space->particles[i]), space->starts[i]);
    }
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_space *space = m->space;
    float most = 0.0f;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < chunk_end(space, chunk); i++) {
        pli_vec3 expected = pli_add(space->starts[i], pli_scale(space->ways[i], m->age));
        pli_vec3 off = pli_sub(pli_place_of(&space->particles[i]), expected);
        most = fmaxf(most, pli_dot(off, off));
    }
    space->partial[chunk] = most;
}

static float most_of(measuring *m, pli_task task)
{
    float most = 0.0f;
    pli_tasks_run(m->space->tasks, chunk_count(m->space), task, m);
    for (int32_t chunk = 0; chunk < chunk_count(m->space); chunk++)
        most = fmaxf(most, m->space->partial[chunk]);
    return sqrtf(most);
}

static bool reserve(pli_space *space)
{
    return pli_reserve(space->memory, &space->starts, &space->path_start_capacity, space->particle_count,
                       sizeof(pli_vec3)) &&
           pli_reserve(space->memory, &space->ways, &space->path_capacity, space->particle_count, sizeof(pli_vec3)) &&
           pli_reserve(space->memory, &space->partial, &space->partial_capacity, chunk_count(space),
                       sizeof(float));
}

static void measure_surfaces(const pli_space *space, pli_find *find)
{
    double edges = 0.0, count = 0.0;
    float keep = 0.0f, collider_keep = 0.0f, carried_keep = 0.0f;
    for (int32_t s = 0; s < space->surface_count; s++) {
        const pli_surface *surface = space->surfaces[s];
        if (surface->collider)
            collider_keep = fmaxf(collider_keep, surface->material.thickness);
        if (space->trees[s])
            continue;
        if (surface->collider)
            carried_keep = fmaxf(carried_keep, surface->material.thickness);
        find->vertex_bases[s + 1] = find->vertex_bases[s] + surface->vertex_count;
        find->triangle_bases[s + 1] = find->triangle_bases[s] + surface->triangle_count;
        find->edge_bases[s + 1] = find->edge_bases[s] + surface->edge_count;
        find->patch_bases[s + 1] = find->patch_bases[s] + surface->patches.count;
        find->surface_count = s + 1;
        if (surface->collider)
            continue;
        edges += (double)surface->mean_edge * surface->edge_count;
        count += surface->edge_count;
        keep = fmaxf(keep, surface->material.thickness);
    }
    find->mean_edge = count > 0.0 ? (float)(edges / count) : 1.0f;
    find->reach[PLI_LIST_DEFORMABLES] = keep + carried_keep;
    find->reach[PLI_LIST_COLLIDERS] = keep + collider_keep;
}

bool pli_find_begin(pli_space *space, pli_find *find)
{
    int64_t bases = (int64_t)space->surface_count + 1;
    if (!pli_reserve(space->memory, &space->bases, &space->base_capacity, 4 * bases, sizeof(int32_t)) ||
        !reserve(space))
        return false;
    *find = (pli_find){.space = space, .vertex_bases = space->bases};
    find->triangle_bases = find->vertex_bases + bases;
    find->edge_bases = find->triangle_bases + bases;
    find->patch_bases = find->edge_bases + bases;
    find->vertex_bases[0] = find->triangle_bases[0] = find->edge_bases[0] = find->patch_bases[0] = 0;
    measure_surfaces(space, find);
    return true;
}

static void begin_ways(pli_space *space, pli_find *find, int32_t lifetime)
{
    measuring m = {.space = space};
    pli_tasks_run(space->tasks, chunk_count(space), begin_chunk, &m);
    space->age = 0;
    space->lifetime = lifetime;
    space->budget = BUDGET_SHARE * find->mean_edge;
    find->lifetime = (float)lifetime;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] += 2.0f * space->budget;
}

static bool find_lists(pli_space *space, int32_t lifetime)
{
    pli_find find;
    if (!pli_find_begin(space, &find))
        return false;
    begin_ways(space, &find, lifetime);
    pli_find_lay(&find);
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (space->has_pairs[list] && !pli_find_pairs(&find, list))
            return false;
    return true;
}

// How far particles are off their ways at the end of this substep, in budgets.
static float deviation(pli_space *space)
{
    measuring m = {.space = space, .age = (float)(space->age + 1)};
    return most_of(&m, deviation_chunk) / space->budget;
}

// Half the budget is left for what projections will do.
void pli_space_find(pli_space *space)
{
    bool holds = space->age >= 0 && ++space->age < space->lifetime && deviation(space) < 0.5f;
    if (!holds && !find_lists(space, space->substeps_left))
        space->starved = true;
}

bool pli_space_widen(pli_space *space)
{
    if (deviation(space) <= 1.0f)
        return false;
    if (!find_lists(space, 1))
        space->starved = true;
    return true;
}
