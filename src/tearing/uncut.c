// Cooks the sets of a cut deformable again for its uncut mesh (tearing/uncut.h). They are cooked for a stand-in that has the mesh, the
// order and the grid that the deformable had before any cut, so they are bit-identical to the original sets.
#include "tearing/uncut.h"

#include "base/tasks.h"
#include "collision/particle_contact/particle_contact.h"
#include "mesh/generators/build.h"
#include "mesh/generators/generator_table.h"
#include "sweep/grid/grid_layout.h"
#include "sweep/constraint_links.h"
#include "sweep/constraint_slots.h"
#include "sweep/cook.h"
#include "sweep/rest_values.h"
#include "tearing/tear_state.h"

#include <string.h>

// Returns the attachment that owns a set; null for a set of the application.
static const pli_attachment_data *attachment_of(const pli_constraints_data *set)
{
    const pli_attachment_data *attachment = set->deformable->first_attachment;
    while (attachment && attachment->set != set)
        attachment = attachment->next_attachment;
    return attachment;
}

static pli_status uncut_list_stencils(pli_world *world, const pli_constraints_data *set, pli_stencils *stencils)
{
    *stencils = (pli_stencils){.hooks = world->memory.hooks};
    const pli_attachment_data *attachment = attachment_of(set);
    if (attachment) {
        pli_builder builder = pli_builder_make(stencils, 1);
        for (int32_t i = 0; i < attachment->made_count; i++) {
            const int32_t vertex = pli_vertex(attachment->deformable, attachment->particles[i]);
            pli_builder_add(&builder, &vertex);
        }
        return pli_builder_finish(&builder, NULL);
    }
    const pli_task_hooks tasks = pli_tasks_hooks(world->tasks);
    return pli_generate(set->deformable->mesh, set->generator, &world->memory.hooks, &tasks, stencils, NULL);
}

static void uncut_drop_set(pli_world *world, pli_constraints_data *fresh)
{
    pli_constraints_release_slots(world, fresh);
    pli_release(&world->memory, fresh->evaluation);
    pli_release(&world->memory, fresh);
}

static bool cook_again(pli_world *world, pli_deformable_data *alike, pli_constraints_data *set)
{
    pli_constraints_data *fresh = PLI_ALLOCATE(&world->memory, pli_constraints_data, 1);
    pli_stencils stencils;
    if (!fresh)
        return false;
    *fresh = (pli_constraints_data){.id = set->id,
                                    .name = set->name,
                                    .type = set->type,
                                    .row = set->row,
                                    .generator = set->generator,
                                    .deformable = alike,
                                    .of_attachment = set->of_attachment,
                                    .keep_lambda = set->keep_lambda,
                                    .warps = set->warps,
                                    .source = set->source};
    memcpy(fresh->parameters, set->parameters, sizeof fresh->parameters);
    memcpy(fresh->own, set->own, sizeof fresh->own);
    bool complete = uncut_list_stencils(world, set, &stencils) == PLI_STATUS_OK &&
                    pli_constraints_cook(world, fresh, &stencils, NULL) == PLI_STATUS_OK &&
                    (!set->lambda[0] || pli_constraints_reserve_multipliers(world, fresh, set->mean[0])) &&
                    (!set->bends || pli_constraints_reserve_bends(world, fresh));
    pli_stencils_release(&stencils);
    if (complete && fresh->warps)
        pli_rest_turn_warp(fresh, fresh->warps);
    fresh->deformable = set->deformable;
    if (complete)
        set->links->staged = fresh;
    else
        uncut_drop_set(world, fresh);
    return complete;
}

bool pli_uncut_stage(pli_world *world, pli_deformable_data *deformable, bool *known)
{
    *known = true;
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        *known = *known && (set->generator || attachment_of(set));
    if (!*known)
        return true;
    pli_deformable_data alike = *deformable;
    alike.shape = pli_faces_of(pli_mesh_topology(deformable->mesh));
    alike.count = alike.shape.vertex_count;
    alike.tear_state = NULL, alike.first_set = NULL, alike.grid = NULL, alike.order = NULL;
    pli_tasks_wake(world->tasks);
    bool complete = pli_grid_make(world, &alike);
    // The stand-in uses the order of the deformable.
    pli_release(&world->memory, alike.order);
    alike.order = deformable->order;
    for (pli_constraints_data *set = deformable->first_set; set && complete; set = set->next)
        complete = cook_again(world, &alike, set);
    pli_tasks_sleep(world->tasks);
    deformable->tear_state->uncut_staged = true;
    deformable->tear_state->uncut_grid = alike.grid;
    if (!complete)
        pli_uncut_drop(world, deformable);
    return complete;
}

void pli_uncut_drop(pli_world *world, pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    if (!tear_state || !tear_state->uncut_staged)
        return;
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (set->links && set->links->staged) {
            uncut_drop_set(world, set->links->staged);
            set->links->staged = NULL;
        }
    pli_deformable_data holder = {.grid = tear_state->uncut_grid};
    pli_grid_free(world, &holder);
    tear_state->uncut_grid = NULL, tear_state->uncut_staged = false;
}

void pli_uncut_take(pli_world *world, pli_deformable_data *deformable)
{
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        pli_constraints_data *fresh = set->links->staged;
        fresh->next = set->next;
        pli_constraints_release_slots(world, set);
        pli_release(&world->memory, set->evaluation);
        *set = *fresh;
        pli_release(&world->memory, fresh);
    }
    pli_grid_free(world, deformable);
    deformable->grid = deformable->tear_state->uncut_grid;
    pli_tear_state_free(world, deformable);
    deformable->count = deformable->shape.vertex_count;
    pli_features_cut(deformable);
    // The contact mesh is built again from the mesh when it is needed.
    pli_contact_mesh_free(&world->memory, deformable->surface);
    deformable->surface = NULL;
}

pli_constraints_data *pli_uncut_set(pli_constraints_data *set)
{
    const pli_tear_state *tear_state = set->deformable->tear_state;
    return tear_state && tear_state->uncut_staged ? set->links->staged : set;
}
