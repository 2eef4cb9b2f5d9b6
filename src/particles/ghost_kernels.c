// Sums of the ghost motion and its removal: particles/ghost_kernels.h.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.3 on ghost forces; Algorithm 1, line 13.
#include "particles/ghost_kernels.h"

#include "particles/derive.h"

#include <string.h>

// Inlined by force, so that what is constant in a loop is known in it.
#define INLINED static inline __attribute__((always_inline))

enum { PARTS = PLI_BATCH / WIDE };

// PLI_BATCH particles of a chunk, in the arrays themselves or in copies.
typedef struct batch {
    const pli_particle *particles, *previous, *velocities, *before;
} batch;

typedef struct copies {
    pli_particle particles[PLI_BATCH], previous[PLI_BATCH], velocities[PLI_BATCH], before[PLI_BATCH];
} copies;

// Copies of the particles i..end-1 of a chunk, PLI_BATCH at most; the places behind them have no mass.
static batch copy_batch(const pli_ghost_job *job, int32_t i, int32_t end, copies *to)
{
    int32_t count = end - i < PLI_BATCH ? end - i : PLI_BATCH;
    memset(to, 0, sizeof *to);
    for (int32_t k = 0; k < count; k++) {
        int32_t from = job->members ? job->members[i + k] : i + k;
        to->particles[k] = job->particles[from];
        to->previous[k] = job->previous[from];
        to->velocities[k] = job->velocities[from];
        if (job->before)
            to->before[k] = job->before[from];
    }
    return (batch){to->particles, to->previous, to->velocities, to->before};
}

// Adds the partial sums, lane after lane.
static double sum_of_lanes(const wide parts[PARTS])
{
    float lanes[PLI_BATCH];
    double sum = 0.0;
    for (int32_t k = 0; k < PARTS; k++)
        wide_store(lanes + k * WIDE, parts[k]);
    for (int32_t k = 0; k < PLI_BATCH; k++)
        sum += (double)lanes[k / WIDE * WIDE + wide_lane_of(k % WIDE)];
    return sum;
}

typedef wide sums[PLI_GHOST_SUM_COUNT][PARTS];

INLINED void add3(sums t, int32_t at, int32_t part, wide3 a)
{
    t[at][part] = t[at][part] + a.x, t[at + 1][part] = t[at + 1][part] + a.y, t[at + 2][part] = t[at + 2][part] + a.z;
}

INLINED void add_batch(batch b, bool predicted, wide step, wide3 centre, sums t)
{
    for (int32_t part = 0; part < PARTS; part++) {
        int32_t k = part * WIDE;
        wide_particle p = wide_load_block(b.particles + k), x = wide_load_block(b.previous + k);
        wide_particle from = wide_load_block((predicted ? b.velocities : b.before) + k);
        wide3 start = predicted ? wide3_add_scaled(x.x, from.x, step) : from.x;
        wide m = wide_inverse_above(p.w, 0.0f);
        wide3 d = wide3_scale(wide3_sub(p.x, start), m), r = wide3_sub(x.x, centre), s = wide3_scale(r, m);
        add3(t, PLI_GHOST_SUM_LINEAR, part, d);
        add3(t, PLI_GHOST_SUM_ANGULAR, part, wide3_cross(r, d));
        add3(t, PLI_GHOST_SUM_POSITION, part, s);
        add3(t, PLI_GHOST_SUM_SQUARES, part, (wide3){s.x * r.x, s.y * r.y, s.z * r.z});
        add3(t, PLI_GHOST_SUM_PRODUCTS, part, (wide3){s.y * r.z, s.z * r.x, s.x * r.y});
        t[PLI_GHOST_SUM_MASS][part] = t[PLI_GHOST_SUM_MASS][part] + m;
    }
}

INLINED void sum_chunk(const pli_ghost_job *job, const pli_ghost_chunk *chunk, bool predicted, double *row)
{
    const pli_particle *first = &job->previous[job->members ? job->members[chunk->begin] : chunk->begin];
    wide3 centre = {wide_set(first->x), wide_set(first->y), wide_set(first->z)};
    wide step = wide_set(job->step);
    sums t;
    for (int32_t k = 0; k < PLI_GHOST_SUM_COUNT; k++)
        for (int32_t part = 0; part < PARTS; part++)
            t[k][part] = wide_set(0.0f);
    int32_t i = chunk->begin;
    for (; !job->members && i + PLI_BATCH <= chunk->end; i += PLI_BATCH) {
        batch b = {job->particles + i, job->previous + i, job->velocities + i, predicted ? NULL : job->before + i};
        add_batch(b, predicted, step, centre, t);
    }
    for (; i < chunk->end; i += PLI_BATCH) {
        copies copy;
        add_batch(copy_batch(job, i, chunk->end, &copy), predicted, step, centre, t);
    }
    for (int32_t k = 0; k < PLI_GHOST_SUM_COUNT; k++)
        row[k] = sum_of_lanes(t[k]);
}

