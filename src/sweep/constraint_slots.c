// Reads, pads, allocates and frees the slots of a constraint set. See sweep/constraint_slots.h.
#include "sweep/constraint_slots.h"

#include "sweep/grid/grid_layout.h"
#include "sweep/constraint_links.h"

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
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t first = set->colour_offsets[colour];
        for (int32_t slot = first + set->colour_sizes[colour]; slot < set->colour_offsets[colour + 1]; slot++) {
            for (int32_t k = 0; k < set->type->cardinality; k++)
                set->index[k][slot] = pli_index_of(set->deformable->capacity);
            for (int32_t j = 0; j < set->type->rest_count; j++)
                set->rest[j][slot] = set->rest[j][first];
            if (set->compliance_scale)
                set->compliance_scale[slot] = set->compliance_scale[first];
            if (set->damping_scale)
                set->damping_scale[slot] = set->damping_scale[first];
            if (set->state)
                set->state[slot] = set->state[first];
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
    for (int32_t i = 0; i < set->scaled_count; i++) {
        float factor = painted ? set->stiffness_factors[i] : 1.0f;
        set->compliance_scale[pli_constraints_slot(set, i)] = set->base_scales[i] / factor;
    }
    const pli_painted *damping = &set->painted[PLI_PAINTED_DAMPING];
    for (int32_t i = 0; set->damping_scale && i < damping->count; i++)
        set->damping_scale[pli_constraints_slot(set, i)] = damping->values[i];
    if (set->type->cardinality > 0 && !set->runs)
        pli_constraints_fill_padding(set);
}

void pli_release_words(pli_memory *memory, pli_index **index, float **rest, float **lambda)
{
    for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
        pli_release(memory, index[k]), index[k] = NULL;
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        pli_release(memory, rest[j]), rest[j] = NULL;
    for (int32_t d = 0; d < 3; d++)
        pli_release(memory, lambda[d]), lambda[d] = NULL;
}

void pli_constraints_release_slots(pli_world *world, pli_constraints_data *set)
{
    pli_memory *memory = &world->memory;
    pli_links_free(world, set);
    void *arrays[] = {set->colour_offsets, set->colour_sizes, set->slot_of,         set->compliance_scale,
                      set->first_rest,     set->bends,        set->run_marks,       set->contiguous_batches,
                      set->state,          set->good_state,   set->member_spans,    set->members,
                      set->rest_spans,     set->triangles,    set->local_triangles, set->triangle_spans,
                      set->variable_rest,  set->runs,         set->run_offsets,     set->damping_scale,
                      set->tiles};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release_words(memory, set->index, set->rest, set->lambda);
    for (int32_t d = 0; d < 3; d++)
        pli_release(memory, set->mean[d]), set->mean[d] = NULL;
    set->colour_offsets = set->colour_sizes = set->slot_of = set->members = set->triangles = NULL;
    set->local_triangles = set->run_offsets = set->run_marks = NULL;
    set->runs = NULL;
    set->tiles = NULL;
    set->contiguous_batches = NULL;
    set->member_spans = set->rest_spans = set->triangle_spans = NULL;
    set->compliance_scale = set->damping_scale = set->state = set->good_state = set->variable_rest = NULL;
    set->first_rest = set->bends = NULL;
}

void pli_constraints_release(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_release_slots(world, set);
    pli_release(&world->memory, set->name);
    pli_release(&world->memory, set->evaluation);
    pli_release(&world->memory, set->base_scales);
    pli_release(&world->memory, set->stiffness_factors);
    pli_release(&world->memory, set->warps);
    for (int32_t k = 0; k < PLI_PAINTED_KINDS; k++)
        pli_release(&world->memory, set->painted[k].values);
    pli_release(&world->memory, set);
}
