// Continuous collision detection: surfaces that do not intersect at the start of a substep do not intersect at its end,
// nor on the linear trajectories in between.
//
//    start              end                 One direction n that separates the two sides at the start
//     n ^    o--->       o                  and at the end separates them at all times between, since
//       |                                   positions along n are linear in time: one test of four
//    -------------   ---------- triangle    particles. Otherwise conservative advancement decides.
//
//    pairs that fail:  push apart (6 rounds) -> slow down (24 rounds) -> impact zones (64 rounds) -> planes
//                      after each round, pairs with a changed particle are tested again
//
// Bridson, Fedkiw, Anderson 2002, Robust Treatment of Collisions, Contact and Friction for Cloth Animation; Harmon et
// al. 2008, Robust Treatment of Simultaneous Collisions.
#include "collision/ccd/ccd.h"

#include "collision/narrowphase/closest_points.h"
#include "collision/ccd/planes.h"
#include "collision/contacts/contact.h"
#include "base/parallel_append.h"
#include "base/union_find.h"
#include "collision/contacts/pair_window.h"
#include "collision/untangle/touching.h"
#include "collision/pair_cache/trajectories.h"

#include <string.h>

// Fraction of the initial distance that a clear trajectory keeps.
#define CLEAR_SHARE 0.1

// If the directions of a touch at the start and at the end differ by less than 60 degrees, the same sides touch.
#define NEAR_COSINE 0.5

// Largest push of a particle, as a multiple of the missing gap.
#define CCD_FARTHEST_PUSH 2.0f
// Sides that penetrate by more than this multiple of the pair's size are not pushed. Otherwise, pairs that push one
// another back and forth would fling their particles further in each round.
#define MOST_MISSING 30.0f
// Effective inverse mass of a pinned particle against colliders, as a fraction of the largest in the same pair.
#define HELD_SHARE 0.1f
// Beyond this coordinate [m] float spacing is 64 m, larger than any rest distance, and resolving collisions would
// never end. The world reports a step as failed from 1e15 m on.
#define CCD_FARTHEST 1e9f

enum { PUSH_ROUNDS = 6, SLOW_ROUNDS = 24, EXTEND_ROUNDS = 4, SHORTEN_ROUNDS = 8 };
// A chunk stops when it alone contains 1 / CHUNK_SHARE of the pairs that may fail.
enum { CCD_CHUNK_SHARE = 8 };

typedef struct ccd_check {
    pli_collision *collision;
    int32_t list;
    bool all; // Tests all pairs, or only pairs with a changed particle.
} ccd_check;

static bool changed(const pli_collision *collision, const pli_listed_pair *pair)
{
    int32_t at[4];
    pli_listed_particles(collision, pair, at);
    for (int i = 0; i < 4; i++)
        if (collision->ccd.changed[at[i]])
            return true;
    return false;
}

static bool still_separated(const pli_collision *collision, const pli_candidate_pair *pair)
{
    float start = pli_pair_gap(pair, collision->previous, pair->normal), level = (float)pli_pair_level(pair, start);
    float least = fminf(PLI_GAP_SHARE * (pair->rest_distance - pair->core), 0.5f * (start - level));
    return start > level && pli_pair_gap(pair, collision->particles, pair->normal) > level + least &&
           least > PLI_LEAST_GAP;
}

static double distance_at_start(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4];
    pli_pair_positions(pair, collision->previous, from);
    return sqrt(pli_closest_points((pli_pair_kind)pair->kind, from).square);
}

static double clear_fraction(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4], to[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_pair_positions(pair, collision->particles, to);
    double distance = distance_at_start(collision, pair), level = pli_pair_level(pair, distance);
    // No distance remains to advance by.
    if (!(distance - level > PLI_TOUCHING))
        return 0.0;
    return pli_advance((pli_pair_kind)pair->kind, from, to, level, CLEAR_SHARE);
}

static float ccd_pair_size(const pli_dvec3 at[4])
{
    double square = 0.0;
    for (int i = 1; i < 4; i++)
        square = fmax(square, pli_ddot(pli_dsub(at[i], at[0]), pli_dsub(at[i], at[0])));
    return (float)sqrt(square);
}

