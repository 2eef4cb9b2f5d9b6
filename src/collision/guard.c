// The guarantee: surfaces that do not intersect at the start of a substep do not at its end, nor on
// the straight ways between.
//
// A pair is clear when one direction separates its sides at the start and at the end, for then it
// does all along: one look at four particles. Where that fails the way is walked by conservative
// advancement. What is not clear is pushed apart, then slowed, then moved as one (Bridson et al.
// 2002; Harmon et al. 2008), until every pair that has a changed particle is clear again.
#include "collision/guard.h"

#include "collision/advance.h"
#include "collision/displacement_bounds.h"
#include "collision/exempt.h"
#include "collision/gather.h"
#include "collision/ways.h"

#include <string.h>

// Of the distance at the start: what is left of it at least on a way that is clear.
#define CLEAR_SHARE 0.1

// Of what is lacking, how far a particle is pushed at most.
#define FARTHEST_SHARE 2.0f
// Beyond this [m] a float holds no distance that is kept (its steps are 64 m), and the ways of what flies there
// would be fought over for minutes. A step counts as failed from 1e15 m on.
#define FARTHEST 1e9f

enum { PUSH_ROUNDS = 6, SLOW_ROUNDS = 24, WIDEN_ROUNDS = 4 };

typedef struct watch {
    pli_space *space;
    int32_t list;
    bool all; // Or only pairs with a changed particle.
} watch;

static bool changed(const pli_space *space, const pli_pair *pair)
{
    for (int i = 0; i < 4; i++)
        if (space->ccd.changed[pair->at[i]])
            return true;
    return false;
}

static bool still_separated(const pli_space *space, const pli_pair *pair)
{
    float start = pli_pair_gap(pair, space->previous, pair->normal);
    float least = fminf(PLI_GAP_SHARE * pair->keep, 0.5f * start);
    return start > 0.0f && pli_pair_gap(pair, space->particles, pair->normal) > least && least > 1e-7f;
}

static double clear_part(const pli_space *space, const pli_pair *pair)
{
    pli_dvec3 from[4], to[4];
    pli_pair_positions(pair, space->previous, from);
    pli_pair_positions(pair, space->particles, to);
    return pli_advance((pli_pair_kind)pair->kind, from, to, CLEAR_SHARE);
}

// Whether the direction in which the pair was found apart separates it after its sides have come nearer to one another.
static bool is_far(const pli_pair *pair, float nearer) { return pair->gap - nearer > PLI_GAP_SHARE * pair->keep; }

static bool is_clear(const pli_space *space, pli_pair *pair)
{
    if (still_separated(space, pair) || pli_pair_exempt(space, pair))
        return true;
    pli_dvec3 from[4];
    pli_pair_positions(pair, space->previous, from);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    double distance = sqrt(c.square);
    if (!(distance > 0.0))
        return false;
    pair->normal = (pli_vec3){(float)(c.apart.x / distance), (float)(c.apart.y / distance),
                              (float)(c.apart.z / distance)};
    return still_separated(space, pair) || clear_part(space, pair) >= 1.0;
}

static void watch_meeting(const watch *w, const pli_meeting *meeting, pli_failing *failing, int32_t room,
                          int32_t *count)
{
    pli_space *space = w->space;
    float nearer = pli_space_nearer(space);
    for (int32_t i = meeting->begin; i < meeting->begin + meeting->count; i++) {
        pli_pair *pair = &space->cache.lists[w->list].pairs.items[i];
        // Where ways have changed, strays were measured before.
        if ((w->all ? is_far(pair, nearer) : !changed(space, pair)) || is_clear(space, pair))
            continue;
        if (*count < room)
            failing[*count] = (pli_failing){w->list, i};
        ++*count;
    }
}

static void watch_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const watch *w = data;
    const pli_pair_list *list = &w->space->cache.lists[w->list];
    int32_t end = (chunk + 1) * PLI_MEETING_GRAIN < list->meetings.count ? (chunk + 1) * PLI_MEETING_GRAIN
                                                                         : list->meetings.count;
    *count = 0;
    for (int32_t m = chunk * PLI_MEETING_GRAIN; m < end; m++)
        watch_meeting(w, &list->meetings.items[m], out, room, count);
}

// Lists the pairs whose ways are not clear, in their order.
static bool find_failing(pli_space *space, bool all)
{
    space->ccd.failing.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        watch w = {space, list, all};
        const pli_gathering what = {
            .size = sizeof(pli_failing),
            .chunks = space->cache.has_pairs[list] ? pli_meeting_chunks(&space->cache.lists[list]) : 0,
            .room = &space->ccd.failing_room,
            .ask = watch_chunk,
            .data = &w,
        };
        const pli_gather_tools tools = pli_space_tools(space);
        if (!pli_gather_to(&tools, &what, &space->ccd.failing))
            return false;
    }
    return true;
}

