#include "step/stuck.h"

#include "particles/held_back.h"
#include "particles/publish.h"

#include <stdio.h>
#include <string.h>

// Paths below this fraction of the fall under gravity, or below this mean speed [m/s], count as rest.
#define LEAST_SHARE 0.5f
#define LEAST_SPEED 1e-4f
// A warning names a deformable when more than one in this many of its particles is stuck.
enum { WARNED_PART = 50 };

bool pli_world_reserve_held_back(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count && world->collision.ccd.withheld.count > 0; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->stuck->seconds || deformable->idle || !deformable->surface)
            continue;
        deformable->stuck->seconds = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
        if (!deformable->stuck->seconds)
            return false;
    }
    return true;
}

// The position of a particle at the start of the step, which has not been published yet.
static pli_vec3 stuck_start_of(const pli_deformable_data *deformable, int32_t i, pli_vec3 shift)
{
    const pli_particle *p = deformable->order ? &deformable->view->particles[deformable->vertices[i]]
                                              : &deformable->view->good_particles[i];
    return pli_add(pli_position_of(p), shift);
}

static void note_deformable(pli_world *world, pli_deformable_data *deformable, float dt)
{
    const pli_ccd_state *ccd = &world->collision.ccd;
    const pli_dvec3 by = pli_dsub(world->origins.good, world->origin);
    const pli_vec3 shift = {(float)by.x, (float)by.y, (float)by.z};
    float step = dt / (float)world->substep_count;
    float least = dt * fmaxf(LEAST_SHARE * step * pli_length(world->settings.gravity), LEAST_SPEED);
    for (int32_t i = 0; i < deformable->count; i++) {
        float taken = deformable->first + i < ccd->withheld.count ? ccd->withheld.items[deformable->first + i] : 0.0f;
        bool back = taken > least;
        if (back) {
            pli_vec3 left = pli_sub(pli_position_of(&deformable->particles[i]), stuck_start_of(deformable, i, shift));
            back = taken * taken > pli_dot(left, left);
        }
        deformable->stuck->seconds[i] = back ? deformable->stuck->seconds[i] + dt : 0.0f;
    }
}

static void report_stuck(pli_world *world, const pli_deformable_data *deformable, int32_t count)
{
    const char *name = deformable->name && deformable->name[0] ? deformable->name : "a deformable";
    char line[400];
    snprintf(line, sizeof line,
             "%.80s is stuck: %d of its %d particles have been held back for more than %g s at %g s, %s; use more "
             "substeps or a smaller thickness, and leave room between moving and pinned objects",
             name, (int)count, (int)deformable->count, (double)PLI_STUCK_TIME, world->time,
             world->collision.work.shortened > 0
                 ? "since contact takes more work than work_budget allows"
                 : "since constraints or colliders would have moved surfaces through each other");
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
    world->reports.stuck = true;
}

static void finish_stuck(pli_world *world, float dt)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->stuck->seconds || deformable->idle)
            continue;
        note_deformable(world, deformable, dt);
        int32_t count = world->reports.stuck ? 0 : pli_deformable_stuck_count(deformable);
        if (count > deformable->count / WARNED_PART)
            report_stuck(world, deformable, count);
    }
}

/* ---- the feature -------------------------------------------------------------------------------- */

static void pass_stuck(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    pli_stuck *stuck = deformable->stuck;
    const bool reads = s->mode == PLI_STREAM_READ, checks = s->mode == PLI_STREAM_CHECK;
    const bool any = pli_pass_condition(s, !checks && !reads && pli_deformable_is_held_back(deformable));
    if (checks && any && !s->failed && !stuck->seconds)
        stuck->seconds = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
    if (checks && any && !stuck->seconds)
        s->failed = s->out_of_memory = true;
    if (reads && stuck->seconds)
        memset(stuck->seconds, 0, (size_t)deformable->capacity * sizeof *stuck->seconds);
    for (int32_t v = 0; v < count && any && !s->failed; v++)
        pli_pass_finite(s, &stuck->seconds[pli_place_of(deformable, v)], 0.0f);
}

static const pli_feature_array stuck_arrays[] = {
    {PLI_FEATURE_ARRAY(pli_stuck, seconds, 1), .inherited = true, .of_motion = true},
};

const pli_feature pli_feature_stuck = {
    .name = "held back",
    PLI_FEATURE_STATE(pli_stuck, stuck),
    PLI_FEATURE_ARRAYS(stuck_arrays),
    .finish = finish_stuck,
    .pass = pass_stuck,
};
