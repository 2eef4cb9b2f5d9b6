// Velocity damping that leaves the rigid motion of free pieces unchanged.
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
#include "particles/ghost_motion.h"
#include "particles/rigid_motion_kernels.h"

#include <string.h>

// Computed from the series of a small part of the exponent by 1 - exp(-2 y) = m (2 - m), m = 1 - exp(-y), so that the result is
// bit-identical on all machines, which library functions do not guarantee.
double pli_decay_fraction(double rate, double seconds)
{
    enum { HALVINGS = 10, TERMS = 8 };
    double exponent = rate * seconds;
    if (exponent > 64.0)
        return 1.0;
    exponent /= 1 << HALVINGS;
    double share = 0.0;
    for (int32_t k = TERMS; k > 0; k--)
        share = exponent / k * (1.0 - share);
    for (int32_t k = 0; k < HALVINGS; k++)
        share = share * (2.0 - share);
    return share;
}

static pli_rigid_motion_sums damped_motion_of(pli_deformable_data *deformable)
{
    return (pli_rigid_motion_sums){.particles = deformable->particles,
                                   .velocities = deformable->velocities,
                                   .sums = deformable->momentum->sums,
                                   .grain = PLI_PARTICLE_GRAIN};
}

static void sum_chunks(pli_world *world, pli_deformable_data *deformable, pli_rigid_motion_sums *motion, double *sums)
{
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->sum_up, motion);
    for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < deformable->count; chunk++)
        for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
            sums[k] += deformable->momentum->sums[PLI_MOTION_SUM_COUNT * chunk + k];
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

// Uses the first particle as the origin of the sums, so that cancellation stays small however far the deformable is from the world's
// origin.
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable)
{
    pli_rigid_motion_sums motion = damped_motion_of(deformable);
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

/* ---- pins ------------------------------------------------------------------------- */

// Fraction of the sum of the pins' moments of inertia that is added to each: collinear pins, or a single pin, show no spin about their
// line.
static const double least_moment = 1e-6;

static pli_dvec3 position_of(const pli_particle *p) { return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z}; }

static void add_pin(const pli_deformable_data *deformable, int32_t particle, pli_dvec3 velocity)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    pli_pins *pins = &pieces->pins[pieces->piece_of ? pieces->piece_of[particle] : 0];
    pli_dvec3 place = position_of(&deformable->particles[particle]);
    pins->count++;
    pins->place = pli_dadd(pins->place, place);
    pins->velocity = pli_dadd(pins->velocity, velocity);
    pins->angular = pli_dadd(pins->angular, pli_dcross(place, velocity));
    pli_add_point_inertia(pins->inertia, 1.0, place);
}

// Adds a soft attachment to a frame of the application, which moves to its next pose within `seconds`.
static void add_frame(const pli_attachment_data *attachment, double seconds)
{
    for (int32_t i = 0; i < attachment->count; i++) {
        pli_vec3 from = pli_transform_point(attachment->pose, attachment->locals[i]),
                 to = pli_transform_point(attachment->next, attachment->locals[i]);
        add_pin(attachment->deformable, attachment->particles[i],
                pli_dscale(pli_widened(pli_sub(to, from)), 1.0 / seconds));
    }
}

// A rigid body that impulses cannot move carries cloth as the world does.
static void add_carrier(const pli_attachment_data *attachment)
{
    const pli_rigid_body_data *rigid = attachment->rigid;
    if (rigid->inverse_mass > 0.0 && !rigid->approaching)
        return;
    for (int32_t i = 0; i < attachment->count; i++) {
        int32_t particle = attachment->particles[i];
        pli_dvec3 arm = pli_dsub(position_of(&attachment->deformable->particles[particle]), rigid->now.pose.centre);
        add_pin(attachment->deformable, particle, pli_dadd(rigid->now.velocity, pli_dcross(rigid->now.spin, arm)));
    }
}

// Whether anything pins the deformable; sums up the pins of each piece.
static bool find_pins(const pli_deformable_data *deformable, double seconds)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    if (!pieces || !deformable->first_set)
        return false;
    memset(pieces->pins, 0, (size_t)pieces->count * sizeof *pieces->pins);
    for (int32_t k = 0; k < pieces->pin_count; k++) {
        const int32_t particle = pieces->pivots[k];
        bool fixed = deformable->particles[particle].w == 0.0f;
        add_pin(deformable, particle,
                fixed ? position_of(&deformable->velocities[particle]) : (pli_dvec3){0.0, 0.0, 0.0});
    }
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment) {
        if (a->set && !a->of_hand)
            add_frame(a, seconds);
        else if (a->rigid)
            add_carrier(a);
    }
    for (int32_t i = 0; i < pieces->count - (pieces->members != NULL); i++)
        if (pieces->pins[i].count > 0)
            return true;
    return false;
}

