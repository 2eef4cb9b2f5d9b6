#include "particles/rigid_motion_kernels.h"

#include <string.h>

// As many doubles as fill a register, and the floats that they come from.
#define DOUBLES (WIDE > 4 ? WIDE / 2 : 2)
typedef double lanes __attribute__((vector_size(8 * DOUBLES)));
typedef float floats __attribute__((vector_size(4 * DOUBLES)));
typedef int64_t bits __attribute__((vector_size(8 * DOUBLES)));

// Also what loops are given to do.
#define INLINED static inline __attribute__((always_inline))

enum { PARTS = PLI_WHOLE_LANES / DOUBLES };

// PLI_BATCH particles by coordinate: x, y, z, w. Behind the last one are zeros.
typedef struct batch {
    float at[4][PLI_BATCH];
} batch;

static inline void take(const pli_particle *from, int32_t count, batch *to)
{
    pli_particle copy[PLI_BATCH];
    if (count < PLI_BATCH) {
        memset(copy, 0, sizeof copy);
        memcpy(copy, from, (size_t)count * sizeof *copy);
        from = copy;
    }
    for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
        wide_particle p = wide_load_row(from + k);
        wide_store(to->at[0] + k, p.x.x);
        wide_store(to->at[1] + k, p.x.y);
        wide_store(to->at[2] + k, p.x.z);
        wide_store(to->at[3] + k, p.w);
    }
}

static inline void give(pli_particle *to, int32_t count, const batch *from)
{
    pli_particle copy[PLI_BATCH], *at = count < PLI_BATCH ? copy : to;
    for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
        wide3 x = {wide_load(from->at[0] + k), wide_load(from->at[1] + k), wide_load(from->at[2] + k)};
        wide_store_row(at + k, x, wide_load(from->at[3] + k));
    }
    if (count < PLI_BATCH)
        memcpy(to, copy, (size_t)count * sizeof *copy);
}

// Those of a batch from k on.
static inline void widen(const batch *from, int32_t k, int32_t coordinates, lanes *to)
{
    for (int32_t c = 0; c < coordinates; c++) {
        floats f;
        memcpy(&f, from->at[c] + k, sizeof f);
        to[c] = __builtin_convertvector(f, lanes);
    }
}

// Of inverse masses; 0 of what is held.
static inline void masses_of(const lanes *w, lanes *mass)
{
    bits movable = *w > 0.0;
    *mass = (lanes)((bits)(1.0 / *w) & movable);
}

static void add_up(const pli_rigid_motion_sums *m, int32_t begin, const lanes *sums)
{
    double *row = m->sums + PLI_WHOLE_SUMS * (begin / m->grain);
    for (int32_t k = 0; k < PLI_WHOLE_SUMS; k++) {
        row[k] = 0.0;
        for (int32_t i = 0; i < PLI_WHOLE_LANES; i++)
            row[k] += sums[k * PARTS + i / DOUBLES][i % DOUBLES];
    }
}

// Masses of a batch, and the inverse masses that they come from: neighbours have the same ones more often than not.
typedef struct weighing {
    float w[PLI_BATCH];
    lanes mass[PLI_BATCH / DOUBLES];
} weighing;

static inline void weigh(const batch *particles, weighing *last)
{
    uint32_t other = 0;
    for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
        wide now = wide_load(particles->at[3] + k), then = wide_load(last->w + k);
        other |= wide_bits(wide_or(wide_less(now, then), wide_less(then, now)));
    }
    if (!other)
        return;
    memcpy(last->w, particles->at[3], sizeof last->w);
    for (int32_t k = 0; k < PLI_BATCH; k += DOUBLES) {
        floats f;
        memcpy(&f, last->w + k, sizeof f);
        lanes w = __builtin_convertvector(f, lanes);
        masses_of(&w, &last->mass[k / DOUBLES]);
    }
}

