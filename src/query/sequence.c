// Returns the order of projection of a constraint set, for applications that project it elsewhere.
#include "constraints/registry.h"
#include "model/handles.h"
#include "sweep/constraint_slots.h"

// Returns the number of constraints projected before the one in this slot: the slots before it without the padding of colours.
static int32_t sequence_rank_of(const pli_constraints_data *set, int32_t slot)
{
    int32_t before = 0, colour = 0;
    while (slot >= set->colour_offsets[colour + 1])
        before += set->colour_sizes[colour++];
    return before + slot - set->colour_offsets[colour];
}

static float sequence_scale_of(const pli_constraints_data *set, int32_t i)
{
    return set->type->compliance_scale ? set->compliance_scale[pli_constraints_slot(set, i)] : 0.0f;
}

pli_status pli_constraints_sequence(const pli_world *world, pli_constraints handle, int32_t *order, int32_t *particles,
                                    float *rest, float *scales, pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    int32_t cardinality = set->type->cardinality, rest_count = set->type->rest_count;
    if (cardinality == 0 && (particles || rest))
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "constraints of '%s' have different numbers of particles; ask for one at a time", set->name);
    for (int32_t i = 0; i < set->count; i++)
        order[sequence_rank_of(set, pli_constraints_slot(set, i))] = i;
    for (int32_t k = 0; k < set->count; k++) {
        pli_status status = pli_constraints_stencil(
            world, handle, order[k], particles ? particles + (size_t)k * (size_t)cardinality : NULL, NULL,
            rest ? rest + (size_t)k * (size_t)rest_count : NULL, NULL, error);
        if (status != PLI_STATUS_OK)
            return status;
        if (scales)
            scales[k] = sequence_scale_of(set, order[k]);
    }
    return pli_succeed(error);
}

pli_status pli_constraints_batches(const pli_world *world, pli_constraints handle, int32_t *batches, pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    bool unbatched = world->order == PLI_ORDER_SEQUENTIAL || set->runs;
    for (int32_t i = 0; i < set->count; i++) {
        int32_t slot = pli_constraints_slot(set, i), colour = 0;
        while (slot >= set->colour_offsets[colour + 1])
            colour++;
        batches[i] = unbatched || colour == set->overflow ? -1 : colour;
    }
    return pli_succeed(error);
}
