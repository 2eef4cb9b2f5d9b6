// Restriction, projection and prolongation on grids: stretch/grid_levels_kernels.h.
//
// Restriction works in strips: the finer rows between a row of nodes and the next give each of their nodes to the four
// coarse nodes around it, by bilinear weights, in four sums that are added when the nodes are placed:
//
//   node *-----------* node
//        |  x        |        x gives (1 - right)(1 - down), right (1 - down), (1 - right) down and right down
//   node *-----------* node   of its mass times position
#include "stretch/grid_levels_kernels.h"

// Stores only the first `count` lanes: those behind the end of a row belong to other rows.
static inline void store_lanes(float *to, wide value, int32_t count)
{
    if (count >= WIDE)
        wide_store(to, value);
    else
        wide_store_part(to, value, count);
}

static inline wide3 load_at(const pli_soa *c, int32_t i)
{
    return (wide3){wide_load(c->x + i), wide_load(c->y + i), wide_load(c->z + i)};
}

static inline wide3 load3(float *const rows[3], int32_t i)
{
    return (wide3){wide_load(rows[0] + i), wide_load(rows[1] + i), wide_load(rows[2] + i)};
}

static inline void store3_lanes(float *const rows[3], int32_t i, wide3 value, int32_t count)
{
    store_lanes(rows[0] + i, value.x, count);
    store_lanes(rows[1] + i, value.y, count);
    store_lanes(rows[2] + i, value.z, count);
}

/* ---- restriction -------------------------------------------------------------------------------- */

// Columns in the first part of a row, which has the most; for columns - part, those of another part.
static inline int32_t longest_part(int32_t columns) { return (columns + PLI_INTERLEAVE - 1) / PLI_INTERLEAVE; }

// Sum of mass times position over the rows of a strip: all of it, and the fraction that goes to the next row of nodes.
typedef struct row_sums {
    wide3 all, below;
} row_sums;

// The finer rows from a row of nodes to the next, and the weight of the next row for each.
typedef struct strip {
    int32_t count, rows[PLI_INTERLEAVE];
    float shares[PLI_INTERLEAVE];
} strip;

static strip strip_of(const pli_grid_level *level, int32_t row)
{
    strip s = {0};
    for (int32_t r = PLI_INTERLEAVE * row; s.count < PLI_INTERLEAVE && r < level->finer->rows; r++, s.count++)
        s.rows[s.count] = pli_grid_levels_row(level->finer, r), s.shares[s.count] = level->row_shares[r];
    return s;
}

static inline row_sums sum_rows(const strip *s, const pli_soa *at, const float *masses, int32_t offset)
{
    wide3 zero = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
    row_sums sums = {zero, zero};
    for (int32_t r = 0; r < s->count; r++) {
        int32_t i = s->rows[r] + offset;
        wide3 moment = wide3_scale(load_at(at, i), wide_load(masses + i));
        sums.all = wide3_add(sums.all, moment);
        sums.below = wide3_add_scaled(sums.below, moment, wide_set(s->shares[r]));
    }
    return sums;
}

// A finer column gives its weight to the node column behind it and the rest to the one before; rows likewise.
static void sum_row(const pli_grid_level *level, int32_t row)
{
    const pli_soa at = level->finer->at;
    int32_t columns = level->finer->columns, count = longest_part(columns), to = row * level->pitch;
    wide3 zero = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
    strip s = strip_of(level, row);
    for (int32_t k = 0; k < count; k += WIDE) {
        row_sums here = {zero, zero}, behind = {zero, zero};
        for (int32_t part = 0; part < PLI_INTERLEAVE && k < longest_part(columns - part); part++) {
            row_sums sums = sum_rows(&s, &at, level->masses, part * level->finer->part + k);
            wide share = wide_load(level->column_shares + part * level->pitch + k);
            here.all = wide3_add(here.all, sums.all);
            here.below = wide3_add(here.below, sums.below);
            behind.all = wide3_add_scaled(behind.all, sums.all, share);
            behind.below = wide3_add_scaled(behind.below, sums.below, share);
        }
        here.all = wide3_sub(here.all, behind.all), here.below = wide3_sub(here.below, behind.below);
        store3_lanes(level->sums[0], to + k, wide3_sub(here.all, here.below), count - k);
        store3_lanes(level->sums[1], to + k + 1, wide3_sub(behind.all, behind.below), count - k);
        store3_lanes(level->sums[2], to + level->pitch + k, here.below, count - k);
        store3_lanes(level->sums[3], to + level->pitch + k + 1, behind.below, count - k);
    }
}

static void sum(void *data, int32_t begin, int32_t end)
{
    for (int32_t row = begin; row < end; row++)
        sum_row(data, row);
}

static void place_row(const pli_grid_level *level, int32_t row)
{
    const pli_grid_levels *nodes = &level->nodes;
    int32_t from = row * level->pitch;
    for (int32_t k = 0; k < nodes->columns; k += WIDE) {
        wide3 own = wide3_add(load3(level->sums[0], from + k), load3(level->sums[1], from + k));
        wide3 above = wide3_add(load3(level->sums[2], from + k), load3(level->sums[3], from + k));
        wide3 sum = wide3_add(own, above);
        store3_lanes(level->displacements, from + k, wide3_scale(sum, wide_load(level->inverse_masses + from + k)),
                     nodes->columns - k);
    }
    float *const at[3] = {nodes->at.x, nodes->at.y, nodes->at.z};
    for (int32_t d = 0; d < 3; d++)
        for (int32_t part = 0; part < PLI_INTERLEAVE; part++) {
            float *restrict to = at[d] + pli_grid_levels_place(nodes, row, part);
            const float *restrict displacements = level->displacements[d] + from + part;
            for (int32_t k = 0; k < longest_part(nodes->columns - part); k++)
                to[k] = displacements[PLI_INTERLEAVE * k];
        }
}