// Do sides that touch at the start and at the end, such as pinned corners that share a position, separate elsewhere?
// They do if along one direction side a is above the touch and side b below it at both ends.
static bool part_about_origin(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4],
                              const pli_closest *end)
{
    const pli_closest start = pli_closest_points(kind, from);
    const pli_closest *closest[2] = {&start, end};
    const pli_dvec3 *at[2] = {from, to};
    pli_dvec3 sum = {0, 0, 0};
    for (int time = 0; time < 2; time++) {
        pli_dvec3 origin = {0, 0, 0};
        for (int k = 0; k < 4; k++)
            if (closest[time]->weights[k] > 0.0)
                origin = pli_dadd(origin, pli_dscale(at[time][k], closest[time]->weights[k]));
        for (int k = 0; k < 4; k++) {
            pli_dvec3 towards = pli_dsub(at[time][k], origin);
            double length = pli_dlength(towards);
            if (length > PLI_ACROSS)
                sum = pli_dadd(sum, pli_dscale(towards, (pli_pair_side(kind, k) == 0 ? 1.0 : -1.0) / length));
        }
    }
    double length = pli_dlength(sum);
    const pli_dvec3 direction = pli_dscale(sum, 1.0 / length);
    return length > 0.0 && pli_gap_along(kind, from, direction) >= -PLI_ACROSS &&
           pli_gap_along(kind, to, direction) >= -PLI_ACROSS;
}

// Do sides that touch at the start separate or stay in touch? Gaps along one direction are concave in time, so such sides do not cross in
// between. The direction between the closest points at the end also serves if it is near the direction of the touch.
static bool ccd_sides_part(const pli_collision *collision, const pli_candidate_pair *pair, const pli_dvec3 from[4],
                           pli_dvec3 normal)
{
    const pli_pair_kind kind = (pli_pair_kind)pair->kind;
    pli_dvec3 to[4];
    pli_pair_positions(pair, collision->particles, to);
    const double rounding = -PLI_ACROSS_SHARE * (double)ccd_pair_size(from), least = (double)PLI_LEAST_GAP;
    double start = pli_gap_along(kind, from, normal), gap = pli_gap_along(kind, to, normal);
    if ((start >= -PLI_ACROSS && gap >= 0.0) || (start >= rounding && gap > least))
        return true;
    const pli_closest end = pli_closest_points(kind, to);
    if (!(end.square > PLI_ACROSS * PLI_ACROSS))
        return part_about_origin(kind, from, to, &end);
    const pli_dvec3 other = pli_dscale(end.apart, 1.0 / sqrt(end.square));
    return end.square > least * least && pli_ddot(other, normal) > NEAR_COSINE &&
           pli_gap_along(kind, from, other) >= rounding && pli_gap_along(kind, to, other) > least;
}

// When surfaces are squeezed, gaps are so much narrower than trajectories are long that advancement would take hundreds
// of steps per pair. Planes then handle the pairs that no direction separates.
static bool is_clear(const pli_collision *collision, pli_candidate_pair *pair)
{
    if (still_separated(collision, pair) || pli_pair_exempt(collision, pair))
        return true;
    pli_dvec3 from[4];
    pli_pair_positions(pair, collision->previous, from);
    const pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    pli_dvec3 normal;
    if (!pli_pair_direction(collision, pair, &c, &normal))
        return false;
    pair->normal = (pli_vec3){(float)normal.x, (float)normal.y, (float)normal.z};
    if (!(c.square > PLI_TOUCHING * PLI_TOUCHING))
        return ccd_sides_part(collision, pair, from, normal);
    return still_separated(collision, pair) || (!collision->ccd.squeezed && clear_fraction(collision, pair) >= 1.0);
}

// The direction found for the pair is written back to the list.
static bool listed_is_clear(const pli_collision *collision, pli_listed_pair *listed)
{
    pli_candidate_pair pair = pli_pair_read(collision, listed);
    bool clear = is_clear(collision, &pair);
    listed->normal = pair.normal;
    return clear;
}

typedef struct ccd_checking {
    const ccd_check *check;
    pli_pair_window window;
    pli_failing *failing;
    int32_t capacity, count;
    int32_t most; // Number of failing pairs after which the rest of the chunk is skipped.
} ccd_checking;

// Lists the pairs in the window that are not clear, and empties it.
static void ccd_flush(ccd_checking *c)
{
    pli_pair_window_find_separated(&c->window);
    for (int32_t i = 0; i < c->window.count && c->count <= c->most; i++) {
        const pli_window_place *at = &c->window.places[i];
        if (pli_pair_window_found(&c->window, at) || listed_is_clear(c->check->collision, &c->window.pairs[at->pair]))
            continue;
        if (c->count < c->capacity)
            c->failing[c->count] = (pli_failing){c->check->list, at->pair};
        c->count++;
    }
    pli_pair_window_begin(&c->window, c->window.collision, c->window.pairs);
}

static void check_cluster_pair(ccd_checking *c, const pli_cluster_pair *cluster_pair)
{
    const pli_collision *collision = c->check->collision;
    const pli_candidate_list *list = &collision->cache.lists[c->check->list];
    float deviation = pli_collision_pair_deviation(collision);
    if (c->check->all && cluster_pair->least.crossing > deviation)
        return;
    for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
        // Changed particles may deviate from their trajectories by more than the measured deviation.
        pli_pair_window_offer(&c->window, i,
                              c->check->all ? !(list->spares.items[i].crossing > deviation)
                                            : changed(collision, &list->pairs.items[i]));
        if (pli_pair_window_is_full(&c->window))
            ccd_flush(c);
    }
}

