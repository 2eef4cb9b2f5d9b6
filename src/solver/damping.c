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
    return (pli_whole_motion){
        .particles = body->particles, .velocities = body->velocities, .sums = body->sums, .grain = PLI_PARTICLE_GRAIN};
}

static void gather(pli_world *world, pli_body *body, pli_whole_motion *motion, double *sums)
{
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->whole->sum_up, motion);
    for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < body->count; chunk++)
        for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
            sums[k] += body->sums[PLI_WHOLE_SUMS * chunk + k];
}

// Of the particles about their centre at `from`, by what it is about the origin of the sums (Steiner's theorem).
static void bring_to_centre(const double *sums, pli_dvec3 from, pli_whole *whole)
{
    double m = whole->mass, yz = m * from.y * from.z - sums[PLI_WHOLE_PRODUCTS];
    double zx = m * from.z * from.x - sums[PLI_WHOLE_PRODUCTS + 1],
           xy = m * from.x * from.y - sums[PLI_WHOLE_PRODUCTS + 2];
    double xx = sums[PLI_WHOLE_SQUARES] - m * from.x * from.x, yy = sums[PLI_WHOLE_SQUARES + 1] - m * from.y * from.y;
    double zz = sums[PLI_WHOLE_SQUARES + 2] - m * from.z * from.z;
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, xy, zx, yz};
    for (int32_t k = 0; k < 6; k++)
        whole->inertia[k] = inertia[k];
    whole->spin_momentum = pli_dsub(pli_dmake(sums + PLI_WHOLE_SPIN),
                                    pli_dcross(from, pli_dmake(sums + PLI_WHOLE_MOMENTUM)));
}

// About a particle, so that little cancels however far from the origin of the world it is.
pli_whole pli_body_measure_whole(pli_world *world, pli_body *body)
{
    pli_whole_motion motion = motion_of(body);
    double sums[PLI_WHOLE_SUMS];
    pli_whole whole = {0};
    motion.centre = (pli_dvec3){(double)body->particles[0].x, (double)body->particles[0].y,
                                (double)body->particles[0].z};
    gather(world, body, &motion, sums);
    whole.mass = sums[PLI_WHOLE_MASS];
    if (!(whole.mass > 0.0))
        return whole;
    pli_dvec3 from = pli_dscale(pli_dmake(sums + PLI_WHOLE_PLACE), 1.0 / whole.mass);
    whole.centre = pli_dadd(motion.centre, from);
    whole.velocity = pli_dscale(pli_dmake(sums + PLI_WHOLE_MOMENTUM), 1.0 / whole.mass);
    bring_to_centre(sums, from, &whole);
    return whole;
}

pli_whole pli_body_damp(pli_world *world, pli_body *body, float share)
{
    pli_whole whole = pli_body_measure_whole(world, body);
    pli_whole_motion motion = motion_of(body);
    motion.centre = whole.centre;
    motion.velocity = whole.velocity;
    motion.spin = pli_solve_symmetric(whole.inertia, whole.spin_momentum);
    motion.share = share;
    if (whole.mass > 0.0)
        pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, world->kernels->whole->approach, &motion);
    return whole;
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
