// The limit kernels, compiled once for each instruction set (LIMIT_NAME) and vectorised by the compiler; see
// machine_limit.h.
#include "bench/machine_limit.h"

#include <math.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define ALWAYS static inline __attribute__((always_inline))
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

static const float tiny = 1e-20f, small = 1e-12f;
static const float compliance = 1e-3f; // alpha / h^2, where multipliers are stored.
static const float frame = 1.0f / 60.0f, gravity = -9.81f;

typedef struct vector {
    float x, y, z;
} vector;

ALWAYS vector load(const limit_grid *g, int32_t i) { return (vector){g->x[i], g->y[i], g->z[i]}; }
ALWAYS vector add(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
ALWAYS vector subtract(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
ALWAYS vector scale(vector a, float s) { return (vector){s * a.x, s * a.y, s * a.z}; }
ALWAYS float dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ALWAYS float above(float a, float least) { return a > least ? a : least; }

ALWAYS vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ALWAYS void store(limit_grid *g, int32_t i, vector p)
{
    g->x[i] = p.x;
    g->y[i] = p.y;
    g->z[i] = p.z;
}

ALWAYS void distance(limit_grid g, const limit_part *part, const limit_run *run, bool stored)
{
    const int32_t a = run->points[0], b = run->points[1], count = run->count / LIMIT_LANES * LIMIT_LANES;
    const float *rest = part->rest[0] + run->slot;
    float *lambda = part->lambda[0] + run->slot;
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vector pa = load(&g, a + i), pb = load(&g, b + i), d = subtract(pa, pb);
        float wa = g.w[a + i], wb = g.w[b + i], length = sqrtf(dot(d, d)), error = length - rest[i];
        float weight = wa + wb;
        if (stored) {
            error += compliance * lambda[i];
            weight += compliance;
        }
        float s = error / (weight * length);
        s = rest[i] > 0.0f ? s : 0.0f;
        if (stored)
            lambda[i] -= s * length;
        store(&g, a + i, subtract(pa, scale(d, wa * s)));
        store(&g, b + i, add(pb, scale(d, wb * s)));
    }
}

// b0, b1, v: the height of v over their centroid; rest is at least 0 where there is a constraint.
ALWAYS void triangle(limit_grid g, const limit_part *part, const limit_run *run, bool stored)
{
    const int32_t a = run->points[0], b = run->points[1], v = run->points[2];
    const int32_t count = run->count / LIMIT_LANES * LIMIT_LANES;
    const float *rest = part->rest[0] + run->slot, third = 1.0f / 3.0f;
    float *lambda = part->lambda[0] + run->slot;
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vector pa = load(&g, a + i), pb = load(&g, b + i), pv = load(&g, v + i);
        float wa = g.w[a + i], wb = g.w[b + i], wv = g.w[v + i];
        vector d = scale(subtract(add(pv, pv), add(pa, pb)), third);
        float height = sqrtf(dot(d, d)), error = height - rest[i];
        float weight = (wa + wb + 4.0f * wv) * (third * third);
        if (stored) {
            error += compliance * lambda[i];
            weight += compliance;
        }
        float s = error / above(weight * height, tiny);
        s = rest[i] >= 0.0f ? s : 0.0f;
        if (stored)
            lambda[i] -= s * height;
        store(&g, a + i, add(pa, scale(d, third * wa * s)));
        store(&g, b + i, add(pb, scale(d, third * wb * s)));
        store(&g, v + i, subtract(pv, scale(d, 2.0f * third * wv * s)));
    }
}

