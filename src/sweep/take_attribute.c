#include "sweep/take_attribute.h"

#include "sweep/constraint_slots.h"
#include "sweep/wavefront.h"

bool pli_constraints_reserve_scales(pli_world *world, pli_constraints_data *set)
{
    const int64_t slots = pli_constraints_capacity(set);
    if (set->base_scale)
        return true;
    float *base = PLI_ALLOCATE(&world->memory, float, slots);
    float *scale = set->compliance_scale ? set->compliance_scale : PLI_ALLOCATE(&world->memory, float, slots);
    if (!base || !scale) {
        pli_release(&world->memory, base);
        if (scale != set->compliance_scale)
            pli_release(&world->memory, scale);
        return false;
    }
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        base[slot] = set->compliance_scale ? scale[slot] : 1.0f;
        scale[slot] = base[slot];
    }
    set->base_scale = base, set->compliance_scale = scale;
    return true;
}

// Whether all scales of a set are 1, so that it needs none.
static bool has_plain_scales(const pli_constraints_data *set)
{
    bool plain = set->base_scale && !set->stiffness && !set->type->compliance_scale;
    for (int32_t i = 0; plain && i < set->count; i++)
        plain = set->base_scale[pli_constraints_slot(set, i)] == 1.0f;
    return plain;
}

void pli_constraints_take_scales(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_write_scales(set, true);
    if (has_plain_scales(set)) {
        pli_release(&world->memory, set->base_scale);
        pli_release(&world->memory, set->compliance_scale);
        set->base_scale = set->compliance_scale = NULL;
    }
    pli_wavefronts_free(world, set->deformable); // Wavefronts have copies of the scales.
}

void pli_attribute_take(pli_world *world, void *object, const pli_attribute *row, void *array)
{
    const bool of_set = row->element == PLI_ELEMENT_CONSTRAINT;
    pli_constraints_data *set = of_set ? object : NULL;
    pli_deformable_data *deformable = of_set ? set->deformable : object;
    pli_attribute_replace(&world->memory, object, row, 0, array);
    if (!of_set)
        pli_deformable_lend_attributes(deformable);
    if (row->rebuild == PLI_REBUILDS_SURFACE) {
        pli_deformable_measure_thickness(deformable);
        deformable->surface_stale = true;
    }
    if (row->rebuild == PLI_REBUILDS_PLATE)
        deformable->plate_paint++;
    if (row->rebuild == PLI_REBUILDS_SCALES)
        pli_constraints_take_scales(world, set);
}
