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
    return space->trees[surface] && !s->moving && s->begun == s->first + 1;
}

static void begin_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN;
    for (int32_t i = begin; i < chunk_end(m, begin); i++) {
        pli_particle p = space->particles[i], q = space->previous[i];
        space->starts[i] = q;
        space->ways[i] = (pli_particle){p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    }
}

static pli_near_ways ways_from(const pli_space *space, int32_t begin)
{
    return (pli_near_ways){&space->starts[begin], &space->ways[begin]};
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, count = chunk_end(m, begin) - begin;
    const pli_near_ways ways = ways_from(space, begin);
    space->partial[chunk] = space->near->most_off(&space->previous[begin], &space->particles[begin], &ways, m->age,
                                                  count);
}

static void squares_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_space *space = m->space;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, end = chunk_end(m, begin), strays = 0;
    const pli_near_ways ways = ways_from(space, begin);
    space->near->squares_off(&space->previous[begin], &space->particles[begin], &ways, m->age, end - begin,
                             &space->squares_off[begin]);
    for (int32_t i = begin; i < end; i++)
        strays += space->squares_off[i] > m->limit;
    space->partial[chunk] = (float)strays;
}

static void run_over(measuring *m, const pli_surface *s, pli_task task)
{
    m->begin = s->first, m->end = s->first + s->vertex_count;
    pli_tasks_run(m->space->tasks, chunk_count(s->vertex_count), task, m);
}

// How many are off by more than a limit.
static int32_t measure_strays(pli_space *space, float limit)
{
    measuring m = {.space = space, .age = (float)space->age, .limit = limit * limit};
    int32_t strays = 0;
    for (int32_t i = 0; i < space->surface_count; i++) {
        if (stays(space, i))
            continue;
        run_over(&m, space->surfaces[i], squares_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(space->surfaces[i]->vertex_count); chunk++)
            strays += (int32_t)space->partial[chunk];
    }
    return strays;
}

static bool reserve(pli_space *space)
{
    return pli_reserve(space->memory, &space->squares_off, &space->square_capacity, space->particle_count,
                       sizeof(float)) &&
           pli_reserve(space->memory, &space->partial, &space->partial_capacity, chunk_count(space->particle_count) + 1,
                       sizeof(float));
}

// From now on to the end of the lists' lifetime.
static void look_between(const pli_space *space, pli_find *find)
{
    find->starts = space->starts;
    find->from = (float)space->age, find->to = (float)space->lifetime;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] = pli_space_reach(space, find->reach[list], PLI_NEAR_SHARE * find->reach[list]);
}

static void set_budgets(pli_space *space, const pli_find *find, int32_t lifetime)
{
    float brief = BRIEF_SHARE * find->mean_edge;
    space->budget = BUDGET_SHARE * find->mean_edge;
    space->touch_budget = LIMIT_SHARE * space->budget;
    if (lifetime > 1)
        return;
    space->budget = pli_higher(brief - MEET_SHARE * space->least_keep, LEAST_BRIEF_SHARE * brief);
    space->touch_budget = 0.0f;
}

static void begin_ways(pli_space *space, pli_find *find, int32_t lifetime)
{
    measuring m = {.space = space};
    for (int32_t i = 0; i < space->surface_count; i++)
        if (!stays(space, i)) {
            run_over(&m, space->surfaces[i], begin_chunk);
            space->surfaces[i]->begun = space->surfaces[i]->first + 1;
        }
    space->age = 0;
    space->strayed = 0.0f;
    space->lifetime = lifetime;
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
        if (space->has_pairs[list] && !pli_find_pairs(&find, list))
            return false;
    return true;
}

// How far particles are off their ways at the start and the end of this substep, in budgets.
static float deviation(pli_space *space)
{
    measuring m = {.space = space, .age = (float)space->age};
    float most = 0.0f;
    for (int32_t i = 0; i < space->surface_count; i++) {
        if (stays(space, i))
            continue;
        run_over(&m, space->surfaces[i], deviation_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(space->surfaces[i]->vertex_count); chunk++)
            most = pli_higher(space->partial[chunk], most);
    }
    space->strayed = sqrtf(most);
    return space->strayed / space->budget;
}

// Gives a particle the way of this substep.
static void turn(pli_space *space, int32_t i, float age)
{
    pli_particle p = space->particles[i], q = space->previous[i], way = {p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    space->ways[i] = way;
    space->starts[i] = (pli_particle){q.x - way.x * age, q.y - way.y * age, q.z - way.z * age, q.w};
    space->astray[i] = 1;
    space->strays[space->stray_count++] = i;
}

// Turns what is off by more than `most_off`. False when that is much, or goes far.
static bool turn_strays(pli_space *space, float most_off)
{
    float age = (float)space->age, limit = most_off * most_off;
    float farthest = FARTHEST_WAY * pli_higher(space->budget, most_off) / ((float)space->lifetime - age);
    if (measure_strays(space, most_off) > STRAYS_LEAST + space->particle_count / STRAYS_SHARE)
        return false;
    for (int32_t k = 0; k < space->surface_count; k++) {
        const pli_surface *s = space->surfaces[k];
        for (int32_t i = s->first; !stays(space, k) && i < s->first + s->vertex_count; i++) {
            if (!(space->squares_off[i] > limit))
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
    if (!pli_reserve(space->memory, &space->astray, &space->astray_capacity, space->particle_count, 1) ||
        !pli_reserve(space->memory, &space->strays, &space->stray_capacity, space->particle_count, sizeof(int32_t)) ||
        !pli_find_begin(space, &find))
        return false;
    look_between(space, &find);
    space->stray_count = 0;
    bool complete = !turn_strays(space, most_off) || pli_find_mend(&find, mended);
    for (int32_t k = 0; k < space->stray_count; k++)
        space->astray[space->strays[k]] = 0;
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
void pli_space_find(pli_space *space)
{
    if (space->age < 0 || ++space->age >= space->lifetime) {
        if (!find_lists(space, space->substeps_left))
            space->starved = true;
    } else if (!(deviation(space) < LIMIT_SHARE)) {
        renew(space, TURN_SHARE * space->budget, space->substeps_left);
    }
}

// Pairs that are not in the lists are further apart than they are kept, by two budgets; until they meet, there is more.
bool pli_space_widen(pli_space *space)
{
    float most = space->budget + MEET_SHARE * space->least_keep;
    deviation(space);
    if (space->strayed <= most)
        return false;
    renew(space, space->substeps_left > 1 ? TURN_SHARE * space->budget : LAST_TURN_SHARE * most, 1);
    return true;
}
