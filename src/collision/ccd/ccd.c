// Continuous collision detection: surfaces that do not intersect at the start of a substep intersect neither at its
// end nor on the linear trajectories between.
//
//    start              end                 One direction n that separates the two sides at the start
//     n ^    o--->       o                  and at the end separates them all the time between, since
//       |                                   positions along n are linear in time: one test of four
//    -------------   ---------- triangle    particles. Otherwise conservative advancement decides.
//
//    pairs that fail:  push apart (6 rounds) -> slow down (24 rounds) -> impact zones (64 rounds)
//                      after each round, pairs with a changed particle are tested again
//
// Bridson, Fedkiw, Anderson 2002, Robust Treatment of Collisions, Contact and Friction for Cloth Animation; Harmon et
// al. 2008, Robust Treatment of Simultaneous Collisions.
#include "collision/ccd/ccd.h"

#include "collision/ccd/advancement.h"
#include "collision/ccd/displacement_bounds.h"
#include "collision/contacts/exempt.h"
#include "base/parallel_append.h"
#include "base/union_find.h"
#include "collision/contacts/pair_window.h"
#include "collision/pair_cache/trajectories.h"

#include <string.h>

// Share of the initial distance that a clear trajectory keeps.
#define CLEAR_SHARE 0.1

// Largest push of a particle, as a multiple of the missing gap.
#define FARTHEST_SHARE 2.0f
// Beyond this coordinate [m] float spacing is 64 m, larger than any rest distance, and resolving collisions would
// never end. The world reports a step as failed from 1e15 m on.
#define FARTHEST 1e9f

enum { PUSH_ROUNDS = 6, SLOW_ROUNDS = 24, EXTEND_ROUNDS = 4 };

typedef struct check {
    pli_collision *collision;
    int32_t list;
    bool all; // All pairs, or only those with a changed particle.
} check;

static bool changed(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (collision->ccd.changed[pair->at[i]])
            return true;
    return false;
}

static bool still_separated(const pli_collision *collision, const pli_candidate_pair *pair)
{
    float start = pli_pair_gap(pair, collision->previous, pair->normal);
    float least = fminf(PLI_GAP_SHARE * pair->rest_distance, 0.5f * start);
    return start > 0.0f && pli_pair_gap(pair, collision->particles, pair->normal) > least && least > PLI_LEAST_GAP;
}

static double clear_fraction(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4], to[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_pair_positions(pair, collision->particles, to);
    return pli_advance((pli_pair_kind)pair->kind, from, to, CLEAR_SHARE);
}

static bool is_clear(const pli_collision *collision, pli_candidate_pair *pair)
{
    if (still_separated(collision, pair) || pli_pair_exempt(collision, pair))
        return true;
    pli_dvec3 from[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    double distance = sqrt(c.square);
    if (!(distance > 0.0))
        return false;
    pair->normal = (pli_vec3){(float)(c.apart.x / distance), (float)(c.apart.y / distance),
                              (float)(c.apart.z / distance)};
    return still_separated(collision, pair) || clear_fraction(collision, pair) >= 1.0;
}

typedef struct checking {
    const check *check;
    pli_pair_window window;
    pli_failing *failing;
    int32_t capacity, count;
} checking;

// Lists the pairs in the window that are not clear, and empties it.
static void flush(checking *c)
{
    pli_pair_window_find_separated(&c->window);
    for (int32_t i = 0; i < c->window.count; i++) {
        const pli_window_place *at = &c->window.places[i];
        if (pli_pair_window_found(&c->window, at) || is_clear(c->check->collision, &c->window.pairs[at->pair]))
            continue;
        if (c->count < c->capacity)
            c->failing[c->count] = (pli_failing){c->check->list, at->pair};
        c->count++;
    }
    pli_pair_window_begin(&c->window, c->window.collision, c->window.pairs);
}

static void check_cluster_pair(checking *c, const pli_cluster_pair *cluster_pair)
{
    const pli_collision *collision = c->check->collision;
    const pli_candidate_list *list = &collision->cache.lists[c->check->list];
    float deviation = pli_collision_pair_deviation(collision);
    if (c->check->all && cluster_pair->least.crossing > deviation)
        return;
    for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
        // Changed particles may be off their trajectories by more than the measured deviation.
        pli_pair_window_offer(&c->window, i,
                              c->check->all ? !(list->spares.items[i].crossing > deviation)
                                            : changed(collision, &list->pairs.items[i]));
        if (pli_pair_window_is_full(&c->window))
            flush(c);
    }
}

