// SIMD kernels of particle contact: pairs of particles on linear trajectories that come within reach, and deviations
// of groups.
#include "collision/particle_contact/particle_kernels.h"

// Rows contain a group twice, so that each particle can be compared with the particle `on` entries further.
enum { PARTICLE_GROUP = PLI_PARTICLE_GROUP_SIZE, PARTICLE_ROW = 2 * PARTICLE_GROUP };

WIDE_INLINE wide3 particle_load(const float *rows, int32_t stride, int32_t i)
{
    return (wide3){wide_load(rows + i), wide_load(rows + stride + i), wide_load(rows + 2 * stride + i)};
}

WIDE_INLINE wide3 particle_spread(const float *rows, int32_t stride, int32_t i)
{
    return (wide3){wide_set(rows[i]), wide_set(rows[stride + i]), wide_set(rows[2 * stride + i])};
}

WIDE_INLINE void particle_store(float *rows, int32_t i, wide3 a)
{
    wide_store(rows + i, a.x), wide_store(rows + PARTICLE_ROW + i, a.y), wide_store(rows + 2 * PARTICLE_ROW + i, a.z);
}

// Two intervals are apart when one is above the other at both ends of the trajectories, hence also between.
WIDE_INLINE wide_mask particle_apart(const wide low[2], const wide high[2], const wide other_low[2],
                                     const wide other_high[2])
{
    wide_mask above = wide_and(wide_less(other_high[0], low[0]), wide_less(other_high[1], low[1]));
    wide_mask below = wide_and(wide_less(high[0], other_low[0]), wide_less(high[1], other_low[1]));
    return wide_or(above, below);
}

WIDE_INLINE const pli_particle_group_boxes *particle_block(const pli_particle_search *job, int32_t group)
{
    return &job->blocks[group / PARTICLE_GROUP];
}

// Swept box of a group, grown by `reach`.
WIDE_INLINE pli_near_box particle_box(const pli_particle_group_boxes *block, int32_t lane, float reach)
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
typedef struct particle_motion {
    float from[3][PARTICLE_ROW], trajectory[3][PARTICLE_ROW];
} particle_motion;

WIDE_INLINE void begin_motion(const pli_particle_search *job, const pli_particle_group *group, particle_motion *f)
{
    wide age = wide_set(job->now - group->begin_time), left = wide_set(job->end - job->now);
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE) {
        wide3 trajectory = particle_load(group->trajectory[0], PARTICLE_GROUP, i);
        particle_store(f->from[0], i,
                       wide3_add(particle_load(group->start[0], PARTICLE_GROUP, i), wide3_scale(trajectory, age)));
        particle_store(f->trajectory[0], i, wide3_scale(trajectory, left));
    }
}

WIDE_INLINE void repeat(float (*rows)[PARTICLE_ROW])
{
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE)
        particle_store(rows[0], PARTICLE_GROUP + i, particle_load(rows[0], PARTICLE_ROW, i));
}

// Bits of the particles that come within `reach` of a box.
WIDE_INLINE uint32_t lanes_near(const particle_motion *f, const float *const low[2], const float *const high[2],
                                int32_t stride, float reach)
{
    uint32_t near = 0;
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE) {
        wide_mask out = wide_less(wide_set(0.0f), wide_set(0.0f));
        for (int k = 0; k < 3; k++) {
            wide from = wide_load(f->from[k] + i), to = from + wide_load(f->trajectory[k] + i), more = wide_set(reach);
            const wide ours[2] = {from + more, to + more}, down[2] = {from - more, to - more};
            const wide their_low[2] = {wide_set(low[0][stride * k]), wide_set(low[1][stride * k])};
            const wide their_high[2] = {wide_set(high[0][stride * k]), wide_set(high[1][stride * k])};
            out = wide_or(out, particle_apart(down, ours, their_low, their_high));
        }
        near |= wide_bits(wide_not(out)) << i;
    }
    return near;
}

// Within reach at the start, at the end, or at the closest point between: |p + s w|^2 is least at
// s = -(p . w) / (w . w).
WIDE_INLINE wide_mask near(wide3 p, wide3 w, wide square)
{
    wide3 q = wide3_add(p, w);
    wide pp = wide3_dot(p, p), pw = wide3_dot(p, w), ww = wide3_dot(w, w);
    wide_mask ends = wide_or(wide_less(pp, square), wide_less(wide3_dot(q, q), square));
    wide_mask between = wide_and(wide_less(pw, wide_set(0.0f)), wide_less(-pw, ww));
    return wide_or(ends, wide_and(between, wide_less((pp - square) * ww, pw * pw)));
}

