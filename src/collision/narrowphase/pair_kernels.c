// SIMD kernels of the broad and the narrow phase: box tests, BVH queries, separating directions of primitives, and
// deviations from trajectories. Compiled once for each instruction set.
#include "collision/narrowphase/pair_kernels.h"

// Relative rounding error of a float difference of positions and of a dot product with it.
#define ROUNDING 1e-5f

// Mask of all lanes.
#define ALL ((uint32_t)((1u << WIDE) - 1u))

// part / whole, clamped to 0..1; 0 when `whole` is 0.
static inline wide clamped(wide part, wide whole)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f);
    wide_mask within = wide_and(wide_less(zero, whole), wide_less(zero, part));
    wide share = wide_select(wide_less(part, whole), part / wide_select(wide_less(zero, whole), whole, one), one);
    return wide_select(within, share, zero);
}

static inline wide3 between(wide3 a, wide3 b, wide part) { return wide3_add(a, wide3_scale(wide3_sub(b, a), part)); }

static inline wide3 between_edges(const wide3 at[4])
{
    wide3 d1 = wide3_sub(at[1], at[0]), d2 = wide3_sub(at[3], at[2]), r = wide3_sub(at[0], at[2]);
    wide a = wide3_dot(d1, d1), e = wide3_dot(d2, d2), f = wide3_dot(d2, r), c = wide3_dot(d1, r),
         b = wide3_dot(d1, d2);
    wide s = clamped(b * f - c * e, a * e - b * b), t = clamped(b * s + f, e);
    s = clamped(b * t - c, a);
    return wide3_sub(between(at[0], at[1], s), between(at[2], at[3], t));
}

// From the nearest point of a side to p.
static inline wide3 off_side(wide3 p, wide3 a, wide3 b)
{
    wide3 side = wide3_sub(b, a), from = wide3_sub(p, a);
    return wide3_sub(from, wide3_scale(side, clamped(wide3_dot(from, side), wide3_dot(side, side))));
}

static inline wide3 shorter(wide3 a, wide3 b)
{
    return wide3_select(wide_less(wide3_dot(a, a), wide3_dot(b, b)), a, b);
}

// From the nearest point of the triangle to the vertex: along the triangle's normal over its inside, else from a side. A
// worse direction is safe too, but keeps pairs in the list that are far apart.
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

static inline wide gap_along(wide3 trajectory, const wide3 at[4], int split)
{
    wide d[4] = {wide_set(0.0f)};
    for (int i = 1; i < 4; i++)
        d[i] = wide3_dot(trajectory, wide3_sub(at[i], at[0]));
    if (split == 2)
        return wide_min(d[0], d[1]) - wide_max(d[2], d[3]);
    return d[0] - wide_max(wide_max(d[1], d[2]), d[3]);
}

static inline wide size_of(const wide3 at[4])
{
    wide size = wide_set(0.0f);
    for (int i = 1; i < 4; i++) {
        wide3 d = wide3_sub(at[i], at[0]);
        size = wide_max(size, wide_abs(d.x) + wide_abs(d.y) + wide_abs(d.z));
    }
    return size;
}

// Gap of the boxes of both sides along one axis, on the same side at the start and at the end.
static inline wide gap_on_axis(const wide from[4], const wide to[4], int split)
{
    const wide *ends[2] = {from, to};
    wide above[2], below[2];
    for (int end = 0; end < 2; end++) {
        const wide *x = ends[end];
        wide low = split == 2 ? wide_min(x[0], x[1]) : x[0], high = split == 2 ? wide_max(x[0], x[1]) : x[0],
             other_low = wide_min(x[2], x[3]), other_high = wide_max(x[2], x[3]);
        other_low = split == 2 ? other_low : wide_min(x[1], other_low);
        other_high = split == 2 ? other_high : wide_max(x[1], other_high);
        above[end] = low - other_high, below[end] = other_low - high;
    }
    return wide_max(wide_min(above[0], above[1]), wide_min(below[0], below[1]));
}

static inline wide gap_on_axes(const wide3 from[4], const wide3 to[4], int split)
{
    wide a[3][4], b[3][4];
    for (int k = 0; k < 4; k++) {
        a[0][k] = from[k].x, a[1][k] = from[k].y, a[2][k] = from[k].z;
        b[0][k] = to[k].x, b[1][k] = to[k].y, b[2][k] = to[k].z;
    }
    return wide_max(wide_max(gap_on_axis(a[0], b[0], split), gap_on_axis(a[1], b[1], split)),
                    gap_on_axis(a[2], b[2], split));
}