static void check_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const check *w = data;
    const pli_candidate_list *list = &w->collision->cache.lists[w->list];
    int32_t end = (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count
                      ? (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN
                      : list->cluster_pairs.count;
    checking c; // Large, and filled as far as it is used.
    c.check = w, c.failing = out, c.capacity = capacity, c.count = 0;
    pli_pair_window_begin(&c.window, w->collision, list->pairs.items);
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN; m < end; m++)
        check_cluster_pair(&c, &list->cluster_pairs.items[m]);
    flush(&c);
    *count = c.count;
}

// Lists the pairs that are not clear, in the order of the candidate list.
static bool find_failing(pli_collision *collision, bool all)
{
    collision->ccd.failing.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        check w = {collision, list, all};
        const pli_appending what = {
            .size = sizeof(pli_failing),
            .chunks = collision->cache.has_pairs[list] ? pli_cluster_pair_chunks(&collision->cache.lists[list]) : 0,
            .capacity = &collision->ccd.failing_capacity,
            .append = check_chunk,
            .data = &w,
        };
        const pli_append_tools tools = pli_collision_tools(collision);
        if (!pli_append_to(&tools, &what, &collision->ccd.failing))
            return false;
    }
    return true;
}

static void move(pli_collision *collision, int32_t i, pli_vec3 by)
{
    pli_particle *p = &collision->particles[i], *v = &collision->velocities[i];
    if (p->w == 0.0f)
        return;
    p->x += by.x, p->y += by.y, p->z += by.z;
    v->x += by.x / collision->step, v->y += by.y / collision->step, v->z += by.z / collision->step;
    collision->ccd.limited_count += !collision->ccd.changed[i];
    collision->ccd.changed[i] = 1;
}

// Pushes the sides apart along the direction that separated them at the start.
static void push_apart(pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    float shares[4], inverse_mass = 0.0f, most = 0.0f,
                     gap_wanted = fminf(0.5f * pair->rest_distance, 0.5f * (float)sqrt(c.square));
    for (int i = 0; i < 4; i++) {
        shares[i] = collision->particles[pair->at[i]].w * (float)c.weights[i];
        inverse_mass += shares[i] * (float)c.weights[i];
        most = fmaxf(most, fabsf(shares[i]));
    }
    float gap_missing = gap_wanted - pli_pair_gap(pair, collision->particles, pair->normal);
    if (!(inverse_mass > 0.0f) || !(gap_missing > 0.0f))
        return;
    // A pair that is movable only through a small weight would be thrown far; the push is limited.
    float push = gap_missing * fminf(1.0f / inverse_mass, FARTHEST_SHARE / most);
    for (int i = 0; i < 4; i++)
        move(collision, pair->at[i], pli_scale(pair->normal, push * shares[i]));
}

static pli_vec3 displacement_of(const pli_collision *collision, int32_t i)
{
    return pli_sub(pli_position_of(&collision->particles[i]), pli_position_of(&collision->previous[i]));
}

// Common displacement of the four particles: the mean of fixed ones, else the one that keeps momentum.
static pli_vec3 common_displacement(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_vec3 fixed = {0, 0, 0}, free = {0, 0, 0};
    float fixed_count = 0.0f, mass = 0.0f;
    for (int i = 0; i < 4; i++) {
        float w = collision->particles[pair->at[i]].w;
        pli_vec3 trajectory = displacement_of(collision, pair->at[i]);
        if (w == 0.0f) {
            fixed = pli_add(fixed, trajectory);
            fixed_count += 1.0f;
        } else {
            free = pli_add(free, pli_scale(trajectory, 1.0f / w));
            mass += 1.0f / w;
        }
    }
    return fixed_count > 0.0f ? pli_scale(fixed, 1.0f / fixed_count) : pli_scale(free, 1.0f / mass);
}

// Scales the relative displacements down to the fraction that is clear.
static void slow_down(pli_collision *collision, const pli_candidate_pair *pair)
{
    float part = 0.8f * (float)clear_fraction(collision, pair);
    pli_vec3 common = common_displacement(collision, pair);
    for (int i = 0; i < 4; i++)
        move(collision, pair->at[i], pli_scale(pli_sub(common, displacement_of(collision, pair->at[i])), 1.0f - part));
}

// Applies the opposite impulse to the rigid body of the other side, so that momentum is conserved.
static void push_rigid_body(const pli_collision *collision, const pli_candidate_pair *pair, const pli_vec3 before[4])
{
    int32_t side = pli_pair_collider(collision, pair);
    pli_rigid_body_data *rigid = side < 0 ? NULL : collision->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++) {
        const pli_particle *p = &collision->particles[pair->at[i]];
        pli_vec3 now = pli_position_of(p);
        if (p->w > 0.0f)
            pli_rigid_apply_impulse(rigid, now, pli_scale(pli_sub(before[i], now), 1.0f / (p->w * collision->step)));
    }
}

