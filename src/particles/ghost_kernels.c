// Sums of the ghost motion and its removal: particles/ghost_kernels.h.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.3 on ghost forces; Algorithm 1, line 13.
#include "particles/ghost_kernels.h"

#include "particles/derive.h"

#include <string.h>

// Forced inlining lets the compiler specialise the code for values that are constant in a loop.
enum { GHOST_PARTS = PLI_BATCH / WIDE };

/* ---- batches -------------------------------------------------------------------------------------- */

// Particles of a chunk, either in the arrays themselves or as copies of PLI_BATCH of them. Arrays that are not kept are null.
typedef struct ghost_batch {
    pli_particle *particles, *velocities, *lost;
    const pli_particle *previous, *before, *lost_before;
    const pli_particle *levers; // Positions from which moments are measured.
    bool first_loss;
} ghost_batch;

typedef struct ghost_copies {
    pli_particle particles[PLI_BATCH], velocities[PLI_BATCH], lost[PLI_BATCH];
    pli_particle previous[PLI_BATCH], before[PLI_BATCH], lost_before[PLI_BATCH];
} ghost_copies;

// Returns how many particles from i on are contiguous, in multiples of a batch. Members are in ascending order, so most of a piece is
// contiguous if the memory order is local.
static int32_t contiguous_from(const pli_ghost_job *job, int32_t i, int32_t end)
{
    int32_t whole = (end - i) / PLI_BATCH * PLI_BATCH, count = 0;
    if (!job->members)
        return whole;
    while (count < whole && job->members[i + count + PLI_BATCH - 1] - job->members[i] == count + PLI_BATCH - 1)
        count += PLI_BATCH;
    return count;
}

static inline int32_t member_at(const pli_ghost_job *job, int32_t i) { return job->members ? job->members[i] : i; }

static inline const pli_particle *levers_of(const pli_ghost_job *job)
{
    return job->about_ends ? job->particles : job->previous;
}

static inline ghost_batch batch_in_place(const pli_ghost_job *job, int32_t i)
{
    int32_t first = member_at(job, i);
    return (ghost_batch){job->particles + first,
                         job->velocities + first,
                         job->lost ? job->lost + first : NULL,
                         job->previous + first,
                         job->before ? job->before + first : NULL,
                         job->lost_before ? job->lost_before + first : NULL,
                         levers_of(job) + first,
                         job->first_loss};
}

// Copies the particles i..end-1 of a chunk, at most PLI_BATCH; fixed particles fill the remaining entries.
static ghost_batch copy_batch(const pli_ghost_job *job, int32_t i, int32_t end, ghost_copies *to)
{
    int32_t count = end - i < PLI_BATCH ? end - i : PLI_BATCH;
    if (count < PLI_BATCH)
        memset(to, 0, sizeof *to);
    for (int32_t k = 0; k < count; k++) {
        int32_t from = member_at(job, i + k);
        to->particles[k] = job->particles[from];
        to->velocities[k] = job->velocities[from];
        to->previous[k] = job->previous[from];
        if (job->lost)
            to->lost[k] = job->lost[from];
        if (job->before)
            to->before[k] = job->before[from];
        if (job->lost_before)
            to->lost_before[k] = job->lost_before[from];
    }
    return (ghost_batch){to->particles,
                         to->velocities,
                         job->lost ? to->lost : NULL,
                         to->previous,
                         to->before,
                         job->lost_before ? to->lost_before : NULL,
                         job->about_ends ? to->particles : to->previous,
                         job->first_loss};
}

static void put_back(const pli_ghost_job *job, int32_t i, int32_t end, const ghost_batch *from)
{
    for (int32_t k = 0; k < PLI_BATCH && i + k < end; k++) {
        int32_t to = member_at(job, i + k);
        job->particles[to] = from->particles[k], job->velocities[to] = from->velocities[k];
        if (job->lost)
            job->lost[to] = from->lost[k];
    }
}

