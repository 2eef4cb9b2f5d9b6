// Stores plastic bends in snapshots (state/kept_bends.h).
#include "state/kept_bends.h"

#include "bending/plastic.h"
#include "sweep/constraint_slots.h"

#include <math.h>

// Passes a value and checks that it is finite and at least `least`. The check reads it into a copy.
static void pass_value(pli_stream *s, float *value, float least)
{
    float copy = *value;
    const pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pli_pass_float(s, &copy);
    s->mode = mode;
    if (mode >= PLI_STREAM_CHECK && !(isfinite(copy) && copy >= least))
        s->failed = true;
    if (mode == PLI_STREAM_READ && !s->failed)
        *value = copy;
}

void pli_pass_bends(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    if (!set->type->bend)
        return;
    const bool bent = pli_pass_index(s, pli_constraints_is_bent(set), 0, 1) != 0;
    if (s->mode == PLI_STREAM_CHECK && bent && !s->failed && !pli_constraints_reserve_bends(world, set))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ)
        pli_constraints_forget_bends(set);
    for (int32_t i = 0; i < set->count && bent && !s->failed; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        pass_value(s, &set->rest[set->type->bend_rest][slot], -INFINITY);
        pass_value(s, &set->bends[slot], 0.0f);
    }
    if (s->mode == PLI_STREAM_READ && bent)
        pli_constraints_mark_bends(set);
}

void pli_pass_creases(pli_stream *s, pli_world *world, pli_deformable_data *deformable)
{
    const bool bent = pli_pass_index(s, pli_deformable_is_creased(deformable), 0, 1) != 0;
    pli_pass_double(s, &deformable->plastic_work);
    if (s->mode == PLI_STREAM_CHECK && bent && !s->failed && !pli_deformable_reserve_creases(world, deformable))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ)
        pli_deformable_forget_creases(deformable);
    for (int32_t t = 0; bent && t < deformable->creases->count && !s->failed; t++) {
        for (int32_t k = 0; k < 9; k++)
            pass_value(s, &deformable->creases->offsets[9 * (size_t)t + (size_t)k], -INFINITY);
        pass_value(s, &deformable->creases->bends[t], 0.0f);
    }
}
