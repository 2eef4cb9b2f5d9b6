// SIMD kernels of particle contact: pairs of particles on linear trajectories that come within reach, and deviations
// of groups.
#include "collision/particle_contact/particle_kernels.h"

#define INLINE static inline __attribute__((always_inline))

// Rows contain a group twice, so that each particle can be compared with the particle `on` entries further.
enum { GROUP = PLI_PARTICLE_GROUP_SIZE, ROW = 2 * GROUP };

INLINE wide3 load(const float *rows, int32_t stride, int32_t i)
{
    return (wide3){wide_load(rows + i), wide_load(rows + stride + i), wide_load(rows + 2 * stride + i)};
}

INLINE wide3 spread(const float *rows, int32_t stride, int32_t i)
{
    return (wide3){wide_set(rows[i]), wide_set(rows[stride + i]), wide_set(rows[2 * stride + i])};
}

INLINE void store(float *rows, int32_t i, wide3 a)
{
    wide_store(rows + i, a.x), wide_store(rows + ROW + i, a.y), wide_store(rows + 2 * ROW + i, a.z);
}

// Two intervals are apart when one is above the other at both ends of the trajectories, hence also between.
INLINE wide_mask apart(const wide low[2], const wide high[2], const wide other_low[2], const wide other_high[2])
{
    wide_mask above = wide_and(wide_less(other_high[0], low[0]), wide_less(other_high[1], low[1]));
    wide_mask below = wide_and(wide_less(high[0], other_low[0]), wide_less(high[1], other_low[1]));
    return wide_or(above, below);
}

INLINE const pli_particle_group_boxes *block_of(const pli_particle_search *job, int32_t group)
{
    return &job->blocks[group / GROUP];
}

// Swept box of a group, grown by `reach`.
INLINE pli_near_box box_of(const pli_particle_group_boxes *block, int32_t lane, float reach)
{
    pli_near_box b;
    for (int k = 0; k < 3; k++) {
        b.start[0][k] = block->rows[PLI_NEAR_LOW + k][lane] - reach;
        b.start[1][k] = block->rows[PLI_NEAR_HIGH + k][lane] + reach;
        b.end[0][k] = block->rows[PLI_NEAR_END + PLI_NEAR_LOW + k][lane] - reach;
        b.end[1][k] = block->rows[PLI_NEAR_END + PLI_NEAR_HIGH + k][lane] + reach;
    }
    return b;
}

// Particles now, and their displacement until the end of the interval.
typedef struct motion {
    float from[3][ROW], trajectory[3][ROW];
} motion;

INLINE void begin_motion(const pli_particle_search *job, const pli_particle_group *group, motion *f)
{
    wide age = wide_set(job->now - group->begin_time), left = wide_set(job->end - job->now);
    for (int32_t i = 0; i < GROUP; i += WIDE) {
        wide3 trajectory = load(group->trajectory[0], GROUP, i);
        store(f->from[0], i, wide3_add(load(group->start[0], GROUP, i), wide3_scale(trajectory, age)));
        store(f->trajectory[0], i, wide3_scale(trajectory, left));
    }
}

INLINE void repeat(float (*rows)[ROW])
{
    for (int32_t i = 0; i < GROUP; i += WIDE)
        store(rows[0], GROUP + i, load(rows[0], ROW, i));
}

// Bits of the particles that come within `reach` of a box.
INLINE uint32_t lanes_near(const motion *f, const float *const low[2], const float *const high[2], int32_t stride,
                           float reach)
{
    uint32_t near = 0;
    for (int32_t i = 0; i < GROUP; i += WIDE) {
        wide_mask out = wide_less(wide_set(0.0f), wide_set(0.0f));
        for (int k = 0; k < 3; k++) {
            wide from = wide_load(f->from[k] + i), to = from + wide_load(f->trajectory[k] + i), more = wide_set(reach);
            const wide ours[2] = {from + more, to + more}, down[2] = {from - more, to - more};
            const wide their_low[2] = {wide_set(low[0][stride * k]), wide_set(low[1][stride * k])};
            const wide their_high[2] = {wide_set(high[0][stride * k]), wide_set(high[1][stride * k])};
            out = wide_or(out, apart(down, ours, their_low, their_high));
        }
        near |= wide_bits(wide_not(out)) << i;
    }
    return near;
}

// Within reach at the start, at the end, or at the closest point between: |p + s w|^2 is least at
// s = -(p . w) / (w . w).
INLINE wide_mask near(wide3 p, wide3 w, wide square)
{
    wide3 q = wide3_add(p, w);
    wide pp = wide3_dot(p, p), pw = wide3_dot(p, w), ww = wide3_dot(w, w);
    wide_mask ends = wide_or(wide_less(pp, square), wide_less(wide3_dot(q, q), square));
    wide_mask between = wide_and(wide_less(pw, wide_set(0.0f)), wide_less(-pw, ww));
    return wide_or(ends, wide_and(between, wide_less((pp - square) * ww, pw * pw)));
}

