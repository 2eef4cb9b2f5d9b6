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
    const pli_particle *particles, *previous, *velocities, *before, *lost, *lost_before;
} batch;

typedef struct copies {
    pli_particle particles[PLI_BATCH], previous[PLI_BATCH], velocities[PLI_BATCH], before[PLI_BATCH];
    pli_particle lost[PLI_BATCH], lost_before[PLI_BATCH];
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
        if (job->lost)
            to->lost[k] = job->lost[from];
        if (job->lost && job->before)
            to->lost_before[k] = job->lost_before[from];
    }
    return (batch){to->particles,  to->previous, to->velocities, to->before, job->lost ? to->lost : NULL,
                   to->lost_before};
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
        wide3 correction = wide3_sub(p.x, start);
        if (b.lost)
            correction = wide3_add(correction, wide_load_block(b.lost + k).x);
        if (b.lost && !predicted)
            correction = wide3_sub(correction, wide_load_block(b.lost_before + k).x);
        wide3 d = wide3_scale(correction, m), r = wide3_sub(x.x, centre), s = wide3_scale(r, m);
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
        batch b = {job->particles + i,
                   job->previous + i,
                   job->velocities + i,
                   predicted ? NULL : job->before + i,
                   job->lost ? job->lost + i : NULL,
                   predicted || !job->lost ? NULL : job->lost_before + i};
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

// QUADS particles in the arrays themselves or in copies; `lost` is null where it is not kept.
typedef struct quad_batch {
    pli_particle *particles, *velocities, *lost;
    const pli_particle *previous;
} quad_batch;

typedef void (*change)(float step, const spread *ghost, const quad_batch *b);

INLINED void shift_at(float step, const spread *ghost, const quad_batch *b)
{
    (void)step;
    quads p = quads_load(b->particles), d = ghost_at(ghost, p, quads_load(b->previous)), to = quads_subtract(p, d);
    quads_store(b->particles, quads_keep_w(to, p));
    if (!b->lost)
        return;
    quads lost = quads_load(b->lost);
    quads_store(b->lost, quads_keep_w(quads_add(lost, quads_subtract(quads_subtract(p, to), d)), lost));
}

// The velocity takes the ghost out before it is rounded to the grid of positions, so that momenta are kept to the
// rounding of velocities.
INLINED void derive_at(float step, const spread *ghost, const quad_batch *b)
{
    quads p = quads_load(b->particles), x = quads_load(b->previous), v = quads_load(b->velocities);
    quads d = ghost_at(ghost, p, x), moved = pli_correction(p, x, v, step);
    if (b->lost)
        moved = quads_add(moved, quads_load(b->lost));
    quads_store(b->velocities, pli_corrected_velocity(p, v, quads_subtract(moved, d), step));
    quads_store(b->particles, quads_keep_w(quads_subtract(p, d), p));
}

// The particles i..i+count-1 of a chunk, in copies.
INLINED void change_few(const pli_ghost_job *job, const spread *ghost, int32_t i, int32_t count, change run)
{
    pli_particle p[QUADS] = {0}, x[QUADS] = {0}, v[QUADS] = {0}, lost[QUADS] = {0};
    for (int32_t k = 0; k < count; k++) {
        int32_t from = job->members ? job->members[i + k] : i + k;
        p[k] = job->particles[from], x[k] = job->previous[from], v[k] = job->velocities[from];
        if (job->lost)
            lost[k] = job->lost[from];
    }
    quad_batch b = {p, v, job->lost ? lost : NULL, x};
    run(job->step, ghost, &b);
    for (int32_t k = 0; k < count; k++) {
        int32_t to = job->members ? job->members[i + k] : i + k;
        job->particles[to] = p[k], job->velocities[to] = v[k];
        if (job->lost)
            job->lost[to] = lost[k];
    }
}

INLINED void change_chunks(const pli_ghost_job *job, int32_t begin, int32_t end, change run)
{
    for (int32_t c = begin; c < end; c++) {
        const pli_ghost_chunk *chunk = &job->chunks[c];
        const spread ghost = spread_ghost(&job->ghosts[chunk->piece]);
        int32_t i = chunk->begin;
        for (; !job->members && i + QUADS <= chunk->end; i += QUADS) {
            quad_batch b = {job->particles + i, job->velocities + i, job->lost ? job->lost + i : NULL,
                            job->previous + i};
            run(job->step, &ghost, &b);
        }
        for (; i < chunk->end; i += QUADS)
            change_few(job, &ghost, i, chunk->end - i < QUADS ? chunk->end - i : QUADS, run);
    }
}

static void shift(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, shift_at); }
static void derive(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, derive_at); }

const pli_ghost_kernels PLI_NAMED(pli_ghost) = {sum_up, shift, derive};
