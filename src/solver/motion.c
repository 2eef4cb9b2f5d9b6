// The passes of src/wide/motion.h over a deformable, on the world's threads.
#include "solver/body.h"

static pli_motion motion_of(const pli_world *world, pli_body *body, float step)
{
    return (pli_motion){
        .particles = body->particles,
        .previous = body->previous,
        .velocities = body->velocities,
        .forces = body->forced ? body->forces : NULL,
        .change = pli_scale(world->settings.gravity, step),
        .step = step,
        .speed_limit = world->settings.speed_limit,
    };
}

static void run(pli_world *world, pli_body *body, float step, pli_motion_pass pass)
{
    pli_motion motion = motion_of(world, body, step);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, pass, &motion);
}

void pli_body_accelerate(pli_world *world, pli_body *body, float step)
{
    run(world, body, step, world->kernels->motion->accelerate);
}

void pli_body_predict(pli_world *world, pli_body *body, float step)
{
    run(world, body, step, world->kernels->motion->predict);
}

void pli_body_derive_velocities(pli_world *world, pli_body *body, float step)
{
    run(world, body, step, world->kernels->motion->derive);
}