static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The same test for two particles.
static bool is_near(const float p[3], const float w[3], float reach)
{
    const float q[3] = {p[0] + w[0], p[1] + w[1], p[2] + w[2]};
    float pp = dot(p, p), pw = dot(p, w), ww = dot(w, w), square = reach * reach;
    return pp < square || dot(q, q) < square || (pw < 0.0f && -pw < ww && (pp - square) * ww < pw * pw);
}

INLINE uint32_t partners(const motion *ours, int32_t one, const motion *theirs, float reach)
{
    uint32_t found = 0;
    wide3 from = spread(ours->from[0], ROW, one), trajectory = spread(ours->trajectory[0], ROW, one);
    for (int32_t i = 0; i < GROUP; i += WIDE)
        found |= wide_bits(near(wide3_sub(load(theirs->from[0], ROW, i), from),
                                wide3_sub(load(theirs->trajectory[0], ROW, i), trajectory), wide_set(reach * reach)))
                 << i;
    return found;
}

INLINE wide_mask is_apart(wide3 a, wide3 b, float joined)
{
    wide3 r = wide3_sub(a, b);
    return wide_not(wide_less(wide3_dot(r, r), wide_set(joined * joined)));
}

INLINE uint32_t not_joined(const pli_particle_group_rest *ours, int32_t one, const pli_particle_group_rest *theirs,
                           float joined)
{
    uint32_t found = 0;
    for (int32_t i = 0; i < GROUP; i += WIDE)
        found |= wide_bits(is_apart(load(theirs->at[0], GROUP, i), spread(ours->at[0], GROUP, one), joined)) << i;
    return found;
}

// Bits of the particles of a group that come near the particle `on` entries further in the same group.
INLINE uint32_t near_others(const motion *f, const float *rest, int32_t on, const pli_particle_search *job)
{
    uint32_t found = 0;
    for (int32_t i = 0; i < GROUP; i += WIDE) {
        wide3 from = wide3_sub(load(f->from[0], ROW, i + on), load(f->from[0], ROW, i));
        wide3 trajectory = wide3_sub(load(f->trajectory[0], ROW, i + on), load(f->trajectory[0], ROW, i));
        wide_mask far = is_apart(load(rest, ROW, i + on), load(rest, ROW, i), job->joined);
        found |= wide_bits(wide_and(near(from, trajectory, wide_set(job->reach * job->reach)), far)) << i;
    }
    return found;
}

// Keeps the found particles that are within the reach that applies to their rest distance. Few pairs get
// here.
static uint32_t within_own_reach(const pli_particle_search *job, const motion *ours,
                                 const pli_particle_group_rest *rest, int32_t one, const motion *theirs,
                                 const pli_particle_group_rest *their_rest, uint32_t found)
{
    uint32_t kept = found;
    for (; found; found &= found - 1) {
        int32_t other = __builtin_ctz(found);
        float at_rest[3], from[3], trajectory[3];
        for (int k = 0; k < 3; k++) {
            at_rest[k] = their_rest->at[k][other] - rest->at[k][one];
            from[k] = theirs->from[k][other] - ours->from[k][one];
            trajectory[k] = theirs->trajectory[k][other] - ours->trajectory[k][one];
        }
        if (dot(at_rest, at_rest) < job->layers * job->layers && !is_near(from, trajectory, job->near_reach))
            kept &= ~(1u << other);
    }
    return kept;
}

// State of the search of one group.
typedef struct search {
    const pli_particle_search *job;
    int32_t group;
    pli_near_box around;
    motion motion;
    int32_t counts[GROUP]; // Pairs of each particle.
    uint32_t open;         // Bits of the particles that may have more pairs.
    pli_particle_rank_pair *out;
    int32_t capacity, count;
} search;

static void add(search *s, int32_t one, int32_t other, uint32_t found)
{
    for (; found; found &= found - 1) {
        if (s->count < s->capacity)
            s->out[s->count] = (pli_particle_rank_pair){{GROUP * s->group + one, GROUP * other + __builtin_ctz(found)}};
        s->count++;
        s->counts[one]++;
    }
    if (s->counts[one] >= PLI_PARTICLE_PAIRS_MAX)
        s->open &= ~(1u << one);
}

