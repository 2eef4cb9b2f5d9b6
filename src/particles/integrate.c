// Time integration of one deformable on the world's threads: forces, prediction and velocities, in chunks of particles.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 5, 7 and 12 to 15. The arithmetic is in
//   particles/integrate_kernels.c.
#include "particles/integrate.h"

#include "model/model.h"
#include "model/parallel.h"
#include "particles/ghost_motion.h"
#include "particles/history.h"
#include "particles/integrate_kernels.h"
#include "particles/momentum.h"

#include <math.h>

float pli_deformable_speed_limit(const pli_world *world, const pli_deformable_data *deformable)
{
    return fminf(world->settings.speed_limit, deformable->def.speed_limit);
}

// Arguments of the kernels for a substep of `step` seconds.
static pli_motion integrate_motion_of(const pli_world *world, pli_deformable_data *deformable, float step)
{
    return (pli_motion){
        .particles = deformable->particles,
        .previous = deformable->previous,
        .velocities = deformable->velocities,
        .lost = deformable->lost,
        .forces = deformable->painted.forced ? deformable->vertex.force : NULL,
        .gravity = deformable->vertex.gravity,
        .change = pli_scale(world->settings.gravity, step),
        .step = step,
        .speed_limit = pli_deformable_speed_limit(world, deformable),
        .moving_span = step,
        .fixed_span = step,
    };
}

static void run_pass(pli_world *world, pli_deformable_data *deformable, float step, pli_motion_pass pass)
{
    pli_motion motion = integrate_motion_of(world, deformable, step);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, pass, &motion);
}

void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step)
{
    run_pass(world, deformable, step, world->kernels->motion->accelerate);
}

// Half a unit in the last place of a position at 1 m, divided by the squared
// substep, is 1 % of gravity in substeps of 1/1500 s, which matters where forces are read, and 22 % in substeps of 1/6000 s, where soft
// constraints come to rest in the wrong place. Keeping it makes sweeps 50 % more expensive.
bool pli_deformable_keeps_losses(const pli_deformable_data *deformable, float step)
{
    bool is_read = false;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        is_read = is_read || set->mean[0];
    return step < 1.0f / (is_read ? 1500.0f : 6000.0f);
}

static void keep_losses(pli_world *world, pli_deformable_data *deformable, float step)
{
    deformable->lost = pli_deformable_keeps_losses(deformable, step) ? world->store.lost + deformable->first : NULL;
}

bool pli_deformable_falls(const pli_world *world, const pli_deformable_data *deformable)
{
    return !deformable->painted.forced && !deformable->vertex.gravity && !deformable->triangle.pressure &&
           !(pli_deformable_speed_limit(world, deformable) < INFINITY);
}

void pli_deformable_fall(pli_world *world, pli_deformable_data *deformable, float step, pli_push push)
{
    keep_losses(world, deformable, step);
    pli_motion motion = integrate_motion_of(world, deformable, step);
    motion.pushes = push.moves, motion.share = push.share;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->motion->fall, &motion);
}

void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step, pli_push push)
{
    const pli_motion_kernels *kernels = world->kernels->motion;
    keep_losses(world, deformable, step);
    pli_motion motion = integrate_motion_of(world, deformable, step);
    motion.bases = deformable->history ? deformable->history->bases : NULL;
    motion.pushes = push.moves, motion.share = push.share;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN,
                 deformable->history ? kernels->predict_from_bases : kernels->predict, &motion);
}

void pli_deformable_extrapolate(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_motion motion = integrate_motion_of(world, deformable, step);
    motion.bases = deformable->history->bases, motion.earlier = deformable->history->earlier;
    motion.weight = deformable->history->weight;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->motion->extrapolate, &motion);
}

void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step)
{
    pli_motion motion = integrate_motion_of(world, deformable, step);
    motion.previous = pli_deformable_bases(deformable);
    if (deformable->during.moved_between && deformable->momentum->pieces && deformable->momentum->pieces->kept_shifts)
        motion.lost = world->store.lost + deformable->first;
    if (deformable->history) {
        motion.fixed_span = deformable->history->span;
        motion.moving_span = deformable->during.moved_between ? deformable->history->span : step;
    }
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->motion->derive, &motion);
}

void pli_deformable_drop_forces(pli_deformable_data *deformable)
{
    for (int32_t k = 0; deformable->painted.forced && k < 3 * deformable->count; k++)
        deformable->vertex.force[k] = 0.0f;
    deformable->painted.forced = false;
}