// sum_j q_j p_j as a vector; all q are 0 where there is no constraint.
ALWAYS void isometric(limit_grid g, const limit_part *part, const limit_run *run, bool stored)
{
    const int32_t a = run->points[0], b = run->points[1], c = run->points[2], d = run->points[3];
    const int32_t count = run->count / LIMIT_LANES * LIMIT_LANES, slot = run->slot;
    const float *qa = part->rest[0] + slot, *qb = part->rest[1] + slot, *qc = part->rest[2] + slot,
                *qd = part->rest[3] + slot;
    float *lx = part->lambda[0] + slot, *ly = part->lambda[1] + slot, *lz = part->lambda[2] + slot;
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vector pa = load(&g, a + i), pb = load(&g, b + i), pc = load(&g, c + i), pd = load(&g, d + i);
        float ga = g.w[a + i] * qa[i], gb = g.w[b + i] * qb[i], gc = g.w[c + i] * qc[i], gd = g.w[d + i] * qd[i];
        float weight = ga * qa[i] + gb * qb[i] + gc * qc[i] + gd * qd[i];
        vector sum = add(add(scale(pa, qa[i]), scale(pb, qb[i])), add(scale(pc, qc[i]), scale(pd, qd[i])));
        if (stored) {
            sum = add(sum, scale((vector){lx[i], ly[i], lz[i]}, compliance));
            weight += compliance;
        }
        sum = scale(sum, 1.0f / above(weight, tiny));
        if (stored) {
            lx[i] -= sum.x;
            ly[i] -= sum.y;
            lz[i] -= sum.z;
        }
        store(&g, a + i, subtract(pa, scale(sum, ga)));
        store(&g, b + i, subtract(pb, scale(sum, gb)));
        store(&g, c + i, subtract(pc, scale(sum, gc)));
        store(&g, d + i, subtract(pd, scale(sum, gd)));
    }
}

// Arc tangent on 0..1 by an odd polynomial through eight Chebyshev nodes, error 6e-8, then rotated to its octant.
ALWAYS float angle(float y, float x)
{
    float ax = fabsf(x), ay = fabsf(y), low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
    float q = low / above(high, tiny), z = q * q;
    float zz = z * z, first = (0.99999988f - 0.33331813f * z) + zz * (0.19966962f - 0.1400329f * z);
    float second = (0.098688655f - 0.058829753f * z) + zz * (0.023780519f - 0.004559792f * z);
    q *= first + zz * zz * second;
    q = ax < ay ? 1.57079633f - q : q;
    q = x < 0.0f ? 3.14159265f - q : q;
    return copysignf(q, y);
}

// The dihedral angle of a and b opposite to the edge from c to d. Gradients are combinations of the normals m and n,
// which are both perpendicular to the edge e: m x n = (m . bd) e, and all their squares follow from those of m, n and
// e.
ALWAYS void dihedral(limit_grid g, const limit_part *part, const limit_run *run, bool stored)
{
    const int32_t a = run->points[0], b = run->points[1], c = run->points[2], d = run->points[3];
    const int32_t count = run->count / LIMIT_LANES * LIMIT_LANES;
    const float *rest = part->rest[0] + run->slot;
    float *lambda = part->lambda[0] + run->slot;
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vector pa = load(&g, a + i), pb = load(&g, b + i), pc = load(&g, c + i), pd = load(&g, d + i);
        float wa = g.w[a + i], wb = g.w[b + i], wc = g.w[c + i], wd = g.w[d + i];
        vector e = subtract(pd, pc), ad = subtract(pd, pa), bd = subtract(pd, pb);
        vector m = cross(subtract(pc, pa), ad), n = cross(bd, subtract(pc, pb));
        float mm = above(dot(m, m), small), nn = above(dot(n, n), small), mn = dot(m, n), ee = above(dot(e, e), small);
        float length = sqrtf(ee), per = 1.0f / (mm * nn * ee);
        float per_m = length * per * nn * ee, per_n = length * per * mm * ee, per_e = per * mm * nn;
        float ta = dot(ad, e) * per_e, tb = dot(bd, e) * per_e, ua = 1.0f - ta, ub = 1.0f - tb;
        float square_m = per_m * length, square_n = per_n * length, mixed = 2.0f * per_m * per_n * mn;
        float weight = wa * square_m + wb * square_n +
                       wc * (ta * ta * square_m + tb * tb * square_n + ta * tb * mixed) +
                       wd * (ua * ua * square_m + ub * ub * square_n + ua * ub * mixed);
        float error = angle(-dot(m, bd) * length, mn) - rest[i];
        if (stored) {
            error += compliance * lambda[i];
            weight += compliance;
        }
        float s = error / above(weight, tiny);
        s = rest[i] > -4.0f ? s : 0.0f;
        if (stored)
            lambda[i] -= s;
        m = scale(m, s * per_m);
        n = scale(n, s * per_n);
        store(&g, a + i, subtract(pa, scale(m, wa)));
        store(&g, b + i, subtract(pb, scale(n, wb)));
        store(&g, c + i, add(pc, scale(add(scale(m, ta), scale(n, tb)), wc)));
        store(&g, d + i, add(pd, scale(add(scale(m, ua), scale(n, ub)), wd)));
    }
}

