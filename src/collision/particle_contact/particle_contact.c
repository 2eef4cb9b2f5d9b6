// Self-contact by particles: candidate pairs of particles under the slack rules of the pair cache, and their contacts.
#include "collision/particle_contact/particle_contact.h"

#include "base/parallel_append.h"
#include "base/sort.h"
#include "collision/particle_contact/layer_contact.h"
#include "collision/state/collision_state.h"

#include <float.h>
#include <string.h>

// Safety factor on rest distances, against rounding.
#define JOINED_SHARE 0.999f
// Allowed deviation from the trajectories, as a fraction of the rest distance.
#define PARTICLE_ALLOWED_SHARE 0.15f
// Fraction of the allowed deviation above which a group restarts together with groups beyond the slack.
#define SOON_SHARE 0.75f

// Groups that one task measures, and groups that one task queries.
enum { DEVIATION_GRAIN = 64, PARTICLE_QUERY_GRAIN = 16 };

typedef struct searching {
    pli_collision *collision;
    const pli_contact_mesh *surface;
    pli_particle_list *list; // Pairs of the surface.
    int32_t number;          // Index of the surface.
} searching;

/* ---- trajectories ----------------------------------------------------------------------------------- */

static int32_t deviation_chunks(const searching *s)
{
    return (s->list->groups.count + DEVIATION_GRAIN - 1) / DEVIATION_GRAIN;
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const searching *s = data;
    const pli_particle_list *list = s->list;
    const pli_groups *groups = &list->groups;
    int32_t first = chunk * DEVIATION_GRAIN, left = groups->count - first;
    float soon = SOON_SHARE * list->slack.allowed_deviation;
    const float limits[2] = {soon * soon, list->slack.allowed_deviation * list->slack.allowed_deviation};
    s->collision->partial.items[chunk] = s->collision->kernels.particle_contacts->deviation(
        groups->groups + first, left < DEVIATION_GRAIN ? left : DEVIATION_GRAIN,
        s->collision->particles + s->surface->first, (float)list->slack.age + 1.0f, limits, groups->deviating + first);
}