static void sum_up(void *data, int32_t begin, int32_t end)
{
    const pli_ghost_job *job = data;
    for (int32_t c = begin; c < end; c++) {
        const pli_ghost_chunk *chunk = &job->chunks[c];
        double *row = job->sums + (size_t)c * PLI_GHOST_SUM_COUNT;
        if (job->skipped[chunk->piece])
            continue;
        if (job->before)
            sum_chunk(job, chunk, false, row);
        else
            sum_chunk(job, chunk, true, row);
    }
}

/* ---- taken out ------------------------------------------------------------------------------------ */

// A ghost in registers: d = shift + rx turn[0] + ry turn[1] + rz turn[2], r = x - centre.
typedef struct spread {
    quads centre, shift, turn[3];
} spread;

static inline spread spread_ghost(const pli_ghost *g)
{
    return (spread){quads_set(g->centre.x, g->centre.y, g->centre.z, 0.0f),
                    quads_set(g->shift.x, g->shift.y, g->shift.z, 0.0f),
                    {quads_set(0.0f, g->turn.z, -g->turn.y, 0.0f), quads_set(-g->turn.z, 0.0f, g->turn.x, 0.0f),
                     quads_set(g->turn.y, -g->turn.x, 0.0f, 0.0f)}};
}

// The displacement that is taken out; fixed particles have none.
INLINED quads ghost_at(const spread *ghost, quads p, quads x)
{
    quads r = quads_subtract(x, ghost->centre);
    quads d = quads_add(ghost->shift, quads_multiply(QUADS_SPREAD(r, 0), ghost->turn[0]));
    d = quads_add(d, quads_multiply(QUADS_SPREAD(r, 1), ghost->turn[1]));
    d = quads_add(d, quads_multiply(QUADS_SPREAD(r, 2), ghost->turn[2]));
    return quads_where_moving(p, d, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
}

typedef void (*change)(float step, const spread *ghost, pli_particle *p, const pli_particle *x, pli_particle *v);

INLINED void shift_at(float step, const spread *ghost, pli_particle *particles, const pli_particle *previous,
                      pli_particle *velocities)
{
    (void)step, (void)velocities;
    quads p = quads_load(particles), x = quads_load(previous);
    quads_store(particles, quads_keep_w(quads_subtract(p, ghost_at(ghost, p, x)), p));
}

// The velocity takes the ghost out before it is rounded to the grid of positions, so that momenta are kept to the
// rounding of velocities.
INLINED void derive_at(float step, const spread *ghost, pli_particle *particles, const pli_particle *previous,
                       pli_particle *velocities)
{
    quads p = quads_load(particles), x = quads_load(previous), v = quads_load(velocities);
    quads d = ghost_at(ghost, p, x);
    quads correction = quads_subtract(pli_correction(p, x, v, step), d);
    quads_store(velocities, pli_corrected_velocity(p, v, correction, step));
    quads_store(particles, quads_keep_w(quads_subtract(p, d), p));
}

INLINED void change_chunks(const pli_ghost_job *job, int32_t begin, int32_t end, change run)
{
    for (int32_t c = begin; c < end; c++) {
        const pli_ghost_chunk *chunk = &job->chunks[c];
        const spread ghost = spread_ghost(&job->ghosts[chunk->piece]);
        int32_t i = chunk->begin;
        for (; !job->members && i + QUADS <= chunk->end; i += QUADS)
            run(job->step, &ghost, job->particles + i, job->previous + i, job->velocities + i);
        for (; i < chunk->end; i += QUADS) {
            pli_particle p[QUADS] = {0}, x[QUADS] = {0}, v[QUADS] = {0};
            for (int32_t k = 0; k < QUADS && i + k < chunk->end; k++) {
                int32_t from = job->members ? job->members[i + k] : i + k;
                p[k] = job->particles[from], x[k] = job->previous[from], v[k] = job->velocities[from];
            }
            run(job->step, &ghost, p, x, v);
            for (int32_t k = 0; k < QUADS && i + k < chunk->end; k++) {
                int32_t to = job->members ? job->members[i + k] : i + k;
                job->particles[to] = p[k], job->velocities[to] = v[k];
            }
        }
    }
}

static void shift(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, shift_at); }
static void derive(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, derive_at); }

const pli_ghost_kernels PLI_NAMED(pli_ghost) = {sum_up, shift, derive};
