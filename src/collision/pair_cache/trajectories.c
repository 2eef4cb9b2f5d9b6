// What lists of pairs are good for: particles that keep near straight trajectories for a few substeps.
#include "collision/pair_cache/trajectories.h"

#include "collision/pair_cache/pair_repair.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/pair_search/primitive_pairs.h"

// Of the mean edge: how far particles may leave their trajectories.
#define ALLOWED_SHARE 0.1f
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
#define FARTHEST_TRAJECTORY 100.0f
// Of the distance that pairs keep, how much nearer both sides may come before a direction that kept them apart by so much
// leaves less than the guarantee asks for.
#define MEET_SHARE (0.49f * (1.0f - PLI_GAP_SHARE))
enum { DEVIATIONS_SHARE = 3, DEVIATIONS_LEAST = 64 };

typedef struct measuring {
    pli_collision *collision;
    int32_t begin, end; // Particles.
    float age;
    float limit; // Squared: what is off by more is counted [m^2].
} measuring;

static int32_t chunk_count(int32_t particles) { return (particles + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN; }

static int32_t chunk_end(const measuring *m, int32_t begin)
{
    return begin + PLI_PAIR_GRAIN < m->end ? begin + PLI_PAIR_GRAIN : m->end;
}

// A collider that stays in place and whose trajectories have been begun is not looked at again, so that its size costs nothing.
static bool stays(const pli_collision *collision, int32_t surface)
{
    const pli_contact_mesh *s = collision->surfaces[surface];
    return pli_contact_mesh_stands(s) && !s->moving && s->begun == s->first + 1;
}

static void begin_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    pli_collision *collision = m->collision;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN;
    for (int32_t i = begin; i < chunk_end(m, begin); i++) {
        pli_particle p = collision->particles[i], q = collision->previous[i];
        collision->cache.starts.items[i] = q;
        collision->cache.trajectories.items[i] = (pli_particle){p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    }
}

static pli_near_trajectories trajectories_from(const pli_collision *collision, int32_t begin)
{
    return (pli_near_trajectories){&collision->cache.starts.items[begin], &collision->cache.trajectories.items[begin]};
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_collision *collision = m->collision;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, count = chunk_end(m, begin) - begin;
    const pli_near_trajectories trajectories = trajectories_from(collision, begin);
    collision->partial.items[chunk] = collision->near->most_off(
        &collision->previous[begin], &collision->particles[begin], &trajectories, m->age, count);
}

static void squares_chunk(void *data, int32_t chunk)
{
    const measuring *m = data;
    const pli_collision *collision = m->collision;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, end = chunk_end(m, begin), deviations = 0;
    const pli_near_trajectories trajectories = trajectories_from(collision, begin);
    collision->near->squares_off(&collision->previous[begin], &collision->particles[begin], &trajectories, m->age,
                                 end - begin, &collision->repair.squares_off[begin]);
    for (int32_t i = begin; i < end; i++)
        deviations += collision->repair.squares_off[i] > m->limit;
    collision->partial.items[chunk] = (float)deviations;
}

static void run_over(measuring *m, const pli_contact_mesh *s, pli_task task)
{
    m->begin = s->first, m->end = s->first + s->vertex_count;
    pli_tasks_run(m->collision->tasks, chunk_count(s->vertex_count), task, m);
}

// How many are off by more than a limit.
static int32_t measure_deviations(pli_collision *collision, float limit)
{
    measuring m = {.collision = collision, .age = (float)collision->cache.slack.age, .limit = limit * limit};
    int32_t deviations = 0;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        if (stays(collision, i))
            continue;
        run_over(&m, collision->surfaces[i], squares_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(collision->surfaces[i]->vertex_count); chunk++)
            deviations += (int32_t)collision->partial.items[chunk];
    }
    return deviations;
}

static bool reserve(pli_collision *collision)
{
    return pli_array_reserve(collision->memory, &collision->partial,
                             (int64_t)chunk_count(collision->particle_count) + 1);
}

// From now on to the end of the lists' lifetime.
static void look_between(const pli_collision *collision, pli_find *find)
{
    find->starts = collision->cache.starts.items;
    find->from = (float)collision->cache.slack.age, find->to = (float)collision->cache.slack.lifetime;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] = pli_collision_reach(collision, find->reach[list], PLI_NEAR_SHARE * find->reach[list]);
}

static void set_budgets(pli_collision *collision, const pli_find *find, int32_t lifetime)
{
    float brief = BRIEF_SHARE * find->mean_edge;
    collision->cache.slack.allowed_deviation = ALLOWED_SHARE * find->mean_edge;
    collision->cache.contact_allowed_deviation = LIMIT_SHARE * collision->cache.slack.allowed_deviation;
    if (lifetime > 1)
        return;
    collision->cache.slack.allowed_deviation = pli_higher(brief - MEET_SHARE * collision->cache.least_rest_distance,
                                                          LEAST_BRIEF_SHARE * brief);
    collision->cache.contact_allowed_deviation = 0.0f;
}