WIDE_INLINE wide_particle ghost_load_block(const pli_particle *from)
{
    quads block[QUADS_OF_BLOCK];
    for (int32_t q = 0; q < QUADS_OF_BLOCK; q++)
        block[q] = quads_load(from + q * QUADS);
    return wide_transpose_block(block);
}

// Where the lane of particle k of a batch is stored.
static inline int32_t place_of_lane(int32_t k) { return k / WIDE * WIDE + wide_lane_of(k % WIDE); }

/* ---- weighed -------------------------------------------------------------------------------------- */

static void weigh_chunk(const pli_ghost_job *job, pli_ghost_chunk *chunk, double *mass)
{
    float lanes[PLI_BATCH] = {0.0f};
    int32_t moving = 0;
    for (int32_t i = chunk->begin; i < chunk->end; i += PLI_BATCH) {
        ghost_copies copy;
        const ghost_batch b = copy_batch(job, i, chunk->end, &copy);
        float *masses = job->masses + chunk->masses + (i - chunk->begin);
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            wide_store(masses + k, wide_inverse_above(ghost_load_block(b.particles + k).w, 0.0f));
        for (int32_t k = 0; k < PLI_BATCH; k++)
            lanes[k] += masses[place_of_lane(k)], moving += b.particles[k].w != 0.0f;
    }
    *mass = 0.0;
    for (int32_t k = 0; k < PLI_BATCH; k++)
        *mass += (double)lanes[k];
    chunk->all_move = moving == chunk->end - chunk->begin;
}

static void ghost_weigh(void *data, int32_t begin, int32_t end)
{
    const pli_ghost_job *job = data;
    for (int32_t c = begin; c < end; c++)
        weigh_chunk(job, &job->chunks[c], job->sums + (size_t)c * PLI_GHOST_SUM_COUNT + PLI_GHOST_SUM_MASS);
}

/* ---- summed --------------------------------------------------------------------------------------- */

// The mass is already summed.
typedef wide ghost_sums[PLI_GHOST_SUM_MASS][GHOST_PARTS];

WIDE_INLINE void add3(ghost_sums t, int32_t at, int32_t part, wide3 a)
{
    t[at][part] = t[at][part] + a.x, t[at + 1][part] = t[at + 1][part] + a.y, t[at + 2][part] = t[at + 2][part] + a.z;
}

// Displacement of QUADS particles by the internal sweeps.
WIDE_INLINE quads correction_at(const ghost_batch *b, int32_t k, bool predicted, quads step, quads x)
{
    quads start = predicted ? quads_add(x, quads_multiply(quads_load(b->velocities + k), step))
                            : quads_load(b->before + k);
    quads moved = quads_subtract(quads_load(b->particles + k), start);
    if (b->lost)
        moved = quads_add(moved, quads_load(b->lost + k));
    return b->lost && !predicted ? quads_subtract(moved, quads_load(b->lost_before + k)) : moved;
}

// Corrections are computed before the transposition, which saves two of three transpositions.
WIDE_INLINE void ghost_add_batch(const ghost_batch *b, int32_t at, const float *masses, bool predicted, quads step,
                                 wide3 centre, ghost_sums t)
{
    for (int32_t part = 0; part < GHOST_PARTS; part++) {
        quads starts[QUADS_OF_BLOCK], moved[QUADS_OF_BLOCK];
        for (int32_t q = 0; q < QUADS_OF_BLOCK; q++) {
            const int32_t k = at + part * WIDE + q * QUADS;
            starts[q] = quads_load(b->previous + k);
            moved[q] = correction_at(b, k, predicted, step, starts[q]);
            starts[q] = quads_load(b->levers + k);
        }
        wide m = wide_load(masses + at + part * WIDE);
        wide3 d = wide3_scale(wide_transpose_block(moved).x, m);
        wide3 r = wide3_sub(wide_transpose_block(starts).x, centre), s = wide3_scale(r, m);
        add3(t, PLI_GHOST_SUM_LINEAR, part, d);
        add3(t, PLI_GHOST_SUM_ANGULAR, part, wide3_cross(r, d));
        add3(t, PLI_GHOST_SUM_POSITION, part, s);
        add3(t, PLI_GHOST_SUM_SQUARES, part, (wide3){s.x * r.x, s.y * r.y, s.z * r.z});
        add3(t, PLI_GHOST_SUM_PRODUCTS, part, (wide3){s.y * r.z, s.z * r.x, s.x * r.y});
    }
}