// Returns how many failing pairs the budget can push apart; 0 for no limit. Planes test each pair once, so no list is
// too long for them.
static int64_t most_failing(const pli_collision *collision)
{
    return collision->ccd.crowded ? 0 : collision->work.most_pairs / PLI_FAILING_WORK;
}

static void check_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const ccd_check *w = data;
    const pli_candidate_list *list = &w->collision->cache.lists[w->list];
    int32_t end = (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count
                      ? (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN
                      : list->cluster_pairs.count;
    ccd_checking c; // It is large, so only the used part is initialised.
    int64_t most = most_failing(w->collision) / CCD_CHUNK_SHARE;
    c.check = w, c.failing = out, c.capacity = capacity, c.count = 0,
    c.most = most > 0 && most < INT32_MAX ? (int32_t)most : INT32_MAX;
    pli_pair_window_begin(&c.window, w->collision, list->pairs.items);
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN; m < end && c.count <= c.most; m++)
        check_cluster_pair(&c, &list->cluster_pairs.items[m]);
    ccd_flush(&c);
    *count = c.count > c.most ? (int32_t)(most_failing(w->collision) + 1) : c.count;
}

// Lists the pairs that are not clear, in the order of the candidate list: either all of them, or only those with a moved particle.
static bool list_failing(pli_collision *collision, bool all)
{
    collision->ccd.failing.count = 0;
    collision->work.is_over = false;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        ccd_check w = {collision, list, all};
        const pli_appending what = {
            .size = sizeof(pli_failing),
            .chunks = collision->cache.has_pairs[list] ? pli_cluster_pair_chunks(&collision->cache.lists[list]) : 0,
            .capacity = &collision->ccd.failing_capacity,
            .append = check_chunk,
            .data = &w,
            .most = most_failing(collision),
            .is_over = &collision->work.is_over,
        };
        const pli_append_tools tools = pli_collision_tools(collision);
        if (!pli_append_to(&tools, &what, &collision->ccd.failing)) {
            // There are more than can be pushed apart. They are charged the entire budget of the substep.
            if (collision->work.is_over)
                pli_work_spend(&collision->work, collision->work.share);
            return collision->work.is_over;
        }
        if (collision->cache.has_pairs[list])
            pli_work_spend(&collision->work, collision->cache.lists[list].pairs.count / PLI_SCANNED_PAIRS);
    }
    const int64_t work = collision->ccd.crowded ? PLI_PLANE_WORK : PLI_FAILING_WORK;
    pli_work_spend(&collision->work, work * collision->ccd.failing.count);
    return true;
}

// Pairs that need more work than remains go to planes, in this substep and in the rest of the step. If the application
// moves something, or bodies press, pushes must make room for it, so motion is first shortened once. This does not
// apply if a collider has stopped: planes then come before pushes. Returns whether the pairs go to planes.
static bool leave_to_planes(pli_collision *collision)
{
    const bool waits = collision->ccd.led && !collision->ccd.squeezed && !collision->work.short_now;
    if (waits || collision->ccd.crowded)
        return false;
    pli_work_shorten(&collision->work);
    collision->ccd.crowded = collision->ccd.squeezed = true;
    return true;
}

// Lists the failing pairs, including those of the last list, and leaves them to planes if they are too many.
static bool find_failing(pli_collision *collision, bool all)
{
    if (!all) {
        // Failed pairs are tested again even if nothing could move them: pairs of pinned particles, or pairs that touch their
        // free particle with zero weight.
        for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
            int32_t at[4];
            pli_listed_particles(collision, pli_failing_listed(collision, &collision->ccd.failing.items[k]), at);
            for (int i = 0; i < 4; i++)
                collision->ccd.changed[at[i]] |= PLI_CCD_FAILED;
        }
    }
    if (!list_failing(collision, all))
        return false;
    return !collision->work.is_over || !leave_to_planes(collision) || list_failing(collision, all);
}

static bool any_failing(const pli_collision *collision)
{
    return collision->ccd.failing.count > 0 || collision->work.is_over;
}

// Do failing pairs exist, and does work remain to spend on them?
static bool is_to_go_on(const pli_collision *collision)
{
    return any_failing(collision) && !pli_work_is_spent(&collision->work);
}

static void ccd_move_particle(pli_collision *collision, int32_t i, pli_vec3 by)
{
    pli_particle *p = &collision->particles[i], *v = &collision->velocities[i];
    p->x += by.x, p->y += by.y, p->z += by.z;
    v->x += by.x / collision->substep.length, v->y += by.y / collision->substep.length,
        v->z += by.z / collision->substep.length;
    collision->ccd.limited_count += !(collision->ccd.changed[i] & PLI_CCD_MOVED);
    collision->ccd.changed[i] |= PLI_CCD_MOVED;
}