// Candidate direction: that of the closest points at the start. A direction that separates the sides at the start and
// at the end of linear trajectories does so at every time between, so any direction is safe and a good one saves work. Where that of the start has turned away at the end, an
// axis often has not.
static inline void separate(const wide3 from[4], const wide3 to[4], int split, int32_t lane, pli_near_pairs *out)
{
    wide zero = wide_set(0.0f);
    wide3 trajectory = split == 2 ? between_edges(from) : off_triangle(from);
    wide length = wide3_length(trajectory);
    wide_mask known = wide_less(zero, length);
    wide3 normal = wide3_scale(trajectory, wide_inverse_above(length, 0.0f));
    wide gap = gap_along(normal, from, split);
    gap = wide_select(wide_less(zero, gap), wide_min(gap, gap_along(normal, to, split)), gap);
    wide rounding = wide_set(ROUNDING) * size_of(from);
    gap = wide_max(wide_select(known, gap - rounding, wide_set(-1.0f)), gap_on_axes(from, to, split) - rounding);
    wide_store(out->gap + lane, gap);
    wide_store(out->normal[0] + lane, normal.x);
    wide_store(out->normal[1] + lane, wide_select(known, normal.y, wide_set(1.0f)));
    wide_store(out->normal[2] + lane, normal.z);
}

static inline wide3 load_at(const pli_particle *particles, const int32_t *at)
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
                wide3 start = load_at(trajectories->starts, pairs[b].at[k] + lane),
                      trajectory = load_at(trajectories->steps, pairs[b].at[k] + lane);
                at[0][k] = wide3_add_scaled(start, trajectory, from);
                at[1][k] = wide3_add_scaled(start, trajectory, to);
            }
            separate(at[0], at[1], split, lane, &pairs[b]);
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

// Extents of 1 to WIDE boxes along one axis, at the start and at the end.
typedef struct sides {
    wide low[2], high[2];
} sides;

// Boxes separated along the axis, on the same side at the start and at the end.
static inline wide_mask apart_along(const sides *a, const sides *b)
{
    wide_mask above = wide_and(wide_less(b->high[0], a->low[0]), wide_less(b->high[1], a->low[1]));
    wide_mask below = wide_and(wide_less(a->high[0], b->low[0]), wide_less(a->high[1], b->low[1]));
    return wide_or(above, below);
}

static inline wide_mask apart(const sides a[3], const sides b[3])
{
    wide_mask off_x = apart_along(&a[0], &b[0]), off_y = apart_along(&a[1], &b[1]);
    return wide_or(wide_or(off_x, off_y), apart_along(&a[2], &b[2]));
}

static inline void spread_sides(const pli_near_box *box, sides of[3])
{
    for (int axis = 0; axis < 3; axis++) {
        of[axis].low[0] = wide_set(box->start[0][axis]), of[axis].high[0] = wide_set(box->start[1][axis]);
        of[axis].low[1] = wide_set(box->end[0][axis]), of[axis].high[1] = wide_set(box->end[1][axis]);
    }
}

// A row of the items from item i on.
static inline const float *row_of(const pli_near_items *items, int corner, int end, int axis, int32_t i)
{
    return items->values + (int64_t)(PLI_NEAR_CORNER_ROWS * corner + PLI_NEAR_CORNER_END * end + axis) * items->count +
           i;
}

// Sides of the boxes of items, from item i on.
static inline void load_sides(const pli_near_items *items, int32_t i, int corners, sides of[3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            wide low = wide_load(row_of(items, 0, end, axis, i)), high = low;
            for (int corner = 1; corner < corners; corner++) {
                wide at = wide_load(row_of(items, corner, end, axis, i));
                low = wide_min(at, low), high = wide_max(high, at);
            }
            of[axis].low[end] = low, of[axis].high[end] = high;
        }
}

static inline uint32_t meet_sides(const pli_near_items *items, const sides box[3], int corners)
{
    uint32_t off = 0;
    for (int32_t i = 0; i < items->count; i += WIDE) {
        sides of[3];
        load_sides(items, i, corners, of);
        off |= wide_bits(apart(of, box)) << i;
    }
    return wide_first_bits(items->count) & ~off;
}

static inline uint32_t meet_any(const pli_near_items *items, const sides box[3])
{
    return items->corners == 1   ? meet_sides(items, box, 1)
           : items->corners == 2 ? meet_sides(items, box, 2)
                                 : meet_sides(items, box, 3);
}