static float particle_dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The same test for two particles.
static bool is_near(const float p[3], const float w[3], float reach)
{
    const float q[3] = {p[0] + w[0], p[1] + w[1], p[2] + w[2]};
    float pp = particle_dot(p, p), pw = particle_dot(p, w), ww = particle_dot(w, w), square = reach * reach;
    return pp < square || particle_dot(q, q) < square || (pw < 0.0f && -pw < ww && (pp - square) * ww < pw * pw);
}

WIDE_INLINE uint32_t partners(const particle_motion *ours, int32_t one, const particle_motion *theirs, float reach)
{
    uint32_t found = 0;
    wide3 from = particle_spread(ours->from[0], PARTICLE_ROW, one),
          trajectory = particle_spread(ours->trajectory[0], PARTICLE_ROW, one);
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE)
        found |= wide_bits(near(wide3_sub(particle_load(theirs->from[0], PARTICLE_ROW, i), from),
                                wide3_sub(particle_load(theirs->trajectory[0], PARTICLE_ROW, i), trajectory),
                                wide_set(reach * reach)))
                 << i;
    return found;
}

WIDE_INLINE wide_mask is_apart(wide3 a, wide3 b, float joined)
{
    wide3 r = wide3_sub(a, b);
    return wide_not(wide_less(wide3_dot(r, r), wide_set(joined * joined)));
}

WIDE_INLINE uint32_t not_joined(const pli_particle_group_rest *ours, int32_t one, const pli_particle_group_rest *theirs,
                                float joined)
{
    uint32_t found = 0;
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE)
        found |= wide_bits(is_apart(particle_load(theirs->at[0], PARTICLE_GROUP, i),
                                    particle_spread(ours->at[0], PARTICLE_GROUP, one), joined))
                 << i;
    return found;
}

// Bits of the particles of a group that come near the particle `on` entries further in the same group.
WIDE_INLINE uint32_t near_others(const particle_motion *f, const float *rest, int32_t on,
                                 const pli_particle_search *job)
{
    uint32_t found = 0;
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE) {
        wide3 from = wide3_sub(particle_load(f->from[0], PARTICLE_ROW, i + on),
                               particle_load(f->from[0], PARTICLE_ROW, i));
        wide3 trajectory = wide3_sub(particle_load(f->trajectory[0], PARTICLE_ROW, i + on),
                                     particle_load(f->trajectory[0], PARTICLE_ROW, i));
        wide_mask far = is_apart(particle_load(rest, PARTICLE_ROW, i + on), particle_load(rest, PARTICLE_ROW, i),
                                 job->joined);
        found |= wide_bits(wide_and(near(from, trajectory, wide_set(job->reach * job->reach)), far)) << i;
    }
    return found;
}

// Keeps the found particles that are within the reach that applies to their rest distance. Few pairs get
// here.
static uint32_t within_own_reach(const pli_particle_search *job, const particle_motion *ours,
                                 const pli_particle_group_rest *rest, int32_t one, const particle_motion *theirs,
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
        if (particle_dot(at_rest, at_rest) < job->layers * job->layers && !is_near(from, trajectory, job->near_reach))
            kept &= ~(1u << other);
    }
    return kept;
}

// State of the search of one group.
typedef struct particle_search {
    const pli_particle_search *job;
    int32_t group;
    pli_near_box around;
    particle_motion motion;
    int32_t counts[PARTICLE_GROUP]; // Pairs of each particle.
    uint32_t open;                  // Bits of the particles that may have more pairs.
    pli_particle_rank_pair *out;
    int32_t capacity, count;
} particle_search;

static void particle_add(particle_search *s, int32_t one, int32_t other, uint32_t found)
{
    for (; found; found &= found - 1) {
        if (s->count < s->capacity)
            s->out[s->count] = (pli_particle_rank_pair){
                {PARTICLE_GROUP * s->group + one, PARTICLE_GROUP * other + __builtin_ctz(found)}};
        s->count++;
        s->counts[one]++;
    }
    if (s->counts[one] >= PLI_PARTICLE_PAIRS_MAX)
        s->open &= ~(1u << one);
}