// Effective inverse mass of particle k (0..3) of a pair [1/kg]. A pinned particle yields to colliders, so that it stops
// nothing that the application moves, but much less than the free particles next to it.
static float giving_of(const pli_collision *collision, const pli_candidate_pair *pair, int k)
{
    float w = collision->particles[pair->at[k]].w, free = 0.0f;
    bool own = !collision->surfaces[pair->surface[pli_pair_side((pli_pair_kind)pair->kind, k)]]->collider;
    if (w > 0.0f || !own || pli_pair_collider(collision, pair) < 0)
        return w;
    for (int i = 0; i < 4; i++)
        free = fmaxf(free, collision->particles[pair->at[i]].w);
    return free > 0.0f ? HELD_SHARE * free : 1.0f;
}

// A push: at these points, along a unit direction from side b to side a, by the missing gap [m]; and the size of the
// pair [m].
typedef struct pair_push {
    pli_closest at;
    pli_vec3 normal;
    float missing, size;
} pair_push;

// The direction that separated the sides at the start. The surface of a round shape is far from its core, so a triangle
// that turns slightly around it deviates a lot from that direction. If the closest points at the end are on the same
// side, they give the missing gap.
static pair_push push_of(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4], to[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_closest start = pli_closest_points((pli_pair_kind)pair->kind, from);
    float distance = (float)sqrt(start.square), level = (float)pli_pair_level(pair, distance);
    float thick = pair->rest_distance - pair->core, wanted = level + fminf(0.5f * thick, 0.5f * (distance - level));
    if (!((double)distance > PLI_TOUCHING))
        wanted = PLI_GAP_SHARE * thick;
    pair_push push = {start, pair->normal, wanted - pli_pair_gap(pair, collision->particles, pair->normal),
                      ccd_pair_size(from)};
    if (!(pair->core > 0.0f))
        return push;
    pli_pair_positions(pair, collision->particles, to);
    pli_closest end = pli_closest_points((pli_pair_kind)pair->kind, to);
    double now = sqrt(end.square);
    bool same_side = 2.0 * pli_ddot(end.apart, start.apart) > now * (double)distance;
    if (!same_side || !(2.0 * now > (double)level) || !(now < (double)wanted))
        return push;
    const pli_dvec3 normal = pli_dscale(end.apart, 1.0 / now);
    return (pair_push){
        end, {(float)normal.x, (float)normal.y, (float)normal.z}, (float)((double)wanted - now), push.size};
}

static void push_particle(pli_collision *collision, int32_t i, pli_vec3 by)
{
    pli_vec3 now = pli_displacement_of(collision, i), then = pli_add(now, by);
    float length = pli_length(then), most = fmaxf(collision->ccd.farthest_push, pli_length(now));
    ccd_move_particle(collision, i, length > most ? pli_sub(pli_scale(then, most / length), now) : by);
}

static void push_apart(pli_collision *collision, const pli_candidate_pair *pair)
{
    const pair_push p = push_of(collision, pair);
    float shares[4], inverse_mass = 0.0f, most = 0.0f;
    for (int i = 0; i < 4; i++) {
        shares[i] = giving_of(collision, pair, i) * (float)p.at.weights[i];
        inverse_mass += shares[i] * (float)p.at.weights[i];
        most = fmaxf(most, fabsf(shares[i]));
    }
    if (!(inverse_mass > 0.0f) || !(p.missing > 0.0f) || p.missing > MOST_MISSING * (pair->near + p.size))
        return;
    // A pair that is movable only through a small weight would be flung far, so the push is limited.
    float push = p.missing * fminf(1.0f / inverse_mass, CCD_FARTHEST_PUSH / most);
    for (int i = 0; i < 4; i++)
        if (shares[i] != 0.0f)
            push_particle(collision, pair->at[i], pli_scale(p.normal, push * shares[i]));
}

// Scales the relative displacements down to the clear fraction.
static void slow_down(pli_collision *collision, const pli_candidate_pair *pair)
{
    float part = 0.8f * (float)clear_fraction(collision, pair);
    // Common displacement of the four particles: the mean of the fixed particles, else the displacement that conserves momentum.
    pli_vec3 fixed = {0, 0, 0}, free = {0, 0, 0};
    float fixed_count = 0.0f, mass = 0.0f;
    for (int i = 0; i < 4; i++) {
        float w = giving_of(collision, pair, i);
        pli_vec3 displacement = pli_displacement_of(collision, pair->at[i]);
        if (w == 0.0f) {
            fixed = pli_add(fixed, displacement);
            fixed_count += 1.0f;
        } else {
            free = pli_add(free, pli_scale(displacement, 1.0f / w));
            mass += 1.0f / w;
        }
    }
    pli_vec3 common = fixed_count > 0.0f ? pli_scale(fixed, 1.0f / fixed_count) : pli_scale(free, 1.0f / mass);
    for (int i = 0; i < 4; i++)
        if (giving_of(collision, pair, i) > 0.0f)
            ccd_move_particle(collision, pair->at[i],
                              pli_scale(pli_sub(common, pli_displacement_of(collision, pair->at[i])), 1.0f - part));
}