static void clear_pair(pli_collision *collision, pli_candidate_pair *pair, bool slowly)
{
    pli_vec3 before[4];
    for (int i = 0; i < 4; i++)
        before[i] = pli_position_of(&collision->particles[pair->at[i]]);
    (slowly ? slow_down : push_apart)(collision, pair);
    push_rigid_body(collision, pair, before);
    pli_collision_link(collision, pair->surface[0], pair->surface[1]);
}

// Sets the displacement of a movable particle in this substep.
static void set_displacement(pli_collision *collision, int32_t i, pli_vec3 trajectory)
{
    move(collision, i, pli_sub(trajectory, displacement_of(collision, i)));
}

static bool reserve(pli_collision *collision)
{
    collision->ccd.changed = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->particle_count);
    return collision->ccd.changed && pli_array_reserve(collision->memory, &collision->partial,
                                                       (int64_t)collision->particle_count / PLI_PAIR_GRAIN + 1);
}

/* ---- impact zones ---------------------------------------------------------------------------- */

// Particles whose trajectories are still not clear move with one common displacement, so that their distances stay
// constant: impact zones, Provot 1997; Bridson et al. 2002, section 7.5.
enum { IMPACT_ZONE_ROUNDS = 64 };

static int32_t root_of(const pli_collision *collision, int32_t i)
{
    return pli_set_root(collision->ccd.impact_zones, i);
}

// Returns false when nothing was joined.
static bool join(pli_collision *collision, const pli_candidate_pair *pair)
{
    bool joined = false;
    for (int i = 0; i < 4; i++) {
        joined = joined || root_of(collision, pair->at[i]) != root_of(collision, pair->at[0]) ||
                 !collision->ccd.in_impact_zone[pair->at[i]];
        pli_sets_join(collision->ccd.impact_zones, pair->at[0], pair->at[i]);
        collision->ccd.in_impact_zone[pair->at[i]] = 1;
    }
    return joined;
}

// Returns false when every failing pair already was within one impact zone: then further rounds change nothing.
static bool join_failing(pli_collision *collision)
{
    bool joined = false;
    for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
        const pli_candidate_pair *pair = &collision->cache.lists[collision->ccd.failing.items[k].list]
                                              .pairs.items[collision->ccd.failing.items[k].pair];
        joined = join(collision, pair) || joined;
        pli_collision_link(collision, pair->surface[0], pair->surface[1]);
    }
    return joined;
}

static void add_displacement(const pli_collision *collision, pli_impact_zone_sum *sum, int32_t i)
{
    const pli_particle *p = &collision->particles[i], *q = &collision->previous[i];
    const double trajectory[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                                  (double)p->z - (double)q->z};
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    for (int k = 0; k < 3; k++)
        *(p->w > 0.0f ? &sum->free[k] : &sum->fixed[k]) += p->w > 0.0f ? mass * trajectory[k] : trajectory[k];
    sum->mass += mass;
    sum->fixed_count += p->w > 0.0f ? 0.0 : 1.0;
}

static void move_impact_zones(pli_collision *collision, pli_impact_zone_sum *sums)
{
    int32_t count = collision->particle_count;
    for (int32_t i = 0; i < count; i++)
        sums[i] = (pli_impact_zone_sum){0};
    for (int32_t i = 0; i < count; i++)
        if (collision->ccd.in_impact_zone[i])
            add_displacement(collision, &sums[root_of(collision, i)], i);
    for (int32_t i = 0; i < count; i++) {
        if (!collision->ccd.in_impact_zone[i] || collision->particles[i].w == 0.0f)
            continue;
        const pli_impact_zone_sum *s = &sums[root_of(collision, i)];
        const double *sum = s->fixed_count > 0.0 ? s->fixed : s->free;
        double share = 1.0 / (s->fixed_count > 0.0 ? s->fixed_count : s->mass);
        set_displacement(collision, i,
                         (pli_vec3){(float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share)});
    }
}

