// What lists of pairs are good for: particles that keep near straight ways for a few substeps.
#include "collision/ways.h"

#include "collision/find.h"
#include "collision/find_patches.h"
#include "collision/mend.h"

// Of the mean edge: how far particles may leave their ways.
#define BUDGET_SHARE 0.1f
// When lists are for one substep, nothing leaves its way but by what projections do to it after its contacts were found:
// of the mean edge, what that may be until the guarantee has to look again. The distance that is kept makes up for a part.
#define BRIEF_SHARE 0.05f
#define LEAST_BRIEF_SHARE 0.1f
// Of the budget: beyond the first, what is off by more than the second gets a new way, so that few follow in the next
// substeps.
#define LIMIT_SHARE 0.75f
#define TURN_SHARE 0.25f
// The same in the last substep of a step, after which lists are made anew.
#define LAST_TURN_SHARE 0.75f
// Particles that get one at most: of all, and besides; more than that are as well looked for with all others. So is what
// goes further than this in the lists' lifetime [budgets].
#define FARTHEST_WAY 100.0f
// Of the distance that pairs keep, how much nearer both sides may come before a direction that kept them apart by so much
// leaves less than the guarantee asks for.
#define MEET_SHARE (0.49f * (1.0f - PLI_GAP_SHARE))
enum { STRAYS_SHARE = 3, STRAYS_LEAST = 64 };

typedef struct measuring {
    pli_space *space;
    int32_t begin, end; // Particles.
    float age;
    float limit; // Squared: what is off by more is counted [m^2].
} measuring;

static int32_t chunk_count(int32_t particles) { return (particles + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN; }

static int32_t chunk_end(const measuring *m, int32_t begin)
{
    return begin + PLI_PAIR_GRAIN < m->end ? begin + PLI_PAIR_GRAIN : m->end;
}

// A collider that stays in place and whose ways have been begun is not looked at again, so that its size costs nothing.
static bool stays(const pli_space *space, int32_t surface)
{
    const pli_surface *s = space->surfaces[surface];
    return pli_surface_stands(s) && !s->moving && s->begun == s->first + 1;
}

static void begin_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN;
    for (int32_t i = begin; i < chunk_end(m, begin); i++) {
        pli_particle p = space->particles[i], q = space->previous[i];
        space->cache.starts.items[i] = q;
        space->cache.ways.items[i] = (pli_particle){p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    }
}

static pli_near_ways ways_from(const pli_space *space, int32_t begin)
{
    return (pli_near_ways){&space->cache.starts.items[begin], &space->cache.ways.items[begin]};
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, count = chunk_end(m, begin) - begin;
    const pli_near_ways ways = ways_from(space, begin);
    space->partial.items[chunk] = space->near->most_off(&space->previous[begin], &space->particles[begin], &ways,
                                                        m->age, count);
}

static void squares_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, end = chunk_end(m, begin), strays = 0;
    const pli_near_ways ways = ways_from(space, begin);
    space->near->squares_off(&space->previous[begin], &space->particles[begin], &ways, m->age, end - begin,
                             &space->repair.squares_off[begin]);
    for (int32_t i = begin; i < end; i++)
        strays += space->repair.squares_off[i] > m->limit;
    space->partial.items[chunk] = (float)strays;
}

static void run_over(measuring *m, const pli_surface *s, pli_task task)
{
    m->begin = s->first, m->end = s->first + s->vertex_count;
    pli_tasks_run(m->space->tasks, chunk_count(s->vertex_count), task, m);
}

// How many are off by more than a limit.
static int32_t measure_strays(pli_space *space, float limit)
{
    measuring m = {.space = space, .age = (float)space->cache.slack.age, .limit = limit * limit};
    int32_t strays = 0;
    for (int32_t i = 0; i < space->surface_count; i++) {
        if (stays(space, i))
            continue;
        run_over(&m, space->surfaces[i], squares_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(space->surfaces[i]->vertex_count); chunk++)
            strays += (int32_t)space->partial.items[chunk];
    }
    return strays;
}

static bool reserve(pli_space *space)
{
    return pli_array_reserve(space->memory, &space->partial, (int64_t)chunk_count(space->particle_count) + 1);
}

// From now on to the end of the lists' lifetime.
static void look_between(const pli_space *space, pli_find *find)
{
    find->starts = space->cache.starts.items;
    find->from = (float)space->cache.slack.age, find->to = (float)space->cache.slack.lifetime;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] = pli_space_reach(space, find->reach[list], PLI_NEAR_SHARE * find->reach[list]);
}

static void set_budgets(pli_space *space, const pli_find *find, int32_t lifetime)
{
    float brief = BRIEF_SHARE * find->mean_edge;
    space->cache.slack.budget = BUDGET_SHARE * find->mean_edge;
    space->cache.touch_budget = LIMIT_SHARE * space->cache.slack.budget;
    if (lifetime > 1)
        return;
    space->cache.slack.budget = pli_higher(brief - MEET_SHARE * space->cache.least_keep, LEAST_BRIEF_SHARE * brief);
    space->cache.touch_budget = 0.0f;
}