static uint32_t meet(const pli_near_items *items, const pli_near_box *box)
{
    sides of[3];
    spread_sides(box, of);
    return meet_any(items, of);
}

static uint32_t meet_one(const pli_near_items *ones, int32_t one, const pli_near_items *others, float reach)
{
    sides of[3];
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            float low = *row_of(ones, 0, end, axis, one), high = low;
            for (int corner = 1; corner < ones->corners; corner++) {
                float at = *row_of(ones, corner, end, axis, one);
                low = at < low ? at : low, high = at > high ? at : high;
            }
            of[axis].low[end] = wide_set(low - reach), of[axis].high[end] = wide_set(high + reach);
        }
    return meet_any(others, of);
}

// A corner of the items from item i on, and one of a single item in all lanes.
static inline wide3 load_corner(const pli_near_items *items, int corner, int end, int32_t i)
{
    return (wide3){wide_load(row_of(items, corner, end, 0, i)), wide_load(row_of(items, corner, end, 1, i)),
                   wide_load(row_of(items, corner, end, 2, i))};
}

static inline wide3 spread_corner(const pli_near_items *items, int corner, int end, int32_t one)
{
    return (wide3){wide_set(*row_of(items, corner, end, 0, one)), wide_set(*row_of(items, corner, end, 1, one)),
                   wide_set(*row_of(items, corner, end, 2, one))};
}

// A limit that gaps along a direction exceed only where distances exceed the reach, whatever rounding takes.
static inline wide limit_of(float reach, float size) { return wide_set(reach + ROUNDING * (reach + size)); }

// Is a gap, times the length of its direction, above the limit?
static inline wide_mask is_above(wide gap, wide limit, wide square)
{
    return wide_and(wide_less(wide_set(0.0f), gap), wide_less(limit * limit * square, gap * gap));
}

// The gap of one edge, `side` long, to others along a direction: the least of all pairs of their ends, of which `from` are those
// of first with first and of second with second end.
static inline wide gap_of_edges(wide3 direction, const wide3 from[2], wide3 side)
{
    wide first = wide3_dot(direction, from[0]), second = wide3_dot(direction, from[1]),
         along = wide3_dot(direction, side);
    return wide_min(wide_min(first, second), wide_min(first + along, second - along));
}

static inline uint32_t edges_near(const pli_near_items *ones, int32_t one, const pli_near_items *others, wide limit)
{
    wide3 ends[2][2], lengths[2];
    uint32_t off = 0;
    for (int end = 0; end < 2; end++) {
        ends[end][0] = spread_corner(ones, 0, end, one), ends[end][1] = spread_corner(ones, 1, end, one);
        lengths[end] = wide3_sub(ends[end][1], ends[end][0]);
    }
    for (int32_t i = 0; i < others->count; i += WIDE) {
        wide3 from[2][2];
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 2; k++)
                from[end][k] = wide3_sub(ends[end][k], load_corner(others, k, end, i));
        wide3 direction = wide3_add(from[0][0], from[0][1]);
        wide gap = wide_min(gap_of_edges(direction, from[0], lengths[0]), gap_of_edges(direction, from[1], lengths[1]));
        off |= wide_bits(is_above(gap, limit, wide3_dot(direction, direction))) << i;
    }
    return wide_first_bits(others->count) & ~off;
}

static inline wide gap_of_triangles(wide3 direction, const wide3 from[3])
{
    return wide_min(wide_min(wide3_dot(direction, from[0]), wide3_dot(direction, from[1])),
                    wide3_dot(direction, from[2]));
}

static inline uint32_t triangles_near(const pli_near_items *ones, int32_t one, const pli_near_items *others, wide limit)
{
    const wide3 at[2] = {spread_corner(ones, 0, 0, one), spread_corner(ones, 0, 1, one)};
    uint32_t off = 0;
    for (int32_t i = 0; i < others->count; i += WIDE) {
        wide3 from[2][3];
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 3; k++)
                from[end][k] = wide3_sub(at[end], load_corner(others, k, end, i));
        wide3 direction = wide3_add(wide3_add(from[0][0], from[0][1]), from[0][2]);
        wide gap = wide_min(gap_of_triangles(direction, from[0]), gap_of_triangles(direction, from[1]));
        off |= wide_bits(is_above(gap, limit, wide3_dot(direction, direction))) << i;
    }
    return wide_first_bits(others->count) & ~off;
}

