// The motion of the whole: spared by damping, and given back to what flies free.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.5: the deviations of velocities from the
//   best rigid motion are reduced. Line (2) gives a velocity, printed as x_cm (docs/errata.md E15).
//
// Sums run in double over fixed chunks, each in a fixed number of partial sums, and are added in the chunks' order, so that
// they depend neither on threads nor on the processor's width (src/wide/whole.h).
#include "solver/body.h"

static pli_whole_motion motion_of(pli_body *body)
{
    return (pli_whole_motion){.particles = body->particles, .velocities = body->velocities, .sums = body->sums,
                              .grain = PLI_PARTICLE_GRAIN};
}

static void gather(pli_world *world, pli_body *body, pli_whole_motion *motion, pli_whole_pass pass, double *sums)
{
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, pass, motion);
    for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < body->count; chunk++)
        for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
            sums[k] += body->sums[PLI_WHOLE_SUMS * chunk + k];
}

pli_whole pli_body_measure_whole(pli_world *world, pli_body *body)
{
    pli_whole_motion motion = motion_of(body);
    double sums[PLI_WHOLE_SUMS];
    pli_whole whole = {0};
    gather(world, body, &motion, world->kernels->whole->linear, sums);
    whole.mass = sums[0];
    if (!(whole.mass > 0.0))
        return whole;
    motion.centre = whole.centre = pli_dscale(pli_dmake(sums + 1), 1.0 / whole.mass);
    whole.velocity = pli_dscale(pli_dmake(sums + 4), 1.0 / whole.mass);
    gather(world, body, &motion, world->kernels->whole->angular, sums);
    whole.spin_momentum = pli_dmake(sums);
    for (int32_t k = 0; k < 6; k++)
        whole.inertia[k] = sums[3 + k];
    return whole;
}

void pli_body_damp(pli_world *world, pli_body *body, float share)
{
    pli_whole whole = pli_body_measure_whole(world, body);
    pli_whole_motion motion = motion_of(body);
    motion.centre = whole.centre;
    motion.velocity = whole.velocity;
    motion.spin = pli_solve_symmetric(whole.inertia, whole.spin_momentum);
    motion.share = share;
    if (whole.mass > 0.0)
        pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->whole->approach, &motion);
}

void pli_body_add_motion(pli_world *world, pli_body *body, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin)
{
    pli_whole_motion motion = motion_of(body);
    motion.centre = centre, motion.velocity = velocity, motion.spin = spin;
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->whole->add, &motion);
}

void pli_body_restore_whole(pli_world *world, pli_body *body, const pli_whole *wanted)
{
    pli_whole whole = pli_body_measure_whole(world, body);
    if (whole.mass > 0.0)
        pli_body_add_motion(world, body, whole.centre, pli_dsub(wanted->velocity, whole.velocity),
                            pli_solve_symmetric(whole.inertia, pli_dsub(wanted->spin_momentum, whole.spin_momentum)));
}