static void begin_ways(pli_space *space, pli_find *find, int32_t lifetime)
{
    measuring m = {.space = space};
    for (int32_t i = 0; i < space->surface_count; i++)
        if (!stays(space, i)) {
            run_over(&m, space->surfaces[i], begin_chunk);
            space->surfaces[i]->begun = space->surfaces[i]->first + 1;
        }
    pli_slack_begin(&space->cache.slack, 0.0f, lifetime);
    set_budgets(space, find, lifetime);
    look_between(space, find);
}

static bool find_lists(pli_space *space, int32_t lifetime)
{
    pli_find find;
    if (!reserve(space) || !pli_find_begin(space, &find))
        return false;
    begin_ways(space, &find, lifetime);
    if (!pli_find_lay(&find))
        return false;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (space->cache.has_pairs[list] && !pli_find_pairs(&find, list))
            return false;
    return true;
}

// How far particles are off their ways at the start and the end of this substep, in budgets.
static float deviation(pli_space *space)
{
    measuring m = {.space = space, .age = (float)space->cache.slack.age};
    float most = 0.0f;
    for (int32_t i = 0; i < space->surface_count; i++) {
        if (stays(space, i))
            continue;
        run_over(&m, space->surfaces[i], deviation_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(space->surfaces[i]->vertex_count); chunk++)
            most = pli_higher(space->partial.items[chunk], most);
    }
    space->cache.slack.strayed = sqrtf(most);
    return space->cache.slack.strayed / space->cache.slack.budget;
}

// Gives a particle the way of this substep.
static void turn(pli_space *space, int32_t i, float age)
{
    pli_particle p = space->particles[i], q = space->previous[i], way = {p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    space->cache.ways.items[i] = way;
    space->cache.starts.items[i] = (pli_particle){q.x - way.x * age, q.y - way.y * age, q.z - way.z * age, q.w};
    space->repair.astray[i] = 1;
}

// Turns what is off by more than `most_off`. False when that is much, or goes far.
static bool turn_strays(pli_space *space, float most_off)
{
    float age = (float)space->cache.slack.age, limit = most_off * most_off;
    float farthest = FARTHEST_WAY * pli_higher(space->cache.slack.budget, most_off) /
                     ((float)space->cache.slack.lifetime - age);
    if (measure_strays(space, most_off) > STRAYS_LEAST + space->particle_count / STRAYS_SHARE)
        return false;
    for (int32_t k = 0; k < space->surface_count; k++) {
        const pli_surface *s = space->surfaces[k];
        for (int32_t i = s->first; !stays(space, k) && i < s->first + s->vertex_count; i++) {
            if (!(space->repair.squares_off[i] > limit))
                continue;
            pli_vec3 step = pli_sub(pli_place_of(&space->particles[i]), pli_place_of(&space->previous[i]));
            if (!(pli_dot(step, step) < farthest * farthest))
                return false;
            turn(space, i, age);
        }
    }
    return true;
}

static bool mend_lists(pli_space *space, float most_off, bool *mended)
{
    pli_find find;
    *mended = false;
    if (!space->laid_on_ways)
        return true;
    space->repair.astray = PLI_TAKE_ZEROED(&space->arena, uint8_t, space->particle_count);
    space->repair.squares_off = PLI_TAKE(&space->arena, float, space->particle_count);
    if (!space->repair.astray || !space->repair.squares_off || !pli_find_begin(space, &find))
        return false;
    look_between(space, &find);
    bool complete = !turn_strays(space, most_off) || pli_find_mend(&find, mended);
    if (*mended)
        deviation(space);
    return complete;
}

// Finds again what those are near that are off by more than `most_off`, or everything for so many substeps.
static void renew(pli_space *space, float most_off, int32_t lifetime)
{
    bool mended;
    if (!mend_lists(space, most_off, &mended) || (!mended && !find_lists(space, lifetime)))
        space->starved = true;
}

// A quarter of the budget is left for what projections will do.
static void find(pli_space *space)
{
    if (pli_slack_expires(&space->cache.slack)) {
        if (!find_lists(space, space->substeps_left))
            space->starved = true;
    } else if (!(deviation(space) < LIMIT_SHARE)) {
        renew(space, TURN_SHARE * space->cache.slack.budget, space->substeps_left);
    }
}

// Pairs that are not in the lists are further apart than they are kept, by two budgets; until they meet, there is more.
static bool widen(pli_space *space)
{
    float most = space->cache.slack.budget + MEET_SHARE * space->cache.least_keep;
    deviation(space);
    if (space->cache.slack.strayed <= most)
        return false;
    renew(space, space->substeps_left > 1 ? TURN_SHARE * space->cache.slack.budget : LAST_TURN_SHARE * most, 1);
    return true;
}

void pli_space_find(pli_space *space)
{
    const pli_arena_scope scope = pli_arena_begin(&space->arena);
    find(space);
    pli_arena_end(&space->arena, scope);
}

bool pli_space_widen(pli_space *space)
{
    const pli_arena_scope scope = pli_arena_begin(&space->arena);
    bool found = widen(space);
    pli_arena_end(&space->arena, scope);
    return found;
}