static void move(pli_space *space, int32_t i, pli_vec3 by)
{
    pli_particle *p = &space->particles[i], *v = &space->velocities[i];
    if (p->w == 0.0f)
        return;
    p->x += by.x, p->y += by.y, p->z += by.z;
    v->x += by.x / space->step, v->y += by.y / space->step, v->z += by.z / space->step;
    space->ccd.held_back += !space->ccd.changed[i];
    space->ccd.changed[i] = 1;
}

// Along the direction that separated the pair at the start, so far that it does so again.
static void push_apart(pli_space *space, const pli_pair *pair)
{
    pli_dvec3 from[4];
    pli_pair_positions(pair, space->previous, from);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    float shares[4], yields = 0.0f, most = 0.0f, wanted = fminf(0.5f * pair->keep, 0.5f * (float)sqrt(c.square));
    for (int i = 0; i < 4; i++) {
        shares[i] = space->particles[pair->at[i]].w * (float)c.weights[i];
        yields += shares[i] * (float)c.weights[i];
        most = fmaxf(most, fabsf(shares[i]));
    }
    float lacking = wanted - pli_pair_gap(pair, space->particles, pair->normal);
    if (!(yields > 0.0f) || !(lacking > 0.0f))
        return;
    // What holds the pair only by a small weight is not thrown far for it.
    float push = lacking * fminf(1.0f / yields, FARTHEST_SHARE / most);
    for (int i = 0; i < 4; i++)
        move(space, pair->at[i], pli_scale(pair->normal, push * shares[i]));
}

static pli_vec3 way_of(const pli_space *space, int32_t i)
{
    return pli_sub(pli_place_of(&space->particles[i]), pli_place_of(&space->previous[i]));
}

// The way that four particles would have as one: what cannot be moved decides, else their momentum.
static pli_vec3 way_as_one(const pli_space *space, const pli_pair *pair)
{
    pli_vec3 held = {0, 0, 0}, free = {0, 0, 0};
    float held_count = 0.0f, mass = 0.0f;
    for (int i = 0; i < 4; i++) {
        float w = space->particles[pair->at[i]].w;
        pli_vec3 way = way_of(space, pair->at[i]);
        if (w == 0.0f) {
            held = pli_add(held, way);
            held_count += 1.0f;
        } else {
            free = pli_add(free, pli_scale(way, 1.0f / w));
            mass += 1.0f / w;
        }
    }
    return held_count > 0.0f ? pli_scale(held, 1.0f / held_count) : pli_scale(free, 1.0f / mass);
}

// Motion of the four against each other goes on only as far as it is clear.
static void slow_down(pli_space *space, const pli_pair *pair)
{
    float part = 0.8f * (float)clear_part(space, pair);
    pli_vec3 as_one = way_as_one(space, pair);
    for (int i = 0; i < 4; i++)
        move(space, pair->at[i], pli_scale(pli_sub(as_one, way_of(space, pair->at[i])), 1.0f - part));
}

// What holds a deformable back pushes the rigid body on the other side, so that momentum is kept.
static void react(const pli_space *space, const pli_pair *pair, const pli_vec3 before[4])
{
    int32_t side = pli_pair_collider(space, pair);
    pli_rigid *rigid = side < 0 ? NULL : space->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++) {
        const pli_particle *p = &space->particles[pair->at[i]];
        pli_vec3 now = pli_place_of(p);
        if (p->w > 0.0f)
            pli_rigid_kick(rigid, now, pli_scale(pli_sub(before[i], now), 1.0f / (p->w * space->step)));
    }
}

static void clear_pair(pli_space *space, pli_pair *pair, bool slowly)
{
    pli_vec3 before[4];
    for (int i = 0; i < 4; i++)
        before[i] = pli_place_of(&space->particles[pair->at[i]]);
    (slowly ? slow_down : push_apart)(space, pair);
    react(space, pair, before);
    pli_space_link(space, pair->surface[0], pair->surface[1]);
}

// Gives a particle that can be moved this way for the substep.
static void give_way(pli_space *space, int32_t i, pli_vec3 way) { move(space, i, pli_sub(way, way_of(space, i))); }

static bool reserve(pli_space *space)
{
    space->ccd.changed = PLI_TAKE_ZEROED(&space->arena, uint8_t, space->particle_count);
    return space->ccd.changed &&
           pli_array_reserve(space->memory, &space->partial, (int64_t)space->particle_count / PLI_PAIR_GRAIN + 1);
}

/* ---- impact zones ---------------------------------------------------------------------------- */

// Particles whose trajectories could not be cleared move as one rigid thing, so that their distances stay: Provot 1997;
// Bridson et al. 2002, section 7.5.
enum { ZONE_ROUNDS = 64 };

static int32_t root_of(const pli_space *space, int32_t i)
{
    while (space->ccd.zones[i] != i)
        i = space->ccd.zones[i];
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
        joined = joined || root != lowest || !space->ccd.in_zone[pair->at[i]];
        space->ccd.zones[root] = lowest;
        space->ccd.in_zone[pair->at[i]] = 1;
    }
    return joined;
}