WIDE_INLINE void copy_sums(ghost_sums to, ghost_sums from)
{
    for (int32_t k = 0; k < PLI_GHOST_SUM_MASS; k++)
        for (int32_t part = 0; part < GHOST_PARTS; part++)
            to[k][part] = from[k][part];
}

// The sums stay in registers during the loop.
WIDE_INLINE void add_batches(ghost_batch b, int32_t count, const float *masses, bool predicted, quads step,
                             wide3 centre, ghost_sums t)
{
    ghost_sums now;
    copy_sums(now, t);
    for (int32_t i = 0; i < count; i += PLI_BATCH)
        ghost_add_batch(&b, i, masses, predicted, step, centre, now);
    copy_sums(t, now);
}

// Adds the partial sums, lane after lane.
static void add_lanes(ghost_sums t, double *row)
{
    float lanes[PLI_GHOST_SUM_MASS][PLI_BATCH];
    for (int32_t k = 0; k < PLI_GHOST_SUM_MASS; k++)
        for (int32_t part = 0; part < GHOST_PARTS; part++)
            wide_store(lanes[k] + part * WIDE, t[k][part]);
    for (int32_t k = 0; k < PLI_GHOST_SUM_MASS; k++)
        row[k] = 0.0;
    for (int32_t i = 0; i < PLI_BATCH; i++)
        for (int32_t k = 0; k < PLI_GHOST_SUM_MASS; k++)
            row[k] += (double)lanes[k][place_of_lane(i)];
}

WIDE_INLINE void sum_chunk(const pli_ghost_job *job, const pli_ghost_chunk *chunk, bool predicted, double *row)
{
    const pli_particle *first = &levers_of(job)[member_at(job, chunk->begin)];
    wide3 centre = {wide_set(first->x), wide_set(first->y), wide_set(first->z)};
    quads step = quads_set(job->step, job->step, job->step, job->step);
    ghost_sums t;
    for (int32_t k = 0; k < PLI_GHOST_SUM_MASS; k++)
        for (int32_t part = 0; part < GHOST_PARTS; part++)
            t[k][part] = wide_set(0.0f);
    const float *masses = job->masses + chunk->masses - chunk->begin;
    for (int32_t i = chunk->begin; i < chunk->end;) {
        ghost_copies copy;
        int32_t run = contiguous_from(job, i, chunk->end);
        ghost_batch b = run > 0 ? batch_in_place(job, i) : copy_batch(job, i, chunk->end, &copy);
        run = run > 0 ? run : PLI_BATCH;
        add_batches(b, run, masses + i, predicted, step, centre, t);
        i += run;
    }
    add_lanes(t, row);
}

static void ghost_sum_up(void *data, int32_t begin, int32_t end)
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

// A ghost in registers: turn x r = (ry, rx, rx) turn[0] + (rz, rz, ry) turn[1], r = x - centre.
typedef struct ghost_spread {
    pli_pace pace;
    quads centre, shift, turn[2];
} ghost_spread;

static inline ghost_spread spread_ghost(const pli_ghost *g, const pli_ghost_job *job)
{
    return (ghost_spread){
        pli_pace_of(job->step, job->step, job->fixed_span),
        quads_set(g->centre.x, g->centre.y, g->centre.z, 0.0f),
        quads_set(g->shift.x, g->shift.y, g->shift.z, 0.0f),
        {quads_set(-g->turn.z, g->turn.z, -g->turn.y, 0.0f), quads_set(g->turn.y, -g->turn.x, g->turn.x, 0.0f)}};
}

