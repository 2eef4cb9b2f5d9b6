// The history of a deformable: particles/history.h. The store contains the positions at the start of the substep.
#include "particles/history.h"

#include "base/stream.h"
#include "model/parallel.h"
#include "particles/integrate.h"

#include <string.h>

// Beyond 1 + sqrt(2) the method is unstable, and a substep that is so much longer is hardly related to the previous one.
static const float longest_ratio = 2.0f;

static void release(pli_memory *memory, pli_deformable_data *deformable)
{
    pli_history *history = deformable->history;
    if (!history)
        return;
    void *arrays[] = {history->bases, history->earlier, history->good_starts, history->good_earlier};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release(memory, history);
    deformable->history = NULL;
}

static bool make_history(pli_memory *memory, pli_deformable_data *deformable)
{
    if (deformable->history && deformable->history->capacity == deformable->capacity)
        return true;
    release(memory, deformable);
    pli_history *history = deformable->history = PLI_ALLOCATE(memory, pli_history, 1);
    if (!history)
        return false;
    history->capacity = deformable->capacity;
    pli_particle **arrays[] = {&history->bases, &history->earlier, &history->good_starts, &history->good_earlier};
    bool complete = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = PLI_ALLOCATE(memory, pli_particle, (int64_t)deformable->capacity + 1);
        complete = complete && *arrays[i];
    }
    if (!complete)
        release(memory, deformable);
    return complete;
}

static void forget_history(pli_deformable_data *deformable)
{
    if (deformable->history)
        deformable->history->step = 0.0f;
}

static bool reserve_history(pli_world *world, pli_deformable_data *deformable)
{
    if (world->settings.integrator == PLI_INTEGRATOR_BDF2) {
        if (!make_history(&world->memory, deformable))
            return false;
        if (deformable->idle)
            forget_history(deformable);
        return true;
    }
    release(&world->memory, deformable);
    return true;
}

static void copy(pli_particle *to, const pli_particle *from, int32_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static void save_history(pli_world *world, pli_deformable_data *deformable)
{
    (void)world;
    pli_history *history = deformable->history;
    if (!history || deformable->idle)
        return;
    history->good_step = history->step;
    copy(history->good_starts, deformable->previous, deformable->count);
    copy(history->good_earlier, history->earlier, deformable->count);
}

static void restore_history(pli_deformable_data *deformable)
{
    pli_history *history = deformable->history;
    if (!history || deformable->idle)
        return;
    history->step = history->good_step;
    copy(deformable->previous, history->good_starts, deformable->count);
    copy(history->earlier, history->good_earlier, deformable->count);
}

void pli_deformable_recall(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_history *history = deformable->history;
    if (!history)
        return;
    double ratio = history->step > 0.0f ? (double)step / (double)history->step : 0.0;
    ratio = ratio <= (double)longest_ratio ? ratio : 0.0;
    history->weight = (float)(ratio * ratio / (1.0 + 2.0 * ratio));
    history->own_step = (float)((double)step * (1.0 + ratio) / (1.0 + 2.0 * ratio));
    history->span = step;
    pli_deformable_extrapolate(world, deformable, step);
}

void pli_deformable_remember(pli_deformable_data *deformable, float step)
{
    if (deformable->history)
        deformable->history->step = deformable->during.moved_between ? 0.0f : step;
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void destroy_history(pli_world *world, pli_deformable_data *deformable) { release(&world->memory, deformable); }

// The length of the last substep; 0 means that the history restarts. The check allocates memory for what follows.
static float pass_step(pli_stream *s, float step)
{
    const pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pli_pass_finite(s, &step, 0.0f);
    s->mode = mode;
    return s->failed ? 0.0f : step;
}

static void pass_history(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    const float step = pass_step(s, deformable->history ? deformable->history->step : 0.0f);
    if (s->mode == PLI_STREAM_CHECK && step > 0.0f && !make_history(&world->memory, deformable))
        s->failed = s->out_of_memory = true;
    if (s->mode == PLI_STREAM_READ && deformable->history)
        deformable->history->step = step;
    for (int32_t v = 0; v < count && step > 0.0f && !s->failed; v++) {
        const int32_t i = pli_place_of(deformable, v);
        pli_pass_particle(s, &deformable->previous[i]);
        pli_pass_particle(s, &deformable->history->earlier[i]);
    }
}

const pli_feature pli_feature_history = {
    .name = "time history",
    .at = offsetof(pli_deformable_data, history),
    .destroy = destroy_history,
    .reserve = reserve_history,
    .save = save_history,
    .restore = restore_history,
    .jump = forget_history,
    .pass = pass_history,
};
