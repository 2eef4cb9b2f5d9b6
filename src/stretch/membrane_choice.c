// Chooses whether the stretch of a deformable is solved or swept, and when its equations are rebuilt. See stretch/membrane.h.
#include "stretch/membrane.h"

#include "constraints/membrane_values.h"
#include "model/handles.h"

#include <string.h>

static bool is_of(const pli_constraint_set_data *set, const char *type)
{
    return set->row && strcmp(set->type->name, type) == 0 && !set->of_attachment;
}

bool pli_constraint_set_is_volume(const pli_constraint_set_data *set) { return is_of(set, "volume"); }

bool pli_constraint_set_is_edges(const pli_constraint_set_data *set)
{
    return is_of(set, "distance") || is_of(set, "tether");
}

static bool is_membrane(const pli_constraint_set_data *set)
{
    return is_of(set, "membrane") && !(set->own[PLI_MEMBRANE_LIMIT] > 0.0f);
}

bool pli_constraint_set_is_solved(const pli_constraint_set_data *set)
{
    return is_membrane(set) || pli_constraint_set_is_edges(set);
}

static bool has(const pli_deformable_data *deformable, bool (*is)(const pli_constraint_set_data *set))
{
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (is(set))
            return true;
    return false;
}

bool pli_deformable_is_solved(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_stretch stretch = deformable->def.stretch;
    return world->order == PLI_ORDER_COLOURED && world->settings.method == PLI_METHOD_XPBD &&
           ((stretch == PLI_STRETCH_SOLVED && has(deformable, pli_constraint_set_is_solved)) ||
            (stretch == PLI_STRETCH_AUTO &&
             has(deformable, deformable->shape.triangle_count > 0 ? is_membrane : pli_constraint_set_is_solved)));
}

void pli_deformable_free_membrane(pli_world *world, pli_deformable_data *deformable)
{
    pli_membrane_free(&world->memory, deformable->membrane);
    deformable->membrane = NULL;
    deformable->membrane_memory = 0;
}

// Creates the membrane of a deformable unless it is up to date. False when memory ran out.
static bool update_membrane(pli_world *world, pli_deformable_data *deformable)
{
    const bool wanted = pli_deformable_is_solved(world, deformable);
    if (wanted && !deformable->reshaped && pli_membrane_is_current(deformable, deformable->membrane))
        return true;
    pli_deformable_free_membrane(world, deformable);
    deformable->reshaped = false;
    if (!wanted)
        return true;
    const size_t before = world->memory.bytes;
    deformable->membrane = pli_membrane_make(world, deformable);
    deformable->membrane_memory = world->memory.bytes - before;
    return deformable->membrane != NULL;
}

bool pli_world_update_membranes(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && !update_membrane(world, pli_deformable_at(world, i)))
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
