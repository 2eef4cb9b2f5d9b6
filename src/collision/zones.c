// Impact zones: particles whose ways could not be cleared move as one rigid thing, so that their
// distances stay. Provot 1997; Bridson et al. 2002, section 7.5.
#include "collision/guard.h"

enum { ZONE_ROUNDS = 64 };

static int32_t root_of(const pli_space *space, int32_t i)
{
    while (space->zones[i] != i)
        i = space->zones[i];
    return i;
}

// Lower places lead, so that zones do not depend on the order of joining. False when they were one already.
static bool join(pli_space *space, const pli_pair *pair)
{
    int32_t lowest = root_of(space, pair->at[0]);
    bool joined = false;
    for (int i = 1; i < 4; i++) {
        int32_t root = root_of(space, pair->at[i]);
        lowest = root < lowest ? root : lowest;
    }
    for (int i = 0; i < 4; i++) {
        int32_t root = root_of(space, pair->at[i]);
        joined = joined || root != lowest || !space->in_zone[pair->at[i]];
        space->zones[root] = lowest;
        space->in_zone[pair->at[i]] = 1;
    }
    return joined;
}

// False when every failing pair was in one zone before: then nothing will change any more.
static bool join_failing(pli_space *space)
{
    bool joined = false;
    for (int32_t k = 0; k < space->failing_count; k++) {
        const pli_pair *pair = &space->lists[space->failing[k].list].pairs[space->failing[k].pair];
        joined = join(space, pair) || joined;
        pli_space_link(space, pair->surface[0], pair->surface[1]);
    }
    return joined;
}

static void add_way(const pli_space *space, pli_zone_sum *sum, int32_t i)
{
    const pli_particle *p = &space->particles[i], *q = &space->previous[i];
    const double way[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y, (double)p->z - (double)q->z};
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    for (int k = 0; k < 3; k++)
        *(p->w > 0.0f ? &sum->free[k] : &sum->held[k]) += p->w > 0.0f ? mass * way[k] : way[k];
    sum->mass += mass;
    sum->held_count += p->w > 0.0f ? 0.0 : 1.0;
}

static void move_zones(pli_space *space, pli_zone_sum *sums)
{
    int32_t count = space->particle_count;
    for (int32_t i = 0; i < count; i++)
        sums[i] = (pli_zone_sum){0};
    for (int32_t i = 0; i < count; i++)
        if (space->in_zone[i])
            add_way(space, &sums[root_of(space, i)], i);
    for (int32_t i = 0; i < count; i++) {
        if (!space->in_zone[i] || space->particles[i].w == 0.0f)
            continue;
        const pli_zone_sum *s = &sums[root_of(space, i)];
        const double *sum = s->held_count > 0.0 ? s->held : s->free;
        double share = 1.0 / (s->held_count > 0.0 ? s->held_count : s->mass);
        pli_guard_move(space, i, (pli_vec3){(float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share)});
    }
}

void pli_guard_zones(pli_space *space, bool (*find)(pli_space *space, bool all))
{
    int32_t count = space->particle_count;
    bool complete = pli_reserve(space->memory, &space->zone_sums, &space->sum_capacity, count, sizeof(pli_zone_sum)) &&
                    pli_reserve(space->memory, &space->in_zone, &space->in_zone_capacity, count, 1);
    for (int32_t i = 0; complete && i < count; i++) {
        space->zones[i] = i;
        space->in_zone[i] = 0;
    }
    for (int32_t round = 0; complete && round < ZONE_ROUNDS && space->failing_count > 0; round++) {
        if (!join_failing(space))
            break;
        move_zones(space, space->zone_sums);
        complete = find(space, false);
    }
    space->starved = space->starved || !complete;
    space->breaches += space->failing_count;
    space->unverified = space->unverified || space->failing_count > 0;
}
