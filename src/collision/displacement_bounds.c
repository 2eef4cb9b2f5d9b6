#include "collision/displacement_bounds.h"

#include "collision/exempt.h"

#define BOUND_SHARE 0.45f

// Whether something in the pair goes where it is told to, which no bound on the others makes harmless.
static bool moves_by_itself(const pli_space *space, const pli_pair *pair)
{
    for (int k = 0; k < 4; k++) {
        const pli_particle *p = &space->particles[pair->at[k]], *q = &space->previous[pair->at[k]];
        if (p->w == 0.0f && (p->x != q->x || p->y != q->y || p->z != q->z))
            return true;
    }
    return false;
}

static void bound_pairs(pli_space *space, const pli_pair_list *list, const pli_meeting *meeting)
{
    for (int32_t i = meeting->begin; i < meeting->begin + meeting->count; i++) {
        const pli_pair *pair = &list->pairs.items[i];
        if (moves_by_itself(space, pair) || pli_pair_exempt(space, pair))
            continue;
        pli_dvec3 at[4];
        pli_pair_positions(pair, space->previous, at);
        float distance = (float)sqrt(pli_closest_points((pli_pair_kind)pair->kind, at).square);
        for (int k = 0; k < 4; k++)
            space->ccd.bounds[pair->at[k]] = fminf(space->ccd.bounds[pair->at[k]], BOUND_SHARE * distance);
    }
}

bool pli_bound_displacements(pli_space *space)
{
    space->ccd.bounds = PLI_TAKE(&space->arena, float, space->particle_count);
    if (!space->ccd.bounds)
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->ccd.bounds[i] = INFINITY;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        for (int32_t m = 0; space->cache.has_pairs[list] && m < space->cache.lists[list].meetings.count; m++)
            bound_pairs(space, &space->cache.lists[list], &space->cache.lists[list].meetings.items[m]);
    return true;
}