static void clear_pair(pli_collision *collision, const pli_candidate_pair *pair, bool slowly)
{
    pli_vec3 before[4];
    for (int i = 0; i < 4; i++)
        before[i] = pli_position_of(&collision->particles[pair->at[i]]);
    (slowly ? slow_down : push_apart)(collision, pair);
    // Apply the opposite impulse to the rigid body of the other side, so that momentum is conserved.
    int32_t side = pli_pair_collider(collision, pair);
    pli_rigid_body_data *rigid = side < 0 ? NULL : collision->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++) {
        const pli_particle *p = &collision->particles[pair->at[i]];
        pli_vec3 now = pli_position_of(p);
        if (p->w > 0.0f)
            pli_rigid_apply_impulse(rigid, now,
                                    pli_scale(pli_sub(before[i], now), 1.0f / (p->w * collision->substep.length)));
    }
    pli_collision_link(collision, pair->surface[0], pair->surface[1]);
}

static bool ccd_reserve(pli_collision *collision)
{
    collision->ccd.farthest_push = 0.0f;
    collision->ccd.changed = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->particle_count);
    return collision->ccd.changed && pli_ccd_find_joined(collision) &&
           pli_array_reserve(collision->memory, &collision->partial,
                             (int64_t)collision->particle_count / PLI_PAIR_GRAIN + 1);
}

void pli_ccd_move(pli_collision *collision, int32_t i, pli_vec3 by) { ccd_move_particle(collision, i, by); }

/* ---- impact zones ---------------------------------------------------------------------------- */

// Particles that still have no clear trajectories move with one common displacement, so that their distances stay
// constant: impact zones, Provot 1997; Bridson et al. 2002, section 7.5.
enum { IMPACT_ZONE_ROUNDS = 64 };
// Mark of a collider vertex in an impact zone; other particles have 1.
enum { LED = 2 };

static int32_t impact_zone_root(const pli_collision *collision, int32_t i)
{
    return pli_set_root(collision->ccd.impact_zones, i);
}

// Returns false if every failing pair was already within one impact zone: further rounds would change nothing.
static bool join_failing(pli_collision *collision)
{
    bool joined = false;
    for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
        const pli_candidate_pair pair = pli_failing_pair(collision, &collision->ccd.failing.items[k]);
        for (int i = 0; i < 4; i++) {
            joined = joined || impact_zone_root(collision, pair.at[i]) != impact_zone_root(collision, pair.at[0]) ||
                     !collision->ccd.in_impact_zone[pair.at[i]];
            pli_sets_join(collision->ccd.impact_zones, pair.at[0], pair.at[i]);
            const pli_contact_mesh *s = collision->surfaces[pair.surface[pli_pair_side((pli_pair_kind)pair.kind, i)]];
            collision->ccd.in_impact_zone[pair.at[i]] = s->collider ? LED : 1;
        }
        pli_collision_link(collision, pair.surface[0], pair.surface[1]);
    }
    return joined;
}

// Displacements of colliders take precedence over those of pinned particles, which follow them, and these over those of free ones.
static void add_displacement(const pli_collision *collision, pli_impact_zone_sum *sum, int32_t i)
{
    const pli_particle *p = &collision->particles[i], *q = &collision->previous[i];
    const double displacement[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                                    (double)p->z - (double)q->z};
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    bool led = collision->ccd.in_impact_zone[i] == LED;
    for (int k = 0; k < 3; k++) {
        double *of = p->w > 0.0f ? sum->free : led ? sum->led : sum->fixed;
        of[k] += p->w > 0.0f ? mass * displacement[k] : displacement[k];
    }
    sum->mass += mass;
    sum->fixed_count += p->w > 0.0f || led ? 0.0 : 1.0;
    sum->led_count += led ? 1.0 : 0.0;
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
    for (int32_t round = 0; complete && round < IMPACT_ZONE_ROUNDS && is_to_go_on(collision); round++) {
        if (!join_failing(collision))
            break;
        pli_impact_zone_sum *sums = collision->ccd.impact_zone_sums;
        int32_t particles = collision->particle_count;
        for (int32_t i = 0; i < particles; i++)
            sums[i] = (pli_impact_zone_sum){0};
        for (int32_t i = 0; i < particles; i++)
            if (collision->ccd.in_impact_zone[i])
                add_displacement(collision, &sums[impact_zone_root(collision, i)], i);
        for (int32_t i = 0; i < particles; i++) {
            const pli_impact_zone_sum *s = &sums[impact_zone_root(collision, i)];
            bool stays = collision->particles[i].w == 0.0f && !(s->led_count > 0.0);
            if (!collision->ccd.in_impact_zone[i] || collision->ccd.in_impact_zone[i] == LED || stays)
                continue;
            const double *sum = s->led_count > 0.0 ? s->led : s->fixed_count > 0.0 ? s->fixed : s->free;
            double share = 1.0 / (s->led_count > 0.0 ? s->led_count : s->fixed_count > 0.0 ? s->fixed_count : s->mass);
            ccd_move_particle(
                collision, i,
                pli_sub((pli_vec3){(float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share)},
                        pli_displacement_of(collision, i)));
        }
        collision->hooks.keep_outside(collision->hooks.leader);
        pli_ccd_keep_joined(collision, false);
        complete = find_failing(collision, false);
    }
    collision->out_of_memory = collision->out_of_memory || !complete;
}

