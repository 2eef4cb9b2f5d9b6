// SIMD kernels of the broad and the narrow phase: box tests, BVH queries, separating directions of primitives, and
// deviations from trajectories. Compiled once for each instruction set.
#include "collision/narrowphase/pair_kernels.h"

// Relative rounding error of a float difference of positions and of a dot product with it.
#define PAIR_ROUNDING 1e-5f

// Mask of all lanes.
#define ALL ((uint32_t)((1u << WIDE) - 1u))

static inline const float *pair_row(const pli_near_items *items, int32_t row)
{
    return items->values + (int64_t)row * items->count;
}

// part / whole, clamped to 0..1; 0 when `whole` is 0.
static inline wide pair_clamped(wide part, wide whole)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f);
    wide_mask within = wide_and(wide_less(zero, whole), wide_less(zero, part));
    wide share = wide_select(wide_less(part, whole), part / wide_select(wide_less(zero, whole), whole, one), one);
    return wide_select(within, share, zero);
}

static inline wide3 pair_between(wide3 a, wide3 b, wide part)
{
    return wide3_add(a, wide3_scale(wide3_sub(b, a), part));
}

static inline wide3 between_edges(const wide3 at[4])
{
    wide3 d1 = wide3_sub(at[1], at[0]), d2 = wide3_sub(at[3], at[2]), r = wide3_sub(at[0], at[2]);
    wide a = wide3_dot(d1, d1), e = wide3_dot(d2, d2), f = wide3_dot(d2, r), c = wide3_dot(d1, r),
         b = wide3_dot(d1, d2);
    wide s = pair_clamped(b * f - c * e, a * e - b * b), t = pair_clamped(b * s + f, e);
    s = pair_clamped(b * t - c, a);
    return wide3_sub(pair_between(at[0], at[1], s), pair_between(at[2], at[3], t));
}

// Vector from the nearest point of a side to p.
static inline wide3 off_side(wide3 p, wide3 a, wide3 b)
{
    wide3 side = wide3_sub(b, a), from = wide3_sub(p, a);
    return wide3_sub(from, wide3_scale(side, pair_clamped(wide3_dot(from, side), wide3_dot(side, side))));
}

static inline wide3 shorter(wide3 a, wide3 b)
{
    return wide3_select(wide_less(wide3_dot(a, a), wide3_dot(b, b)), a, b);
}

// Vector from the nearest point of the triangle to the vertex: along the triangle's normal over its inside, else from a
// side. A worse direction is safe too, but keeps distant pairs in the list.
static inline wide3 off_triangle(const wide3 at[4])
{
    wide zero = wide_set(0.0f);
    wide3 ab = wide3_sub(at[2], at[1]), ac = wide3_sub(at[3], at[1]), ap = wide3_sub(at[0], at[1]);
    wide3 normal = wide3_cross(ab, ac);
    wide area = wide3_dot(normal, normal), v = wide3_dot(wide3_cross(ap, ac), normal),
         w = wide3_dot(wide3_cross(ab, ap), normal);
    wide_mask inside = wide_and(wide_and(wide_less(zero, v), wide_less(zero, w)), wide_less(v + w, area));
    wide height = wide3_dot(ap, normal) / wide_select(inside, area, wide_set(1.0f));
    wide3 side = shorter(shorter(off_side(at[0], at[1], at[2]), off_side(at[0], at[2], at[3])),
                         off_side(at[0], at[3], at[1]));
    return wide3_select(inside, wide3_scale(normal, height), side);
}

static inline wide pair_gap_along(wide3 trajectory, const wide3 at[4], int split)
{
    wide d[4] = {wide_set(0.0f)};
    for (int i = 1; i < 4; i++)
        d[i] = wide3_dot(trajectory, wide3_sub(at[i], at[0]));
    if (split == 2)
        return wide_min(d[0], d[1]) - wide_max(d[2], d[3]);
    return d[0] - wide_max(wide_max(d[1], d[2]), d[3]);
}

static inline wide pair_size(const wide3 at[4])
{
    wide size = wide_set(0.0f);
    for (int i = 1; i < 4; i++) {
        wide3 d = wide3_sub(at[i], at[0]);
        size = wide_max(size, wide_abs(d.x) + wide_abs(d.y) + wide_abs(d.z));
    }
    return size;
}