static void shift_pins(const pli_pins *pins, pli_rigid_motion *rigid)
{
    double count = (double)pins->count, trace = 0.0;
    pli_dvec3 c = rigid->centre = pli_dscale(pins->place, 1.0 / count);
    rigid->velocity = pli_dscale(pins->velocity, 1.0 / count);
    rigid->spin_momentum = pli_dsub(pins->angular, pli_dcross(c, pins->velocity));
    memcpy(rigid->inertia, pins->inertia, sizeof rigid->inertia);
    pli_add_point_inertia(rigid->inertia, -count, c);
    for (int32_t k = 0; k < 3; k++)
        trace += rigid->inertia[k];
    for (int32_t k = 0; k < 3; k++)
        rigid->inertia[k] += least_moment * trace;
}

/* ---- damping -------------------------------------------------------------------------------------- */

static void set_target(pli_rigid_motion_sums *motion, const pli_rigid_motion *rigid)
{
    motion->centre = rigid->centre;
    motion->velocity = rigid->velocity;
    motion->spin = pli_solve_symmetric(rigid->inertia, rigid->spin_momentum);
}

// The rigid motion of a piece without pins.
static pli_rigid_motion motion_of_piece(const pli_deformable_data *deformable, const int32_t *members, int32_t count)
{
    pli_rigid_motion rigid = {0};
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < count; i++) {
            const pli_particle *p = &deformable->particles[members[i]];
            double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
            pli_dvec3 v = position_of(&deformable->velocities[members[i]]), r = pli_dsub(position_of(p), rigid.centre);
            if (pass == 0) {
                rigid.mass += mass;
                rigid.spin_momentum = pli_dadd(rigid.spin_momentum, pli_dscale(r, mass));
                rigid.velocity = pli_dadd(rigid.velocity, pli_dscale(v, mass));
                continue;
            }
            rigid.spin_momentum = pli_dadd(rigid.spin_momentum,
                                           pli_dscale(pli_dcross(r, pli_dsub(v, rigid.velocity)), mass));
            pli_add_point_inertia(rigid.inertia, mass, r);
        }
        if (pass > 0 || !(rigid.mass > 0.0))
            break;
        rigid.centre = pli_dscale(rigid.spin_momentum, 1.0 / rigid.mass);
        rigid.velocity = pli_dscale(rigid.velocity, 1.0 / rigid.mass);
        rigid.spin_momentum = (pli_dvec3){0.0, 0.0, 0.0};
    }
    return rigid;
}

// Damps each piece separately: a torn-off piece keeps moving while the rest comes to rest. Loose particles are the last piece.
static void damp_pieces(pli_deformable_data *deformable, float share)
{
    const pli_pieces *pieces = deformable->momentum->pieces;
    for (int32_t k = 0; k < pieces->count - 1; k++) {
        const pli_ghost_chunk *chunks = pieces->chunks + pieces->items[k].first_chunk;
        const int32_t *members = pieces->members + chunks[0].begin,
                      count = chunks[pieces->items[k].chunk_count - 1].end - chunks[0].begin;
        pli_rigid_motion rigid = {0};
        pli_rigid_motion_sums motion;
        if (pieces->pins[k].count > 0)
            shift_pins(&pieces->pins[k], &rigid);
        else
            rigid = motion_of_piece(deformable, members, count);
        set_target(&motion, &rigid);
        for (int32_t i = 0; i < count; i++) {
            const pli_particle *p = &deformable->particles[members[i]];
            pli_particle *v = &deformable->velocities[members[i]];
            pli_dvec3 to = pli_dadd(motion.velocity, pli_dcross(motion.spin, pli_dsub(position_of(p), motion.centre)));
            if (!(p->w > 0.0f))
                continue;
            v->x += share * (float)(to.x - (double)v->x);
            v->y += share * (float)(to.y - (double)v->y);
            v->z += share * (float)(to.z - (double)v->z);
        }
    }
}

static void approach(pli_world *world, pli_deformable_data *deformable, const pli_rigid_motion *rigid, float share)
{
    pli_rigid_motion_sums motion = damped_motion_of(deformable);
    set_target(&motion, rigid);
    motion.share = share;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->approach, &motion);
}

bool pli_deformable_damp_pinned(pli_world *world, pli_deformable_data *deformable, float share, double seconds)
{
    if (!find_pins(deformable, seconds))
        return false;
    if (deformable->momentum->pieces->members) {
        damp_pieces(deformable, share);
        return true;
    }
    pli_rigid_motion rigid = {0};
    shift_pins(&deformable->momentum->pieces->pins[0], &rigid);
    approach(world, deformable, &rigid, share);
    return true;
}

pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share)
{
    pli_rigid_motion rigid = pli_deformable_measure_rigid_motion(world, deformable);
    if (rigid.mass > 0.0)
        approach(world, deformable, &rigid, share);
    return rigid;
}

void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin)
{
    pli_rigid_motion_sums motion = damped_motion_of(deformable);
    motion.centre = centre, motion.velocity = velocity, motion.spin = spin;
    pli_parallel(world, deformable->count, PLI_PARTICLE_GRAIN, world->kernels->whole->add, &motion);
}
