// Reads, pads, allocates and frees the slots of a constraint set. See sweep/constraint_slots.h.
#include "sweep/constraint_slots.h"

#include "sweep/grid/grid_layout.h"
#include "sweep/constraint_links.h"

#include <string.h>

void pli_constraints_slot_particles(const pli_constraints_data *set, int32_t slot, int32_t places[PLI_CARDINALITY_MAX])
{
    const pli_slot_run *run = set->runs ? pli_run_of(set, slot) : NULL;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        places[k] = run ? pli_run_particle(set->deformable->grid, run, k, slot) : pli_index_place(set->index[k][slot]);
}

int32_t pli_constraints_particles(const pli_constraints_data *set, int32_t i, const int32_t **particles,
                                  int32_t fixed[PLI_CARDINALITY_MAX])
{
    int32_t slot = pli_constraints_slot(set, i);
    if (set->type->cardinality == 0) {
        *particles = set->members + set->member_spans[slot].begin;
        return set->member_spans[slot].end - set->member_spans[slot].begin;
    }
    pli_constraints_slot_particles(set, slot, fixed);
    *particles = fixed;
    return set->type->cardinality;
}

// Padding acts on the dummy particle, with the rest values of the colour's first constraint, so that kernels compute
// finite values in every lane.
void pli_constraints_fill_padding(const pli_constraints_data *set)
{
    float *const read[] = {set->compliance_scale, set->damping, set->state};
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t first = set->colour_offsets[colour];
        for (int32_t slot = first + set->colour_sizes[colour]; slot < set->colour_offsets[colour + 1]; slot++) {
            for (int32_t k = 0; k < set->type->cardinality; k++)
                set->index[k][slot] = pli_index_of(set->deformable->capacity);
            for (int32_t j = 0; j < set->type->rest_count; j++)
                set->rest[j][slot] = set->rest[j][first];
            for (size_t i = 0; i < sizeof read / sizeof *read; i++)
                if (read[i])
                    read[i][slot] = read[i][first];
        }
    }
}

void pli_constraints_place_targets(const pli_world *world, pli_constraints_data *set)
{
    const double origin[3] = {world->origin.x, world->origin.y, world->origin.z};
    for (int32_t i = 0; i < set->count && pli_constraints_has_targets(set) && !set->of_attachment; i++) {
        int32_t slot = pli_constraints_slot(set, i), places[PLI_CARDINALITY_MAX];
        pli_constraints_slot_particles(set, slot, places);
        const float *at = set->deformable->shape.positions + 3 * pli_vertex(set->deformable, places[0]);
        for (int k = 0; k < 3; k++)
            set->rest[k][slot] = (float)((double)at[k] - origin[k]);
    }
}

bool pli_constraints_reserve_multipliers(pli_world *world, pli_constraints_data *set, bool means)
{
    // Kernels for runs load full registers, which extend beyond the last slot.
    int64_t slots = set->links && set->type->cardinality > 0 ? set->links->slot_capacity : set->slot_count;
    size_t before = world->memory.bytes;
    bool complete = true;
    for (int32_t d = 0; d < set->type->dimension; d++) {
        if (!set->lambda[d])
            complete = (set->lambda[d] = PLI_ALLOCATE(&world->memory, float, slots + PLI_BATCH)) && complete;
        if (means && !set->mean[d])
            complete = (set->mean[d] = PLI_ALLOCATE(&world->memory, float, slots + PLI_BATCH)) && complete;
    }
    set->memory += world->memory.bytes - before;
    return complete;
}

/* ---- bends --------------------------------------------------------------------------------------- */

bool pli_constraints_reserve_bends(pli_world *world, pli_constraints_data *set)
{
    // Kernels for runs load full registers, which extend beyond the last slot.
    const int64_t slots = set->links ? set->links->slot_capacity : set->slot_count;
    if (set->bends)
        return true;
    set->first_rest = PLI_ALLOCATE(&world->memory, float, slots + 1);
    set->bends = PLI_ALLOCATE(&world->memory, float, slots + 1);
    if (!set->first_rest || !set->bends) {
        pli_release(&world->memory, set->first_rest);
        pli_release(&world->memory, set->bends);
        set->first_rest = set->bends = NULL;
        return false;
    }
    for (int32_t slot = 0; slot < set->slot_count; slot++)
        set->first_rest[slot] = set->rest[set->type->bend_rest][slot];
    return true;
}

