#include "wide/columns.h"

// Every PLI_DEALS-th particle: what follows one another in a part.
static const int32_t dealt[16] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

typedef void (*wide_move)(const pli_columns *columns, int32_t at, pli_particle *particles);
typedef void (*plain_move)(const pli_columns *columns, int32_t at, pli_particle *particle);

// Runs over the particles of rows, part by part, in whole registers and one by one behind them.
static inline __attribute__((always_inline)) void for_rows(const pli_grid *g, const pli_columns *columns,
                                                           pli_particle *particles, int32_t begin, int32_t end,
                                                           wide_move wide_one, plain_move one)
{
    for (int32_t row = begin; row < end; row++) {
        for (int32_t part = 0; part < PLI_DEALS; part++) {
            pli_particle *from = particles + (size_t)row * (size_t)g->columns + part;
            int32_t at = pli_grid_place(g, row, part), count = (g->columns - part + PLI_DEALS - 1) / PLI_DEALS, k = 0;
            for (; k + WIDE <= count; k += WIDE)
                wide_one(columns, at + k, from + PLI_DEALS * k);
            for (; k < count; k++)
                one(columns, at + k, from + PLI_DEALS * k);
        }
    }
}

static inline void take_wide(const pli_columns *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, dealt, &x, &y, &z, &w);
    wide_store(c->x + at, x);
    wide_store(c->y + at, y);
    wide_store(c->z + at, z);
}

static inline void take(const pli_columns *c, int32_t at, pli_particle *particle)
{
    c->x[at] = particle->x, c->y[at] = particle->y, c->z[at] = particle->z;
}

static inline void take_mass_wide(const pli_columns *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, dealt, &x, &y, &z, &w);
    wide_store(c->x + at, x);
    wide_store(c->y + at, y);
    wide_store(c->z + at, z);
    wide_store(c->w + at, w);
}

static inline void take_mass(const pli_columns *c, int32_t at, pli_particle *particle)
{
    take(c, at, particle);
    c->w[at] = particle->w;
}

static inline void give_wide(const pli_columns *c, int32_t at, pli_particle *particles)
{
    wide x, y, z, w;
    wide_load_particles(particles, dealt, &x, &y, &z, &w);
    wide_store_particles(particles, dealt, wide_load(c->x + at), wide_load(c->y + at), wide_load(c->z + at), w);
}

static inline void give(const pli_columns *c, int32_t at, pli_particle *particle)
{
    *particle = (pli_particle){c->x[at], c->y[at], c->z[at], particle->w};
}

static void enter(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    for_rows(m->grid, &m->grid->at, m->particles, begin, end, take_mass_wide, take_mass);
}

static void leave(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    for_rows(m->grid, &m->grid->at, m->particles, begin, end, give_wide, give);
}

static void enter_previous(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    for_rows(m->grid, &m->grid->previous, m->previous, begin, end, take_wide, take);
}

static void enter_motion(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    enter_previous(motion, begin, end);
    for_rows(m->grid, &m->grid->velocities, m->velocities, begin, end, take_wide, take);
}

static void leave_motion(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    for_rows(m->grid, &m->grid->previous, m->previous, begin, end, give_wide, give);
    for_rows(m->grid, &m->grid->velocities, m->velocities, begin, end, give_wide, give);
}

// One coordinate of what src/wide/motion.c does in derive_at, accelerate_at and predict_at.
static inline void go_on_along(float *at, float *previous, float *velocity, wide_mask moving, float change, float step)
{
    wide zero = wide_set(0.0f), h = wide_set(step), per_second = wide_set(1.0f / step);
    wide p = wide_load(at), q = wide_load(previous), v = wide_load(velocity);
    wide predicted = q + wide_select(moving, h * v, zero);
    v = wide_select(moving, v, zero) + (p - predicted) * per_second;
    v = wide_select(moving, v + wide_set(change), v);
    wide_store(velocity, v);
    wide_store(previous, p);
    wide_store(at, wide_select(moving, p + h * v, p));
}

