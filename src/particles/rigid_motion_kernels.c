// Sums over particles in double, and rigid motions added to velocities: particles/rigid_motion_kernels.h.
//
// Particles are an array of structures (x, y, z, w). A batch of PLI_BATCH of them is transposed to a structure of
// arrays before any arithmetic, and back after it:
//
//   x0 y0 z0 w0 | x1 y1 z1 w1 | ...   ->   x0 x1 ... | y0 y1 ... | z0 z1 ... | w0 w1 ...
#include "particles/rigid_motion_kernels.h"

#include <string.h>

// Doubles in a SIMD register, and the floats that they are converted from.
#define RIGID_MOTION_DOUBLES (WIDE > 4 ? WIDE / 2 : 2)
typedef double rigid_motion_lanes __attribute__((vector_size(8 * RIGID_MOTION_DOUBLES)));
typedef float motion_floats __attribute__((vector_size(4 * RIGID_MOTION_DOUBLES)));
typedef int64_t motion_bits __attribute__((vector_size(8 * RIGID_MOTION_DOUBLES)));

// Inlining is forced, so that the function passed to change_velocities is inlined as well.
enum { RIGID_MOTION_PARTS = PLI_MOTION_SUM_LANES / RIGID_MOTION_DOUBLES };

// PLI_BATCH particles as a structure of arrays x, y, z, w; lanes beyond the last particle are zero.
typedef struct rigid_motion_batch {
    float at[4][PLI_BATCH];
} rigid_motion_batch;

static inline void rigid_motion_load_batch(const pli_particle *from, int32_t count, rigid_motion_batch *to)
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

static inline void store_batch(pli_particle *to, int32_t count, const rigid_motion_batch *from)
{
    pli_particle copy[PLI_BATCH], *at = count < PLI_BATCH ? copy : to;
    for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
        wide3 x = {wide_load(from->at[0] + k), wide_load(from->at[1] + k), wide_load(from->at[2] + k)};
        wide_store_row(at + k, x, wide_load(from->at[3] + k));
    }
    if (count < PLI_BATCH)
        memcpy(to, copy, (size_t)count * sizeof *copy);
}

// Converts the first `coordinates` coordinates of the particles k..k+DOUBLES-1 of a batch to doubles.
static inline void to_doubles(const rigid_motion_batch *from, int32_t k, int32_t coordinates, rigid_motion_lanes *to)
{
    for (int32_t c = 0; c < coordinates; c++) {
        motion_floats f;
        memcpy(&f, from->at[c] + k, sizeof f);
        to[c] = __builtin_convertvector(f, rigid_motion_lanes);
    }
}

// Masses from inverse masses; a fixed particle (w = 0) gets mass 0.
static inline void masses_of(const rigid_motion_lanes *w, rigid_motion_lanes *mass)
{
    motion_bits movable = *w > 0.0;
    *mass = (rigid_motion_lanes)((motion_bits)(1.0 / *w) & movable);
}

static void store_sums(const pli_rigid_motion_sums *m, int32_t begin, const rigid_motion_lanes *sums)
{
    double *row = m->sums + PLI_MOTION_SUM_COUNT * (begin / m->grain);
    for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++) {
        row[k] = 0.0;
        for (int32_t i = 0; i < PLI_MOTION_SUM_LANES; i++)
            row[k] += sums[k * RIGID_MOTION_PARTS + i / RIGID_MOTION_DOUBLES][i % RIGID_MOTION_DOUBLES];
    }
}

// The masses of a batch with the inverse masses that they were computed from: neighbours mostly have equal masses, so the divisions are
// skipped while the inverse masses repeat.
typedef struct mass_cache {
    float w[PLI_BATCH];
    rigid_motion_lanes mass[PLI_BATCH / RIGID_MOTION_DOUBLES];
} mass_cache;

static inline void update_masses(const rigid_motion_batch *particles, mass_cache *last)
{
    uint32_t other = 0;
    for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
        wide now = wide_load(particles->at[3] + k), then = wide_load(last->w + k);
        other |= wide_bits(wide_or(wide_less(now, then), wide_less(then, now)));
    }
    if (!other)
        return;
    memcpy(last->w, particles->at[3], sizeof last->w);
    for (int32_t k = 0; k < PLI_BATCH; k += RIGID_MOTION_DOUBLES) {
        motion_floats f;
        memcpy(&f, last->w + k, sizeof f);
        rigid_motion_lanes w = __builtin_convertvector(f, rigid_motion_lanes);
        masses_of(&w, &last->mass[k / RIGID_MOTION_DOUBLES]);
    }
}

