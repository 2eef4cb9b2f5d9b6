#include "collision/particles.h"

#include "collision/find.h"
#include "collision/gather.h"

#include <float.h>
#include <string.h>

// Pairs that would end further apart than this share of what they keep are left out.
#define CLOSE_SHARE 1.05f
// Of a distance at rest: a little less, whatever rounding does to it.
#define JOINED_SHARE 0.999f
// Of the distance kept: how far particles may leave their straight ways.
#define BUDGET_SHARE 0.25f
// Of what is near: how much further along any axis ways of a lifetime may lead apart, so that rows stay narrow.
#define SPREAD_SHARE 2.0f

enum { ROW_GRAIN = 16 };

typedef struct searching {
    pli_space *space;
    const pli_surface *surface;
    pli_particle_list *list; // Of the surface.
    int32_t number;          // Of it, among the space's.
} searching;

static int32_t chunk_count(const searching *s)
{
    return (s->surface->vertex_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN;
}

static int32_t chunk_size(const searching *s, int32_t chunk)
{
    int32_t left = s->surface->vertex_count - chunk * PLI_PAIR_GRAIN;
    return left < PLI_PAIR_GRAIN ? left : PLI_PAIR_GRAIN;
}

/* ---- ways ----------------------------------------------------------------------------------- */

static void begin_chunk(void *data, int32_t chunk)
{
    const searching *s = data;
    pli_bounds starts = pli_bounds_empty(), ways = starts;
    int32_t first = chunk * PLI_PAIR_GRAIN;
    const pli_particle *to = s->space->particles + s->surface->first, *from = s->space->previous + s->surface->first;
    for (int32_t i = first; i < first + chunk_size(s, chunk); i++) {
        pli_vec3 way = pli_sub(pli_place_of(&to[i]), pli_place_of(&from[i]));
        s->list->starts[i] = from[i];
        s->list->ways[i] = (pli_particle){way.x, way.y, way.z, 0.0f};
        pli_bounds_include(&starts, pli_place_of(&from[i]));
        pli_bounds_include(&ways, way);
    }
    s->list->bounds[2 * chunk] = starts, s->list->bounds[2 * chunk + 1] = ways;
}

// Bounds of starts and of ways.
static void begin_ways(const searching *s, pli_bounds bounds[2])
{
    bounds[0] = bounds[1] = pli_bounds_empty();
    pli_tasks_run(s->space->tasks, chunk_count(s), begin_chunk, (void *)s);
    for (int32_t i = 0; i < 2 * chunk_count(s); i++)
        bounds[i % 2] = pli_bounds_join(bounds[i % 2], s->list->bounds[i]);
}

static void deviation_chunk(void *data, int32_t chunk)
{
    const searching *s = data;
    const pli_space *space = s->space;
    const pli_particle_list *list = s->list;
    int32_t first = chunk * PLI_PAIR_GRAIN, count = chunk_size(s, chunk), place = s->surface->first + first;
    pli_near_ways ways = {list->starts + first, list->ways + first};
    space->partial[chunk] = space->near->most_off(space->particles + place, &ways, (float)list->age + 1.0f, count);
}

// How far particles are off their ways where this substep would take them [m].
static float strayed(const searching *s)
{
    float most = 0.0f;
    pli_tasks_run(s->space->tasks, chunk_count(s), deviation_chunk, (void *)s);
    for (int32_t chunk = 0; chunk < chunk_count(s); chunk++)
        most = pli_higher(s->space->partial[chunk], most);
    return sqrtf(most);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static float distance_between(const float *a, const float *b)
{
    return pli_length((pli_vec3){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

// No further apart than at rest; 0 for what coincides there, which cannot be told apart.
static float keep_of(const searching *s, int32_t a, int32_t b)
{
    const float *rest = s->surface->rest;
    float apart = (float)PLI_REST_SHARE * distance_between(rest + 3 * (int64_t)a, rest + 3 * (int64_t)b);
    if (apart < PLI_SEAM_SHARE * s->surface->mean_edge)
        return 0.0f;
    return apart < s->list->distance ? apart : s->list->distance;
}

// How near two come.
static float nearest_on_ways(const pli_particle_list *list, int32_t a, int32_t b)
{
    pli_vec3 p = pli_sub(pli_place_of(&list->starts[a]), pli_place_of(&list->starts[b]));
    pli_vec3 w = pli_sub(pli_place_of(&list->ways[a]), pli_place_of(&list->ways[b]));
    float square = pli_dot(w, w), part = square > 0.0f ? -pli_dot(p, w) / square : 0.0f;
    part = fminf(fmaxf(part, 0.0f), (float)list->lifetime);
    return pli_length(pli_add(p, pli_scale(w, part)));
}

static bool is_movable(const searching *s, int32_t a, int32_t b)
{
    const pli_particle *particles = s->space->particles + s->surface->first;
    return particles[a].w > 0.0f || particles[b].w > 0.0f;
}

static bool are_joined(const pli_surface *s, int32_t a, int32_t b)
{
    for (int32_t k = s->ring_begins[a]; k < s->ring_ends[a]; k++)
        if (s->ring[k] == b)
            return true;
    return false;
}

static pli_particle_pair complete(const searching *s, const pli_ball_pair *found)
{
    int32_t one = s->list->rows.order[found->rank[0]], other = s->list->rows.order[found->rank[1]];
    int32_t a = one < other ? one : other, b = one < other ? other : one;
    pli_particle_pair pair = {{s->surface->first + a, s->surface->first + b}, 0.0f, 0.0f};
    if (are_joined(s->surface, a, b) || !is_movable(s, a, b))
        return pair;
    float keep = keep_of(s, a, b);
    pair.gap = nearest_on_ways(s->list, a, b);
    pair.keep = pair.gap <= CLOSE_SHARE * keep + 2.0f * s->list->budget ? keep : 0.0f;
    return pair;
}

static void find_in_rows(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const searching *s = data;
    const pli_rows *rows = &s->list->rows;
    int32_t end = (chunk + 1) * ROW_GRAIN, all = rows->across * rows->up;
    pli_ball_pair *pairs = out;
    *count = 0;
    for (int32_t row = chunk * ROW_GRAIN; row < end && row < all; row++) {
        bool full = *count >= room;
        *count += pli_rows_meet(rows, s->space->balls, row, full ? NULL : pairs + *count, full ? 0 : room - *count);
    }
}

static void complete_chunk(void *data, int32_t chunk)
{
    const searching *s = data;
    const pli_particle_list *list = s->list;
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN < list->found_count ? (chunk + 1) * PLI_PAIR_GRAIN : list->found_count;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < end; i++)
        list->loose[i] = complete(s, &list->found[i]);
}

static bool is_kept(const searching *s, const pli_particle_pair *pair)
{
    const int32_t sides[2] = {s->number, s->number};
    return pair->keep > 0.0f && pli_space_allows(s->space, sides, pair->at, 1, 2);
}

// Sorts pairs by the place of one end; those of one place stay in their order.
static void sort_by(const searching *s, int end, const pli_particle_pair *from, int32_t count, pli_particle_pair *to)
{
    int32_t *begins = s->list->begins, first = s->surface->first;
    memset(begins, 0, ((size_t)s->surface->vertex_count + 1) * sizeof *begins);
    for (int32_t i = 0; i < count; i++)
        begins[from[i].at[end] - first + 1]++;
    for (int32_t v = 0; v < s->surface->vertex_count; v++)
        begins[v + 1] += begins[v];
    for (int32_t i = 0; i < count; i++)
        to[begins[from[i].at[end] - first]++] = from[i];
}

// Drops what is not to be kept apart and sorts the others by their places, so that it does not matter how they were found.
static void sort_pairs(const searching *s)
{
    pli_particle_list *list = s->list;
    list->count = 0;
    for (int32_t i = 0; i < list->found_count; i++)
        if (is_kept(s, &list->loose[i]))
            list->loose[list->count++] = list->loose[i];
    if (list->count == 0)
        return;
    sort_by(s, 1, list->loose, list->count, list->pairs);
    memcpy(list->loose, list->pairs, (size_t)list->count * sizeof *list->pairs);
    sort_by(s, 0, list->loose, list->count, list->pairs);
}

static bool find_balls(searching *s)
{
    pli_particle_list *list = s->list;
    const pli_gathering what = {
        .size = sizeof(pli_ball_pair),
        .chunks = (list->rows.across * list->rows.up + ROW_GRAIN - 1) / ROW_GRAIN,
        .room = &list->found_room,
        .ask = find_in_rows,
        .data = s,
    };
    list->found_count = list->count = 0;
    return pli_gather(s->space, &what, &list->found, &list->found_count, &list->found_capacity);
}

static bool find_pairs(searching *s)
{
    pli_particle_list *list = s->list;
    pli_memory *memory = s->space->memory;
    if (!find_balls(s) ||
        !pli_reserve(memory, &list->loose, &list->loose_capacity, list->found_count, sizeof *list->loose) ||
        !pli_reserve(memory, &list->pairs, &list->capacity, list->found_count, sizeof *list->pairs))
        return false;
    pli_tasks_run(s->space->tasks, (list->found_count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN, complete_chunk, s);
    sort_pairs(s);
    return true;
}

static bool reserve(const searching *s)
{
    pli_particle_list *list = s->list;
    pli_memory *memory = s->space->memory;
    int64_t count = s->surface->vertex_count, chunks = chunk_count(s);
    return pli_reserve(memory, &list->starts, &list->start_capacity, count, sizeof(pli_particle)) &&
           pli_reserve(memory, &list->ways, &list->way_capacity, count, sizeof(pli_particle)) &&
           pli_reserve(memory, &list->bounds, &list->bound_capacity, 2 * chunks, sizeof(pli_bounds)) &&
           pli_reserve(memory, &list->begins, &list->begin_capacity, count + 1, sizeof(int32_t)) &&
           pli_reserve(memory, &s->space->partial, &s->space->partial_capacity, chunks, sizeof(float));
}

// So many substeps that ways do not spread far, and that are not many more than the last list held for; 1 at least. What
// is found early is found as well, so that states do not depend on it.
static int32_t lifetime_of(const searching *s, const pli_bounds *ways, float reach)
{
    pli_vec3 spread = pli_sub(ways->high, ways->low);
    float widest = pli_higher(pli_higher(spread.x, spread.y), spread.z);
    int32_t most = s->list->held > 0 ? s->list->held + s->list->held / 2 + 1 : s->space->substeps_left;
    most = most < s->space->substeps_left ? most : s->space->substeps_left;
    float substeps = widest > 0.0f ? SPREAD_SHARE * reach / widest : (float)most;
    return substeps < (float)most ? (int32_t)pli_higher(substeps, 1.0f) : most;
}

// Whether some have so many pairs that more may have been left out.
static bool is_crowded(const pli_particle_list *list, int32_t count)
{
    bool crowded = false;
    memset(list->begins, 0, (size_t)count * sizeof *list->begins);
    for (int32_t i = 0; i < list->found_count; i++)
        crowded = ++list->begins[list->found[i].rank[0]] >= PLI_BALLS_MOST || crowded;
    return crowded;
}

// Below which distance at rest there is nothing but what edges join, of which a search need not speak: the least distance of
// two others that are to be kept apart, by a search among particles at rest.
static bool measure_joined(searching *s, float reach)
{
    pli_particle_list *list = s->list;
    const float *rest = s->surface->rest;
    pli_bounds bounds = pli_bounds_empty(), none = {{0, 0, 0}, {0, 0, 0}};
    for (int32_t i = 0; i < s->surface->vertex_count; i++) {
        list->starts[i] = (pli_particle){rest[3 * (int64_t)i], rest[3 * (int64_t)i + 1], rest[3 * (int64_t)i + 2], 0.0f};
        list->ways[i] = (pli_particle){0};
        pli_bounds_include(&bounds, pli_place_of(&list->starts[i]));
    }
    const pli_row_source source = {list->starts, list->ways, rest, 0.0f, s->surface->vertex_count, 1, reach};
    if (!pli_rows_sort(s->space->memory, s->space->tasks, &list->rows, &source, &bounds, &none) || !find_balls(s))
        return false;
    list->joined = is_crowded(list, s->surface->vertex_count) ? FLT_MIN : JOINED_SHARE * reach;
    for (int32_t i = 0; i < list->found_count; i++) {
        int32_t a = list->rows.order[list->found[i].rank[0]], b = list->rows.order[list->found[i].rank[1]];
        float apart = JOINED_SHARE * distance_between(rest + 3 * (int64_t)a, rest + 3 * (int64_t)b);
        if (apart < list->joined && keep_of(s, a, b) > 0.0f && !are_joined(s->surface, a, b))
            list->joined = apart;
    }
    return true;
}

// Nothing is near in what has blown up.
static bool find_list(searching *s)
{
    pli_particle_list *list = s->list;
    pli_bounds bounds[2];
    list->budget = BUDGET_SHARE * list->distance;
    float reach = CLOSE_SHARE * list->distance + 2.0f * list->budget;
    if (!reserve(s) || (!(list->joined > 0.0f) && !measure_joined(s, reach)))
        return false;
    begin_ways(s, bounds);
    list->age = 0;
    list->strayed = 0.0f;
    list->lifetime = lifetime_of(s, &bounds[1], reach);
    const pli_row_source source = {.starts = list->starts, .ways = list->ways, .rest = s->surface->rest,
                                   .joined = s->surface->was_cut ? 0.0f : list->joined, // A cut parts what was joined.
                                   .count = s->surface->vertex_count, .lifetime = list->lifetime, .reach = reach};
    list->count = 0;
    for (int k = 0; k < 2; k++)
        if (!pli_finite3(bounds[k].low) || !pli_finite3(bounds[k].high))
            return true;
    return pli_rows_sort(s->space->memory, s->space->tasks, &list->rows, &source, &bounds[0], &bounds[1]) &&
           find_pairs(s);
}

static bool holds(const searching *s)
{
    pli_particle_list *list = s->list;
    if (list->age < 0)
        return false;
    list->held = ++list->age;
    if (list->age == list->lifetime)
        return false;
    list->strayed = strayed(s);
    return list->strayed <= list->budget;
}

void pli_space_find_particles(pli_space *space)
{
    for (int32_t i = 0; i < space->surface_count; i++) {
        searching s = {space, space->surfaces[i], space->surfaces[i]->particle_list, i};
        if (s.list && !holds(&s) && !find_list(&s))
            space->starved = true;
    }
}

/* ---- contacts ------------------------------------------------------------------------------- */

static pli_vec3 between(const pli_particle *particles, const pli_particle_pair *pair)
{
    return pli_sub(pli_place_of(&particles[pair->at[0]]), pli_place_of(&particles[pair->at[1]]));
}

// Two that are nearer than they should be where the substep would take them. Those at one point are left to what else acts on
// them.
static bool touch_of(const searching *s, const pli_particle_pair *pair, pli_touch *t)
{
    const pli_space *space = s->space;
    float near = CLOSE_SHARE * pair->keep;
    if (pair->gap - 2.0f * s->list->strayed > near)
        return false;
    pli_vec3 before = between(space->previous, pair), now = between(space->particles, pair);
    float distance = pli_length(before);
    if (!(pli_dot(now, now) < near * near) || !(distance > 0.0f))
        return false;
    pli_vec3 normal = pli_scale(before, 1.0f / distance);
    *t = (pli_touch){
        .at = {pair->at[0], pair->at[1], space->dummy, space->dummy},
        .weights = {1.0f, -1.0f, 0.0f, 0.0f},
        .normal = normal,
        .keep = fminf(pair->keep, distance + PLI_RECOVERY * pair->keep * space->step),
        .friction = s->surface->material.friction,
        .approach = (pli_dot(normal, now) - distance) / space->step,
        .surface = {s->number, s->number},
        .split = 1,
        .particles = 2,
    };
    return true;
}

static void touch_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const searching *s = data;
    pli_touch *touches = out, t;
    int32_t end = (chunk + 1) * PLI_PAIR_GRAIN < s->list->count ? (chunk + 1) * PLI_PAIR_GRAIN : s->list->count;
    *count = 0;
    for (int32_t i = chunk * PLI_PAIR_GRAIN; i < end; i++) {
        if (!touch_of(s, &s->list->pairs[i], &t))
            continue;
        if (*count < room)
            touches[*count] = t;
        ++*count;
    }
}

bool pli_space_touch_particles(pli_space *space)
{
    bool complete = true;
    for (int32_t i = 0; i < space->surface_count && complete; i++) {
        searching s = {space, space->surfaces[i], space->surfaces[i]->particle_list, i};
        const pli_gathering what = {
            .size = sizeof(pli_touch),
            .chunks = s.list ? (s.list->count + PLI_PAIR_GRAIN - 1) / PLI_PAIR_GRAIN : 0,
            .room = &space->touch_room,
            .ask = touch_chunk,
            .data = &s,
        };
        complete = pli_gather(space, &what, &space->touches, &space->touch_count, &space->touch_capacity);
    }
    return complete;
}

void pli_particle_list_release(pli_memory *memory, pli_particle_list *list)
{
    if (!list)
        return;
    void *arrays[] = {list->pairs, list->starts, list->ways, list->bounds, list->found, list->loose, list->begins, list};
    pli_rows_release(memory, &list->rows);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}