static void go_on(void *motion, int32_t begin, int32_t end)
{
    const pli_grid_motion *m = motion;
    const pli_columns at = m->grid->at, previous = m->grid->previous, velocities = m->grid->velocities;
    for (int32_t i = begin * m->grid->pitch; i < end * m->grid->pitch; i += WIDE) {
        wide_mask moving = wide_less(wide_set(0.0f), wide_load(at.w + i));
        go_on_along(at.x + i, previous.x + i, velocities.x + i, moving, m->change.x, m->step);
        go_on_along(at.y + i, previous.y + i, velocities.y + i, moving, m->change.y, m->step);
        go_on_along(at.z + i, previous.z + i, velocities.z + i, moving, m->change.z, m->step);
    }
}

/* ---- whole steps --------------------------------------------------------------------------------- */

typedef void (*wide_turn)(const pli_grid_motion *m, int32_t at, int32_t particle);

// Runs over the particles of rows as for_rows does, with all that moves.
static inline __attribute__((always_inline)) void turn_rows(const pli_grid_motion *m, int32_t begin, int32_t end,
                                                            wide_turn wide_one, wide_turn one)
{
    const pli_grid *g = m->grid;
    for (int32_t row = begin; row < end; row++) {
        for (int32_t part = 0; part < PLI_DEALS; part++) {
            int32_t from = row * g->columns + part, at = pli_grid_place(g, row, part), k = 0;
            int32_t count = (g->columns - part + PLI_DEALS - 1) / PLI_DEALS;
            for (; k + WIDE <= count; k += WIDE)
                wide_one(m, at + k, from + PLI_DEALS * k);
            for (; k < count; k++)
                one(m, at + k, from + PLI_DEALS * k);
        }
    }
}

// One coordinate of what src/wide/motion.c does in accelerate_at and predict_at.
static inline void set_out_along(float *at, float *previous, float *velocity, wide p, wide v, wide_mask moving,
                                 float change, float step)
{
    v = wide_select(moving, v + wide_set(change), v);
    wide_store(velocity, v);
    wide_store(previous, p);
    wide_store(at, wide_select(moving, p + wide_set(step) * v, p));
}

static void set_out_wide(const pli_grid_motion *m, int32_t at, int32_t particle)
{
    const pli_columns *p = &m->grid->at, *q = &m->grid->previous, *v = &m->grid->velocities;
    wide x, y, z, w, u, s, t, unused;
    wide_load_particles(m->particles + particle, dealt, &x, &y, &z, &w);
    wide_load_particles(m->velocities + particle, dealt, &u, &s, &t, &unused);
    wide_mask moving = wide_less(wide_set(0.0f), w);
    set_out_along(p->x + at, q->x + at, v->x + at, x, u, moving, m->change.x, m->step);
    set_out_along(p->y + at, q->y + at, v->y + at, y, s, moving, m->change.y, m->step);
    set_out_along(p->z + at, q->z + at, v->z + at, z, t, moving, m->change.z, m->step);
    wide_store(p->w + at, w);
}

static void set_out_one(const pli_grid_motion *m, int32_t at, int32_t particle)
{
    const pli_columns *to = &m->grid->at, *previous = &m->grid->previous, *velocities = &m->grid->velocities;
    pli_particle p = m->particles[particle], v = m->velocities[particle];
    bool moving = p.w > 0.0f;
    v.x = moving ? v.x + m->change.x : v.x, v.y = moving ? v.y + m->change.y : v.y,
    v.z = moving ? v.z + m->change.z : v.z;
    previous->x[at] = p.x, previous->y[at] = p.y, previous->z[at] = p.z;
    velocities->x[at] = v.x, velocities->y[at] = v.y, velocities->z[at] = v.z;
    to->x[at] = moving ? p.x + m->step * v.x : p.x;
    to->y[at] = moving ? p.y + m->step * v.y : p.y;
    to->z[at] = moving ? p.z + m->step * v.z : p.z;
    to->w[at] = p.w;
}

static void set_out(void *motion, int32_t begin, int32_t end)
{
    turn_rows(motion, begin, end, set_out_wide, set_out_one);
}

