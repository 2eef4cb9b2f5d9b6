// The guarantee: surfaces that do not intersect at the start of a substep do not at its end, nor on
// the straight trajectories between.
//
// A pair is clear when one direction separates its sides at the start and at the end, for then it
// does all along: one look at four particles. Where that fails the way is walked by conservative
// advancement. What is not clear is pushed apart, then slowed, then moved as one (Bridson et al.
// 2002; Harmon et al. 2008), until every pair that has a changed particle is clear again.
#include "collision/ccd/ccd.h"

#include "collision/ccd/advancement.h"
#include "collision/ccd/displacement_bounds.h"
#include "collision/contacts/exempt.h"
#include "base/parallel_append.h"
#include "collision/pair_cache/trajectories.h"

#include <string.h>

// Of the distance at the start: what is left of it at least on a way that is clear.
#define CLEAR_SHARE 0.1

// Of what is lacking, how far a particle is pushed at most.
#define FARTHEST_SHARE 2.0f
// Beyond this [m] a float holds no distance that is kept (its steps are 64 m), and the trajectories of what flies there
// would be fought over for minutes. A step counts as failed from 1e15 m on.
#define FARTHEST 1e9f

enum { PUSH_ROUNDS = 6, SLOW_ROUNDS = 24, WIDEN_ROUNDS = 4 };

typedef struct watch {
    pli_collision *collision;
    int32_t list;
    bool all; // Or only pairs with a changed particle.
} watch;

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
    return start > 0.0f && pli_pair_gap(pair, collision->particles, pair->normal) > least && least > 1e-7f;
}

static double clear_part(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4], to[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_pair_positions(pair, collision->particles, to);
    return pli_advance((pli_pair_kind)pair->kind, from, to, CLEAR_SHARE);
}

// Whether the direction in which the pair was found apart separates it after its sides have come nearer to one another.
static bool is_far(const pli_candidate_pair *pair, float nearer)
{
    return pair->gap - nearer > PLI_GAP_SHARE * pair->rest_distance;
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
    return still_separated(collision, pair) || clear_part(collision, pair) >= 1.0;
}

static void watch_cluster_pair(const watch *w, const pli_cluster_pair *cluster_pair, pli_failing *failing, int32_t room,
                               int32_t *count)
{
    pli_collision *collision = w->collision;
    float nearer = pli_collision_nearer(collision);
    for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
        pli_candidate_pair *pair = &collision->cache.lists[w->list].pairs.items[i];
        // Where trajectories have changed, deviations were measured before.
        if ((w->all ? is_far(pair, nearer) : !changed(collision, pair)) || is_clear(collision, pair))
            continue;
        if (*count < room)
            failing[*count] = (pli_failing){w->list, i};
        ++*count;
    }
}

static void watch_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const watch *w = data;
    const pli_candidate_list *list = &w->collision->cache.lists[w->list];
    int32_t end = (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count
                      ? (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN
                      : list->cluster_pairs.count;
    *count = 0;
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN; m < end; m++)
        watch_cluster_pair(w, &list->cluster_pairs.items[m], out, room, count);
}

// Lists the pairs whose trajectories are not clear, in their order.
static bool find_failing(pli_collision *collision, bool all)
{
    collision->ccd.failing.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++) {
        watch w = {collision, list, all};
        const pli_appending what = {
            .size = sizeof(pli_failing),
            .chunks = collision->cache.has_pairs[list] ? pli_cluster_pair_chunks(&collision->cache.lists[list]) : 0,
            .capacity = &collision->ccd.failing_capacity,
            .append = watch_chunk,
            .data = &w,
        };
        const pli_append_tools tools = pli_collision_tools(collision);
        if (!pli_append_to_array(&tools, &what, &collision->ccd.failing))
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
    collision->ccd.held_back += !collision->ccd.changed[i];
    collision->ccd.changed[i] = 1;
}

// Along the direction that separated the pair at the start, so far that it does so again.
static void push_apart(pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_dvec3 from[4];
    pli_pair_positions(pair, collision->previous, from);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, from);
    float shares[4], yields = 0.0f, most = 0.0f,
                     wanted = fminf(0.5f * pair->rest_distance, 0.5f * (float)sqrt(c.square));
    for (int i = 0; i < 4; i++) {
        shares[i] = collision->particles[pair->at[i]].w * (float)c.weights[i];
        yields += shares[i] * (float)c.weights[i];
        most = fmaxf(most, fabsf(shares[i]));
    }
    float lacking = wanted - pli_pair_gap(pair, collision->particles, pair->normal);
    if (!(yields > 0.0f) || !(lacking > 0.0f))
        return;
    // What holds the pair only by a small weight is not thrown far for it.
    float push = lacking * fminf(1.0f / yields, FARTHEST_SHARE / most);
    for (int i = 0; i < 4; i++)
        move(collision, pair->at[i], pli_scale(pair->normal, push * shares[i]));
}