static void begin_trajectories(pli_collision *collision, pli_find *find, int32_t lifetime)
{
    measuring m = {.collision = collision};
    for (int32_t i = 0; i < collision->surface_count; i++)
        if (!stays(collision, i)) {
            run_over(&m, collision->surfaces[i], begin_chunk);
            collision->surfaces[i]->begun = collision->surfaces[i]->first + 1;
        }
    pli_slack_begin(&collision->cache.slack, 0.0f, lifetime);
    set_budgets(collision, find, lifetime);
    look_between(collision, find);
}

static bool find_lists(pli_collision *collision, int32_t lifetime)
{
    pli_find find;
    if (!reserve(collision) || !pli_find_begin(collision, &find))
        return false;
    begin_trajectories(collision, &find, lifetime);
    if (!pli_find_refit(&find))
        return false;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (collision->cache.has_pairs[list] && !pli_find_pairs(&find, list))
            return false;
    return true;
}

// How far particles are off their trajectories at the start and the end of this substep, in budgets.
static float deviation(pli_collision *collision)
{
    measuring m = {.collision = collision, .age = (float)collision->cache.slack.age};
    float most = 0.0f;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        if (stays(collision, i))
            continue;
        run_over(&m, collision->surfaces[i], deviation_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(collision->surfaces[i]->vertex_count); chunk++)
            most = pli_higher(collision->partial.items[chunk], most);
    }
    collision->cache.slack.deviated = sqrtf(most);
    return collision->cache.slack.deviated / collision->cache.slack.allowed_deviation;
}

// Gives a particle the way of this substep.
static void turn(pli_collision *collision, int32_t i, float age)
{
    pli_particle p = collision->particles[i], q = collision->previous[i],
                 trajectory = {p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
    collision->cache.trajectories.items[i] = trajectory;
    collision->cache.starts.items[i] = (pli_particle){q.x - trajectory.x * age, q.y - trajectory.y * age,
                                                      q.z - trajectory.z * age, q.w};
    collision->repair.deviating[i] = 1;
}

// Turns what is off by more than `most_off`. False when that is much, or goes far.
static bool turn_deviations(pli_collision *collision, float most_off)
{
    float age = (float)collision->cache.slack.age, limit = most_off * most_off;
    float farthest = FARTHEST_TRAJECTORY * pli_higher(collision->cache.slack.allowed_deviation, most_off) /
                     ((float)collision->cache.slack.lifetime - age);
    if (measure_deviations(collision, most_off) > DEVIATIONS_LEAST + collision->particle_count / DEVIATIONS_SHARE)
        return false;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        for (int32_t i = s->first; !stays(collision, k) && i < s->first + s->vertex_count; i++) {
            if (!(collision->repair.squares_off[i] > limit))
                continue;
            pli_vec3 step = pli_sub(pli_place_of(&collision->particles[i]), pli_place_of(&collision->previous[i]));
            if (!(pli_dot(step, step) < farthest * farthest))
                return false;
            turn(collision, i, age);
        }
    }
    return true;
}

static bool repair_lists(pli_collision *collision, float most_off, bool *repaired)
{
    pli_find find;
    *repaired = false;
    if (!collision->refitted_on_trajectories)
        return true;
    collision->repair.deviating = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->particle_count);
    collision->repair.squares_off = PLI_TAKE(&collision->arena, float, collision->particle_count);
    if (!collision->repair.deviating || !collision->repair.squares_off || !pli_find_begin(collision, &find))
        return false;
    look_between(collision, &find);
    bool complete = !turn_deviations(collision, most_off) || pli_find_repair(&find, repaired);
    if (*repaired)
        deviation(collision);
    return complete;
}

// Finds again what those are near that are off by more than `most_off`, or everything for so many substeps.
static void renew(pli_collision *collision, float most_off, int32_t lifetime)
{
    bool repaired;
    if (!repair_lists(collision, most_off, &repaired) || (!repaired && !find_lists(collision, lifetime)))
        collision->out_of_memory = true;
}

// A quarter of the budget is left for what projections will do.
static void find(pli_collision *collision)
{
    if (pli_slack_expires(&collision->cache.slack)) {
        if (!find_lists(collision, collision->substeps_left))
            collision->out_of_memory = true;
    } else if (!(deviation(collision) < LIMIT_SHARE)) {
        renew(collision, TURN_SHARE * collision->cache.slack.allowed_deviation, collision->substeps_left);
    }
}

// Pairs that are not in the lists are further apart than they are kept, by two budgets; until they meet, there is more.
static bool widen(pli_collision *collision)
{
    float most = collision->cache.slack.allowed_deviation + MEET_SHARE * collision->cache.least_rest_distance;
    deviation(collision);
    if (collision->cache.slack.deviated <= most)
        return false;
    renew(collision,
          collision->substeps_left > 1 ? TURN_SHARE * collision->cache.slack.allowed_deviation : LAST_TURN_SHARE * most,
          1);
    return true;
}

void pli_collision_find(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    find(collision);
    pli_arena_end(&collision->arena, scope);
}

bool pli_collision_widen(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool found = widen(collision);
    pli_arena_end(&collision->arena, scope);
    return found;
}
