// Time integration of particles: particles/integrate_kernels.h.
//
// A particle is four floats, so a register of QUADS particles is loaded as it lies in memory. Fixed particles (w = 0)
// keep position and velocity by a mask instead of a branch.
#include "particles/integrate_kernels.h"

#include "particles/derive.h"

#include <math.h>

// The arguments of a pass, with the values that all particles share in registers.
typedef struct integrate_motion {
    pli_particle *particles, *previous, *velocities, *lost, *bases, *earlier, *pushes;
    quads change, weight, share;
    pli_pace pace;
} integrate_motion;

typedef void (*integrate_pass)(const integrate_motion *m, int32_t i);

// Runs a pass on the last particles of a range, fewer than a register holds, in a zeroed copy, so that the pass neither reads nor writes
// the particles after them.
static inline void run_tail(const integrate_motion *m, int32_t i, int32_t count, integrate_pass run)
{
    enum { ARRAYS = 7 };
    pli_particle few[ARRAYS][QUADS] = {{{0}}};
    pli_particle *const from[ARRAYS] = {m->particles, m->previous, m->velocities, m->lost,
                                        m->bases,     m->earlier,  m->pushes};
    integrate_motion copy = *m;
    pli_particle **const to[ARRAYS] = {&copy.particles, &copy.previous, &copy.velocities, &copy.lost,
                                       &copy.bases,     &copy.earlier,  &copy.pushes};
    for (int32_t a = 0; a < ARRAYS; a++) {
        *to[a] = from[a] ? few[a] : NULL;
        for (int32_t k = 0; k < count && from[a]; k++)
            few[a][k] = from[a][i + k];
    }
    run(&copy, 0);
    for (int32_t a = 0; a < ARRAYS; a++)
        for (int32_t k = 0; k < count && from[a]; k++)
            from[a][i + k] = few[a][k];
}

static inline __attribute__((always_inline)) void integrate_run_range(const pli_motion *given, int32_t begin,
                                                                      int32_t end, integrate_pass run)
{
    const integrate_motion m = {.particles = given->particles,
                                .previous = given->previous,
                                .velocities = given->velocities,
                                .lost = given->lost,
                                .bases = given->bases,
                                .earlier = given->earlier,
                                .pushes = given->pushes,
                                .share = quads_set(given->share, given->share, given->share, given->share),
                                .weight = quads_set(given->weight, given->weight, given->weight, given->weight),
                                .change = quads_set(given->change.x, given->change.y, given->change.z, 0.0f),
                                .pace = pli_pace_of(given->step, given->moving_span, given->fixed_span)};
    int32_t i = begin;
    for (; i + QUADS <= end; i += QUADS)
        run(&m, i);
    if (i < end)
        run_tail(&m, i, end - i, run);
}

// Line 5: v = v + h g.
static inline quads accelerated(const integrate_motion *m, quads p, quads v)
{
    return quads_keep_w(quads_where_moving(p, quads_add(v, m->change), v), v);
}

