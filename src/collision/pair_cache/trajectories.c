// Pair cache: decides when to search candidate pairs again. A search covers linear trajectories until the end of the
// cache's lifetime, with slack on top, so that its pairs stay valid for several substeps:
//
//           * actual position                 deviation < 0.75 slack:  the pairs stay valid
//          /|                                 deviation >= 0.75 slack: the trajectories of
//         / | deviation                         deviating particles restart, and pairs around
//    ----o--+------------- slack ---------       them are repaired (pair_repair.c)
//       /     linear trajectory               too old, or a repair costs more: full search
//    start ------------------> end
//    - - - - - - - - - - - slack - - - - -    Two particles come closer by at most twice
//    age 0      1       2  ...  lifetime      the deviation than their trajectories predict.
//
// The idea comes from Verlet lists (Verlet 1967), with moving centres.
#include "collision/pair_cache/trajectories.h"

#include "collision/pair_cache/pair_repair.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/pair_search/pair_search.h"

// Allowed deviation, as a fraction of the mean edge.
#define ALLOWED_DEVIATION 0.07f
// Slack of a cache for a single substep, as a fraction of the mean edge: particles deviate only by their projection
// after contacts were found, and the rest distance of the pairs covers a part of that. The second value is the smallest
// fraction of the first value that is used.
#define BRIEF_SHARE 0.05f
#define LEAST_BRIEF_SHARE 0.1f
// Fractions of the slack: a deviation beyond LIMIT_SHARE triggers a repair or a full search. A repair restarts every particle beyond a
// tolerance between RESTART_SHARE and LIMIT_SHARE, one of TOLERANCES values.
#define LIMIT_SHARE 0.75f
#define RESTART_SHARE 0.25f
enum { TOLERANCES = 5 };
// Cost of a repair, compared with a full search: a constant fraction, and the cost of a deviating cluster as a multiple of that of a
// cluster in a full search. Values of 0.03 to 0.1 and of 1.5 to 4 give the same frame times within 5 %.
#define REPAIR_SHARE 0.05f
#define REPAIR_COST 4.0f
// A full search also replaces the repair if a particle would travel further than FARTHEST_RESTART slacks in the remaining lifetime.
#define FARTHEST_RESTART 100.0f
// Fraction of the rest distance by which each side may deviate before a direction that separated the pair by the full
// rest distance leaves less than the gap that CCD requires.
#define CCD_SHARE (0.49f * (1.0f - PLI_GAP_SHARE))
// Constraints pull particles off trajectories that change the length of an edge by more than STRAINED_SHARE of the mean edge. A lifetime
// is too long if more than 1 / STRAINED_PART of the edges change that much; one edge in EDGE_STRIDE is tested.
#define STRAINED_SHARE 0.2f
enum { STRAINED_PART = 100, EDGE_STRIDE = 16 };
// Lifetime of a list that continuous collision detection requests: this substep, and the contacts of the next, which
// begins with the same displacements.
enum { EXTENDED_LIFETIME = 2 };

typedef struct trajectory_measuring {
    pli_collision *collision;
    int32_t begin, end; // Range of particles.
    float age;
} trajectory_measuring;