// Rows are written without a branch that no processor could predict.
static int32_t find_edges(const pli_near_items *ones, const pli_near_items *others, const pli_near_limits *limits,
                          pli_near_row rows[PLI_NEAR_ITEMS_MAX])
{
    sides box[3];
    int32_t count = 0;
    wide limit = limit_of(limits->reach, limits->size);
    spread_sides(limits->box, box);
    for (uint32_t left = meet_sides(ones, box, 2); left; left &= left - 1) {
        int32_t one = __builtin_ctz(left);
        rows[count] = (pli_near_row){one, edges_near(ones, one, others, limit)};
        count += rows[count].others != 0;
    }
    return count;
}

static int32_t find_triangles(const pli_near_items *ones, const pli_near_items *others, const pli_near_limits *limits,
                              pli_near_row rows[PLI_NEAR_ITEMS_MAX])
{
    sides box[3];
    int32_t count = 0;
    wide limit = limit_of(limits->reach, limits->size);
    spread_sides(limits->box, box);
    for (uint32_t left = meet_sides(ones, box, 1); left; left &= left - 1) {
        int32_t one = __builtin_ctz(left);
        rows[count] = (pli_near_row){one, triangles_near(ones, one, others, limit)};
        count += rows[count].others != 0;
    }
    return count;
}

// Children of a node that meet the box, without those whose leaves are all before `first`.
static inline uint32_t meet_below(const pli_near_tree *tree, int32_t level, int32_t box, int32_t first,
                                  const sides about[3])
{
    const float *rows = tree->levels[level] + (int64_t)(PLI_NEAR_ROWS * PLI_NEAR_BRANCHES) * box;
    uint32_t off = 0;
    for (int32_t i = 0; i < PLI_NEAR_BRANCHES; i += WIDE) {
        sides of[3];
        for (int axis = 0; axis < 3; axis++)
            for (int end = 0; end < 2; end++) {
                int row = PLI_NEAR_END * end + axis;
                of[axis].low[end] = wide_load(rows + (PLI_NEAR_LOW + row) * PLI_NEAR_BRANCHES + i);
                of[axis].high[end] = wide_load(rows + (PLI_NEAR_HIGH + row) * PLI_NEAR_BRANCHES + i);
            }
        off |= wide_bits(apart(of, about)) << i;
    }
    int32_t before = (int32_t)((int64_t)first >> (4 * level)) - PLI_NEAR_BRANCHES * box;
    int32_t there = tree->counts[level] - PLI_NEAR_BRANCHES * box;
    uint32_t asked = wide_first_bits(there < PLI_NEAR_BRANCHES ? there : PLI_NEAR_BRANCHES) &
                     ~wide_first_bits(before > 0 ? before : 0);
    return asked & ~off;
}

static void query(const pli_near_tree *tree, const pli_near_box *about, int32_t first, pli_near_found found, void *data)
{
    sides of[3];
    int32_t box[PLI_NEAR_LEVELS], level = tree->depth - 1;
    uint32_t left[PLI_NEAR_LEVELS];
    spread_sides(about, of);
    box[level] = 0;
    left[level] = meet_below(tree, level, 0, first, of);
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
            left[level] = meet_below(tree, level, below, first, of);
        }
    }
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

static float squared_deviations(const pli_particle *now, const pli_particle *later,
                                const pli_near_trajectories *trajectories, float age, int32_t count, float *squares)
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

static float largest_deviation(const pli_particle *now, const pli_particle *later,
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
static bool are_within(const pli_particle *particles, int32_t count, float limit)
{
    enum { ROW = 16 };
    const float *numbers = &particles->x;
    uint32_t within = ~0u;
    int32_t i = 0;
    for (; i + ROW <= 4 * count; i += ROW)
        for (int32_t k = 0; k < ROW; k += WIDE)
            within &= wide_bits(wide_less(wide_abs(wide_load(numbers + i + k)), wide_set(limit))) << k | ~(ALL << k);
    for (; i < 4 * count; i++)
        within &= fabsf(numbers[i]) < limit ? ~0u : ~(1u << i % ROW);
    return (within & 0x7777u) == 0x7777u;
}

const pli_near_kernels PLI_NAMED(pli_near) = {
    meet,       meet_one,         find_edges,         find_triangles,    query,
    edge_edges, vertex_triangles, squared_deviations, largest_deviation, are_within};