/* ---- planes ----------------------------------------------------------------------------------- */

// Later rounds are for pairs that failed only after the cuts of the first round: they have no plane yet.
enum { PLANE_ROUNDS = 3 };

// Do all particles of the pair stay in place? Then nothing can cross, however close its sides are.
static bool rests(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (!pli_is_same_place(&collision->particles[pair->at[i]], &collision->previous[pair->at[i]]))
            return false;
    return true;
}

// Pairs that are abandoned again in the same substep count once.
static void give_up(pli_collision *collision)
{
    pli_ccd_state *ccd = &collision->ccd;
    int32_t before = ccd->frozen ? ccd->failed_pair_count - ccd->failed_before : 0;
    int32_t more = ccd->failing.count > before ? ccd->failing.count - before : 0;
    ccd->failed_pair_count += more;
    if (collision->ccd.failing.count > 0)
        pli_collision_expect_given_up(collision, more);
}

// Clears all planes of pairs. Returns false when out of memory.
static bool forget_planes(pli_collision *collision)
{
    bool complete = true;
    for (int32_t list = 0; list < PLI_LIST_COUNT && complete; list++) {
        uint8_t **of = &collision->ccd.has_plane[list];
        *of = NULL;
        if (collision->cache.has_pairs[list]) {
            *of = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->cache.lists[list].pairs.count);
            complete = *of != NULL;
        }
    }
    return complete;
}

// Cuts trajectories at planes for several rounds. Returns false when the work budget or the memory ran out.
static bool ccd_place_planes(pli_collision *collision)
{
    for (int32_t round = 0; round < PLANE_ROUNDS && (round == 0 || collision->ccd.failing.count > 0); round++) {
        collision->out_of_memory = !pli_ccd_cut_at_planes(collision);
        if (pli_ccd_keep_joined(collision, true) && !collision->out_of_memory) {
            // Keep only the planes of the last cuts: joined particles no longer follow the trajectories for which earlier planes were placed.
            const pli_ccd_state *ccd = &collision->ccd;
            for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
                if (ccd->has_plane[list])
                    memset(ccd->has_plane[list], 0, (size_t)collision->cache.lists[list].pairs.count);
            for (int32_t i = 0; i < ccd->concerned.count; i++)
                ccd->has_plane[ccd->concerned.items[i].list][ccd->concerned.items[i].pair] =
                    ccd->planes.items[i].is_placed;
        }
        collision->out_of_memory = collision->out_of_memory || !find_failing(collision, false);
        if (collision->out_of_memory || collision->work.is_over)
            return false;
        // Drop the pairs that are clear because they have a plane or rest. Advancement cannot prove this for touching sides.
        int32_t count = 0;
        for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
            pli_failing at = collision->ccd.failing.items[k];
            const pli_candidate_pair pair = pli_failing_pair(collision, &at);
            if (!rests(collision, &pair) && !collision->ccd.has_plane[at.list][at.pair])
                collision->ccd.failing.items[count++] = at;
        }
        collision->ccd.failing.count = count;
    }
    return true;
}

static bool let_rigid_yield(pli_collision *collision, const pli_rigid_body_data *rigid)
{
    bool any = false;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        pli_contact_mesh *s = collision->surfaces[k];
        any = any || (s->rigid == rigid && !s->path.yields);
        s->path.yields = s->path.yields || s->rigid == rigid;
    }
    return any;
}

// Lets bodies yield in this substep if one of their pairs has no room for a plane. Returns whether there are any.
static bool let_rigids_yield(pli_collision *collision)
{
    bool any = false;
    for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
        const pli_listed_pair *pair = pli_failing_listed(collision, &collision->ccd.failing.items[k]);
        for (int side = 0; side < 2; side++) {
            const pli_contact_mesh *s = collision->surfaces[pair->surface[side]];
            any = (s->rigid && !s->path.yields && let_rigid_yield(collision, s->rigid)) || any;
        }
    }
    return any;
}

