// Groups of 16 particles under a 16-wide BVH of swept boxes, and their trajectories.
#include "collision/particle_contact/particle_groups.h"

#include "base/sort.h"
#include "collision/broadphase/kd_order.h"
#include "base/simd/four.h"

enum { GROUP_SIZE = PLI_PARTICLE_GROUP_SIZE, GROUP_GRAIN = 64 }; // Groups of one task, a multiple of a block.

/* ---- making groups --------------------------------------------------------------------------- */

bool pli_groups_build(pli_memory *memory, pli_groups *groups, const float *rest, int32_t count)
{
    groups->count = (count + GROUP_SIZE - 1) / GROUP_SIZE;
    groups->particle_count = 0;
    int32_t blocks = groups->block_count = pli_near_tree_shape(&groups->tree, groups->count > 0 ? groups->count : 1,
                                                               groups->level_starts);
    if (!pli_reserve(memory, &groups->order, &groups->order_capacity, count, sizeof *groups->order) ||
        !pli_reserve(memory, &groups->group_of, &groups->of_capacity, count, sizeof *groups->group_of) ||
        !pli_reserve(memory, &groups->groups, &groups->group_capacity, groups->count, sizeof *groups->groups) ||
        !pli_reserve(memory, &groups->rests, &groups->rest_capacity, groups->count, sizeof *groups->rests) ||
        !pli_reserve(memory, &groups->deviating, &groups->deviating_capacity, groups->count, 1) ||
        !pli_reserve(memory, &groups->changed, &groups->changed_capacity, blocks, 1) ||
        !pli_reserve(memory, &groups->blocks, &groups->block_capacity, blocks, sizeof *groups->blocks))
        return false;
    if (!pli_kd_order(memory, rest, count, GROUP_SIZE, groups->order))
        return false;
    groups->particle_count = count;
    for (int32_t level = 0; level < groups->tree.depth; level++)
        groups->tree.levels[level] = groups->blocks[groups->level_starts[level]].rows[0];
    for (int32_t g = 0; g < groups->count; g++) {
        pli_particle_group *group = &groups->groups[g];
        int32_t left = groups->particle_count - g * GROUP_SIZE;
        group->count = left < GROUP_SIZE ? left : GROUP_SIZE;
        pli_sort_integers(groups->order + g * GROUP_SIZE, group->count);
        for (int32_t i = 0; i < GROUP_SIZE; i++) {
            int32_t number = groups->order[g * GROUP_SIZE + (i < group->count ? i : group->count - 1)];
            group->particles[i] = number;
            groups->group_of[number] = g;
            for (int k = 0; k < 3; k++)
                groups->rests[g].at[k][i] = rest[3 * (int64_t)number + k];
        }
    }
    // Empty boxes never match.
    for (int32_t b = 0; b < groups->block_count; b++)
        for (int32_t row = 0; row < PLI_NEAR_ROWS; row++)
            for (int32_t i = 0; i < GROUP_SIZE; i++)
                groups->blocks[b].rows[row][i] = row % PLI_NEAR_END < PLI_NEAR_HIGH ? PLI_PARTICLE_BOX_EMPTY
                                                                                    : -PLI_PARTICLE_BOX_EMPTY;
    return true;
}

/* ---- trajectories and boxes --------------------------------------------------------------------------- */

typedef struct beginning {
    pli_groups *groups;
    const pli_particle *from, *to;
    float now, end;
    bool all;
} beginning;

static void put(pli_particle_group_boxes *block, int32_t lane, int end, pli_four low, pli_four high)
{
    for (int k = 0; k < 3; k++) {
        block->rows[PLI_NEAR_END * end + PLI_NEAR_LOW + k][lane] = low[k];
        block->rows[PLI_NEAR_END * end + PLI_NEAR_HIGH + k][lane] = high[k];
    }
}

// Advances a block's start boxes to the present by linear interpolation, which bounds linear trajectories (aabb.h).
static void advance_to_now(const beginning *b, pli_particle_group_boxes *block)
{
    float part = (b->now - b->groups->now) / (b->groups->end - b->groups->now);
    for (int32_t row = 0; row < PLI_NEAR_END; row++)
        for (int32_t i = 0; i < GROUP_SIZE; i++)
            block->rows[row][i] += part * (block->rows[PLI_NEAR_END + row][i] - block->rows[row][i]);
}

