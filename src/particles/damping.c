// The motion of the whole: spared by damping, and given back to what flies free.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.5: the deviations of velocities from the
//   best rigid motion are reduced. Line (2) gives a velocity, printed as x_cm (docs/errata.md E15).
//
// Sums run in double over fixed chunks, each in a fixed number of partial sums, and are added in the chunks' order, so that
// they depend neither on threads nor on the processor's width (src/wide/whole.h).
#include "particles/damping.h"

#include "model/model.h"
#include "model/parallel.h"
#include "particles/rigid_motion_kernels.h"

static pli_rigid_motion_sums motion_of(pli_deformable_data *deformable)
{
    return (pli_rigid_motion_sums){.particles = deformable->particles,
                                   .velocities = deformable->velocities,
                                   .sums = deformable->sums,
                                   .grain = PLI_PARTICLE_GRAIN};
}

static void gather(pli_world *world, pli_deformable_data *deformable, pli_rigid_motion_sums *motion, double *sums)
{
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->sum_up, motion);
    for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < deformable->count; chunk++)
        for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++)
            sums[k] += deformable->sums[PLI_WHOLE_SUMS * chunk + k];
}

// Of the particles about their centre at `from`, by what it is about the origin of the sums (Steiner's theorem).
static void bring_to_centre(const double *sums, pli_dvec3 from, pli_rigid_motion *whole)
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
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable)
{
    pli_rigid_motion_sums motion = motion_of(deformable);
    double sums[PLI_WHOLE_SUMS];
    pli_rigid_motion whole = {0};
    motion.centre = (pli_dvec3){(double)deformable->particles[0].x, (double)deformable->particles[0].y,
                                (double)deformable->particles[0].z};
    gather(world, deformable, &motion, sums);
    whole.mass = sums[PLI_WHOLE_MASS];
    if (!(whole.mass > 0.0))
        return whole;
    pli_dvec3 from = pli_dscale(pli_dmake(sums + PLI_WHOLE_PLACE), 1.0 / whole.mass);
    whole.centre = pli_dadd(motion.centre, from);
    whole.velocity = pli_dscale(pli_dmake(sums + PLI_WHOLE_MOMENTUM), 1.0 / whole.mass);
    bring_to_centre(sums, from, &whole);
    return whole;
}

pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share)
{
    pli_rigid_motion whole = pli_deformable_measure_rigid_motion(world, deformable);
    pli_rigid_motion_sums motion = motion_of(deformable);
    motion.centre = whole.centre;
    motion.velocity = whole.velocity;
    motion.spin = pli_solve_symmetric(whole.inertia, whole.spin_momentum);
    motion.share = share;
    if (whole.mass > 0.0)
        pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->approach, &motion);
    return whole;
}

void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin)
{
    pli_rigid_motion_sums motion = motion_of(deformable);
    motion.centre = centre, motion.velocity = velocity, motion.spin = spin;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->add, &motion);
}

void pli_deformable_restore_rigid_motion(pli_world *world, pli_deformable_data *deformable,
                                         const pli_rigid_motion *wanted)
{
    pli_rigid_motion whole = pli_deformable_measure_rigid_motion(world, deformable);
    if (whole.mass > 0.0)
        pli_deformable_add_motion(
            world, deformable, whole.centre, pli_dsub(wanted->velocity, whole.velocity),
            pli_solve_symmetric(whole.inertia, pli_dsub(wanted->spin_momentum, whole.spin_momentum)));
}