static int32_t chunk_count(int32_t particles) { return (particles + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN; }

static int32_t chunk_end(const trajectory_measuring *m, int32_t begin)
{
    return begin + PLI_PAIR_GRAIN < m->end ? begin + PLI_PAIR_GRAIN : m->end;
}

// A kinematic collider at rest with cached trajectories is skipped, so its size costs nothing.
static bool trajectory_is_unmoved(const pli_collision *collision, int32_t surface)
{
    const pli_contact_mesh *s = collision->surfaces[surface];
    return pli_contact_mesh_is_kinematic(s) && !s->path.moving && s->cached.first == s->first + 1;
}

static void trajectory_begin_chunk(void *data, int32_t chunk)
{
    const trajectory_measuring *m = data;
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

static void largest_deviation_chunk(void *data, int32_t chunk)
{
    const trajectory_measuring *m = data;
    const pli_collision *collision = m->collision;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN, count = chunk_end(m, begin) - begin;
    const pli_near_trajectories trajectories = trajectories_from(collision, begin);
    collision->partial.items[chunk] = collision->kernels.near->largest_deviation(
        &collision->previous[begin], &collision->particles[begin], &trajectories, m->age, count);
}

static void deviations_chunk(void *data, int32_t chunk)
{
    const trajectory_measuring *m = data;
    const pli_collision *collision = m->collision;
    int32_t begin = m->begin + chunk * PLI_PAIR_GRAIN;
    const pli_near_trajectories trajectories = trajectories_from(collision, begin);
    collision->kernels.near->squared_deviations(&collision->previous[begin], &collision->particles[begin],
                                                &trajectories, m->age, chunk_end(m, begin) - begin,
                                                &collision->repair.squared_deviations[begin]);
}

static void run_over(trajectory_measuring *m, const pli_contact_mesh *s, pli_task task)
{
    m->begin = s->first, m->end = s->first + s->vertex_count;
    pli_tasks_run(m->collision->tasks, chunk_count(s->vertex_count), task, m);
}

// The search covers the time from now until the end of the lifetime.
static void set_interval(const pli_collision *collision, pli_find *find)
{
    find->starts = collision->cache.starts.items;
    find->from = (float)collision->cache.slack.age, find->to = (float)collision->cache.slack.lifetime;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] = pli_collision_reach(collision, find->reach[list]);
}

static void set_slack(pli_collision *collision, const pli_find *find, int32_t lifetime)
{
    float brief = BRIEF_SHARE * find->mean_edge;
    collision->cache.slack.allowed_deviation = ALLOWED_DEVIATION * find->mean_edge;
    collision->cache.contact_allowed_deviation = LIMIT_SHARE * collision->cache.slack.allowed_deviation;
    if (lifetime > 1)
        return;
    collision->cache.slack.allowed_deviation = pli_higher(brief - CCD_SHARE * collision->cache.least_rest_distance,
                                                          LEAST_BRIEF_SHARE * brief);
    collision->cache.contact_allowed_deviation = 0.0f;
}

static void note_trajectories(pli_collision *collision)
{
    trajectory_measuring m = {.collision = collision};
    for (int32_t i = 0; i < collision->surface_count; i++)
        if (!trajectory_is_unmoved(collision, i)) {
            run_over(&m, collision->surfaces[i], trajectory_begin_chunk);
            collision->surfaces[i]->cached.first = collision->surfaces[i]->first + 1;
        }
}

/* ---- full searches within the budget of work ---------------------------------------------------- */

// If a search finds more pairs than the budget allows, it stops, and a search for less follows:
//
//     search for contacts                               search for continuous collision detection
//     this substep only                                 pairs closer than TIGHT_SHARE of their rest distance
//     displacements up to 1 / 16 of the longest         the same
//     displacements up to 1 / 256                       the same
//     no pairs, so no contacts in this substep          nothing moves
//
// The attempts end when the substep has no work left. They continue if planes handle all pairs, since nothing could move without a list:
// without work left, they then start at the displacement lines, and each of these attempts searches for pairs that are a sixteenth as far
// apart as before. Motion that gets shorter with each search soon stays within the slack of the last one.
//
// In the end, continuous collision detection has all pairs of the moving surfaces, or nothing moves.
#define TIGHT_SHARE 0.1f
#define SHORTER 0.0625f

typedef enum outcome { FOUND, TOO_MANY, OUT_OF_MEMORY } outcome;

// Lifetime and reach of a search.
typedef struct budgeted_search {
    int32_t lifetime;
    float reach_share;
} budgeted_search;

static void empty_lists(pli_collision *collision)
{
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        pli_candidate_list_empty(&collision->cache.lists[list]);
}

static outcome find_lists(pli_collision *collision, const budgeted_search *s)
{
    pli_find find;
    collision->cache.reach_share = s->reach_share;
    collision->cache.incomplete = false;
    collision->work.is_over = false;
    collision->untangle.touching = false;
    if (!(pli_array_reserve(collision->memory, &collision->partial,
                            (int64_t)chunk_count(collision->particle_count) + 1)) ||
        !pli_find_begin(collision, &find))
        return OUT_OF_MEMORY;
    note_trajectories(collision);
    pli_slack_begin(&collision->cache.slack, 0.0f, s->lifetime);
    set_slack(collision, &find, s->lifetime);
    set_interval(collision, &find);
    bool complete = pli_find_refit(&find);
    for (int32_t list = 0; list < PLI_LIST_COUNT && complete; list++)
        complete = !collision->cache.has_pairs[list] || pli_find_pairs(&find, list);
    if (complete)
        return FOUND;
    empty_lists(collision);
    return collision->work.is_over ? TOO_MANY : OUT_OF_MEMORY;
}

static float square_displacement(const pli_collision *collision, int32_t i)
{
    pli_vec3 d = pli_displacement_of(collision, i);
    return pli_dot(d, d);
}

static float longest_displacement_of(const pli_collision *collision, const pli_contact_mesh *s)
{
    float square = 0.0f;
    for (int32_t i = s->first; i < s->first + s->vertex_count; i++)
        square = pli_higher(square_displacement(collision, i), square);
    return sqrtf(square);
}

typedef struct surface_extent {
    pli_vec3 low, high;
} surface_extent;

// Bounds of a surface during the substep.
static surface_extent surface_extent_of(const pli_collision *collision, const pli_contact_mesh *s)
{
    const float reach = s->radius + s->material.thickness;
    surface_extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = s->first; i < s->first + s->vertex_count; i++)
        for (int end = 0; end < 2; end++) {
            const pli_particle *p = end ? &collision->particles[i] : &collision->previous[i];
            e.low = (pli_vec3){fminf(e.low.x, p->x), fminf(e.low.y, p->y), fminf(e.low.z, p->z)};
            e.high = (pli_vec3){fmaxf(e.high.x, p->x), fmaxf(e.high.y, p->y), fmaxf(e.high.z, p->z)};
        }
    const pli_vec3 margin = {reach, reach, reach};
    return (surface_extent){pli_sub(e.low, margin), pli_add(e.high, margin)};
}