static void place(void *data, int32_t begin, int32_t end)
{
    for (int32_t row = begin; row < end; row++)
        place_row(data, row);
}

/* ---- prolongation ------------------------------------------------------------------------------- */

static void find_displacements(void *data, int32_t begin, int32_t end)
{
    const pli_grid_level *level = data;
    const float *const at[3] = {level->nodes.at.x, level->nodes.at.y, level->nodes.at.z};
    for (int32_t row = begin; row < end; row++)
        for (int32_t d = 0; d < 3; d++) {
            float *displacements = level->displacements[d] + row * level->pitch;
            for (int32_t part = 0; part < PLI_INTERLEAVE; part++) {
                const float *now = at[d] + pli_grid_levels_place(&level->nodes, row, part);
                for (int32_t k = 0; k < longest_part(level->nodes.columns - part); k++)
                    displacements[PLI_INTERLEAVE * k + part] = now[k] - displacements[PLI_INTERLEAVE * k + part];
            }
        }
}

static inline wide between(const float *displacements, int32_t pitch, wide share)
{
    wide here = wide_load(displacements);
    return here + share * (wide_load(displacements + pitch) - here);
}

static inline wide3 displacement_between(const pli_grid_level *level, int32_t at, wide share)
{
    return (wide3){between(level->displacements[0] + at, level->pitch, share),
                   between(level->displacements[1] + at, level->pitch, share),
                   between(level->displacements[2] + at, level->pitch, share)};
}

static void prolong_row(const pli_grid_level *level, int32_t row)
{
    const pli_soa at = level->finer->at;
    float *const to[3] = {at.x, at.y, at.z};
    int32_t columns = level->finer->columns, longest = longest_part(columns);
    int32_t first = pli_grid_levels_row(level->finer, row), from = row / PLI_INTERLEAVE * level->pitch;
    wide down = wide_set(level->row_shares[row]);
    for (int32_t k = 0; k < longest; k += WIDE) {
        wide3 here = displacement_between(level, from + k, down);
        wide3 change = wide3_sub(displacement_between(level, from + k + 1, down), here);
        for (int32_t part = 0; part < PLI_INTERLEAVE && k < longest_part(columns - part); part++) {
            int32_t i = first + part * level->finer->part + k, count = longest_part(columns - part) - k;
            wide3 before = load_at(&at, i);
            wide3 after = wide3_add(
                before, wide3_add_scaled(here, change, wide_load(level->column_shares + part * level->pitch + k)));
            wide_mask moving = wide_less(wide_set(0.0f), wide_load(at.w + i));
            after.x = wide_select(moving, after.x, before.x);
            after.y = wide_select(moving, after.y, before.y);
            after.z = wide_select(moving, after.z, before.z);
            store3_lanes(to, i, after, count);
        }
    }
}

static void prolong(void *data, int32_t begin, int32_t end)
{
    for (int32_t row = begin; row < end; row++)
        prolong_row(data, row);
}

/* ---- lengths ------------------------------------------------------------------------------------ */

// Pairs that are not too long keep their bits: a register without a pair that is too long is skipped, and registers
// differ in width between back ends.
static inline void move_at(float *const at[3], int32_t i, wide3 from, wide3 d, wide share, wide_mask beyond)
{
    wide3 to = wide3_add_scaled(from, d, share);
    wide_store(at[0] + i, wide_select(beyond, to.x, from.x));
    wide_store(at[1] + i, wide_select(beyond, to.y, from.y));
    wide_store(at[2] + i, wide_select(beyond, to.z, from.z));
}

static void project_pairs(void *data, int32_t begin, int32_t end)
{
    const pli_grid_levels_pairs pairs = *(const pli_grid_levels_pairs *)data;
    const float *w = pairs.at.w;
    float *const at[3] = {pairs.at.x, pairs.at.y, pairs.at.z};
    for (int32_t i = begin; i < end; i += WIDE) {
        int32_t a = pairs.a + i, b = pairs.b + i;
        wide3 first = load_at(&pairs.at, a), second = load_at(&pairs.at, b), d = wide3_sub(second, first);
        wide square = wide3_dot(d, d), most = wide_set(pairs.slack) * wide_load(pairs.lengths + a);
        wide_mask beyond = wide_less(most * most, square);
        if (wide_bits(beyond) == 0)
            continue;
        wide length = wide_sqrt(square), of_first = wide_load(w + a), of_second = wide_load(w + b);
        wide share = wide_select(beyond, length - most, wide_set(0.0f)) /
                     wide_select(beyond, length * (of_first + of_second), wide_set(1.0f));
        move_at(at, a, first, d, of_first * share, beyond);
        move_at(at, b, second, d, -(of_second * share), beyond);
    }
}

const pli_grid_levels_kernels PLI_NAMED(pli_grid_levels) = {sum, place, find_displacements, prolong, project_pairs};