static void resolve_impact_zones(pli_collision *collision)
{
    int32_t count = collision->particle_count;
    collision->ccd.impact_zone_sums = PLI_TAKE(&collision->arena, pli_impact_zone_sum, count);
    collision->ccd.in_impact_zone = PLI_TAKE(&collision->arena, uint8_t, count);
    collision->ccd.impact_zones = PLI_TAKE(&collision->arena, int32_t, count);
    bool complete = collision->ccd.impact_zone_sums && collision->ccd.in_impact_zone && collision->ccd.impact_zones;
    for (int32_t i = 0; complete && i < count; i++) {
        collision->ccd.impact_zones[i] = i;
        collision->ccd.in_impact_zone[i] = 0;
    }
    for (int32_t round = 0; complete && round < IMPACT_ZONE_ROUNDS && collision->ccd.failing.count > 0; round++) {
        if (!join_failing(collision))
            break;
        move_impact_zones(collision, collision->ccd.impact_zone_sums);
        complete = find_failing(collision, false);
    }
    collision->out_of_memory = collision->out_of_memory || !complete;
    collision->ccd.failed_pair_count += collision->ccd.failing.count;
    if (collision->ccd.failing.count > 0)
        pli_collision_expect_intersections(collision);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

// Returns true when any trajectory was changed.
static bool clear_trajectories(pli_collision *collision)
{
    if (!find_failing(collision, true)) {
        collision->out_of_memory = true;
        return false;
    }
    if (collision->ccd.failing.count == 0)
        return false;
    for (int32_t round = 0; round < PUSH_ROUNDS + SLOW_ROUNDS && collision->ccd.failing.count > 0; round++) {
        for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
            pli_candidate_pair *pair = &collision->cache.lists[collision->ccd.failing.items[k].list]
                                            .pairs.items[collision->ccd.failing.items[k].pair];
            if (!is_clear(collision, pair))
                clear_pair(collision, pair, round >= PUSH_ROUNDS);
        }
        if (!find_failing(collision, false)) {
            collision->out_of_memory = true;
            return true;
        }
    }
    if (collision->ccd.failing.count > 0)
        resolve_impact_zones(collision);
    return true;
}

typedef struct range_check {
    pli_collision *collision;
    const pli_contact_mesh *surface;
} range_check;

static void check_range_chunk(void *data, int32_t chunk)
{
    const range_check *l = data;
    int32_t begin = chunk * PLI_PAIR_GRAIN, end = begin + PLI_PAIR_GRAIN;
    end = end < l->surface->vertex_count ? end : l->surface->vertex_count;
    const pli_particle *particles = &l->collision->particles[l->surface->first + begin];
    l->collision->partial.items[chunk] = l->collision->near->are_within(particles, end - begin, FARTHEST) ? 0.0f : 1.0f;
}

// Diverged states are undone by the world; resolving their collisions would use up all rounds.
static bool has_diverged(pli_collision *collision)
{
    float beyond = 0.0f;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        range_check l = {collision, collision->surfaces[k]};
        int32_t chunks = l.surface->collider ? 0 : (l.surface->vertex_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN;
        pli_tasks_run(collision->tasks, chunks, check_range_chunk, &l);
        for (int32_t chunk = 0; chunk < chunks; chunk++)
            beyond += collision->partial.items[chunk];
    }
    return beyond > 0.0f;
}

static void shorten_to_bounds(pli_collision *collision)
{
    if (!pli_bound_displacements(collision)) {
        collision->out_of_memory = true;
        return;
    }
    for (int32_t i = 0; i < collision->particle_count; i++) {
        pli_vec3 trajectory = displacement_of(collision, i);
        float length = pli_length(trajectory);
        if (length > collision->ccd.bounds[i])
            set_displacement(collision, i, pli_scale(trajectory, collision->ccd.bounds[i] / length));
    }
}

static void ccd(pli_collision *collision)
{
    if (!reserve(collision)) {
        collision->out_of_memory = true;
        return;
    }
    if (has_diverged(collision)) {
        pli_collision_expect_intersections(collision);
        return;
    }
    // The corrections of CCD may exceed the slack of the cached pairs, which are extended first and after each round.
    pli_collision_extend_pairs(collision);
    // Kinematic particles ignore displacement bounds, so CCD still runs afterwards.
    if (collision->ccd.bounded)
        shorten_to_bounds(collision);
    for (int32_t round = 0; round < EXTEND_ROUNDS && !collision->out_of_memory; round++) {
        bool changed_any = clear_trajectories(collision);
        if ((!changed_any && !collision->ccd.bounded) || !pli_collision_extend_pairs(collision))
            return;
    }
    // Pairs that the last extension added have not been looked at.
    pli_collision_expect_intersections(collision);
}

void pli_collision_run_ccd(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    ccd(collision);
    pli_arena_end(&collision->arena, scope);
}
