// Algorithm 1, lines 5, 7 and 12 to 15: forces, prediction, velocities from positions.
// Mueller et al. 2006, Position Based Dynamics, section 3.1.
#include "solver/body.h"

typedef struct motion {
    pli_particle *particles, *previous, *velocities;
    const float *forces;
    pli_vec3 change; // Of velocity by gravity [m/s].
    float step, speed_limit;
} motion;

static motion motion_of(const pli_world *world, pli_body *body, float step)
{
    return (motion){
        .particles = body->particles,
        .previous = body->previous,
        .velocities = body->velocities,
        .forces = body->forced ? body->forces : NULL,
        .change = pli_scale(world->settings.gravity, step),
        .step = step,
        .speed_limit = world->settings.speed_limit,
    };
}

static void accelerate(void *data, int32_t begin, int32_t end)
{
    const motion *m = data;
    for (int32_t i = begin; i < end; i++) {
        float w = m->particles[i].w;
        if (w == 0.0f)
            continue;
        pli_particle *v = &m->velocities[i];
        v->x += m->change.x, v->y += m->change.y, v->z += m->change.z;
        if (m->forces) {
            float scale = w * m->step;
            v->x += m->forces[3 * i] * scale, v->y += m->forces[3 * i + 1] * scale, v->z += m->forces[3 * i + 2] * scale;
        }
    }
}

void pli_body_accelerate(pli_world *world, pli_body *body, float step)
{
    motion m = motion_of(world, body, step);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, accelerate, &m);
}

static void limit_speed(pli_particle *v, float limit)
{
    float speed = sqrtf(v->x * v->x + v->y * v->y + v->z * v->z);
    if (!(speed > limit))
        return;
    float scale = limit / speed;
    v->x *= scale, v->y *= scale, v->z *= scale;
}

static void predict(void *data, int32_t begin, int32_t end)
{
    const motion *m = data;
    for (int32_t i = begin; i < end; i++) {
        pli_particle *p = &m->particles[i], *v = &m->velocities[i];
        m->previous[i] = *p;
        if (p->w == 0.0f)
            continue;
        if (m->speed_limit < INFINITY)
            limit_speed(v, m->speed_limit);
        p->x += m->step * v->x, p->y += m->step * v->y, p->z += m->step * v->z;
    }
}

void pli_body_predict(pli_world *world, pli_body *body, float step)
{
    motion m = motion_of(world, body, step);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, predict, &m);
}

// Line 13 reads v = (p - x) / h. In float that rounds h v to the grid of positions, always the same
// way, and so weakens gravity by parts of a percent. With the prediction x + h v known, the same is
// v + (p - (x + h v)) / h, which rounds only what projections changed. Held particles were moved.
static void derive(void *data, int32_t begin, int32_t end)
{
    const motion *m = data;
    float per_second = 1.0f / m->step;
    for (int32_t i = begin; i < end; i++) {
        pli_particle *v = &m->velocities[i];
        const pli_particle *p = &m->particles[i], *q = &m->previous[i];
        float kept = p->w == 0.0f ? 0.0f : 1.0f;
        pli_vec3 predicted = {q->x + kept * (m->step * v->x), q->y + kept * (m->step * v->y),
                              q->z + kept * (m->step * v->z)};
        v->x = kept * v->x + (p->x - predicted.x) * per_second;
        v->y = kept * v->y + (p->y - predicted.y) * per_second;
        v->z = kept * v->z + (p->z - predicted.z) * per_second;
    }
}

void pli_body_derive_velocities(pli_world *world, pli_body *body, float step)
{
    motion m = motion_of(world, body, step);
    pli_parallel(world, body->count, PLI_PARTICLE_GRAIN, derive, &m);
}