static void rigid_motion_sum_up(void *motion, int32_t begin, int32_t end)
{
    const pli_rigid_motion_sums *m = motion;
    rigid_motion_lanes sums[PLI_MOTION_SUM_COUNT][RIGID_MOTION_PARTS] = {{{0.0}}};
    mass_cache weights = {0};
    for (int32_t i = begin; i < end; i += PLI_BATCH) {
        rigid_motion_batch particles, velocities;
        rigid_motion_load_batch(m->particles + i, end - i, &particles);
        rigid_motion_load_batch(m->velocities + i, end - i, &velocities);
        update_masses(&particles, &weights);
        for (int32_t k = 0; k < PLI_BATCH; k += RIGID_MOTION_DOUBLES) {
            int32_t part = k / RIGID_MOTION_DOUBLES % RIGID_MOTION_PARTS;
            rigid_motion_lanes r[3], v[3], mass = weights.mass[k / RIGID_MOTION_DOUBLES], mr[3];
            to_doubles(&particles, k, 3, r);
            to_doubles(&velocities, k, 3, v);
            r[0] -= m->centre.x, r[1] -= m->centre.y, r[2] -= m->centre.z;
            sums[PLI_MOTION_SUM_MASS][part] += mass;
            for (int32_t c = 0; c < 3; c++) {
                int32_t d = (c + 1) % 3, e = (c + 2) % 3;
                mr[c] = mass * r[c];
                sums[PLI_MOTION_SUM_POSITION + c][part] += mr[c];
                sums[PLI_MOTION_SUM_MOMENTUM + c][part] += mass * v[c];
                sums[PLI_MOTION_SUM_SQUARES + c][part] += mr[c] * r[c];
                sums[PLI_MOTION_SUM_ANGULAR + c][part] += mass * (r[d] * v[e] - r[e] * v[d]);
            }
            for (int32_t c = 0; c < 3; c++)
                sums[PLI_MOTION_SUM_PRODUCTS + c][part] += mr[(c + 1) % 3] * r[(c + 2) % 3];
        }
    }
    store_sums(m, begin, sums[0]);
}

// Velocity of the rigid motion at the particles k..k+DOUBLES-1 of a batch: v + spin x (x - centre).
static inline void motion_at(const pli_rigid_motion_sums *m, const rigid_motion_batch *particles, int32_t k,
                             rigid_motion_lanes *v)
{
    rigid_motion_lanes r[3];
    to_doubles(particles, k, 3, r);
    r[0] -= m->centre.x, r[1] -= m->centre.y, r[2] -= m->centre.z;
    v[0] = m->velocity.x + (m->spin.y * r[2] - m->spin.z * r[1]);
    v[1] = m->velocity.y + (m->spin.z * r[0] - m->spin.x * r[2]);
    v[2] = m->velocity.z + (m->spin.x * r[1] - m->spin.y * r[0]);
}

// Gives fixed particles their former velocities back.
static inline void restore_fixed(const rigid_motion_batch *particles, const rigid_motion_batch *before,
                                 rigid_motion_batch *velocities)
{
    for (int32_t c = 0; c < 3; c++)
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
            wide_mask movable = wide_less(wide_set(0.0f), wide_load(particles->at[3] + k));
            wide v = wide_select(movable, wide_load(velocities->at[c] + k), wide_load(before->at[c] + k));
            wide_store(velocities->at[c] + k, v);
        }
}

// New value of one velocity coordinate of DOUBLES particles, from the present value as floats and as doubles and from
// the rigid motion there.
typedef motion_floats (*rigid_motion_changed)(const pli_rigid_motion_sums *m, motion_floats own, rigid_motion_lanes v,
                                              rigid_motion_lanes rigid);

WIDE_INLINE void change_velocities(const pli_rigid_motion_sums *m, int32_t begin, int32_t end,
                                   rigid_motion_changed velocity)
{
    for (int32_t i = begin; i < end; i += PLI_BATCH) {
        rigid_motion_batch particles, before, velocities;
        rigid_motion_load_batch(m->particles + i, end - i, &particles);
        rigid_motion_load_batch(m->velocities + i, end - i, &before);
        velocities = before;
        for (int32_t k = 0; k < PLI_BATCH; k += RIGID_MOTION_DOUBLES) {
            rigid_motion_lanes v[3], rigid[3];
            to_doubles(&before, k, 3, v);
            motion_at(m, &particles, k, rigid);
            for (int32_t c = 0; c < 3; c++) {
                motion_floats own;
                memcpy(&own, before.at[c] + k, sizeof own);
                own = velocity(m, own, v[c], rigid[c]);
                memcpy(velocities.at[c] + k, &own, sizeof own);
            }
        }
        restore_fixed(&particles, &before, &velocities);
        store_batch(m->velocities + i, end - i, &velocities);
    }
}

WIDE_INLINE motion_floats damped(const pli_rigid_motion_sums *m, motion_floats own, rigid_motion_lanes v,
                                 rigid_motion_lanes rigid)
{
    return own + m->share * __builtin_convertvector(rigid - v, motion_floats);
}

WIDE_INLINE motion_floats rigid_motion_sum(const pli_rigid_motion_sums *m, motion_floats own, rigid_motion_lanes v,
                                           rigid_motion_lanes rigid)
{
    (void)m, (void)own;
    return __builtin_convertvector(v + rigid, motion_floats);
}

static void rigid_motion_approach(void *motion, int32_t begin, int32_t end)
{
    change_velocities(motion, begin, end, damped);
}
static void rigid_motion_add(void *motion, int32_t begin, int32_t end)
{
    change_velocities(motion, begin, end, rigid_motion_sum);
}

const pli_rigid_motion_kernels PLI_NAMED(pli_rigid_motion) = {rigid_motion_sum_up, rigid_motion_approach,
                                                              rigid_motion_add};
