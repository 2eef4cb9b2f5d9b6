// Velocity damping that spares the rigid motion of a deformable.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.5: damping reduces the deviation of each velocity from
//   the rigid motion of best fit. Line (2) of the paper computes a velocity, though it is printed as x_cm
//   (docs/errata.md E15).
//
// Mass, momentum and inertia are summed in double over fixed chunks of particles, each chunk in a fixed number of
// partial sums, and the chunks are added in order. So the result depends neither on the number of threads nor on the
// SIMD width (particles/rigid_motion_kernels.h).
#include "particles/damping.h"

#include "model/model.h"
#include "model/parallel.h"
#include "particles/rigid_motion_kernels.h"

// From the series of a small part of the exponent by 1 - exp(-2 y) = m (2 - m), m = 1 - exp(-y), so that it has the same bits
// everywhere, which library functions do not promise.
float pli_damping_share(const pli_world *world, float time)
{
    enum { HALVINGS = 10, TERMS = 8 };
    double exponent = (double)world->settings.damping * (double)time;
    if (exponent > 64.0)
        return 1.0f;
    exponent /= 1 << HALVINGS;
    double share = 0.0;
    for (int32_t k = TERMS; k > 0; k--)
        share = exponent / k * (1.0 - share);
    for (int32_t k = 0; k < HALVINGS; k++)
        share = share * (2.0 - share);
    return (float)share;
}

static pli_rigid_motion_sums motion_of(pli_deformable_data *deformable)
{
    return (pli_rigid_motion_sums){.particles = deformable->particles,
                                   .velocities = deformable->velocities,
                                   .sums = deformable->sums,
                                   .grain = PLI_PARTICLE_GRAIN};
}

static void sum_chunks(pli_world *world, pli_deformable_data *deformable, pli_rigid_motion_sums *motion, double *sums)
{
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->sum_up, motion);
    for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < deformable->count; chunk++)
        for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
            sums[k] += deformable->sums[PLI_MOTION_SUM_COUNT * chunk + k];
}

// Shifts the second moments and the angular momentum from the origin of the sums to the centre of mass, which lies at
// `from` relative to that origin (Steiner's theorem).
static void shift_to_centre(const double *sums, pli_dvec3 from, pli_rigid_motion *rigid)
{
    double m = rigid->mass, yz = m * from.y * from.z - sums[PLI_MOTION_SUM_PRODUCTS];
    double zx = m * from.z * from.x - sums[PLI_MOTION_SUM_PRODUCTS + 1],
           xy = m * from.x * from.y - sums[PLI_MOTION_SUM_PRODUCTS + 2];
    double xx = sums[PLI_MOTION_SUM_SQUARES] - m * from.x * from.x,
           yy = sums[PLI_MOTION_SUM_SQUARES + 1] - m * from.y * from.y;
    double zz = sums[PLI_MOTION_SUM_SQUARES + 2] - m * from.z * from.z;
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, xy, zx, yz};
    for (int32_t k = 0; k < 6; k++)
        rigid->inertia[k] = inertia[k];
    rigid->spin_momentum = pli_dsub(pli_dmake(sums + PLI_MOTION_SUM_ANGULAR),
                                    pli_dcross(from, pli_dmake(sums + PLI_MOTION_SUM_MOMENTUM)));
}

// Takes the first particle as the origin of the sums, so that little cancels however far the deformable is from the
// origin of the world.
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable)
{
    pli_rigid_motion_sums motion = motion_of(deformable);
    double sums[PLI_MOTION_SUM_COUNT];
    pli_rigid_motion rigid = {0};
    motion.centre = (pli_dvec3){(double)deformable->particles[0].x, (double)deformable->particles[0].y,
                                (double)deformable->particles[0].z};
    sum_chunks(world, deformable, &motion, sums);
    rigid.mass = sums[PLI_MOTION_SUM_MASS];
    if (!(rigid.mass > 0.0))
        return rigid;
    pli_dvec3 from = pli_dscale(pli_dmake(sums + PLI_MOTION_SUM_POSITION), 1.0 / rigid.mass);
    rigid.centre = pli_dadd(motion.centre, from);
    rigid.velocity = pli_dscale(pli_dmake(sums + PLI_MOTION_SUM_MOMENTUM), 1.0 / rigid.mass);
    shift_to_centre(sums, from, &rigid);
    return rigid;
}

pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share)
{
    pli_rigid_motion rigid = pli_deformable_measure_rigid_motion(world, deformable);
    pli_rigid_motion_sums motion = motion_of(deformable);
    motion.centre = rigid.centre;
    motion.velocity = rigid.velocity;
    motion.spin = pli_solve_symmetric(rigid.inertia, rigid.spin_momentum);
    motion.share = share;
    if (rigid.mass > 0.0)
        pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->approach, &motion);
    return rigid;
}

void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin)
{
    pli_rigid_motion_sums motion = motion_of(deformable);
    motion.centre = centre, motion.velocity = velocity, motion.spin = spin;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->add, &motion);
}