// False when every failing pair was in one zone before: then nothing will change any more.
static bool join_failing(pli_space *space)
{
    bool joined = false;
    for (int32_t k = 0; k < space->ccd.failing.count; k++) {
        const pli_pair *pair =
            &space->cache.lists[space->ccd.failing.items[k].list].pairs.items[space->ccd.failing.items[k].pair];
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
        if (space->ccd.in_zone[i])
            add_way(space, &sums[root_of(space, i)], i);
    for (int32_t i = 0; i < count; i++) {
        if (!space->ccd.in_zone[i] || space->particles[i].w == 0.0f)
            continue;
        const pli_zone_sum *s = &sums[root_of(space, i)];
        const double *sum = s->held_count > 0.0 ? s->held : s->free;
        double share = 1.0 / (s->held_count > 0.0 ? s->held_count : s->mass);
        give_way(space, i, (pli_vec3){(float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share)});
    }
}

static void move_as_one(pli_space *space)
{
    int32_t count = space->particle_count;
    space->ccd.zone_sums = PLI_TAKE(&space->arena, pli_zone_sum, count);
    space->ccd.in_zone = PLI_TAKE(&space->arena, uint8_t, count);
    space->ccd.zones = PLI_TAKE(&space->arena, int32_t, count);
    bool complete = space->ccd.zone_sums && space->ccd.in_zone && space->ccd.zones;
    for (int32_t i = 0; complete && i < count; i++) {
        space->ccd.zones[i] = i;
        space->ccd.in_zone[i] = 0;
    }
    for (int32_t round = 0; complete && round < ZONE_ROUNDS && space->ccd.failing.count > 0; round++) {
        if (!join_failing(space))
            break;
        move_zones(space, space->ccd.zone_sums);
        complete = find_failing(space, false);
    }
    space->starved = space->starved || !complete;
    space->ccd.breaches += space->ccd.failing.count;
    if (space->ccd.failing.count > 0)
        pli_space_expect_intersections(space);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

// Whether any way was changed.
static bool clear_ways(pli_space *space)
{
    if (!find_failing(space, true)) {
        space->starved = true;
        return false;
    }
    if (space->ccd.failing.count == 0)
        return false;
    for (int32_t round = 0; round < PUSH_ROUNDS + SLOW_ROUNDS && space->ccd.failing.count > 0; round++) {
        for (int32_t k = 0; k < space->ccd.failing.count; k++) {
            pli_pair *pair =
                &space->cache.lists[space->ccd.failing.items[k].list].pairs.items[space->ccd.failing.items[k].pair];
            if (!is_clear(space, pair))
                clear_pair(space, pair, round >= PUSH_ROUNDS);
        }
        if (!find_failing(space, false)) {
            space->starved = true;
            return true;
        }
    }
    if (space->ccd.failing.count > 0)
        move_as_one(space);
    return true;
}

typedef struct looking {
    pli_space *space;
    const pli_surface *surface;
} looking;

static void look_chunk(void *data, int32_t chunk)
{
    const looking *l = data;
    int32_t begin = chunk * PLI_PAIR_GRAIN, end = begin + PLI_PAIR_GRAIN;
    end = end < l->surface->vertex_count ? end : l->surface->vertex_count;
    const pli_particle *particles = &l->space->particles[l->surface->first + begin];
    l->space->partial.items[chunk] = l->space->near->are_within(particles, end - begin, FARTHEST) ? 0.0f : 1.0f;
}

// What has blown up is undone by the owner, and would be fought over in every round.
static bool has_blown_up(pli_space *space)
{
    float beyond = 0.0f;
    for (int32_t k = 0; k < space->surface_count; k++) {
        looking l = {space, space->surfaces[k]};
        int32_t chunks = l.surface->collider ? 0 : (l.surface->vertex_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN;
        pli_tasks_run(space->tasks, chunks, look_chunk, &l);
        for (int32_t chunk = 0; chunk < chunks; chunk++)
            beyond += space->partial.items[chunk];
    }
    return beyond > 0.0f;
}

static void shorten_to_bounds(pli_space *space)
{
    if (!pli_bound_displacements(space)) {
        space->starved = true;
        return;
    }
    for (int32_t i = 0; i < space->particle_count; i++) {
        pli_vec3 way = way_of(space, i);
        float length = pli_length(way);
        if (length > space->ccd.bounds[i])
            give_way(space, i, pli_scale(way, space->ccd.bounds[i] / length));
    }
}

static void guard(pli_space *space)
{
    if (!reserve(space)) {
        space->starved = true;
        return;
    }
    if (has_blown_up(space))
        return;
    // What clearing moves may leave the ways that the lists are good for, which then grow once more.
    pli_space_widen(space);
    // What moves by itself heeds no bound, so that ways are looked at after bounds too.
    if (space->ccd.bounded)
        shorten_to_bounds(space);
    for (int32_t round = 0; round < WIDEN_ROUNDS && !space->starved; round++) {
        bool changed_any = clear_ways(space);
        if ((!changed_any && !space->ccd.bounded) || !pli_space_widen(space))
            return;
    }
}

void pli_space_guard(pli_space *space)
{
    const pli_arena_scope scope = pli_arena_begin(&space->arena);
    guard(space);
    pli_arena_end(&space->arena, scope);
}
