// Displacement bounds: each particle moves at most 0.45 of its distance to the nearest candidate primitive, so two
// particles that approach each other keep a tenth of their distance.
#include "collision/ccd/displacement_bounds.h"

#include "collision/contacts/exempt.h"

#define BOUND_SHARE 0.45f

// Does a particle of the pair move kinematically? No bound on the other particles can prevent a collision with it.
static bool moves_kinematically(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int k = 0; k < 4; k++) {
        const pli_particle *p = &collision->particles[pair->at[k]], *q = &collision->previous[pair->at[k]];
        if (p->w == 0.0f && (p->x != q->x || p->y != q->y || p->z != q->z))
            return true;
    }
    return false;
}

static void bound_pairs(pli_collision *collision, const pli_candidate_list *list, const pli_cluster_pair *cluster_pair)
{
    for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
        const pli_candidate_pair listed = pli_pair_read(collision, &list->pairs.items[i]), *pair = &listed;
        if (moves_kinematically(collision, pair) || pli_pair_exempt(collision, pair))
            continue;
        pli_dvec3 at[4];
        pli_pair_positions(pair, collision->previous, at);
        float distance = (float)sqrt(pli_closest_points((pli_pair_kind)pair->kind, at).square);
        for (int k = 0; k < 4; k++)
            collision->ccd.bounds[pair->at[k]] = fminf(collision->ccd.bounds[pair->at[k]], BOUND_SHARE * distance);
    }
}

bool pli_bound_displacements(pli_collision *collision)
{
    collision->ccd.bounds = PLI_TAKE(&collision->arena, float, collision->particle_count);
    if (!collision->ccd.bounds)
        return false;
    for (int32_t i = 0; i < collision->particle_count; i++)
        collision->ccd.bounds[i] = INFINITY;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        for (int32_t m = 0; collision->cache.has_pairs[list] && m < collision->cache.lists[list].cluster_pairs.count;
             m++)
            bound_pairs(collision, &collision->cache.lists[list], &collision->cache.lists[list].cluster_pairs.items[m]);
    return true;
}