ALWAYS void project(const limit_grid *g, int32_t row, bool stored)
{
    for (int32_t k = 0; k < g->part_count; k++) {
        const limit_part *part = &g->parts[k];
        const limit_run *end = part->runs + part->row_runs[row + 1];
        for (const limit_run *run = part->runs + part->row_runs[row]; run < end; run++) {
            if (part->kind == LIMIT_DISTANCE)
                distance(*g, part, run, stored);
            else if (part->kind == LIMIT_TRIANGLE)
                triangle(*g, part, run, stored);
            else if (part->kind == LIMIT_ISOMETRIC)
                isometric(*g, part, run, stored);
            else
                dihedral(*g, part, run, stored);
        }
    }
}

static void project_storing(const limit_grid *g, int32_t row) { project(g, row, true); }
static void project_once(const limit_grid *g, int32_t row) { project(g, row, false); }

// `ring` keeps the previous positions of so many rows, a power of two, since only those near the sweep are needed.
static void predict(const limit_grid *grid, int32_t row, int32_t ring, float step)
{
    const limit_grid g = *grid;
    const int32_t count = g.residues * g.pitch, from = row * count, to = (row & (ring - 1)) * count;
    float *vx = g.velocity[0], *vy = g.velocity[1], *vz = g.velocity[2];
    float *px = g.previous[0], *py = g.previous[1], *pz = g.previous[2];
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vector p = load(&g, from + i), v = {vx[from + i], vy[from + i] + step * gravity, vz[from + i]};
        float time = g.w[from + i] > 0.0f ? step : 0.0f;
        px[to + i] = p.x, py[to + i] = p.y, pz[to + i] = p.z;
        store((limit_grid *)&g, from + i, add(p, scale(v, time)));
    }
}

static void derive(const limit_grid *grid, int32_t row, int32_t ring, float step)
{
    const limit_grid g = *grid;
    const int32_t count = g.residues * g.pitch, from = row * count, to = (row & (ring - 1)) * count;
    const float per_second = 1.0f / step;
    float *vx = g.velocity[0], *vy = g.velocity[1], *vz = g.velocity[2];
    const float *px = g.previous[0], *py = g.previous[1], *pz = g.previous[2];
    INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        vx[from + i] = (g.x[from + i] - px[to + i]) * per_second;
        vy[from + i] = (g.y[from + i] - py[to + i]) * per_second;
        vz[from + i] = (g.z[from + i] - pz[to + i]) * per_second;
    }
}

// One pass over memory: constraints of row i move the rows beside it.
static void substep_fused(const limit_grid *g, float step)
{
    enum { RING = 4 };
    predict(g, 0, RING, step);
    for (int32_t row = 0; row < g->rows; row++) {
        if (row + 1 < g->rows)
            predict(g, row + 1, RING, step);
        project_once(g, row);
        if (row > 0)
            derive(g, row - 1, RING, step);
    }
    derive(g, g->rows - 1, RING, step);
}

static void sweeps(const limit_grid *g, int32_t iterations)
{
    for (int32_t iteration = 0; iteration < iterations; iteration++)
        for (int32_t row = 0; row < g->rows; row++)
            project_storing(g, row);
}

static void run_frame(limit_grid *g, int32_t substeps, int32_t iterations)
{
    enum { WHOLE = 1 << 30 };
    float step = frame / (float)(substeps > 0 ? substeps : 1);
    if (substeps == 0)
        sweeps(g, iterations);
    for (int32_t substep = 0; substep < substeps; substep++) {
        if (iterations == 1) {
            substep_fused(g, step);
            continue;
        }
        for (int32_t row = 0; row < g->rows; row++)
            predict(g, row, WHOLE, step);
        sweeps(g, iterations);
        for (int32_t row = 0; row < g->rows; row++)
            derive(g, row, WHOLE, step);
    }
}

static void run_triad(float *a, const float *b, const float *c, int64_t count)
{
    INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        a[i] = b[i] + 3.0f * c[i];
}

extern const limit_kernels JOIN(limit_kernels, LIMIT_NAME);
const limit_kernels JOIN(limit_kernels, LIMIT_NAME) = {run_frame, run_triad};
