// A grid loses its layout before it is cut: its sets are cooked again with index lists, since a cut breaks the regular pattern that runs
// need. See pli_grid_give_up in sweep/grid/grid_layout.h.
#include "sweep/grid_give_up.h"

#include "mesh/generators/build.h"
#include "sweep/grid/grid_layout.h"
#include "sweep/constraint_slots.h"
#include "sweep/cook.h"

#include <string.h>

static pli_status list_set_stencils(const pli_constraints_data *set, pli_stencils *stencils)
{
    pli_builder builder = pli_builder_make(stencils, set->type->cardinality);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t vertices[PLI_CARDINALITY_MAX];
        const int32_t *places;
        int32_t n = pli_constraints_particles(set, i, &places, vertices);
        for (int32_t k = 0; k < n; k++)
            vertices[k] = pli_vertex(set->deformable, places[k]);
        pli_builder_add(&builder, vertices);
    }
    return pli_builder_finish(&builder, NULL);
}

// Cooks a set once more with index lists, and replaces the old one; multipliers are kept.
static bool cook_in_lists(pli_world *world, pli_constraints_data *set)
{
    pli_stencils stencils = {.hooks = world->memory.hooks};
    if (list_set_stencils(set, &stencils) != PLI_STATUS_OK)
        return false;
    stencils.degenerate_count = set->degenerate_count;
    pli_constraints_data fresh = {.id = set->id,
                                  .name = set->name,
                                  .type = set->type,
                                  .row = set->row,
                                  .generator = set->generator,
                                  .deformable = set->deformable,
                                  .next = set->next,
                                  .of_attachment = set->of_attachment,
                                  .keep_lambda = set->keep_lambda,
                                  .warps = set->warps,
                                  .source = set->source};
    memcpy(fresh.parameters, set->parameters, sizeof fresh.parameters);
    memcpy(fresh.own, set->own, sizeof fresh.own);
    pli_grid_layout *grid = set->deformable->grid;
    set->deformable->grid = NULL; // Without a grid the set is cooked without runs.
    bool complete = pli_constraints_cook(world, &fresh, &stencils, NULL) == PLI_STATUS_OK &&
                    (!set->lambda[0] || pli_constraints_reserve_multipliers(world, &fresh, set->mean[0]));
    set->deformable->grid = grid;
    pli_stencils_release(&stencils);
    complete = complete && pli_constraints_carry(&world->memory, &fresh, set);
    if (complete && set->bends)
        complete = pli_constraints_reserve_bends(world, &fresh);
    pli_constraints_data *old = complete ? set : &fresh;
    for (int32_t i = 0; complete && i < set->count; i++) {
        int32_t to = pli_constraints_slot(&fresh, i), from = pli_constraints_slot(set, i);
        for (int32_t d = 0; d < set->type->dimension && set->lambda[d]; d++)
            fresh.lambda[d][to] = set->lambda[d][from];
        for (int32_t d = 0; d < set->type->dimension && set->mean[d]; d++)
            fresh.mean[d][to] = set->mean[d][from];
        // The scale is copied, since it was measured with areas that only the generator knows.
        if (set->compliance_scale)
            fresh.compliance_scale[to] = set->compliance_scale[from];
        if (set->bends)
            pli_constraints_copy_bend(&fresh, set, i);
        for (int32_t j = 0; set->warps && j < set->type->rest_count; j++)
            fresh.rest[j][to] = set->rest[j][from];
    }
    if (complete && set->bends)
        pli_constraints_mark_bends(&fresh);
    if (complete && (set->base_scale || set->damping))
        pli_constraints_write_scales(&fresh, true);
    pli_constraints_release_slots(world, old);
    pli_release(&world->memory, old->evaluation);
    if (complete)
        *set = fresh;
    return complete;
}

bool pli_grid_give_up(pli_world *world, pli_deformable_data *deformable)
{
    bool complete = true;
    for (pli_constraints_data *set = deformable->first_set; set && complete; set = set->next)
        if (set->runs)
            complete = cook_in_lists(world, set);
    if (complete)
        pli_grid_free(world, deformable);
    return complete;
}
