// SIMD kernels of particle-shape contact, except the search (shapes/contact_kernel.h): particles of a block as a
// structure of arrays, projection, and the velocity pass.
#include "collision/shape_contact/shape_kernels.h"

/* ---- particles of a block ------------------------------------------------------------------- */

static pli_particle shape_lowest(quads all)
{
    pli_particle from[QUADS], p;
    quads_store(from, all);
    p = from[0];
    for (int32_t k = 1; k < QUADS; k++)
        p = (pli_particle){from[k].x < p.x ? from[k].x : p.x, from[k].y < p.y ? from[k].y : p.y,
                           from[k].z < p.z ? from[k].z : p.z, from[k].w < p.w ? from[k].w : p.w};
    return p;
}

static pli_particle shape_highest(quads all)
{
    quads zero = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    pli_particle p = shape_lowest(quads_subtract(zero, all));
    return (pli_particle){-p.x, -p.y, -p.z, -p.w};
}

// NaN leaves the bounds unchanged for every SIMD width.
static void bound(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_bounds *bounds)
{
    pli_particle after[QUADS], before[QUADS];
    quads low = quads_set(INFINITY, INFINITY, INFINITY, INFINITY);
    quads high = quads_set(-INFINITY, -INFINITY, -INFINITY, -INFINITY), trajectory = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    for (int32_t i = begin; i < end; i += QUADS) {
        const pli_particle *to = job->particles + i, *from = job->previous + i;
        // An incomplete register reads a copy, padded with the last particle.
        for (int32_t k = 0; end - i < QUADS && k < QUADS; k++) {
            int32_t at = i + k < end ? i + k : end - 1;
            after[k] = job->particles[at], before[k] = job->previous[at];
            to = after, from = before;
        }
        quads p = quads_load(to), q = quads_load(from);
        low = quads_min(quads_min(p, q), low);
        high = quads_max(high, quads_max(p, q));
        trajectory = quads_max(trajectory, quads_max(quads_subtract(p, q), quads_subtract(q, p)));
    }
    *bounds = (pli_smooth_bounds){shape_lowest(low), shape_highest(high), shape_highest(trajectory)};
}