static pli_vec3 trajectory_of(const pli_collision *collision, int32_t i)
{
    return pli_sub(pli_place_of(&collision->particles[i]), pli_place_of(&collision->previous[i]));
}

// The way that four particles would have as one: what cannot be moved decides, else their momentum.
static pli_vec3 trajectory_as_one(const pli_collision *collision, const pli_candidate_pair *pair)
{
    pli_vec3 held = {0, 0, 0}, free = {0, 0, 0};
    float held_count = 0.0f, mass = 0.0f;
    for (int i = 0; i < 4; i++) {
        float w = collision->particles[pair->at[i]].w;
        pli_vec3 trajectory = trajectory_of(collision, pair->at[i]);
        if (w == 0.0f) {
            held = pli_add(held, trajectory);
            held_count += 1.0f;
        } else {
            free = pli_add(free, pli_scale(trajectory, 1.0f / w));
            mass += 1.0f / w;
        }
    }
    return held_count > 0.0f ? pli_scale(held, 1.0f / held_count) : pli_scale(free, 1.0f / mass);
}

// Motion of the four against each other goes on only as far as it is clear.
static void slow_down(pli_collision *collision, const pli_candidate_pair *pair)
{
    float part = 0.8f * (float)clear_part(collision, pair);
    pli_vec3 as_one = trajectory_as_one(collision, pair);
    for (int i = 0; i < 4; i++)
        move(collision, pair->at[i], pli_scale(pli_sub(as_one, trajectory_of(collision, pair->at[i])), 1.0f - part));
}

// What holds a deformable back pushes the rigid body on the other side, so that momentum is kept.
static void react(const pli_collision *collision, const pli_candidate_pair *pair, const pli_vec3 before[4])
{
    int32_t side = pli_pair_collider(collision, pair);
    pli_rigid_body_data *rigid = side < 0 ? NULL : collision->surfaces[pair->surface[side]]->rigid;
    for (int i = 0; rigid && i < 4; i++) {
        const pli_particle *p = &collision->particles[pair->at[i]];
        pli_vec3 now = pli_place_of(p);
        if (p->w > 0.0f)
            pli_rigid_apply_impulse(rigid, now, pli_scale(pli_sub(before[i], now), 1.0f / (p->w * collision->step)));
    }
}

static void clear_pair(pli_collision *collision, pli_candidate_pair *pair, bool slowly)
{
    pli_vec3 before[4];
    for (int i = 0; i < 4; i++)
        before[i] = pli_place_of(&collision->particles[pair->at[i]]);
    (slowly ? slow_down : push_apart)(collision, pair);
    react(collision, pair, before);
    pli_collision_link(collision, pair->surface[0], pair->surface[1]);
}

// Gives a particle that can be moved this way for the substep.
static void give_trajectory(pli_collision *collision, int32_t i, pli_vec3 trajectory)
{
    move(collision, i, pli_sub(trajectory, trajectory_of(collision, i)));
}

static bool reserve(pli_collision *collision)
{
    collision->ccd.changed = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->particle_count);
    return collision->ccd.changed && pli_array_reserve(collision->memory, &collision->partial,
                                                       (int64_t)collision->particle_count / PLI_PAIR_GRAIN + 1);
}

/* ---- impact zones ---------------------------------------------------------------------------- */

// Particles whose trajectories could not be cleared move as one rigid thing, so that their distances stay: Provot 1997;
// Bridson et al. 2002, section 7.5.
enum { IMPACT_ZONE_ROUNDS = 64 };

static int32_t root_of(const pli_collision *collision, int32_t i)
{
    while (collision->ccd.impact_zones[i] != i)
        i = collision->ccd.impact_zones[i];
    return i;
}