static void group_begin_chunk(void *data, int32_t chunk)
{
    const beginning *b = data;
    int32_t count = b->groups->count, end = (chunk + 1) * GROUP_GRAIN < count ? (chunk + 1) * GROUP_GRAIN : count;
    for (int32_t g = chunk * GROUP_GRAIN; g < end; g++) {
        if (g % GROUP_SIZE == 0 && !b->all)
            advance_to_now(b, &b->groups->blocks[g / GROUP_SIZE]);
        if (g % GROUP_SIZE == 0)
            b->groups->changed[g / GROUP_SIZE] = 0;
        if (!b->all && !b->groups->deviating[g])
            continue;
        pli_particle_group *group = &b->groups->groups[g];
        pli_particle_group_boxes *block = &b->groups->blocks[g / GROUP_SIZE];
        pli_four low = pli_four_set(PLI_PARTICLE_BOX_EMPTY), high = -low, last_low = low, last_high = high;
        group->begin_time = b->now;
        for (int32_t i = 0; i < GROUP_SIZE; i++) {
            pli_four from = pli_four_of(&b->from[group->particles[i]]);
            pli_four trajectory = pli_four_of(&b->to[group->particles[i]]) - from,
                     last = from + trajectory * (b->end - b->now);
            low = pli_four_lower(from, low), high = pli_four_higher(from, high);
            last_low = pli_four_lower(last, last_low), last_high = pli_four_higher(last, last_high);
            for (int k = 0; k < 3; k++)
                group->start[k][i] = from[k], group->trajectory[k][i] = trajectory[k];
        }
        put(block, g % GROUP_SIZE, 0, low, high);
        put(block, g % GROUP_SIZE, 1, last_low, last_high);
        b->groups->changed[g / GROUP_SIZE] = 1;
    }
}

static float group_lowest(const float *values)
{
    pli_four low = pli_four_at(values);
    for (int32_t i = 4; i < GROUP_SIZE; i += 4)
        low = pli_four_lower(pli_four_at(values + i), low);
    return pli_lower(pli_lower(low[0], low[1]), pli_lower(low[2], low[3]));
}

static float group_highest(const float *values)
{
    pli_four high = pli_four_at(values);
    for (int32_t i = 4; i < GROUP_SIZE; i += 4)
        high = pli_four_higher(pli_four_at(values + i), high);
    return pli_higher(pli_higher(high[0], high[1]), pli_higher(high[2], high[3]));
}

// Joins the boxes of changed blocks into the next level.
static void join_level(const beginning *b, int32_t level)
{
    pli_groups *groups = b->groups;
    int32_t below = groups->level_starts[level - 1], here = groups->level_starts[level];
    int32_t behind = level + 1 < groups->tree.depth ? groups->level_starts[level + 1] : groups->block_count;
    for (int32_t block = here; block < behind; block++) {
        if (!b->all)
            advance_to_now(b, &groups->blocks[block]);
        groups->changed[block] = 0;
    }
    for (int32_t i = 0; i < here - below; i++)
        if (groups->changed[below + i]) {
            const pli_particle_group_boxes *block = &groups->blocks[below + i];
            pli_particle_group_boxes *above = &groups->blocks[here + i / GROUP_SIZE];
            int32_t lane = i % GROUP_SIZE;
            for (int32_t row = 0; row < PLI_NEAR_ROWS; row++)
                above->rows[row][lane] = row % PLI_NEAR_END < PLI_NEAR_HIGH ? group_lowest(block->rows[row])
                                                                            : group_highest(block->rows[row]);
            groups->changed[here + i / GROUP_SIZE] = 1;
        }
}

void pli_groups_begin(pli_tasks *tasks, pli_groups *groups, const pli_particle *from, const pli_particle *to, float now,
                      float end, bool all)
{
    beginning b = {groups, from, to, now, end, all};
    pli_tasks_run(tasks, (groups->count + GROUP_GRAIN - 1) / GROUP_GRAIN, group_begin_chunk, &b);
    for (int32_t level = 1; level < groups->tree.depth; level++)
        join_level(&b, level);
    groups->now = now, groups->end = end;
}

pli_particle_search pli_groups_search(const pli_groups *groups, float reach, float joined)
{
    return (pli_particle_search){.groups = groups->groups,
                                 .rests = groups->rests,
                                 .blocks = groups->blocks,
                                 .tree = groups->tree,
                                 .queries = groups->deviating,
                                 .now = groups->now,
                                 .end = groups->end,
                                 .reach = reach,
                                 .near_reach = reach,
                                 .joined = joined};
}

bool pli_groups_are_finite(const pli_groups *groups)
{
    const pli_particle_group_boxes *top = &groups->blocks[groups->block_count - 1];
    bool finite = true;
    for (int32_t row = 0; row < PLI_NEAR_ROWS; row++)
        for (int32_t i = 0; i < GROUP_SIZE; i++)
            finite = finite && isfinite(top->rows[row][i]);
    return finite;
}

void pli_groups_release(pli_memory *memory, pli_groups *groups)
{
    void *arrays[] = {groups->groups,    groups->rests,   groups->blocks, groups->group_of,
                      groups->deviating, groups->changed, groups->order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}