// Measures deviations. Returns the number of groups that must restart their trajectories: 0 unless one group has
// exceeded the slack. Stores the largest deviation of the groups within the slack.
static int32_t count_deviating(const searching *s)
{
    const pli_groups *groups = &s->list->groups;
    float most = 0.0f;
    pli_tasks_run(s->collision->tasks, deviation_chunks(s), deviation_chunk, (void *)s);
    for (int32_t chunk = 0; chunk < deviation_chunks(s); chunk++)
        most = pli_higher(s->collision->partial.items[chunk], most);
    s->list->slack.deviated = sqrtf(most);
    if (!memchr(groups->deviating, PLI_GROUP_DEVIATES, (size_t)groups->count))
        return 0;
    int32_t count = 0;
    for (int32_t g = 0; g < groups->count; g++)
        count += groups->deviating[g] != 0;
    return count;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static float particle_distance(const float *a, const float *b)
{
    return pli_length((pli_vec3){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

// Position of a particle on its trajectory at the time `now` [m].
static pli_vec3 position_now(const pli_groups *groups, int32_t rank, pli_vec3 *trajectory)
{
    const pli_particle_group *g = &groups->groups[rank / PLI_PARTICLE_GROUP_SIZE];
    int32_t i = rank % PLI_PARTICLE_GROUP_SIZE;
    *trajectory = (pli_vec3){g->trajectory[0][i], g->trajectory[1][i], g->trajectory[2][i]};
    return pli_add((pli_vec3){g->start[0][i], g->start[1][i], g->start[2][i]},
                   pli_scale(*trajectory, groups->now - g->begin_time));
}

// Least distance of two particles on their trajectories until the end of the list's lifetime [m].
static float nearest_on_trajectories(const pli_groups *groups, const pli_particle_rank_pair *pair)
{
    pli_vec3 trajectories[2], a = position_now(groups, pair->rank[0], &trajectories[0]),
                              b = position_now(groups, pair->rank[1], &trajectories[1]);
    pli_vec3 p = pli_sub(a, b), w = pli_sub(trajectories[0], trajectories[1]);
    float square = pli_dot(w, w), part = square > 0.0f ? -pli_dot(p, w) / square : 0.0f;
    part = fminf(fmaxf(part, 0.0f), groups->end - groups->now);
    return pli_length(pli_add(p, pli_scale(w, part)));
}

static int32_t placed_particle(const pli_groups *groups, int32_t rank)
{
    return groups->groups[rank / PLI_PARTICLE_GROUP_SIZE].particles[rank % PLI_PARTICLE_GROUP_SIZE];
}

static pli_particle_pair particle_complete(const searching *s, const pli_particle_rank_pair *found)
{
    const pli_groups *groups = &s->list->groups;
    int32_t one = placed_particle(groups, found->rank[0]), other = placed_particle(groups, found->rank[1]);
    int32_t a = one < other ? one : other, b = one < other ? other : one;
    pli_particle_pair pair = {.at = {s->surface->first + a, s->surface->first + b}};
    pair.layers = pli_layers_are_apart(s->surface, s->list->distance, a, b);
    pair.gap = nearest_on_trajectories(groups, found);
    float rest_distance = pair.layers ? s->list->distance : pli_particles_keep(s->surface, s->list->distance, a, b);
    pair.reach = pair.layers ? s->list->reach : PLI_PARTICLE_CLOSE * rest_distance;
    if (pair.gap <= pair.reach + 2.0f * s->list->slack.allowed_deviation &&
        (pair.layers || !pli_particles_joined(s->surface, a, b)) && pli_either_moves(s->collision, s->surface, a, b))
        pair.rest_distance = rest_distance;
    return pair;
}

typedef struct group_query {
    const searching *search;
    pli_particle_search job;
} group_query;

static void particle_query_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const group_query *a = data;
    const pli_groups *groups = &a->search->list->groups;
    int32_t end = (chunk + 1) * PARTICLE_QUERY_GRAIN < groups->count ? (chunk + 1) * PARTICLE_QUERY_GRAIN
                                                                     : groups->count;
    pli_particle_rank_pair *pairs = out;
    *count = 0;
    for (int32_t g = chunk * PARTICLE_QUERY_GRAIN; g < end; g++) {
        bool full = *count >= capacity;
        if (groups->deviating[g])
            *count += a->search->collision->kernels.particle_contacts->query(&a->job, g, full ? NULL : pairs + *count,
                                                                             full ? 0 : capacity - *count);
    }
}

// Particles of one layer make contact up to this distance [m].
static float near_reach_of(const pli_particle_list *list)
{
    return PLI_PARTICLE_CLOSE * list->distance + 2.0f * list->slack.allowed_deviation;
}

// Queries the groups marked as deviating for nearby particles.
static bool find_group_pairs(const searching *s, float joined)
{
    pli_particle_list *list = s->list;
    group_query a = {s, pli_groups_search(&list->groups, list->reach + 2.0f * list->slack.allowed_deviation, joined)};
    a.job.near_reach = near_reach_of(list);
    a.job.layers = JOINED_SHARE * pli_layers_least(s->surface, list->distance);
    const pli_appending what = {
        .size = sizeof(pli_particle_rank_pair),
        .chunks = pli_groups_are_finite(&list->groups)
                      ? (list->groups.count + PARTICLE_QUERY_GRAIN - 1) / PARTICLE_QUERY_GRAIN
                      : 0,
        .capacity = &list->chunk_capacity,
        .append = particle_query_chunk,
        .data = &a,
    };
    list->found.count = 0;
    const pli_append_tools tools = pli_collision_tools(s->collision);
    return pli_append_to(&tools, &what, &list->found);
}

static void complete_chunk(void *data, int32_t chunk)
{
    const searching *s = data;
    const pli_particle_list *list = s->list;
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN < list->found.count ? (chunk + 1) * PLI_PAIR_GRAIN : list->found.count;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < end; i++)
        list->completed.items[i] = particle_complete(s, &list->found.items[i]);
}

static bool passes_filters(const searching *s, const pli_particle_pair *pair)
{
    const int32_t sides[2] = {s->number, s->number};
    return pair->rest_distance > 0.0f && pli_collision_allows(s->collision, sides, pair->at, 1, 2);
}

static uint64_t particle_pair_key(const pli_particle_pair *pair)
{
    return (uint64_t)pair->at[0] << 32 | (uint32_t)pair->at[1];
}

// Drops pairs without contact and sorts the others by their particles. Returns the number of these.
static int32_t sort_found(const searching *s)
{
    const pli_particle_list *list = s->list;
    int32_t count = 0;
    for (int32_t i = 0; i < list->found.count; i++)
        if (passes_filters(s, &list->completed.items[i]))
            list->sorting.items[count++] = (pli_sort_item){particle_pair_key(&list->completed.items[i]), i};
    pli_sort_within(list->sorting.items, list->sorting.items + count, count);
    return count;
}

static bool is_deviating(const searching *s, const pli_particle_pair *pair)
{
    const pli_groups *groups = &s->list->groups;
    return groups->deviating[groups->group_of[pair->at[0] - s->surface->first]] ||
           groups->deviating[groups->group_of[pair->at[1] - s->surface->first]];
}

static bool find_pairs(searching *s)
{
    pli_particle_list *list = s->list;
    pli_memory *memory = s->collision->memory;
    float joined = s->surface->tear.was_cut ? 0.0f : list->joined; // A tear separates adjacent particles.
    if (!find_group_pairs(s, joined) || !pli_array_reserve_unset(memory, &list->completed, list->found.count) ||
        !pli_array_reserve_unset(memory, &list->sorting, 2 * (int64_t)list->found.count) ||
        !pli_array_reserve_unset(memory, &list->spare, (int64_t)list->pairs.count + list->found.count))
        return false;
    pli_tasks_run(s->collision->tasks, (list->found.count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN, complete_chunk, s);
    // Replace the pairs of deviating groups by the pairs found now. Pairs are sorted by their particles, so the order does
    // not depend on when they were found.
    int32_t sorted = sort_found(s);
    int32_t count = 0, next = 0;
    for (int32_t i = 0; i < list->pairs.count; i++) {
        const pli_particle_pair *pair = &list->pairs.items[i];
        if (is_deviating(s, pair))
            continue;
        while (next < sorted && list->sorting.items[next].key < particle_pair_key(pair))
            list->spare.items[count++] = list->completed.items[list->sorting.items[next++].value];
        list->spare.items[count++] = *pair;
    }
    while (next < sorted)
        list->spare.items[count++] = list->completed.items[list->sorting.items[next++].value];
    pli_particle_pair *kept = list->pairs.items;
    int32_t capacity = list->pairs.capacity;
    list->pairs.items = list->spare.items, list->pairs.capacity = list->spare.capacity, list->pairs.count = count;
    list->spare.items = kept, list->spare.capacity = capacity;
    return true;
}

// Has any particle reached the limit of pairs, so that some may be missing?
static bool is_crowded(const pli_particle_list *list)
{
    bool crowded = false;
    int32_t *counts = list->groups.order;
    memset(counts, 0, (size_t)list->groups.particle_count * sizeof *counts);
    for (int32_t i = 0; i < list->found.count; i++)
        crowded = ++counts[list->found.items[i].rank[0]] >= PLI_PARTICLE_PAIRS_MAX || crowded;
    return crowded;
}

static void begin_all(const searching *s, const pli_particle *from, const pli_particle *to)
{
    pli_groups *groups = &s->list->groups;
    memset(groups->deviating, PLI_GROUP_DEVIATES, (size_t)groups->count);
    pli_groups_begin(s->collision->tasks, groups, from, to, 0.0f, (float)s->list->slack.lifetime, true);
}

static float least_apart_at_rest(const searching *s)
{
    const pli_groups *groups = &s->list->groups;
    const float *rest = s->surface->rest;
    float least = is_crowded(s->list) ? FLT_MIN : JOINED_SHARE * near_reach_of(s->list);
    for (int32_t i = 0; i < s->list->found.count; i++) {
        int32_t a = placed_particle(groups, s->list->found.items[i].rank[0]),
                b = placed_particle(groups, s->list->found.items[i].rank[1]);
        float apart = JOINED_SHARE * particle_distance(rest + 3 * (int64_t)a, rest + 3 * (int64_t)b);
        if (apart < least && pli_particles_keep(s->surface, s->list->distance, a, b) > 0.0f &&
            !pli_particles_joined(s->surface, a, b))
            least = apart;
    }
    return least;
}

// Finds the least distance at rest of two non-adjacent particles that keep apart, by a search in the rest shape.
// Queries then skip pairs that are nearer at rest.
static bool measure_joined(const searching *s)
{
    pli_memory *memory = s->collision->memory;
    int32_t count = s->surface->vertex_count;
    pli_particle *places = PLI_ALLOCATE(memory, pli_particle, count);
    if (!places)
        return false;
    for (int32_t i = 0; i < count; i++) {
        const float *rest = s->surface->rest + 3 * (int64_t)i;
        places[i] = (pli_particle){rest[0], rest[1], rest[2], 0.0f};
    }
    begin_all(s, places, places);
    bool complete = find_group_pairs(s, 0.0f);
    if (complete)
        s->list->joined = least_apart_at_rest(s);
    pli_release(memory, places);
    return complete;
}

static bool particle_make_groups(const searching *s)
{
    pli_groups *groups = &s->list->groups;
    pli_memory *memory = s->collision->memory;
    return (groups->particle_count == s->surface->vertex_count ||
            pli_groups_build(memory, groups, s->surface->rest, s->surface->vertex_count)) &&
           pli_array_reserve(memory, &s->collision->partial, deviation_chunks(s));
}

// Lifetime of the new list: 1.5 times the validity of the last one plus one substep. Results do not depend on it, since
// early searches find the same pairs.
static int32_t lifetime_of(const searching *s)
{
    int32_t most = s->list->last_lifetime > 0 ? s->list->last_lifetime + s->list->last_lifetime / 2 + 1
                                              : s->collision->substep.left;
    return most < s->collision->substep.left ? most : s->collision->substep.left;
}

static bool find_list(searching *s)
{
    pli_particle_list *list = s->list;
    list->pairs.count = 0;
    pli_slack_begin(&list->slack, PARTICLE_ALLOWED_SHARE * list->distance, lifetime_of(s));
    list->reach = pli_layer_reach(s->surface, list->distance);
    if (!pli_fans_build(s->collision->memory, s->surface, &list->fans) || !particle_make_groups(s) ||
        (!(list->joined > 0.0f) && !measure_joined(s)))
        return false;
    begin_all(s, s->collision->previous + s->surface->first, s->collision->particles + s->surface->first);
    return find_pairs(s);
}

static bool particle_repair_list(searching *s)
{
    const pli_particle_list *list = s->list;
    pli_groups_begin(s->collision->tasks, &s->list->groups, s->collision->previous + s->surface->first,
                     s->collision->particles + s->surface->first, (float)list->slack.age, (float)list->slack.lifetime,
                     false);
    return find_pairs(s);
}

static bool particle_renew(searching *s)
{
    pli_particle_list *list = s->list;
    bool expired = pli_slack_expires(&list->slack);
    list->last_lifetime = list->slack.age < 0 ? list->last_lifetime : list->slack.age;
    if (expired)
        return find_list(s);

    int32_t deviating = count_deviating(s);
    return deviating == 0 ||
           (pli_slack_repairs(deviating, list->groups.count) ? particle_repair_list(s) : find_list(s));
}

void pli_collision_update_particle_pairs(pli_collision *collision)
{
    for (int32_t i = 0; i < collision->surface_count; i++) {
        searching s = {collision, collision->surfaces[i], collision->surfaces[i]->own.particle_list, i};
        if (!s.list || particle_renew(&s))
            continue;
        s.list->slack.age = -1;
        collision->out_of_memory = true;
    }
}

/* ---- contacts ------------------------------------------------------------------------------- */

static pli_vec3 particle_offset(const pli_particle *particles, const pli_particle_pair *pair)
{
    return pli_sub(pli_position_of(&particles[pair->at[0]]), pli_position_of(&particles[pair->at[1]]));
}

// Contact of two particles that end the substep closer than their rest distance. Coinciding particles are left to
// other constraints.
static bool particle_make_contact(const searching *s, const pli_particle_pair *pair, pli_surface_contact *t)
{
    const pli_collision *collision = s->collision;
    float near = PLI_PARTICLE_CLOSE * pair->rest_distance;
    pli_vec3 now = particle_offset(collision->particles, pair);
    if (!(pli_dot(now, now) < near * near))
        return false;
    pli_vec3 before = particle_offset(collision->previous, pair);
    float distance = pli_length(before);
    if (!(distance > 0.0f))
        return false;
    pli_vec3 normal = pli_scale(before, 1.0f / distance);
    *t = (pli_surface_contact){
        .at = {pair->at[0], pair->at[1], collision->dummy, collision->dummy},
        .weights = {1.0f, -1.0f, 0.0f, 0.0f},
        .normal = normal,
        .rest_distance = pair->rest_distance,
        .depth = fminf(pair->rest_distance - distance, PLI_RECOVERY * pair->rest_distance * collision->substep.length),
        .friction = s->surface->material.friction,
        .approach = (pli_dot(normal, now) - distance) / collision->substep.length,
        .surface = {s->number, s->number},
        .split = 1,
        .particles = 2,
        .plane_side = -1,
    };
    return true;
}

static void particle_build_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const searching *s = data;
    pli_surface_contact *surface_contacts = out, made[2];
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN < s->list->pairs.count ? (chunk + 1) * PLI_PAIR_GRAIN
                                                                      : s->list->pairs.count;
    float deviation = pli_slack_pair_deviation(&s->list->slack);
    *count = 0;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < end; i++) {
        const pli_particle_pair *pair = &s->list->pairs.items[i];
        if (pair->gap - deviation > pair->reach)
            continue;
        int32_t found = 0;
        if (!pair->layers || !pli_layers_glide(s->collision, s->number, pair, made, &found))
            found = particle_make_contact(s, pair, made);
        for (int32_t k = 0; k < found; k++, ++*count)
            if (*count < capacity)
                surface_contacts[*count] = made[k];
    }
}

bool pli_collision_build_particle_contacts(pli_collision *collision)
{
    bool complete = true;
    for (int32_t i = 0; i < collision->surface_count && complete; i++) {
        searching s = {collision, collision->surfaces[i], collision->surfaces[i]->own.particle_list, i};
        const pli_appending what = {
            .size = sizeof(pli_surface_contact),
            .chunks = s.list ? (s.list->pairs.count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN : 0,
            .capacity = &collision->contacts.chunk_capacity,
            .append = particle_build_chunk,
            .data = &s,
        };
        const pli_append_tools tools = pli_collision_tools(collision);
        complete = pli_append_to(&tools, &what, &collision->contacts.surface_contacts);
    }
    return complete;
}

static void particle_list_release(pli_memory *memory, pli_particle_list *list)
{
    if (!list)
        return;
    void *arrays[] = {list->pairs.items,   list->spare.items, list->found.items, list->completed.items,
                      list->sorting.items, list->fans.begins, list->fans.sides,  list};
    pli_groups_release(memory, &list->groups);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}

void pli_contact_mesh_free(pli_memory *memory, pli_contact_mesh *surface)
{
    if (!surface)
        return;
    particle_list_release(memory, surface->own.particle_list);
    pli_contact_mesh_release(memory, surface);
    pli_release(memory, surface);
}
