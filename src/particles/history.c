// The history of a deformable: particles/history.h. The store contains the positions at the start of the substep.
#include "particles/history.h"

#include "model/parallel.h"
#include "particles/integrate.h"

#include <string.h>

// Beyond 1 + sqrt(2) the method is unstable, and a substep that is so much longer is hardly related to the previous one.
static const float longest_ratio = 2.0f;

void pli_history_free(pli_memory *memory, pli_deformable_data *deformable)
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

bool pli_history_make(pli_memory *memory, pli_deformable_data *deformable)
{
    if (deformable->history && deformable->history->capacity == deformable->capacity)
        return true;
    pli_history_free(memory, deformable);
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
        pli_history_free(memory, deformable);
    return complete;
}

bool pli_deformable_reserve_history(pli_world *world, pli_deformable_data *deformable)
{
    if (world->settings.integrator == PLI_INTEGRATOR_BDF2)
        return pli_history_make(&world->memory, deformable);
    pli_history_free(&world->memory, deformable);
    return true;
}

void pli_deformable_forget_history(pli_deformable_data *deformable)
{
    if (deformable->history)
        deformable->history->step = 0.0f;
}

static void copy(pli_particle *to, const pli_particle *from, int32_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

void pli_history_save(pli_deformable_data *deformable)
{
    pli_history *history = deformable->history;
    if (!history)
        return;
    history->good_step = history->step;
    copy(history->good_starts, deformable->previous, deformable->count);
    copy(history->good_earlier, history->earlier, deformable->count);
}

void pli_history_restore(pli_deformable_data *deformable)
{
    pli_history *history = deformable->history;
    if (!history)
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
        deformable->history->step = deformable->moved_between ? 0.0f : step;
}