// Candidate direction: between the closest points at the start. A direction that separates the sides at the start and
// at the end of linear trajectories does so at every time between, so any direction is safe and a good one saves work.
static inline void pair_separate(const wide3 from[4], const wide3 to[4], int split, int32_t lane, pli_near_pairs *out)
{
    wide zero = wide_set(0.0f);
    wide3 trajectory = split == 2 ? between_edges(from) : off_triangle(from);
    wide length = wide3_length(trajectory);
    wide_mask known = wide_less(zero, length);
    wide3 normal = wide3_scale(trajectory, wide_inverse_above(length, 0.0f));
    wide gap = pair_gap_along(normal, from, split);
    // Sides without a gap get no direction, so that later stages do not use a direction that comes from rounding.
    wide3 separating = wide3_scale(normal, wide_select(wide_less(zero, gap), wide_set(1.0f), zero));
    gap = wide_select(wide_less(zero, gap), wide_min(gap, pair_gap_along(normal, to, split)), gap);
    gap = wide_select(known, gap - wide_set(PAIR_ROUNDING) * pair_size(from), wide_set(-1.0f));
    wide_store(out->gap + lane, gap);
    wide_store(out->normal[0] + lane, separating.x);
    wide_store(out->normal[1] + lane, separating.y);
    wide_store(out->normal[2] + lane, separating.z);
}

WIDE_INLINE wide3 pair_load(const pli_particle *particles, const int32_t *at)
{
    wide_particle p;
    wide_load_particles(particles, at, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

static inline void separate_blocks(const pli_near_trajectories *trajectories, const float ages[2],
                                   pli_near_pairs *pairs, int32_t blocks, int split)
{
    wide from = wide_set(ages[0]), to = wide_set(ages[1]);
    for (int32_t b = 0; b < blocks; b++)
        for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane += WIDE) {
            wide3 at[2][4];
            for (int k = 0; k < 4; k++) {
                wide3 start = pair_load(trajectories->starts, pairs[b].at[k] + lane),
                      trajectory = pair_load(trajectories->steps, pairs[b].at[k] + lane);
                at[0][k] = wide3_add_scaled(start, trajectory, from);
                at[1][k] = wide3_add_scaled(start, trajectory, to);
            }
            pair_separate(at[0], at[1], split, lane, &pairs[b]);
        }
}

static void edge_edges(const pli_near_trajectories *trajectories, const float ages[2], pli_near_pairs *pairs,
                       int32_t blocks)
{
    separate_blocks(trajectories, ages, pairs, blocks, 2);
}

static void vertex_triangles(const pli_near_trajectories *trajectories, const float ages[2], pli_near_pairs *pairs,
                             int32_t blocks)
{
    separate_blocks(trajectories, ages, pairs, blocks, 1);
}

// Lanes separated along one axis, on the same side at the start and at the end.
static inline wide_mask apart_along(const pli_near_items *items, int32_t i, wide low[2], wide high[2], int axis)
{
    wide_mask above = wide_and(wide_less(high[0], wide_load(pair_row(items, PLI_NEAR_LOW + axis) + i)),
                               wide_less(high[1], wide_load(pair_row(items, PLI_NEAR_END + PLI_NEAR_LOW + axis) + i)));
    wide_mask below = wide_and(wide_less(wide_load(pair_row(items, PLI_NEAR_HIGH + axis) + i), low[0]),
                               wide_less(wide_load(pair_row(items, PLI_NEAR_END + PLI_NEAR_HIGH + axis) + i), low[1]));
    return wide_or(above, below);
}

static inline uint32_t meet_sides(const pli_near_items *items, wide low[3][2], wide high[3][2])
{
    uint32_t off = 0;
    for (int32_t i = 0; i < items->count; i += WIDE) {
        wide_mask off_x = apart_along(items, i, low[0], high[0], 0), off_y = apart_along(items, i, low[1], high[1], 1);
        off |= wide_bits(wide_or(wide_or(off_x, off_y), apart_along(items, i, low[2], high[2], 2))) << i;
    }
    return wide_first_bits(items->count) & ~off;
}

static inline void spread_sides(const pli_near_box *box, wide low[3][2], wide high[3][2])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis][0] = wide_set(box->start[0][axis]), high[axis][0] = wide_set(box->start[1][axis]);
        low[axis][1] = wide_set(box->end[0][axis]), high[axis][1] = wide_set(box->end[1][axis]);
    }
}