// Cuts trajectories at planes. The stages that move bodies have already solved for their positions, so bodies yield
// last, and only bodies that leave a pair no room for a plane.
static void cut_at_planes(pli_collision *collision)
{
    if (!forget_planes(collision)) {
        collision->out_of_memory = true;
        return;
    }
    do {
        if (!ccd_place_planes(collision))
            return;
    } while (let_rigids_yield(collision));
    give_up(collision);
}

// Leaves everything where it was at the start of the substep, except colliders that always complete their path.
static void stop_all(pli_collision *collision)
{
    pli_ccd_stop_all(collision);
    pli_collision_extend_pairs(collision);
    if (!find_failing(collision, true)) {
        collision->out_of_memory = true;
        return;
    }
    give_up(collision);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

// Does the pair consist of pinned particles and a collider? Such particles yield to the collider only by pushes.
static bool is_held_aside(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (collision->particles[pair->at[i]].w > 0.0f)
            return false;
    return pli_pair_collider(collision, pair) >= 0;
}

// Pushes the sides of failing pairs apart, or slows them down; in a squeeze, only pinned particles in the path of
// colliders. Returns whether there were any.
static bool clear_failing(pli_collision *collision, bool slowly)
{
    bool any = false;
    for (int32_t k = 0; k < collision->ccd.failing.count; k++) {
        pli_listed_pair *listed = pli_failing_listed(collision, &collision->ccd.failing.items[k]);
        pli_candidate_pair pair = pli_pair_read(collision, listed);
        if (collision->ccd.squeezed && !is_held_aside(collision, &pair))
            continue;
        any = true;
        if (!is_clear(collision, &pair))
            clear_pair(collision, &pair, slowly);
        listed->normal = pair.normal;
    }
    return any;
}

// Finds particles that are predicted to end behind the surface of an analytic shape. Returns false when out of memory.
static bool find_walls(pli_collision *collision)
{
    bool complete = collision->hooks.find_walls(collision->hooks.leader);
    collision->out_of_memory = collision->out_of_memory || !complete;
    return complete;
}

// Returns true if any trajectory was changed.
static bool clear_trajectories(pli_collision *collision)
{
    if (!find_failing(collision, true)) {
        collision->out_of_memory = true;
        return false;
    }
    if (!find_walls(collision))
        return false;
    if (!any_failing(collision) && collision->ccd.walls.count == 0)
        return false;
    if (!(collision->ccd.farthest_push > 0.0f)) {
        // Record how far a push may take a particle in the substep: no further than the longest displacement before the
        // pushes, of any particle, free or not. Otherwise, successive pushes would double from round to round.
        float square = 0.0f;
        for (int32_t k = 0; k < collision->surface_count; k++) {
            const pli_contact_mesh *s = collision->surfaces[k];
            for (int32_t i = s->first; i < s->first + s->vertex_count; i++) {
                pli_vec3 d = pli_displacement_of(collision, i);
                square = fmaxf(square, pli_dot(d, d));
            }
        }
        collision->ccd.farthest_push = sqrtf(square);
    }
    int32_t rounds = collision->ccd.squeezed ? PUSH_ROUNDS : PUSH_ROUNDS + SLOW_ROUNDS;
    for (int32_t round = 0; round < rounds && is_to_go_on(collision); round++) {
        if (!clear_failing(collision, round >= PUSH_ROUNDS))
            break;
        collision->hooks.keep_outside(collision->hooks.leader);
        pli_ccd_keep_joined(collision, false);
        if (!find_failing(collision, false)) {
            collision->out_of_memory = true;
            return true;
        }
    }
    if (collision->ccd.failing.count > 0 && !collision->ccd.squeezed && !pli_work_is_spent(&collision->work))
        resolve_impact_zones(collision);
    if (collision->work.is_over || collision->out_of_memory || !find_walls(collision))
        return true;
    if (collision->ccd.failing.count > 0 && pli_work_is_spent(&collision->work))
        leave_to_planes(collision);
    if (collision->ccd.failing.count > 0 || collision->ccd.walls.count > 0)
        cut_at_planes(collision);
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
    l->collision->partial.items[chunk] = l->collision->kernels.near->are_within(particles, end - begin, CCD_FARTHEST)
                                             ? 0.0f
                                             : 1.0f;
}

// The world undoes diverged states; resolving their collisions would use up all rounds.
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

// Proves all pairs clear, or changes motion until they are. Returns false if so many pairs fail that the work budget
// does not suffice to test them.
static bool clear_all(pli_collision *collision)
{
    const bool squeezed = collision->ccd.squeezed;
    bool proved = false, over = false;
    for (int32_t round = 0; round < EXTEND_ROUNDS + SHORTEN_ROUNDS && !proved && !over && !collision->out_of_memory;
         round++) {
        // Pushes can create new failing pairs without end; planes only shorten trajectories, so fewer pairs fail each time.
        collision->ccd.squeezed = squeezed || collision->ccd.crowded || round >= EXTEND_ROUNDS;
        bool changed_any = clear_trajectories(collision);
        over = collision->work.is_over;
        proved = !over && (!changed_any || !pli_collision_extend_pairs(collision));
    }
    if (!proved && !over && !collision->out_of_memory)
        stop_all(collision);
    collision->ccd.squeezed = squeezed || collision->ccd.crowded;
    return !over;
}

static void ccd(pli_collision *collision)
{
    collision->ccd.failed_before = collision->ccd.failed_pair_count;
    // Reset start positions to those before separation, so that the separation is proved like any other motion.
    const pli_particle *starts = collision->untangle.starts;
    for (int32_t k = 0; starts && k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        for (int32_t i = s->first; !s->collider && i < s->first + s->vertex_count; i++)
            collision->previous[i] = starts[i];
    }
    collision->ccd.concerned.count = 0;
    if (!ccd_reserve(collision)) {
        collision->out_of_memory = true;
        return;
    }
    if (has_diverged(collision)) {
        pli_collision_expect_intersections(collision);
        return;
    }
    // The corrections of CCD may exceed the slack of the cached pairs, so the pairs are extended first and after each round.
    pli_collision_extend_pairs(collision);
    for (int32_t shorter = 0; !clear_all(collision); shorter++) {
        if (shorter == PLI_SHORTENINGS || collision->out_of_memory) {
            pli_collision_stop_motion(collision);
            return;
        }
        // The proof of a shorter motion takes less work.
        pli_collision_shorten_motion(collision);
        pli_work_allow_more(&collision->work);
        collision->ccd.farthest_push = 0.0f;
        pli_collision_extend_pairs(collision);
    }
    collision->ccd.squeezed = collision->ccd.squeezed || collision->ccd.yielded;
}

void pli_collision_run_ccd(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    ccd(collision);
    pli_arena_end(&collision->arena, scope);
}

/* ---- intersections that would be new ------------------------------------------------------------ */

// Could the pair make one of the marked intersections? It could if one side may be its edge and the other its triangle.
static bool makes_growth(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    uint8_t sides[2] = {PLI_GROWN_EDGE | PLI_GROWN_TRIANGLE, PLI_GROWN_EDGE | PLI_GROWN_TRIANGLE};
    for (int i = 0; i < 4; i++)
        sides[i >= split] &= collision->untangle.grown[pair->at[i]];
    if (split == 1)
        return (sides[0] & PLI_GROWN_EDGE) && (sides[1] & PLI_GROWN_TRIANGLE);
    return ((sides[0] & PLI_GROWN_EDGE) && (sides[1] & PLI_GROWN_TRIANGLE)) ||
           ((sides[1] & PLI_GROWN_EDGE) && (sides[0] & PLI_GROWN_TRIANGLE));
}

// Replaces the list of failing pairs by the pairs that could make marked intersections. Returns false when out of memory.
static bool find_growing(pli_collision *collision)
{
    pli_ccd_state *ccd = &collision->ccd;
    ccd->failing.count = 0;
    for (int32_t k = 0; k < PLI_LIST_COUNT; k++) {
        const pli_candidate_list *list = &collision->cache.lists[k];
        for (int32_t m = 0; collision->cache.has_pairs[k] && m < list->cluster_pairs.count; m++) {
            const pli_cluster_pair *of = &list->cluster_pairs.items[m];
            for (int32_t i = of->begin; i < of->begin + of->count; i++) {
                const pli_candidate_pair pair = pli_pair_read(collision, &list->pairs.items[i]);
                if (!makes_growth(collision, &pair))
                    continue;
                if (!pli_array_reserve(collision->memory, &ccd->failing, (int64_t)ccd->failing.count + 1))
                    return false;
                ccd->failing.items[ccd->failing.count++] = (pli_failing){k, i};
            }
        }
    }
    return true;
}

void pli_collision_freeze_growth(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    pli_ccd_state *ccd = &collision->ccd;
    const bool squeezed = ccd->squeezed;
    ccd->frozen = ccd->squeezed = true;
    ccd->walls.count = 0;
    collision->out_of_memory = !ccd_reserve(collision) || !find_growing(collision);
    if (!collision->out_of_memory)
        cut_at_planes(collision);
    // Particles that were cut may meet others, which were proved clear only for complete displacements.
    if (!collision->out_of_memory && pli_collision_extend_pairs(collision) && !clear_all(collision))
        pli_collision_stop_motion(collision);
    ccd->frozen = false;
    ccd->squeezed = squeezed || ccd->yielded;
    pli_arena_end(&collision->arena, scope);
}