// Lower places lead, so that zones do not depend on the order of joining. False when they were one already.
static bool join(pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t lowest = root_of(collision, pair->at[0]);
    bool joined = false;
    for (int i = 1; i < 4; i++) {
        int32_t root = root_of(collision, pair->at[i]);
        lowest = root < lowest ? root : lowest;
    }
    for (int i = 0; i < 4; i++) {
        int32_t root = root_of(collision, pair->at[i]);
        joined = joined || root != lowest || !collision->ccd.in_impact_zone[pair->at[i]];
        collision->ccd.impact_zones[root] = lowest;
        collision->ccd.in_impact_zone[pair->at[i]] = 1;
    }
    return joined;
}

// False when every failing pair was in one zone before: then nothing will change any more.
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

static void add_trajectory(const pli_collision *collision, pli_impact_zone_sum *sum, int32_t i)
{
    const pli_particle *p = &collision->particles[i], *q = &collision->previous[i];
    const double trajectory[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                                  (double)p->z - (double)q->z};
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    for (int k = 0; k < 3; k++)
        *(p->w > 0.0f ? &sum->free[k] : &sum->held[k]) += p->w > 0.0f ? mass * trajectory[k] : trajectory[k];
    sum->mass += mass;
    sum->held_count += p->w > 0.0f ? 0.0 : 1.0;
}

static void move_impact_zones(pli_collision *collision, pli_impact_zone_sum *sums)
{
    int32_t count = collision->particle_count;
    for (int32_t i = 0; i < count; i++)
        sums[i] = (pli_impact_zone_sum){0};
    for (int32_t i = 0; i < count; i++)
        if (collision->ccd.in_impact_zone[i])
            add_trajectory(collision, &sums[root_of(collision, i)], i);
    for (int32_t i = 0; i < count; i++) {
        if (!collision->ccd.in_impact_zone[i] || collision->particles[i].w == 0.0f)
            continue;
        const pli_impact_zone_sum *s = &sums[root_of(collision, i)];
        const double *sum = s->held_count > 0.0 ? s->held : s->free;
        double share = 1.0 / (s->held_count > 0.0 ? s->held_count : s->mass);
        give_trajectory(collision, i,
                        (pli_vec3){(float)(sum[0] * share), (float)(sum[1] * share), (float)(sum[2] * share)});
    }
}

static void move_as_one(pli_collision *collision)
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
    collision->ccd.breaches += collision->ccd.failing.count;
    if (collision->ccd.failing.count > 0)
        pli_collision_expect_intersections(collision);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

// Whether any way was changed.
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
        move_as_one(collision);
    return true;
}

typedef struct looking {
    pli_collision *collision;
    const pli_contact_mesh *surface;
} looking;

static void look_chunk(void *data, int32_t chunk)
{
    const looking *l = data;
    int32_t begin = chunk * PLI_PAIR_GRAIN, end = begin + PLI_PAIR_GRAIN;
    end = end < l->surface->vertex_count ? end : l->surface->vertex_count;
    const pli_particle *particles = &l->collision->particles[l->surface->first + begin];
    l->collision->partial.items[chunk] = l->collision->near->are_within(particles, end - begin, FARTHEST) ? 0.0f : 1.0f;
}

// What has blown up is undone by the owner, and would be fought over in every round.
static bool has_blown_up(pli_collision *collision)
{
    float beyond = 0.0f;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        looking l = {collision, collision->surfaces[k]};
        int32_t chunks = l.surface->collider ? 0 : (l.surface->vertex_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN;
        pli_tasks_run(collision->tasks, chunks, look_chunk, &l);
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
        pli_vec3 trajectory = trajectory_of(collision, i);
        float length = pli_length(trajectory);
        if (length > collision->ccd.bounds[i])
            give_trajectory(collision, i, pli_scale(trajectory, collision->ccd.bounds[i] / length));
    }
}

static void ccd(pli_collision *collision)
{
    if (!reserve(collision)) {
        collision->out_of_memory = true;
        return;
    }
    if (has_blown_up(collision))
        return;
    // What clearing moves may leave the trajectories that the lists are good for, which then grow once more.
    pli_collision_widen(collision);
    // What moves by itself heeds no bound, so that trajectories are looked at after bounds too.
    if (collision->ccd.bounded)
        shorten_to_bounds(collision);
    for (int32_t round = 0; round < WIDEN_ROUNDS && !collision->out_of_memory; round++) {
        bool changed_any = clear_trajectories(collision);
        if ((!changed_any && !collision->ccd.bounded) || !pli_collision_widen(collision))
            return;
    }
}

void pli_collision_run_ccd(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    ccd(collision);
    pli_arena_end(&collision->arena, scope);
}