// Children of a node that meet the box, without those whose leaves are all before `first`.
static inline uint32_t meet_below(const pli_near_tree *tree, int32_t level, int32_t box, int32_t first, wide low[3][2],
                                  wide high[3][2])
{
    int64_t floats = PLI_NEAR_ROWS * PLI_NEAR_BRANCHES;
    const pli_near_items items = {tree->levels[level] + floats * box, PLI_NEAR_BRANCHES};
    int32_t before = (int32_t)((int64_t)first >> (4 * level)) - PLI_NEAR_BRANCHES * box;
    int32_t there = tree->counts[level] - PLI_NEAR_BRANCHES * box;
    uint32_t asked = wide_first_bits(there < PLI_NEAR_BRANCHES ? there : PLI_NEAR_BRANCHES) &
                     ~wide_first_bits(before > 0 ? before : 0);
    return meet_sides(&items, low, high) & asked;
}

static void pair_query(const pli_near_tree *tree, const pli_near_box *about, int32_t first, pli_near_found found,
                       void *data)
{
    wide low[3][2], high[3][2];
    int32_t box[PLI_NEAR_LEVELS], level = tree->depth - 1;
    uint32_t left[PLI_NEAR_LEVELS];
    spread_sides(about, low, high);
    box[level] = 0;
    left[level] = meet_below(tree, level, 0, first, low, high);
    while (level < tree->depth) {
        if (!left[level]) {
            level++;
            continue;
        }
        int32_t below = PLI_NEAR_BRANCHES * box[level] + __builtin_ctz(left[level]);
        left[level] &= left[level] - 1;
        if (level == 0) {
            if (!found(data, below))
                return;
        } else {
            box[--level] = below;
            left[level] = meet_below(tree, level, below, first, low, high);
        }
    }
}

static uint32_t pair_meet(const pli_near_items *ones, const pli_near_box *box, const pli_near_items *others,
                          float reach, uint32_t found[PLI_NEAR_CAPACITY])
{
    wide low[3][2], high[3][2];
    float grown[PLI_NEAR_ROWS][PLI_NEAR_CAPACITY]; // Boxes of `ones`, grown by the reach.
    spread_sides(box, low, high);
    const uint32_t met = meet_sides(ones, low, high);
    for (int row = 0; row < PLI_NEAR_ROWS && met; row++)
        for (int32_t i = 0; i < ones->count; i += WIDE)
            wide_store(grown[row] + i, wide_load(pair_row(ones, row) + i) +
                                           wide_set(row % PLI_NEAR_END < PLI_NEAR_HIGH ? -reach : reach));
    for (uint32_t left = met; left; left &= left - 1) {
        const int32_t one = __builtin_ctz(left);
        for (int axis = 0; axis < 3; axis++)
            for (int end = 0; end < 2; end++) {
                low[axis][end] = wide_set(grown[PLI_NEAR_END * end + PLI_NEAR_LOW + axis][one]);
                high[axis][end] = wide_set(grown[PLI_NEAR_END * end + PLI_NEAR_HIGH + axis][one]);
            }
        found[one] = meet_sides(others, low, high);
    }
    return met;
}

static inline wide squared_deviation(wide3 at, wide3 start, wide3 step, float age)
{
    wide3 off = wide3_sub(at, wide3_add(start, wide3_scale(step, wide_set(age))));
    return wide3_dot(off, off);
}

static inline wide larger_deviation(const pli_particle *now, const pli_particle *later, const pli_particle *starts,
                                    const pli_particle *steps, float age)
{
    wide3 start = wide_load_row(starts).x, step = wide_load_row(steps).x;
    return wide_max(squared_deviation(wide_load_row(now).x, start, step, age),
                    squared_deviation(wide_load_row(later).x, start, step, age + 1.0f));
}

