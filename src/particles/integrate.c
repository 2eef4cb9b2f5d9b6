// The passes of src/wide/motion.h over a deformable, on the world's threads.
#include "particles/integrate.h"

#include "model/model.h"
#include "model/parallel.h"
#include "particles/integrate_kernels.h"

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

static void run(pli_world *world, pli_deformable_data *deformable, float step, pli_motion_pass pass)
{
    pli_motion motion = motion_of(world, deformable, step);
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, pass, &motion);
}

void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step)
{
    run(world, deformable, step, world->kernels->motion->accelerate);
}

void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step)
{
    run(world, deformable, step, world->kernels->motion->predict);
}

void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step)
{
    run(world, deformable, step, world->kernels->motion->derive);
}