// One coordinate of what derive_at does there.
static inline wide arrive_along(wide p, const float *previous, const float *velocity, wide_mask moving, float step)
{
    wide zero = wide_set(0.0f), q = wide_load(previous), v = wide_load(velocity);
    wide predicted = q + wide_select(moving, wide_set(step) * v, zero);
    return wide_select(moving, v, zero) + (p - predicted) * wide_set(1.0f / step);
}

static void arrive_wide(const pli_grid_motion *m, int32_t at, int32_t particle)
{
    const pli_columns *p = &m->grid->at, *q = &m->grid->previous, *v = &m->grid->velocities;
    wide unused[3], w, mass, x = wide_load(p->x + at), y = wide_load(p->y + at), z = wide_load(p->z + at);
    wide_load_particles(m->particles + particle, dealt, &unused[0], &unused[1], &unused[2], &w);
    wide_load_particles(m->velocities + particle, dealt, &unused[0], &unused[1], &unused[2], &mass);
    wide_mask moving = wide_less(wide_set(0.0f), w);
    wide_store_particles(m->particles + particle, dealt, x, y, z, w);
    wide_store_particles(m->velocities + particle, dealt, arrive_along(x, q->x + at, v->x + at, moving, m->step),
                         arrive_along(y, q->y + at, v->y + at, moving, m->step),
                         arrive_along(z, q->z + at, v->z + at, moving, m->step), mass);
}

static inline float arrive_one_along(float p, float previous, float velocity, bool moving, float step)
{
    float predicted = previous + (moving ? step * velocity : 0.0f);
    return (moving ? velocity : 0.0f) + (p - predicted) * (1.0f / step);
}

static void arrive_one(const pli_grid_motion *m, int32_t at, int32_t particle)
{
    const pli_columns *from = &m->grid->at, *q = &m->grid->previous, *u = &m->grid->velocities;
    pli_particle *p = &m->particles[particle], *v = &m->velocities[particle];
    bool moving = p->w > 0.0f;
    p->x = from->x[at], p->y = from->y[at], p->z = from->z[at];
    v->x = arrive_one_along(p->x, q->x[at], u->x[at], moving, m->step);
    v->y = arrive_one_along(p->y, q->y[at], u->y[at], moving, m->step);
    v->z = arrive_one_along(p->z, q->z[at], u->z[at], moving, m->step);
}

static void arrive(void *motion, int32_t begin, int32_t end) { turn_rows(motion, begin, end, arrive_wide, arrive_one); }

// Kim, Chentanez, Mueller 2012, Long Range Attachments: what is too far from its anchor goes back on the straight way.
static void tether(void *tethers, int32_t begin, int32_t end)
{
    const pli_grid_tethers *t = tethers;
    const pli_columns at = t->grid->at;
    wide zero = wide_set(0.0f), slack = wide_set(t->slack);
    for (int32_t i = begin * t->grid->pitch; i < end * t->grid->pitch; i += WIDE) {
        wide3 x = {wide_load(at.x + i), wide_load(at.y + i), wide_load(at.z + i)};
        wide3 anchor = {wide_load_indexed(t->x, t->anchors + i), wide_load_indexed(t->y, t->anchors + i),
                        wide_load_indexed(t->z, t->anchors + i)};
        wide3 d = wide3_sub(x, anchor);
        wide length = wide3_length(d), most = slack * wide_load(t->lengths + i);
        wide_mask beyond = wide_and(wide_less(most, length), wide_less(zero, wide_load(at.w + i)));
        wide share = wide_select(beyond, most, zero) / wide_select(beyond, length, wide_set(1.0f));
        wide3 back = wide3_add_scaled(anchor, d, share);
        wide_store(at.x + i, wide_select(beyond, back.x, x.x));
        wide_store(at.y + i, wide_select(beyond, back.y, x.y));
        wide_store(at.z + i, wide_select(beyond, back.z, x.z));
    }
}

const pli_grid_kernels PLI_NAMED(pli_grid) = {enter, leave,   enter_previous, enter_motion, leave_motion,
                                              go_on, set_out, arrive,         tether};