static float pair_squared_deviations(const pli_particle *now, const pli_particle *later,
                                     const pli_near_trajectories *trajectories, float age, int32_t count,
                                     float *squares)
{
    wide most = wide_set(0.0f);
    int32_t i = 0;
    for (; i + WIDE <= count; i += WIDE) {
        wide square = larger_deviation(now + i, later + i, trajectories->starts + i, trajectories->steps + i, age);
        wide_store(squares + i, square);
        most = wide_max(most, square);
    }
    pli_particle rest[4][WIDE] = {0};
    for (int32_t k = 0; i + k < count; k++)
        rest[0][k] = now[i + k], rest[1][k] = later[i + k], rest[2][k] = trajectories->starts[i + k],
        rest[3][k] = trajectories->steps[i + k];
    wide square = larger_deviation(rest[0], rest[1], rest[2], rest[3], age);
    float lanes[WIDE];
    wide_store(lanes, square);
    for (int32_t k = 0; i + k < count; k++)
        squares[i + k] = lanes[k];
    return wide_highest(wide_max(most, square));
}

static inline quads quads_deviation(const pli_particle *at, quads due)
{
    quads off = quads_subtract(quads_load(at), due);
    return quads_sum(quads_multiply(off, off));
}

static inline quads quads_largest(const pli_particle *now, const pli_particle *later, const pli_particle *starts,
                                  const pli_particle *steps, quads age, quads next, quads most)
{
    quads start = quads_load(starts), step = quads_load(steps);
    most = quads_max(most, quads_deviation(now, quads_add(start, quads_multiply(step, age))));
    return quads_max(most, quads_deviation(later, quads_add(start, quads_multiply(step, next))));
}

static float pair_largest_deviation(const pli_particle *now, const pli_particle *later,
                                    const pli_near_trajectories *trajectories, float age, int32_t count)
{
    float after = age + 1.0f;
    quads ages = quads_set(age, age, age, age), nexts = quads_set(after, after, after, after);
    quads most = quads_set(0.0f, 0.0f, 0.0f, 0.0f), other = most;
    int32_t i = 0;
    for (; i + 2 * QUADS <= count; i += 2 * QUADS) {
        int32_t k = i + QUADS;
        most = quads_largest(now + i, later + i, trajectories->starts + i, trajectories->steps + i, ages, nexts, most);
        other = quads_largest(now + k, later + k, trajectories->starts + k, trajectories->steps + k, ages, nexts,
                              other);
    }
    pli_particle rest[4][2 * QUADS] = {0}, all[QUADS];
    for (int32_t k = 0; i + k < count; k++)
        rest[0][k] = now[i + k], rest[1][k] = later[i + k], rest[2][k] = trajectories->starts[i + k],
        rest[3][k] = trajectories->steps[i + k];
    for (int32_t k = 0; k < 2 * QUADS; k += QUADS)
        most = quads_largest(rest[0] + k, rest[1] + k, rest[2] + k, rest[3] + k, ages, nexts, most);
    quads_store(all, quads_max(most, other));
    float highest = 0.0f;
    for (int32_t k = 0; k < QUADS; k++)
        highest = all[k].x > highest ? all[k].x : highest;
    return highest;
}

// Positions are read as a flat array x, y, z, w; the w lanes are masked out.
static bool pair_are_within(const pli_particle *particles, int32_t count, float limit)
{
    enum { PAIR_ROW = 16 };
    const float *numbers = &particles->x;
    uint32_t within = ~0u;
    int32_t i = 0;
    for (; i + PAIR_ROW <= 4 * count; i += PAIR_ROW)
        for (int32_t k = 0; k < PAIR_ROW; k += WIDE)
            within &= wide_bits(wide_less(wide_abs(wide_load(numbers + i + k)), wide_set(limit))) << k | ~(ALL << k);
    for (; i < 4 * count; i++)
        within &= fabsf(numbers[i]) < limit ? ~0u : ~(1u << i % PAIR_ROW);
    return (within & 0x7777u) == 0x7777u;
}

const pli_near_kernels PLI_NAMED(pli_near) = {
    pair_meet,      pair_query, edge_edges, vertex_triangles, pair_squared_deviations, pair_largest_deviation,
    pair_are_within};