void pli_constraints_mark_bends(pli_constraints_data *set)
{
    const uint32_t bit = 1u << set->type->bend_rest;
    set->zero_rest |= bit;
    for (int32_t i = 0; i < set->count && set->zero_rest & bit; i++)
        if (set->rest[set->type->bend_rest][pli_constraints_slot(set, i)] != 0.0f)
            set->zero_rest &= ~bit;
}

bool pli_constraints_is_bent(const pli_constraints_data *set)
{
    bool bent = false;
    for (int32_t i = 0; set->bends && i < set->count && !bent; i++)
        bent = set->bends[pli_constraints_slot(set, i)] > 0.0f;
    return bent;
}

void pli_constraints_forget_bends(pli_constraints_data *set)
{
    for (int32_t i = 0; set->bends && i < set->count; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        set->rest[set->type->bend_rest][slot] = set->first_rest[slot];
        set->bends[slot] = 0.0f;
    }
    if (set->bends)
        pli_constraints_mark_bends(set);
}

void pli_constraints_copy_bend(pli_constraints_data *to, const pli_constraints_data *from, int32_t i)
{
    const int32_t place = pli_constraints_slot(to, i), slot = pli_constraints_slot(from, i);
    to->rest[to->type->bend_rest][place] = from->rest[to->type->bend_rest][slot];
    to->first_rest[place] = from->first_rest[slot];
    to->bends[place] = from->bends[slot];
}

void pli_constraints_write_scales(const pli_constraints_data *set, bool painted)
{
    for (int32_t i = 0; set->base_scale && i < set->count; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        const float factor = painted && set->stiffness ? set->stiffness[slot] : 1.0f;
        set->compliance_scale[slot] = set->base_scale[slot] / factor;
    }
    if (set->type->cardinality > 0 && !set->runs)
        pli_constraints_fill_padding(set);
}

/* ---- attributes ---------------------------------------------------------------------------------- */

int64_t pli_constraints_capacity(const pli_constraints_data *set)
{
    const bool may_grow = set->links && set->type->cardinality > 0;
    return (int64_t)(may_grow ? set->links->slot_capacity : set->slot_count) + (set->runs ? PLI_BATCH : 0);
}

bool pli_constraints_carry(pli_memory *memory, pli_constraints_data *to, const pli_constraints_data *from)
{
    int32_t count;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &count);
    for (; count > 0; count--, row++) {
        const float *old = pli_attribute_array(from, row, 0);
        if (!old || !pli_constraints_is_painted_by(from, row))
            continue;
        float *fresh = pli_attribute_array(to, row, 0);
        if (!fresh && !(fresh = PLI_ALLOCATE(memory, float, pli_constraints_capacity(to))))
            return false;
        for (int32_t i = 0; i < from->count; i++)
            fresh[pli_constraints_slot(to, i)] = old[pli_constraints_slot(from, i)];
        memcpy((char *)to + row->offset, &fresh, sizeof fresh);
    }
    return true;
}

void pli_constraints_release_slots(pli_world *world, pli_constraints_data *set)
{
    pli_memory *memory = &world->memory;
    pli_links_free(world, set);
    void *arrays[] = {
        set->colour_offsets, set->colour_sizes,  set->slot_of,    set->run_marks,   set->contiguous_batches,
        set->member_spans,   set->members,       set->rest_spans, set->triangles,   set->local_triangles,
        set->triangle_spans, set->variable_rest, set->runs,       set->run_offsets, set->tiles};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
        pli_release(memory, set->index[k]), set->index[k] = NULL;
    int32_t count;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &count);
    for (; count > 0; count--, row++)
        for (int32_t k = 0; k < row->components; k++)
            pli_attribute_replace(memory, set, row, k, NULL);
    set->colour_offsets = set->colour_sizes = set->slot_of = set->members = set->triangles = NULL;
    set->local_triangles = set->run_offsets = set->run_marks = NULL;
    set->runs = NULL;
    set->tiles = NULL;
    set->contiguous_batches = NULL;
    set->member_spans = set->rest_spans = set->triangle_spans = NULL;
    set->variable_rest = NULL;
}

void pli_constraints_release(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_release_slots(world, set);
    pli_release(&world->memory, set->name);
    pli_release(&world->memory, set->evaluation);
    pli_release(&world->memory, set->warps);
    pli_release(&world->memory, set);
}
