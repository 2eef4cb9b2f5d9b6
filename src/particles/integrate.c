// Time integration of one deformable on the world's threads: forces, prediction and velocities, in chunks of particles.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 5, 7 and 12 to 15. The arithmetic is in
//   particles/integrate_kernels.c.
#include "particles/integrate.h"

#include "model/model.h"
#include "model/parallel.h"
#include "particles/integrate_kernels.h"

// Arguments of the kernels for a substep of `step` seconds.
static pli_motion motion_of(const pli_world *world, pli_deformable_data *deformable, float step)
{
    return (pli_motion){
        .particles = deformable->particles,
        .previous = deformable->previous,
        .velocities = deformable->velocities,
        .forces = deformable->forced ? deformable->forces : NULL,
        .change = pli_scale(world->settings.gravity, step),
        .step = step,
        .speed_limit = world->settings.speed_limit,
    };
}

static void run_pass(pli_world *world, pli_deformable_data *deformable, float step, pli_motion_pass pass)
{
    pli_motion motion = motion_of(world, deformable, step);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, pass, &motion);
}

void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step)
{
    run_pass(world, deformable, step, world->kernels->motion->accelerate);
}

void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step)
{
    run_pass(world, deformable, step, world->kernels->motion->predict);
}

void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step)
{
    run_pass(world, deformable, step, world->kernels->motion->derive);
}