static bool surface_extents_meet(const surface_extent *a, const surface_extent *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

void pli_collision_let_rigids_yield(pli_collision *collision)
{
    for (int32_t k = 0; k < collision->surface_count; k++) {
        pli_contact_mesh *s = collision->surfaces[k];
        const surface_extent own = s->rigid ? surface_extent_of(collision, s) : (surface_extent){0};
        for (int32_t i = 0; s->rigid && !s->path.yields && i < collision->surface_count; i++) {
            const pli_contact_mesh *cloth = collision->surfaces[i];
            const surface_extent other = cloth->collider ? own : surface_extent_of(collision, cloth);
            s->path.yields = !cloth->collider && surface_extents_meet(&own, &other);
        }
    }
}

// Shortens the displacements of particles to `most` [m], including pinned particles and vertices of colliders that
// bend. A collider that yields rigidly, or with its body, moves at most as far.
static void shorten_displacements(pli_collision *collision, float most)
{
    pli_collision_let_rigids_yield(collision);
    for (int32_t k = 0; k < collision->surface_count; k++) {
        pli_contact_mesh *s = collision->surfaces[k];
        float longest = pli_contact_mesh_is_firm(s) ? 0.0f : longest_displacement_of(collision, s);
        if (!(longest > most))
            continue;
        if (s->collider && !s->path.bends) {
            pli_collision_lead(collision, k, most / longest);
            continue;
        }
        s->path.lagged = s->collider;
        for (int32_t i = s->first; i < s->first + s->vertex_count; i++) {
            float square = square_displacement(collision, i);
            if (!(square > most * most))
                continue;
            pli_collision_cut(collision, i, most / sqrtf(square));
            collision->ccd.limited_count++;
        }
    }
}

void pli_collision_shorten_motion(pli_collision *collision)
{
    pli_work_shorten(&collision->work);
    float longest = 0.0f;
    for (int32_t k = 0; k < collision->surface_count; k++)
        if (!collision->surfaces[k]->collider)
            longest = pli_higher(longest_displacement_of(collision, collision->surfaces[k]), longest);
    shorten_displacements(collision, SHORTER * longest);
}

void pli_collision_stop_motion(pli_collision *collision)
{
    pli_work_shorten(&collision->work);
    shorten_displacements(collision, 0.0f);
    pli_collision_stop_shapes(collision);
    // Colliders that insist continue without proof, into cloth that stays in place.
    for (int32_t k = 0; k < collision->surface_count; k++)
        if (collision->surfaces[k]->path.insists && collision->surfaces[k]->path.moving)
            pli_collision_expect_intersections(collision);
    empty_lists(collision);
    note_trajectories(collision);
    pli_slack_begin(&collision->cache.slack, collision->cache.slack.allowed_deviation, 1);
}

// Searches within the budget, with the fallbacks listed above. Returns false when out of memory.
static bool search_as_allowed(pli_collision *collision, int32_t lifetime, bool for_ccd)
{
    budgeted_search s = {.lifetime = lifetime, .reach_share = 1.0f};
    outcome found = pli_work_is_spent(&collision->work) ? TOO_MANY : find_lists(collision, &s);
    if (found != TOO_MANY)
        return found == FOUND;
    s.lifetime = 1;
    if (for_ccd)
        s.reach_share = TIGHT_SHARE;
    const bool crowded = for_ccd && collision->ccd.crowded;
    if (!pli_work_is_spent(&collision->work))
        found = find_lists(collision, &s);
    for (int32_t k = 0; k < PLI_SHORTENINGS && found == TOO_MANY && (crowded || !pli_work_is_spent(&collision->work));
         k++) {
        pli_collision_shorten_motion(collision);
        s.reach_share *= crowded ? SHORTER : 1.0f;
        found = find_lists(collision, &s);
    }
    if (found != TOO_MANY)
        return found == FOUND;
    collision->cache.incomplete = !for_ccd;
    if (for_ccd)
        pli_collision_stop_motion(collision);
    return true;
}

static pli_vec3 edge_side(const pli_particle *particles, const int32_t *edge, int32_t first)
{
    return pli_sub(pli_position_of(&particles[first + edge[1]]), pli_position_of(&particles[first + edge[0]]));
}

// Do trajectories over this many substeps change the lengths of many edges?
static bool strains_edges(const pli_collision *collision, int32_t lifetime)
{
    int32_t strained = 0, count = 0;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        float most = STRAINED_SHARE * s->mean_edge;
        for (int32_t e = 0; e < s->edge_count && !s->collider; e += EDGE_STRIDE) {
            pli_vec3 from = edge_side(collision->previous, s->edges + 2 * e, s->first),
                     to = edge_side(collision->particles, s->edges + 2 * e, s->first),
                     last = pli_add(from, pli_scale(pli_sub(to, from), (float)lifetime));
            strained += fabsf(pli_length(last) - pli_length(from)) > most;
            count++;
        }
    }
    return strained > count / STRAINED_PART;
}