static void sum_up(void *motion, int32_t begin, int32_t end)
{
    const pli_rigid_motion_sums *m = motion;
    lanes sums[PLI_WHOLE_SUMS][PARTS] = {{{0.0}}};
    weighing weights = {0};
    for (int32_t i = begin; i < end; i += PLI_BATCH) {
        batch particles, velocities;
        take(m->particles + i, end - i, &particles);
        take(m->velocities + i, end - i, &velocities);
        weigh(&particles, &weights);
        for (int32_t k = 0; k < PLI_BATCH; k += DOUBLES) {
            int32_t part = k / DOUBLES % PARTS;
            lanes r[3], v[3], mass = weights.mass[k / DOUBLES], mr[3];
            widen(&particles, k, 3, r);
            widen(&velocities, k, 3, v);
            r[0] -= m->centre.x, r[1] -= m->centre.y, r[2] -= m->centre.z;
            sums[PLI_WHOLE_MASS][part] += mass;
            for (int32_t c = 0; c < 3; c++) {
                int32_t d = (c + 1) % 3, e = (c + 2) % 3;
                mr[c] = mass * r[c];
                sums[PLI_WHOLE_PLACE + c][part] += mr[c];
                sums[PLI_WHOLE_MOMENTUM + c][part] += mass * v[c];
                sums[PLI_WHOLE_SQUARES + c][part] += mr[c] * r[c];
                sums[PLI_WHOLE_SPIN + c][part] += mass * (r[d] * v[e] - r[e] * v[d]);
            }
            for (int32_t c = 0; c < 3; c++)
                sums[PLI_WHOLE_PRODUCTS + c][part] += mr[(c + 1) % 3] * r[(c + 2) % 3];
        }
    }
    add_up(m, begin, sums[0]);
}

// Of the motion, at those of a batch from k on.
static inline void motion_at(const pli_rigid_motion_sums *m, const batch *particles, int32_t k, lanes *v)
{
    lanes r[3];
    widen(particles, k, 3, r);
    r[0] -= m->centre.x, r[1] -= m->centre.y, r[2] -= m->centre.z;
    v[0] = m->velocity.x + (m->spin.y * r[2] - m->spin.z * r[1]);
    v[1] = m->velocity.y + (m->spin.z * r[0] - m->spin.x * r[2]);
    v[2] = m->velocity.z + (m->spin.x * r[1] - m->spin.y * r[0]);
}

static inline void keep_held(const batch *particles, const batch *before, batch *velocities)
{
    for (int32_t c = 0; c < 3; c++)
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
            wide_mask movable = wide_less(wide_set(0.0f), wide_load(particles->at[3] + k));
            wide v = wide_select(movable, wide_load(velocities->at[c] + k), wide_load(before->at[c] + k));
            wide_store(velocities->at[c] + k, v);
        }
}

// A velocity's coordinate in DOUBLES particles: from what it is, in floats and in doubles, and the motion's there.
typedef floats (*changed)(const pli_rigid_motion_sums *m, floats own, lanes v, lanes whole);

INLINED void change(const pli_rigid_motion_sums *m, int32_t begin, int32_t end, changed velocity)
{
    for (int32_t i = begin; i < end; i += PLI_BATCH) {
        batch particles, before, velocities;
        take(m->particles + i, end - i, &particles);
        take(m->velocities + i, end - i, &before);
        velocities = before;
        for (int32_t k = 0; k < PLI_BATCH; k += DOUBLES) {
            lanes v[3], whole[3];
            widen(&before, k, 3, v);
            motion_at(m, &particles, k, whole);
            for (int32_t c = 0; c < 3; c++) {
                floats own;
                memcpy(&own, before.at[c] + k, sizeof own);
                own = velocity(m, own, v[c], whole[c]);
                memcpy(velocities.at[c] + k, &own, sizeof own);
            }
        }
        keep_held(&particles, &before, &velocities);
        give(m->velocities + i, end - i, &velocities);
    }
}

INLINED floats nearer(const pli_rigid_motion_sums *m, floats own, lanes v, lanes whole)
{
    return own + m->share * __builtin_convertvector(whole - v, floats);
}

INLINED floats sum(const pli_rigid_motion_sums *m, floats own, lanes v, lanes whole)
{
    (void)m, (void)own;
    return __builtin_convertvector(v + whole, floats);
}

static void approach(void *motion, int32_t begin, int32_t end) { change(motion, begin, end, nearer); }
static void add(void *motion, int32_t begin, int32_t end) { change(motion, begin, end, sum); }

const pli_rigid_motion_kernels PLI_NAMED(pli_rigid_motion) = {sum_up, approach, add};
