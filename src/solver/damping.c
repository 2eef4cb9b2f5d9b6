// The motion of the whole: spared by damping, and given back to what flies free.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.5: the deviations of velocities from the
//   best rigid motion are reduced. Line (2) gives a velocity, printed as x_cm (docs/errata.md E15).
//
// Sums run in double over fixed chunks and are added in the chunks' order, so that they do not
// depend on threads. Held particles take no part.
#include "solver/body.h"

typedef struct damping_job {
    pli_body *body;
    pli_dvec3 centre, velocity, spin; // Of the motion to approach, or to add [m], [m/s], [1/s].
    float share;
} damping_job;

static pli_dvec3 wide_of(const pli_particle *p)
{
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

static double mass_of(const pli_particle *p)
{
    return p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
}

static void add_to(double *sums, pli_dvec3 v)
{
    sums[0] += v.x, sums[1] += v.y, sums[2] += v.z;
}

// Row: mass, m x, m v.
static void sum_linear(void *data, int32_t begin, int32_t end)
{
    const damping_job *job = data;
    double *row = job->body->sums + PLI_BODY_SUMS * (begin / PLI_PARTICLE_GRAIN);
    for (int32_t k = 0; k < PLI_BODY_SUMS; k++)
        row[k] = 0.0;
    for (int32_t i = begin; i < end; i++) {
        double mass = mass_of(&job->body->particles[i]);
        row[0] += mass;
        add_to(row + 1, pli_dscale(wide_of(&job->body->particles[i]), mass));
        add_to(row + 4, pli_dscale(wide_of(&job->body->velocities[i]), mass));
    }
}

// Row: angular momentum, then the inertia xx yy zz xy xz yz, about the centre.
static void sum_angular(void *data, int32_t begin, int32_t end)
{
    const damping_job *job = data;
    double *row = job->body->sums + PLI_BODY_SUMS * (begin / PLI_PARTICLE_GRAIN);
    for (int32_t k = 0; k < PLI_BODY_SUMS; k++)
        row[k] = 0.0;
    for (int32_t i = begin; i < end; i++) {
        double mass = mass_of(&job->body->particles[i]);
        pli_dvec3 r = pli_dsub(wide_of(&job->body->particles[i]), job->centre);
        add_to(row, pli_dscale(pli_dcross(r, wide_of(&job->body->velocities[i])), mass));
        row[3] += mass * (r.y * r.y + r.z * r.z);
        row[4] += mass * (r.x * r.x + r.z * r.z);
        row[5] += mass * (r.x * r.x + r.y * r.y);
        row[6] -= mass * r.x * r.y;
        row[7] -= mass * r.x * r.z;
        row[8] -= mass * r.y * r.z;
    }
}

static void gather(pli_world *world, damping_job *job, pli_range range, double *sums)
{
    int32_t count = job->body->count;
    pli_parallel(world, count, PLI_PARTICLE_GRAIN, range, job);
    for (int32_t k = 0; k < PLI_BODY_SUMS; k++)
        sums[k] = 0.0;
    for (int32_t chunk = 0; chunk * PLI_PARTICLE_GRAIN < count; chunk++)
        for (int32_t k = 0; k < PLI_BODY_SUMS; k++)
            sums[k] += job->body->sums[PLI_BODY_SUMS * chunk + k];
}

static void reduce(void *data, int32_t begin, int32_t end)
{
    const damping_job *job = data;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle *p = &job->body->particles[i];
        pli_particle *v = &job->body->velocities[i];
        if (p->w == 0.0f)
            continue;
        pli_dvec3 r = pli_dsub(wide_of(p), job->centre);
        pli_dvec3 whole = pli_dadd(job->velocity, pli_dcross(job->spin, r));
        v->x += job->share * (float)(whole.x - (double)v->x);
        v->y += job->share * (float)(whole.y - (double)v->y);
        v->z += job->share * (float)(whole.z - (double)v->z);
    }
}

pli_whole pli_body_measure_whole(pli_world *world, pli_body *body)
{
    damping_job job = {.body = body};
    double sums[PLI_BODY_SUMS];
    pli_whole whole = {0};
    gather(world, &job, sum_linear, sums);
    whole.mass = sums[0];
    if (!(whole.mass > 0.0))
        return whole;
    job.centre = whole.centre = pli_dscale(pli_dmake(sums + 1), 1.0 / whole.mass);
    whole.velocity = pli_dscale(pli_dmake(sums + 4), 1.0 / whole.mass);
    gather(world, &job, sum_angular, sums);
    whole.spin_momentum = pli_dmake(sums);
    for (int32_t k = 0; k < 6; k++)
        whole.inertia[k] = sums[3 + k];
    return whole;
}

void pli_body_damp(pli_world *world, pli_body *body, float share)
{
    pli_whole whole = pli_body_measure_whole(world, body);
    damping_job job = {body, whole.centre, whole.velocity, pli_solve_symmetric(whole.inertia, whole.spin_momentum), share};
    if (whole.mass > 0.0)
        pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, reduce, &job);
}

static void add_motion(void *data, int32_t begin, int32_t end)
{
    const damping_job *job = data;
    for (int32_t i = begin; i < end; i++) {
        pli_particle *v = &job->body->velocities[i];
        pli_dvec3 r = pli_dsub(wide_of(&job->body->particles[i]), job->centre);
        pli_dvec3 change = pli_dadd(job->velocity, pli_dcross(job->spin, r));
        if (job->body->particles[i].w == 0.0f)
            continue;
        v->x = (float)((double)v->x + change.x);
        v->y = (float)((double)v->y + change.y);
        v->z = (float)((double)v->z + change.z);
    }
}

void pli_body_add_motion(pli_world *world, pli_body *body, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin)
{
    damping_job job = {.body = body, .centre = centre, .velocity = velocity, .spin = spin};
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, add_motion, &job);
}

void pli_body_restore_whole(pli_world *world, pli_body *body, const pli_whole *wanted)
{
    pli_whole whole = pli_body_measure_whole(world, body);
    if (whole.mass > 0.0)
        pli_body_add_motion(world, body, whole.centre, pli_dsub(wanted->velocity, whole.velocity),
                            pli_solve_symmetric(whole.inertia, pli_dsub(wanted->spin_momentum, whole.spin_momentum)));
}