// Line 7: p = x + h v, or from a base other than x, plus an additional displacement; x becomes `previous`.
static inline void integrate_move(const integrate_motion *m, int32_t i, quads p, quads base, quads v)
{
    quads moved = quads_add(base, quads_multiply(m->pace.step, v));
    if (m->pushes)
        moved = quads_add(moved, quads_multiply(quads_load(m->pushes + i), m->share));
    quads_store(m->previous + i, p);
    quads_store(m->particles + i, quads_keep_w(quads_where_moving(p, moved, p), p));
    if (m->lost)
        quads_store(m->lost + i, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
}

static inline void accelerate_at(const integrate_motion *m, int32_t i)
{
    quads p = quads_load(m->particles + i), v = quads_load(m->velocities + i);
    quads_store(m->velocities + i, accelerated(m, p, v));
}

static inline void predict_at(const integrate_motion *m, int32_t i)
{
    quads p = quads_load(m->particles + i);
    integrate_move(m, i, p, p, quads_load(m->velocities + i));
}

static inline void predict_from_bases_at(const integrate_motion *m, int32_t i)
{
    integrate_move(m, i, quads_load(m->particles + i), quads_load(m->bases + i), quads_load(m->velocities + i));
}

// Computes a + weight (a - b) for particles that can move.
static inline quads extrapolated(const integrate_motion *m, quads p, quads a, quads b)
{
    quads beyond = quads_add(a, quads_multiply(m->weight, quads_subtract(a, b)));
    return quads_keep_w(quads_where_moving(p, beyond, a), a);
}

static inline void extrapolate_at(const integrate_motion *m, int32_t i)
{
    quads p = quads_load(m->particles + i), v = quads_load(m->velocities + i);
    quads_store(m->bases + i, extrapolated(m, p, p, quads_load(m->previous + i)));
    quads_store(m->velocities + i, extrapolated(m, p, v, quads_load(m->earlier + i)));
    quads_store(m->earlier + i, v);
}

static inline void fall_at(const integrate_motion *m, int32_t i)
{
    quads p = quads_load(m->particles + i), v = accelerated(m, p, quads_load(m->velocities + i));
    quads_store(m->velocities + i, v);
    integrate_move(m, i, p, p, v);
}

static inline void integrate_derive_at(const integrate_motion *m, int32_t i)
{
    quads p = quads_load(m->particles + i), x = quads_load(m->previous + i), v = quads_load(m->velocities + i);
    quads correction = pli_correction(p, x, v, m->pace, false);
    if (m->lost)
        correction = quads_add(correction, quads_load(m->lost + i));
    quads_store(m->velocities + i, pli_corrected_velocity(p, v, correction, m->pace, false));
}

// Scales velocities above the speed limit down to it, before they are used to predict positions.
static void integrate_limit_speeds(const pli_motion *m, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        pli_particle *v = &m->velocities[i];
        float speed = sqrtf(v->x * v->x + v->y * v->y + v->z * v->z);
        if (m->particles[i].w == 0.0f || !(speed > m->speed_limit))
            continue;
        float scale = m->speed_limit / speed;
        v->x *= scale, v->y *= scale, v->z *= scale;
    }
}

// Adds the velocity change h w f of the user forces.
static void add_forces(const pli_motion *m, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        float scale = m->particles[i].w * m->step;
        pli_particle *v = &m->velocities[i];
        if (m->particles[i].w == 0.0f)
            continue;
        v->x += m->forces[3 * i] * scale;
        v->y += m->forces[3 * i + 1] * scale;
        v->z += m->forces[3 * i + 2] * scale;
    }
}

// Adds the difference between the painted gravity and the uniform one.
static void add_gravity(const pli_motion *m, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        const float more = m->particles[i].w == 0.0f ? 0.0f : m->gravity[i] - 1.0f;
        pli_particle *v = &m->velocities[i];
        v->x += m->change.x * more, v->y += m->change.y * more, v->z += m->change.z * more;
    }
}

static void accelerate(void *data, int32_t begin, int32_t end)
{
    const pli_motion *m = data;
    integrate_run_range(m, begin, end, accelerate_at);
    if (m->forces)
        add_forces(m, begin, end);
    if (m->gravity)
        add_gravity(m, begin, end);
}

static void predict(void *data, int32_t begin, int32_t end)
{
    const pli_motion *m = data;
    if (m->speed_limit < INFINITY)
        integrate_limit_speeds(m, begin, end);
    integrate_run_range(m, begin, end, predict_at);
}

static void predict_from_bases(void *data, int32_t begin, int32_t end)
{
    const pli_motion *m = data;
    if (m->speed_limit < INFINITY)
        integrate_limit_speeds(m, begin, end);
    integrate_run_range(m, begin, end, predict_from_bases_at);
}

static void extrapolate(void *data, int32_t begin, int32_t end)
{
    integrate_run_range(data, begin, end, extrapolate_at);
}

static void fall(void *data, int32_t begin, int32_t end) { integrate_run_range(data, begin, end, fall_at); }
static void integrate_derive(void *data, int32_t begin, int32_t end)
{
    integrate_run_range(data, begin, end, integrate_derive_at);
}

const pli_motion_kernels PLI_NAMED(pli_motion) = {accelerate,       predict,     fall,
                                                  integrate_derive, extrapolate, predict_from_bases};