// Divides the rest of the step into equal lifetimes near the usual one, so that no short lifetime is left at its end.
static int32_t equal_lifetime(const pli_collision *collision, int32_t usual)
{
    const int32_t left = collision->substep.left;
    const int32_t parts = (2 * left + usual) / (2 * usual);
    return parts > 1 ? (left + parts - 1) / parts : left;
}

// Measures the largest deviation at the start and the end of this substep. Returns it as a fraction of the slack.
static float largest_deviation(pli_collision *collision)
{
    trajectory_measuring m = {.collision = collision, .age = (float)collision->cache.slack.age};
    float most = 0.0f;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        if (trajectory_is_unmoved(collision, i))
            continue;
        run_over(&m, collision->surfaces[i], largest_deviation_chunk);
        for (int32_t chunk = 0; chunk < chunk_count(collision->surfaces[i]->vertex_count); chunk++)
            most = pli_higher(collision->partial.items[chunk], most);
    }
    collision->cache.slack.deviated = sqrtf(most);
    return collision->cache.slack.deviated / collision->cache.slack.allowed_deviation;
}

// Restarts particles that deviate by more than `tolerance` [m]. Returns false if one of them travels too far.
static bool restart_deviating(pli_collision *collision, float tolerance)
{
    const float age = (float)collision->cache.slack.age, limit = tolerance * tolerance;
    const float farthest = FARTHEST_RESTART * pli_higher(collision->cache.slack.allowed_deviation, tolerance) /
                           ((float)collision->cache.slack.lifetime - age);
    for (int32_t k = 0; k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        for (int32_t i = s->first; !trajectory_is_unmoved(collision, k) && i < s->first + s->vertex_count; i++) {
            if (!(collision->repair.squared_deviations[i] > limit))
                continue;
            pli_vec3 step = pli_displacement_of(collision, i);
            if (!(pli_dot(step, step) < farthest * farthest))
                return false;
            // Restart a particle's trajectory: its displacement in this substep, extrapolated.
            pli_particle p = collision->particles[i], q = collision->previous[i],
                         trajectory = {p.x - q.x, p.y - q.y, p.z - q.z, 0.0f};
            collision->cache.trajectories.items[i] = trajectory;
            collision->cache.starts.items[i] = (pli_particle){q.x - trajectory.x * age, q.y - trajectory.y * age,
                                                              q.z - trajectory.z * age, q.w};
        }
    }
    return true;
}

// Number of substeps until a deviation that grows by `growth` [m] in each has grown by `by` [m]; from 1 to `most`.
static float substeps_until(float by, float growth, int32_t most)
{
    return pli_higher(1.0f, by < growth * (float)most ? by / growth : (float)most);
}

// Returns the tolerance [m] between `least` and `most` with which a repair costs least per substep until the next one: a smaller tolerance
// restarts more particles, and keeps the list valid for longer. Returns INFINITY if a full search costs less.
static float cheapest_tolerance(const pli_repairing *repairing, float least, float most, int32_t lifetime)
{
    const pli_slack *slack = &repairing->find->collision->cache.slack;
    const float growth = slack->deviated / (float)(slack->age + 1), all = (float)repairing->cluster_count;
    float cost = all / substeps_until(most, growth, lifetime), best = INFINITY;
    for (int32_t k = 0; k < TOLERANCES; k++) {
        const float tolerance = least + (most - least) * (float)k / (TOLERANCES - 1);
        const float clusters = REPAIR_SHARE * all + REPAIR_COST * (float)pli_find_count_deviating(repairing, tolerance);
        const float per_substep = clusters / substeps_until(most - tolerance, growth, slack->lifetime - slack->age);
        best = per_substep < cost ? tolerance : best;
        cost = pli_lower(per_substep, cost);
    }
    return best;
}

