// Chooses whether the stretch of a deformable is solved or swept, and when its equations are rebuilt. See stretch/membrane.h.
#include "stretch/membrane.h"

#include "constraints/membrane_values.h"
#include "model/handles.h"
#include "stretch/surface_forces.h"
#include "stretch/membrane_system.h"

#include <string.h>

static bool is_of(const pli_constraints_data *set, const char *type)
{
    return set->row && strcmp(set->type->name, type) == 0 && !set->of_attachment;
}

bool pli_constraints_is_volume(const pli_constraints_data *set) { return is_of(set, "volume"); }

bool pli_constraints_is_edges(const pli_constraints_data *set)
{
    return is_of(set, "distance") || is_of(set, "tether");
}

static bool is_membrane(const pli_constraints_data *set)
{
    return is_of(set, "membrane") && !(set->own[PLI_MEMBRANE_LIMIT] > 0.0f);
}

bool pli_constraints_is_solved(const pli_constraints_data *set)
{
    return is_membrane(set) || pli_constraints_is_edges(set);
}

static bool has(const pli_deformable_data *deformable, bool (*is)(const pli_constraints_data *set))
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (is(set))
            return true;
    return false;
}

bool pli_deformable_is_solved(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_stretch stretch = deformable->def.stretch;
    return world->order == PLI_ORDER_COLOURED && world->settings.method == PLI_METHOD_XPBD &&
           ((stretch == PLI_STRETCH_SOLVED && has(deformable, pli_constraints_is_solved)) ||
            (stretch == PLI_STRETCH_AUTO &&
             has(deformable, deformable->shape.triangle_count > 0 ? is_membrane : pli_constraints_is_solved)));
}

static void destroy_membrane(pli_world *world, pli_deformable_data *deformable)
{
    pli_membrane_free(&world->memory, deformable->membrane);
    deformable->membrane = NULL;
}

// Creates or frees the membrane of a deformable if its constraints or settings have changed. False when memory ran out.
static bool update(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->idle)
        return true;
    const bool wanted = pli_deformable_is_solved(world, deformable);
    const bool reshaped = deformable->membrane && deformable->membrane->reshaped;
    if (wanted && !reshaped && pli_membrane_is_current(deformable, deformable->membrane))
        return true;
    destroy_membrane(world, deformable);
    if (!wanted)
        return true;
    const size_t before = world->memory.bytes;
    deformable->membrane = pli_membrane_make(world, deformable);
    if (deformable->membrane)
        deformable->membrane->memory = world->memory.bytes - before;
    return deformable->membrane != NULL;
}

static void cut_membrane(pli_deformable_data *deformable)
{
    if (deformable->membrane)
        deformable->membrane->reshaped = true;
}

static size_t memory(const pli_deformable_data *deformable)
{
    return deformable->membrane ? deformable->membrane->memory : 0;
}

const pli_feature pli_feature_membrane = {
    .name = "solved stretch",
    .at = offsetof(pli_deformable_data, membrane),
    .destroy = destroy_membrane,
    .memory = memory,
    .ready = pli_surface_forces_save,
    .undo = pli_surface_forces_restore,
    .reserve = update,
    .cut = cut_membrane,
};

bool pli_world_update_membranes(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!update(world, pli_deformable_at(world, i)))
            return false;
    return true;
}

/* ---- public --------------------------------------------------------------------------------------- */

pli_status pli_deformable_set_stretch(pli_world *world, pli_deformable handle, pli_stretch stretch, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if ((uint32_t)stretch >= PLI_STRETCH_COUNT)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "stretch is %d; it must be 0 to %d", (int)stretch,
                        (int)PLI_STRETCH_COUNT - 1);
    deformable->def.stretch = stretch;
    world->collision.stirred = true;
    return pli_succeed(error);
}

pli_status pli_deformable_get_stretch(const pli_world *world, pli_deformable handle, pli_stretch *requested,
                                      pli_stretch *effective, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if (requested)
        *requested = deformable->def.stretch;
    if (effective)
        *effective = pli_deformable_is_solved(world, deformable) ? PLI_STRETCH_SOLVED : PLI_STRETCH_SWEPT;
    return pli_succeed(error);
}