// The displacement that is removed; it is zero for fixed particles and in w.
WIDE_INLINE quads ghost_at(const ghost_spread *ghost, quads p, quads x, bool all_move)
{
    quads r = quads_subtract(x, ghost->centre);
    quads d = quads_add(ghost->shift, quads_multiply(QUADS_TAKE(r, 1, 0, 0), ghost->turn[0]));
    d = quads_add(d, quads_multiply(QUADS_TAKE(r, 2, 2, 1), ghost->turn[1]));
    return all_move ? d : quads_where_moving(p, d, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
}

// Updates QUADS particles starting at k.
typedef void (*ghost_change)(const ghost_spread *ghost, const ghost_batch *b, int32_t k, bool all_move);

WIDE_INLINE void shift_at(const ghost_spread *ghost, const ghost_batch *b, int32_t k, bool all_move)
{
    quads p = quads_load(b->particles + k), d = ghost_at(ghost, p, quads_load(b->levers + k), all_move);
    quads to = quads_subtract(p, d);
    quads_store(b->particles + k, to);
    if (!b->lost)
        return;
    quads lost = b->first_loss ? quads_set(0.0f, 0.0f, 0.0f, 0.0f) : quads_load(b->lost + k);
    quads_store(b->lost + k, quads_keep_w(quads_add(lost, quads_subtract(quads_subtract(p, to), d)), lost));
}

// The ghost is removed from the velocity before this is rounded to the grid of positions, so that momenta are conserved to the rounding of
// velocities.
WIDE_INLINE void ghost_derive_at(const ghost_spread *ghost, const ghost_batch *b, int32_t k, bool all_move)
{
    quads p = quads_load(b->particles + k), x = quads_load(b->previous + k), v = quads_load(b->velocities + k);
    quads d = ghost_at(ghost, p, quads_load(b->levers + k), all_move),
          moved = pli_correction(p, x, v, ghost->pace, all_move);
    if (b->lost)
        moved = quads_add(moved, quads_load(b->lost + k));
    quads_store(b->velocities + k, pli_corrected_velocity(p, v, quads_subtract(moved, d), ghost->pace, all_move));
    quads_store(b->particles + k, quads_subtract(p, d));
}

WIDE_INLINE void change_chunk(const pli_ghost_job *job, const pli_ghost_chunk *chunk, bool all_move, ghost_change run)
{
    const ghost_spread ghost = spread_ghost(&job->ghosts[chunk->piece], job);
    int32_t i = chunk->begin;
    while (i < chunk->end) {
        int32_t count = contiguous_from(job, i, chunk->end);
        ghost_batch b = batch_in_place(job, i);
        for (int32_t k = 0; k < count; k += QUADS)
            run(&ghost, &b, k, all_move);
        i += count;
        if (count > 0)
            continue;
        ghost_copies copy;
        b = copy_batch(job, i, chunk->end, &copy);
        for (int32_t k = 0; k < PLI_BATCH; k += QUADS)
            run(&ghost, &b, k, false);
        put_back(job, i, chunk->end, &b);
        i += PLI_BATCH;
    }
}

WIDE_INLINE void change_chunks(const pli_ghost_job *job, int32_t begin, int32_t end, ghost_change run)
{
    for (int32_t c = begin; c < end; c++)
        if (job->chunks[c].all_move)
            change_chunk(job, &job->chunks[c], true, run);
        else
            change_chunk(job, &job->chunks[c], false, run);
}

static void shift_chunks(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, shift_at); }
static void ghost_derive(void *data, int32_t begin, int32_t end) { change_chunks(data, begin, end, ghost_derive_at); }

const pli_ghost_kernels PLI_NAMED(pli_ghost) = {ghost_weigh, ghost_sum_up, shift_chunks, ghost_derive};