// Repairs the lists, unless a full search for `lifetime` substeps costs less. Returns false when out of memory.
static bool repair_lists(pli_collision *collision, float least, float most, int32_t lifetime, bool *repaired)
{
    pli_find find;
    pli_repairing repairing;
    *repaired = false;
    if (!collision->broadphase.on_trajectories)
        return true;
    collision->work.is_over = false;
    collision->repair.squared_deviations = PLI_TAKE_ZEROED(&collision->arena, float, collision->particle_count);
    if (!collision->repair.squared_deviations || !pli_find_begin(collision, &find))
        return false;
    set_interval(collision, &find);
    trajectory_measuring m = {.collision = collision, .age = (float)collision->cache.slack.age};
    for (int32_t i = 0; i < collision->surface_count; i++)
        if (!trajectory_is_unmoved(collision, i))
            run_over(&m, collision->surfaces[i], deviations_chunk);
    if (!pli_find_begin_repair(&find, &repairing))
        return false;
    const float tolerance = cheapest_tolerance(&repairing, least, most, lifetime);
    if (!(tolerance < INFINITY) || !restart_deviating(collision, tolerance))
        return true;
    if (!pli_find_repair(&repairing, tolerance))
        return collision->work.is_over;
    *repaired = true;
    largest_deviation(collision);
    return true;
}

// Repairs the cache around particles that deviate by more than a tolerance between `least` and `most` [m], or rebuilds it for at most
// `lifetime` substeps: the age of an invalid list predicts how long the next ones stay valid.
static void renew_pairs(pli_collision *collision, float least, float most, int32_t lifetime, bool for_ccd)
{
    const int32_t age = collision->cache.slack.age, usual = age > EXTENDED_LIFETIME ? age : EXTENDED_LIFETIME;
    const int32_t equal = equal_lifetime(collision, usual), next = equal < lifetime ? equal : lifetime;
    bool repaired = false;
    if (!collision->cache.incomplete && !repair_lists(collision, least, most, next, &repaired)) {
        collision->out_of_memory = true;
        return;
    }
    if (repaired)
        return;
    collision->cache.usual_lifetime = usual;
    if (!search_as_allowed(collision, next, for_ccd))
        collision->out_of_memory = true;
}

// Unlisted pairs are further apart than their rest distance plus twice the slack. They cannot cross before the
// deviation has also used up the rest distance, so CCD may exceed the slack by CCD_SHARE of the rest distance.
static bool extend_pairs(pli_collision *collision)
{
    float most = collision->cache.slack.allowed_deviation +
                 CCD_SHARE * collision->cache.reach_share * collision->cache.least_rest_distance;
    largest_deviation(collision);
    if (collision->cache.slack.deviated <= most && !collision->cache.incomplete)
        return false;
    renew_pairs(collision, RESTART_SHARE * collision->cache.slack.allowed_deviation, LIMIT_SHARE * most,
                EXTENDED_LIFETIME, true);
    return true;
}

void pli_collision_update_pairs(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    // A quarter of the slack remains in reserve for the projections of this substep.
    bool first = collision->cache.slack.age < 0;
    if (pli_slack_expires(&collision->cache.slack)) {
        if (first) {
            // Set the usual lifetime at the start of a step.
            int32_t lifetime = collision->substep.left;
            while (lifetime > EXTENDED_LIFETIME && strains_edges(collision, lifetime))
                lifetime /= 2;
            collision->cache.usual_lifetime = lifetime;
        } else
            collision->cache.usual_lifetime++;
        if (!search_as_allowed(collision, equal_lifetime(collision, collision->cache.usual_lifetime), false))
            collision->out_of_memory = true;
    } else if (!(largest_deviation(collision) < LIMIT_SHARE)) {
        renew_pairs(collision, RESTART_SHARE * collision->cache.slack.allowed_deviation,
                    LIMIT_SHARE * collision->cache.slack.allowed_deviation, collision->substep.left, false);
    }
    pli_arena_end(&collision->arena, scope);
}

bool pli_collision_extend_pairs(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool found = extend_pairs(collision);
    pli_arena_end(&collision->arena, scope);
    return found;
}
