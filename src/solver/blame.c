#include "solver/blame.h"

#include "solver/proxy.h"

#include <stdatomic.h>
#include <string.h>

typedef struct finite_job {
    const pli_body *body;
    _Atomic bool bad;
} finite_job;

// Beyond this squares overflow, and the next part of the step would be blamed [m, m/s].
#define FARTHEST 1e15f

static int32_t finite_particle(const pli_particle *p)
{
    int32_t x = fabsf(p->x) < FARTHEST, y = fabsf(p->y) < FARTHEST, z = fabsf(p->z) < FARTHEST;
    return x & y & z;
}

// Without branches, so that compilers make it wide.
static void check_piece(void *data, int32_t begin, int32_t end)
{
    finite_job *job = data;
    const pli_particle *particles = job->body->particles, *velocities = job->body->velocities;
    int32_t fine = 1;
    for (int32_t i = begin; i < end; i++)
        fine &= finite_particle(&particles[i]) & finite_particle(&velocities[i]);
    if (!fine)
        job->bad = true;
}

bool pli_world_is_finite(pli_world *world)
{
    for (int32_t b = 0; b < world->bodies.count; b++) {
        finite_job job = {.body = pli_body_at(world, b)};
        pli_parallel(world, job.body->count, PLI_PARTICLE_GRAIN, check_piece, &job);
        if (job.bad)
            return false;
    }
    return pli_world_rigids_are_finite(world);
}

enum { KEEP_GRAIN = 4096 }; // Particles.

static void keep_piece(void *data, int32_t begin, int32_t end)
{
    const pli_body *body = data;
    size_t size = (size_t)(end - begin) * sizeof *body->particles;
    memcpy(body->good_particles + begin, body->particles + begin, size);
    memcpy(body->good_velocities + begin, body->velocities + begin, size);
}

void pli_world_keep_state(pli_world *world)
{
    pli_world_keep_rigids(world);
    for (int32_t b = 0; b < world->bodies.count; b++) {
        pli_body *body = pli_body_at(world, b);
        // The user's order has been published whenever the state changed, and stays until the step is done.
        if (!body->order)
            pli_parallel(world, body->count, KEEP_GRAIN, keep_piece, body);
    }
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_set *set = pli_set_at(world, i);
        if (set->state)
            memcpy(set->good_state, set->state, (size_t)set->slot_count * sizeof *set->state);
    }
}

void pli_world_return_state(pli_world *world)
{
    pli_world_return_rigids(world);
    for (int32_t b = 0; b < world->bodies.count; b++) {
        pli_body *body = pli_body_at(world, b);
        size_t size = (size_t)body->count * sizeof *body->particles;
        for (int32_t v = 0; body->order && v < body->count; v++) {
            body->particles[body->order[v]] = body->user_particles[v];
            body->velocities[body->order[v]] = body->user_velocities[v];
        }
        if (body->order)
            continue;
        memcpy(body->particles, body->good_particles, size);
        memcpy(body->velocities, body->good_velocities, size);
    }
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_set *set = pli_set_at(world, i);
        if (set->state)
            memcpy(set->state, set->good_state, (size_t)set->slot_count * sizeof *set->state);
    }
}

static int32_t constraint_on(const pli_set *set, int32_t place)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t fixed[PLI_CARDINALITY_MAX];
        const int32_t *particles;
        int32_t n = pli_set_particles(set, i, &particles, fixed);
        for (int32_t k = 0; k < n; k++)
            if (particles[k] == place)
                return i;
    }
    return -1;
}

void pli_blame_look(pli_world *world, const char *stage, const pli_set *set)
{
    pli_blame *blame = world->blame;
    if (!blame || blame->found)
        return;
    for (int32_t b = 0; b < world->bodies.count; b++) {
        const pli_body *body = pli_body_at(world, b);
        for (int32_t i = 0; i < body->count; i++) {
            if (finite_particle(&body->particles[i]) && finite_particle(&body->velocities[i]))
                continue;
            *blame = (pli_blame){true, stage, set, body, pli_vertex(body, i), set ? constraint_on(set, i) : -1};
            return;
        }
    }
}

pli_status pli_blame_fail(const pli_world *world, const pli_blame *blame, pli_error *error)
{
    const char *body = blame->body && blame->body->name ? blame->body->name : "";
    long long step = (long long)world->step_count;
    if (!blame->found)
        return pli_fail(error, PLI_STATUS_NON_FINITE,
                        "step %lld ended with a non-finite state; the state before it is "
                        "back",
                        step);
    if (!blame->set)
        return pli_fail(error, PLI_STATUS_NON_FINITE,
                        "step %lld: %s made particle %d of '%s' non-finite; the state "
                        "before the step is back",
                        step, blame->stage, (int)blame->vertex, body);
    return pli_fail(error, PLI_STATUS_NON_FINITE,
                    "step %lld: constraint type '%s' (set '%s', constraint %d) made "
                    "particle %d of '%s' non-finite; the state before the step is back; use more substeps or softer "
                    "constraints",
                    step, blame->set->type->name, blame->set->name, (int)blame->constraint, (int)blame->vertex, body);
}