static void gather_block(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_block *block)
{
    block->first = begin;
    block->count = (end - begin + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    for (int32_t i = 0; i < block->count; i += WIDE) {
        pli_particle after[WIDE], before[WIDE];
        const pli_particle *to = job->particles + begin + i, *from = job->previous + begin + i;
        int32_t left = end - begin - i;
        if (left < WIDE) {
            for (int32_t k = 0; k < WIDE; k++) {
                after[k] = k < left ? to[k] : (pli_particle){0};
                before[k] = k < left ? from[k] : (pli_particle){0};
            }
            to = after, from = before;
        }
        wide_particle p = wide_load_row(to);
        pli_lanes_store(block->before[0], PLI_SMOOTH_BLOCK, i, wide_load_row(from).x);
        pli_lanes_store(block->after[0], PLI_SMOOTH_BLOCK, i, p.x);
        wide_store(block->w + i, p.w);
    }
}

/* ---- projecting ----------------------------------------------------------------------------- */

// The particles of a group in place, or a padded copy at the end of the store.
static pli_particle *group_particles(pli_particle *particles, int32_t count, const pli_contact_group *group,
                                     pli_particle *copy)
{
    if (group->first + PLI_BATCH <= count)
        return particles + group->first;
    for (int32_t k = 0; k < PLI_BATCH; k++)
        copy[k] = group->first + k < count ? particles[group->first + k] : (pli_particle){0};
    return copy;
}

static void write_back(pli_particle *particles, int32_t count, const pli_contact_group *group, const pli_particle *from)
{
    for (int32_t k = 0; from != particles + group->first && group->first + k < count; k++)
        particles[group->first + k] = from[k];
}

static inline void shape_project_lanes(pli_particle *particles, pli_contact_group *group, int32_t k)
{
    wide3 normal = pli_lanes_load(group->normal[0], PLI_BATCH, k);
    wide_particle p = wide_load_row(particles + k);
    wide depth = wide_load(group->offset + k) - wide3_dot(normal, p.x), push = wide_load(group->push + k);
    wide_mask within = wide_less(wide_set(0.0f), depth);
    if (!wide_bits(within))
        return;
    wide_store_row(particles + k, wide3_select(within, wide3_add_scaled(p.x, normal, depth), p.x), p.w);
    wide_store(group->push + k, wide_select(within, push + depth, push));
}

static void shape_project(const pli_contact_job *job, pli_contact_group *groups, int32_t count)
{
    pli_particle copy[PLI_BATCH];
    for (int32_t i = 0; i < count; i++) {
        pli_particle *particles = group_particles(job->particles, job->count, &groups[i], copy);
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            shape_project_lanes(particles, &groups[i], k);
        write_back(job->particles, job->count, &groups[i], particles);
    }
}

/* ---- friction and restitution --------------------------------------------------------------- */

// Removing an overlap that exists at the start of the substep must add no speed: Mueller et al. 2020, Detailed Rigid Body
// Simulation with Extended Position Based Dynamics, section 3.6. Returns the speed to remove, at most the speed that the contact
// added.
static inline wide speed_of_recovery(const pli_contact_group *group, int32_t k, wide step, wide approach, wide speed)
{
    wide zero = wide_set(0.0f), recovered = wide_load(group->overlap + k) - wide_load(group->left + k);
    recovered = wide_min(recovered, wide_load(group->push + k));
    return wide_min(wide_max(speed - wide_max(approach, zero), zero), recovered / step);
}

// Coulomb friction: the tangential velocity changes by at most friction times the normal change. The position changes as
// well; otherwise resting cloth would creep by g sin(a) h^2 in every substep.
static inline void update_lanes(const pli_contact_job *job, pli_particle *particles, pli_particle *velocities,
                                pli_contact_group *group, int32_t k)
{
    const pli_moving_shape *shape = &job->shapes[group->collider];
    wide zero = wide_set(0.0f), one = wide_set(1.0f), step = wide_set(job->step), push = wide_load(group->push + k);
    wide_mask pushed = wide_less(zero, push);
    if (!wide_bits(pushed))
        return;
    wide3 normal = pli_lanes_load(group->normal[0], PLI_BATCH, k);
    wide approach = wide_load(group->approach + k);
    wide_particle p = wide_load_row(particles + k), v = wide_load_row(velocities + k);
    wide3 relative = wide3_sub(v.x, pli_lanes_load(group->velocity[0], PLI_BATCH, k));
    wide normal_speed = wide3_dot(relative, normal);
    wide3 tangent = wide3_sub(relative, wide3_scale(normal, normal_speed));
    wide recovery = speed_of_recovery(group, k, step, approach, normal_speed);
    normal_speed = normal_speed - recovery;
    wide rebound = wide_set(-shape->def->restitution) * approach;
    wide_mask bounces = wide_and(wide_less(approach, wide_set(-job->bounce)), wide_less(normal_speed, rebound));
    wide kick = wide_select(bounces, rebound - normal_speed, zero);
    wide gained = wide_max(push / step - recovery, zero) + kick;
    wide speed = wide3_length(tangent), stopped = wide_set(group->slides ? 0.0f : shape->def->friction) * gained;
    wide_mask slides = wide_less(stopped, speed);
    wide share = wide_select(slides, stopped / wide_select(slides, speed, one), one);
    wide3 change = wide3_scale(tangent, -share);
    wide_store_row(particles + k, wide3_select(pushed, wide3_add_scaled(p.x, change, step), p.x), p.w);

    change = wide3_add_scaled(change, normal, kick - recovery);
    wide_store_row(velocities + k, wide3_select(pushed, wide3_add(v.x, change), v.x), v.w);
    wide impulse = gained / wide_select(pushed, p.w, one);
    wide_store(group->impulse + k, wide_load(group->impulse + k) + wide_select(pushed, impulse, zero));
}

static void shape_update(const pli_contact_job *job, pli_contact_group *groups, int32_t count)
{
    pli_particle copies[2][PLI_BATCH];
    for (int32_t i = 0; i < count; i++) {
        pli_particle *particles = group_particles(job->particles, job->count, &groups[i], copies[0]);
        pli_particle *velocities = group_particles(job->velocities, job->count, &groups[i], copies[1]);
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            update_lanes(job, particles, velocities, &groups[i], k);
        write_back(job->particles, job->count, &groups[i], particles);
        write_back(job->velocities, job->count, &groups[i], velocities);
    }
}

const pli_smooth_kernels PLI_NAMED(pli_smooth) = {
    bound,
    gather_block,
    shape_project,
    shape_update,
};