static void pair_groups(search *s, int32_t other)
{
    const pli_particle_search *job = s->job;
    const pli_particle_group *group = &job->groups[other];
    const pli_particle_group_rest *rests = job->rests;
    const pli_particle_group_boxes *block = block_of(job, other);
    int32_t lane = other % GROUP;
    const float *our_low[2] = {s->around.start[0], s->around.end[0]},
                *our_high[2] = {s->around.start[1], s->around.end[1]};
    const float *low[2] = {block->rows[PLI_NEAR_LOW] + lane, block->rows[PLI_NEAR_END + PLI_NEAR_LOW] + lane};
    const float *high[2] = {block->rows[PLI_NEAR_HIGH] + lane, block->rows[PLI_NEAR_END + PLI_NEAR_HIGH] + lane};
    motion theirs;
    uint32_t left = lanes_near(&s->motion, low, high, GROUP, job->reach) & s->open;
    if (!left)
        return;
    begin_motion(job, group, &theirs);
    uint32_t near = lanes_near(&theirs, our_low, our_high, 1, 0.0f) & wide_first_bits(group->count);
    for (; near && left; left &= left - 1) {
        int32_t one = __builtin_ctz(left);
        uint32_t found = partners(&s->motion, one, &theirs, job->reach) & near;
        if (found)
            found &= not_joined(&rests[s->group], one, &rests[other], job->joined);
        if (found)
            found = within_own_reach(job, &s->motion, &rests[s->group], one, &theirs, &rests[other], found);
        add(s, one, other, found);
    }
}

// Pairs within the group: each pair occurs once when half of the cyclic shifts are taken.
static void pair_within_group(search *s)
{
    uint32_t all = wide_first_bits(s->job->groups[s->group].count);
    float rest[3][ROW];
    for (int32_t i = 0; i < GROUP; i += WIDE)
        store(rest[0], i, load(s->job->rests[s->group].at[0], GROUP, i));
    repeat(rest), repeat(s->motion.from), repeat(s->motion.trajectory);
    for (int32_t on = 1; on <= GROUP / 2; on++) {
        uint32_t others = all >> on | all << (GROUP - on), half = on == GROUP / 2 ? wide_first_bits(on) : ~0u;
        uint32_t found = near_others(&s->motion, rest[0], on, s->job) & all & others & half;
        for (; found; found &= found - 1) {
            int32_t one = __builtin_ctz(found);
            const pli_particle_group_rest *rests = &s->job->rests[s->group];
            add(s, one, s->group,
                within_own_reach(s->job, &s->motion, rests, one, &s->motion, rests, 1u << (one + on) % GROUP));
        }
    }
}

// The query ends once every particle has reached its limit of pairs.
static bool found_group(void *data, int32_t group)
{
    search *s = data;
    if (group > s->group || (group < s->group && !s->job->queries[group]))
        pair_groups(s, group);
    return s->open != 0;
}

static int32_t query(const pli_particle_search *job, int32_t group, pli_particle_rank_pair *out, int32_t capacity)
{
    search s = {.job = job, .group = group, .out = out, .capacity = capacity};
    s.open = wide_first_bits(job->groups[group].count);
    s.around = box_of(block_of(job, group), group % GROUP, job->reach);
    begin_motion(job, &job->groups[group], &s.motion);
    pair_within_group(&s);
    if (s.open)
        PLI_NAMED(pli_near).query(&job->tree, &s.around, 0, found_group, &s);
    return s.count;
}

INLINE wide squared_deviations(const pli_particle_group *group, const pli_particle *particles, wide age, int32_t i)
{
    wide3 at;
    wide mass;
    wide_load_particles(particles, group->particles + i, &at.x, &at.y, &at.z, &mass);
    wide3 due = wide3_add(load(group->start[0], GROUP, i), wide3_scale(load(group->trajectory[0], GROUP, i), age));
    wide3 off = wide3_sub(at, due);
    return wide3_dot(off, off);
}

static float deviation(const pli_particle_group *groups, int32_t count, const pli_particle *particles, float time,
                       const float limits[2], uint8_t *deviating)
{
    wide most = wide_set(0.0f), soon = wide_set(limits[0]), far = wide_set(limits[1]);
    for (int32_t g = 0; g < count; g++) {
        wide square = wide_set(0.0f), age = wide_set(time - groups[g].begin_time);
        for (int32_t i = 0; i < GROUP; i += WIDE)
            square = wide_max(square, squared_deviations(&groups[g], particles, age, i));
        deviating[g] = wide_bits(wide_less(far, square))    ? PLI_GROUP_DEVIATES
                       : wide_bits(wide_less(soon, square)) ? PLI_GROUP_DEVIATES_SOON
                                                            : 0;
        most = deviating[g] == PLI_GROUP_DEVIATES ? most : wide_max(most, square);
    }
    return wide_highest(most);
}

const pli_particle_contact_kernels PLI_NAMED(pli_particle_contact) = {query, deviation};