static void pair_groups(particle_search *s, int32_t other)
{
    const pli_particle_search *job = s->job;
    const pli_particle_group *group = &job->groups[other];
    const pli_particle_group_rest *rests = job->rests;
    const pli_particle_group_boxes *block = particle_block(job, other);
    int32_t lane = other % PARTICLE_GROUP;
    const float *our_low[2] = {s->around.start[0], s->around.end[0]},
                *our_high[2] = {s->around.start[1], s->around.end[1]};
    const float *low[2] = {block->rows[PLI_NEAR_LOW] + lane, block->rows[PLI_NEAR_END + PLI_NEAR_LOW] + lane};
    const float *high[2] = {block->rows[PLI_NEAR_HIGH] + lane, block->rows[PLI_NEAR_END + PLI_NEAR_HIGH] + lane};
    particle_motion theirs;
    uint32_t left = lanes_near(&s->motion, low, high, PARTICLE_GROUP, job->reach) & s->open;
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
        particle_add(s, one, other, found);
    }
}

// Pairs within the group: each pair occurs once when half of the cyclic shifts are taken.
static void pair_within_group(particle_search *s)
{
    uint32_t all = wide_first_bits(s->job->groups[s->group].count);
    float rest[3][PARTICLE_ROW];
    for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE)
        particle_store(rest[0], i, particle_load(s->job->rests[s->group].at[0], PARTICLE_GROUP, i));
    repeat(rest), repeat(s->motion.from), repeat(s->motion.trajectory);
    for (int32_t on = 1; on <= PARTICLE_GROUP / 2; on++) {
        uint32_t others = all >> on | all << (PARTICLE_GROUP - on),
                 half = on == PARTICLE_GROUP / 2 ? wide_first_bits(on) : ~0u;
        uint32_t found = near_others(&s->motion, rest[0], on, s->job) & all & others & half;
        for (; found; found &= found - 1) {
            int32_t one = __builtin_ctz(found);
            const pli_particle_group_rest *rests = &s->job->rests[s->group];
            particle_add(
                s, one, s->group,
                within_own_reach(s->job, &s->motion, rests, one, &s->motion, rests, 1u << (one + on) % PARTICLE_GROUP));
        }
    }
}

// The query ends once every particle has reached its limit of pairs.
static bool found_group(void *data, int32_t group)
{
    particle_search *s = data;
    if (group > s->group || (group < s->group && !s->job->queries[group]))
        pair_groups(s, group);
    return s->open != 0;
}

static int32_t particle_query(const pli_particle_search *job, int32_t group, pli_particle_rank_pair *out,
                              int32_t capacity)
{
    particle_search s = {.job = job, .group = group, .out = out, .capacity = capacity};
    s.open = wide_first_bits(job->groups[group].count);
    s.around = particle_box(particle_block(job, group), group % PARTICLE_GROUP, job->reach);
    begin_motion(job, &job->groups[group], &s.motion);
    pair_within_group(&s);
    if (s.open)
        PLI_NAMED(pli_near).query(&job->tree, &s.around, 0, found_group, &s);
    return s.count;
}

WIDE_INLINE wide particle_squared_deviations(const pli_particle_group *group, const pli_particle *particles, wide age,
                                             int32_t i)
{
    wide3 at;
    wide mass;
    wide_load_particles(particles, group->particles + i, &at.x, &at.y, &at.z, &mass);
    wide3 due = wide3_add(particle_load(group->start[0], PARTICLE_GROUP, i),
                          wide3_scale(particle_load(group->trajectory[0], PARTICLE_GROUP, i), age));
    wide3 off = wide3_sub(at, due);
    return wide3_dot(off, off);
}

static float particle_deviation(const pli_particle_group *groups, int32_t count, const pli_particle *particles,
                                float time, const float limits[2], uint8_t *deviating)
{
    wide most = wide_set(0.0f), soon = wide_set(limits[0]), far = wide_set(limits[1]);
    for (int32_t g = 0; g < count; g++) {
        wide square = wide_set(0.0f), age = wide_set(time - groups[g].begin_time);
        for (int32_t i = 0; i < PARTICLE_GROUP; i += WIDE)
            square = wide_max(square, particle_squared_deviations(&groups[g], particles, age, i));
        deviating[g] = wide_bits(wide_less(far, square))    ? PLI_GROUP_DEVIATES
                       : wide_bits(wide_less(soon, square)) ? PLI_GROUP_DEVIATES_SOON
                                                            : 0;
        most = deviating[g] == PLI_GROUP_DEVIATES ? most : wide_max(most, square);
    }
    return wide_highest(most);
}

const pli_particle_contact_kernels PLI_NAMED(pli_particle_contact) = {particle_query, particle_deviation};
