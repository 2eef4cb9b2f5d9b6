// Constraints and attachments follow a cut. Each constraint on a vertex near it is asked for again of the
// surface: it stays where that still carries it, moves to the copies that carry it now, is made twice where
// both do (the edges along the cut), and goes where nothing does.
#include "solver/links.h"
#include "solver/torn.h"

#include "base/sort.h"
#include "generators/build.h"

#include <stdio.h>
#include <string.h>

/* ---- which ------------------------------------------------------------------------------------- */

static const pli_generator *generator_of(const pli_set *set)
{
    return pli_generator_find(set->generator ? set->generator : set->type->generator);
}

static void vertices_of(const pli_set *set, int32_t constraint, int32_t *vertices, int32_t *count)
{
    int32_t fixed[PLI_CARDINALITY_MAX];
    const int32_t *places;
    *count = pli_set_particles(set, constraint, &places, fixed);
    for (int32_t k = 0; k < *count; k++)
        vertices[k] = pli_vertex(set->body, places[k]);
}

// Constraints from a list are the surface's when it carries all of them; others, such as straps between far
// vertices, stay as they are.
static bool all_hold(const pli_torn *torn, const pli_set *set, const pli_generator *generator)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t count;
        vertices_of(set, i, torn->members, &count);
        if (!generator->survives_cut(&torn->fabric, torn->members, count))
            return false;
    }
    return true;
}

bool pli_torn_adopt(pli_world *world, pli_set *set)
{
    pli_torn *torn = set->body->torn;
    const pli_generator *generator = generator_of(set);
    if (!pli_reserve(&world->memory, &torn->members, &torn->member_capacity, set->largest, sizeof *torn->members) ||
        !pli_links_build(world, set))
        return false;
    bool carried = generator && generator->survives_cut && generator->cardinality == set->type->cardinality &&
                   (set->generator || all_hold(torn, set, generator));
    set->links->holds = carried ? generator->survives_cut : NULL;
    set->links->loss = carried ? generator->cut_warning : NULL;
    return true;
}

/* ---- room -------------------------------------------------------------------------------------- */

static void see(pli_torn *torn, int32_t vertex)
{
    if (torn->seen[vertex] == torn->stamp)
        return;
    torn->seen[vertex] = torn->stamp;
    if (torn->near_count < torn->near_capacity)
        torn->near[torn->near_count] = vertex;
    torn->near_count++;
}

static void see_around(pli_torn *torn, int32_t vertex)
{
    const pli_fabric *f = &torn->fabric;
    for (int32_t i = f->corner_begins[vertex]; i < f->corner_ends[vertex]; i++) {
        int32_t face = f->corner_faces[f->vertex_corners[i]];
        for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
            see(torn, f->face_vertices[c]);
    }
}

static void start_seeing(pli_torn *torn)
{
    torn->stamp++;
    torn->near_count = 0;
}

static int32_t entries_near(const pli_torn *torn, const pli_set *set)
{
    int32_t count = 0;
    for (int32_t i = 0; i < torn->near_count; i++)
        for (int32_t e = pli_links_first(set, pli_place(set->body, torn->near[i])); e >= 0; e = set->links->next[e])
            count++;
    return count;
}

// Each entry at an end of the edges may be needed once more.
static int32_t entries_at(const pli_fabric *f, const pli_set *set, const int32_t *edges, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t place = pli_place(set->body, f->edges[2 * edges[i / 2] + i % 2]);
        for (int32_t e = pli_links_first(set, place); e >= 0; e = set->links->next[e])
            sum++;
    }
    return sum;
}

bool pli_torn_reserve_sets(pli_world *world, pli_body *body, const int32_t *edges, int32_t count)
{
    pli_torn *torn = body->torn;
    pli_memory *memory = &world->memory;
    if (!pli_reserve(memory, &torn->seen, &torn->seen_capacity, torn->fabric.vertex_capacity, sizeof *torn->seen))
        return false;
    start_seeing(torn);
    for (int32_t i = 0; i < 2 * count; i++)
        see_around(torn, torn->fabric.edges[2 * edges[i / 2] + i % 2]);
    // With copies there are more of them than now.
    int32_t copies = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t v = torn->fabric.edges[2 * edges[i / 2] + i % 2];
        copies += torn->fabric.corner_ends[v] - torn->fabric.corner_begins[v];
    }
    int32_t near = torn->near_count;
    if (!pli_reserve(memory, &torn->near, &torn->near_capacity, (int64_t)near + 3 * (int64_t)copies,
                     sizeof *torn->near))
        return false;
    start_seeing(torn);
    for (int32_t i = 0; i < 2 * count; i++)
        see_around(torn, torn->fabric.edges[2 * edges[i / 2] + i % 2]);
    for (pli_set *set = body->first_set; set; set = set->next) {
        if (!pli_links_widen(world, set) ||
            !pli_links_reserve(world, set, entries_at(&torn->fabric, set, edges, count)) ||
            !pli_reserve(memory, &torn->found, &torn->found_capacity, entries_near(torn, set), sizeof *torn->found))
            return false;
    }
    return true;
}

/* ---- one constraint ---------------------------------------------------------------------------- */

// A vertex at a place of a stencil, itself first and then its copies.
static int32_t choice(const pli_torn *torn, int32_t vertex, int32_t i)
{
    int32_t count;
    const pli_vertex_copy *copies = pli_torn_copies(torn, vertex, &count);
    return i == 0 ? vertex : i <= count ? copies[i - 1].copy : -1;
}

static void place_all(pli_set *set, int32_t constraint, const int32_t *from, const int32_t *to, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (to[k] != from[k])
            pli_links_move(set, constraint, k, pli_place(set->body, to[k]));
}

static void add_beside(pli_set *set, int32_t constraint, const int32_t *from, const int32_t *to, int32_t count)
{
    int32_t places[PLI_CARDINALITY_MAX], origins[PLI_CARDINALITY_MAX];
    for (int32_t k = 0; k < count; k++)
        places[k] = pli_place(set->body, to[k]), origins[k] = pli_place(set->body, from[k]);
    pli_links_add(set, constraint, places, origins);
}

// The next combination of choices; false after the last.
static bool advance(const pli_torn *torn, const int32_t *from, int32_t count, int32_t *choices, int32_t *to)
{
    for (int32_t k = count - 1; k >= 0; k--) {
        to[k] = choice(torn, from[k], ++choices[k]);
        if (to[k] >= 0)
            return true;
        choices[k] = 0;
        to[k] = from[k];
    }
    return false;
}

// Returns how many combinations of vertices and copies the surface carries.
static int32_t follow_fixed(const pli_torn *torn, pli_set *set, int32_t constraint)
{
    int32_t from[PLI_CARDINALITY_MAX], to[PLI_CARDINALITY_MAX], choices[PLI_CARDINALITY_MAX] = {0};
    int32_t count, carried = 0;
    vertices_of(set, constraint, from, &count);
    memcpy(to, from, sizeof to);
    do {
        if (!set->links->holds(&torn->fabric, to, count))
            continue;
        if (carried++ == 0)
            place_all(set, constraint, from, to, count);
        else
            add_beside(set, constraint, from, to, count);
    } while (advance(torn, from, count, choices, to));
    return carried;
}

// The choice for each vertex that has a face in common with `hub`. False when there is none, or more than one.
static bool gather_about(const pli_torn *torn, int32_t hub, int32_t *vertices, int32_t count)
{
    vertices[0] = hub;
    for (int32_t k = 1; k < count; k++) {
        int32_t copies, found = -1;
        pli_torn_copies(torn, vertices[k], &copies);
        if (copies == 0)
            continue;
        for (int32_t i = 0; i <= copies; i++) {
            int32_t vertex = choice(torn, vertices[k], i);
            if (!pli_fabric_face(&torn->fabric, hub, vertex))
                continue;
            if (found >= 0)
                return false;
            found = vertex;
        }
        if (found < 0)
            return false;
        vertices[k] = found;
    }
    return true;
}

// Stencils of any size lie around their first vertex, and are never made twice.
static int32_t follow_variable(const pli_torn *torn, pli_set *set, int32_t constraint)
{
    int32_t count, hub;
    vertices_of(set, constraint, torn->members, &count);
    int32_t centre = torn->members[0];
    for (int32_t i = 0; (hub = choice(torn, centre, i)) >= 0; i++) {
        vertices_of(set, constraint, torn->members, &count);
        if (!gather_about(torn, hub, torn->members, count) || !set->links->holds(&torn->fabric, torn->members, count))
            continue;
        for (int32_t k = 0; k < count; k++) {
            int32_t fixed[PLI_CARDINALITY_MAX], place = pli_place(set->body, torn->members[k]);
            const int32_t *places;
            pli_set_particles(set, constraint, &places, fixed);
            if (places[k] != place)
                pli_links_move(set, constraint, k, place);
        }
        return 1;
    }
    return 0;
}

/* ---- all --------------------------------------------------------------------------------------- */

// Constraints of a set near the cut, ascending. They are to be gone through from the end, so that those that go do
// not renumber those to come.
static int32_t find(pli_torn *torn, const pli_set *set)
{
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; i < torn->near_count; i++)
        for (int32_t e = pli_links_first(set, pli_place(set->body, torn->near[i])); e >= 0; e = set->links->next[e])
            torn->found[count++] = pli_links_constraint(set, e);
    pli_sort_integers(torn->found, count);
    for (int32_t i = 0; i < count; i++)
        if (i == 0 || torn->found[i] != torn->found[i - 1])
            torn->found[kept++] = torn->found[i];
    torn->fabric.work += count;
    return kept;
}

static void tell_loss(pli_world *world, pli_set *set)
{
    char line[300];
    if (!set->links->loss || set->links->told)
        return;
    set->links->told = true;
    const char *name = set->body->name;
    snprintf(line, sizeof line, "'%.80s': a part of '%.80s' %.80s", name ? name : "", set->name, set->links->loss);
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
}

static void follow_set(pli_world *world, pli_torn *torn, pli_set *set)
{
    int32_t count = find(torn, set);
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t constraint = torn->found[i];
        if (!(set->type->cardinality > 0 ? follow_fixed : follow_variable)(torn, set, constraint)) {
            pli_links_remove(set, constraint);
            tell_loss(world, set);
        }
    }
}

// What ties single particles to the world ties their copies too.
static void copy_anchors(pli_torn *torn, pli_set *set)
{
    int32_t count = find(torn, set);
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t vertex, n, copies;
        vertices_of(set, torn->found[i], &vertex, &n);
        const pli_vertex_copy *c = pli_torn_copies(torn, vertex, &copies);
        for (int32_t k = 0; k < copies; k++)
            add_beside(set, torn->found[i], &vertex, &c[k].copy, 1);
    }
}

void pli_torn_follow_sets(pli_world *world, pli_body *body)
{
    pli_torn *torn = body->torn;
    const pli_fabric *f = &torn->fabric;
    start_seeing(torn);
    for (int32_t i = 0; i < f->touched_count; i++)
        see_around(torn, f->touched[i]);
    for (int32_t i = 0; i < f->copy_count; i++)
        see_around(torn, f->copies[i].copy);
    for (pli_set *set = body->first_set; set; set = set->next) {
        if (set->links->holds)
            follow_set(world, torn, set);
        else if (set->type->cardinality == 1)
            copy_anchors(torn, set);
    }
}

/* ---- attachments ------------------------------------------------------------------------------- */

bool pli_torn_reserve_ties(pli_world *world, pli_body *body, int32_t copies)
{
    for (pli_tie *tie = body->first_tie; tie; tie = tie->next_tie) {
        int32_t a = tie->capacity, b = tie->capacity, c = tie->capacity;
        int64_t needed = (int64_t)tie->count + copies;
        if (needed <= tie->capacity)
            continue;
        if (!pli_reserve(&world->memory, &tie->particles, &a, needed, sizeof *tie->particles) ||
            !pli_reserve(&world->memory, &tie->locals, &b, needed, sizeof *tie->locals) ||
            (tie->multipliers && !pli_reserve(&world->memory, &tie->multipliers, &c, needed, sizeof *tie->multipliers)))
            return false;
        tie->capacity = a;
    }
    return true;
}

// Whether any copy is of a particle that it ties, when that can be told without looking at all of those.
static bool may_concern(const pli_fabric *f, const pli_tie *tie)
{
    for (int32_t i = 0; i < f->copy_count; i++) {
        int32_t place = pli_place(tie->body, f->copies[i].source);
        if (tie->rigid || (tie->set ? pli_links_first(tie->set, place) >= 0 : tie->body->held[place]))
            return true;
    }
    return false;
}

// In the order of the soft ones' constraints.
static void follow_tie(pli_torn *torn, pli_tie *tie)
{
    for (int32_t i = tie->count - 1; i >= 0; i--) {
        int32_t copies;
        const pli_vertex_copy *c = pli_torn_copies(torn, pli_vertex(tie->body, tie->particles[i]), &copies);
        for (int32_t k = 0; k < copies; k++) {
            tie->particles[tie->count] = pli_place(tie->body, c[k].copy);
            tie->locals[tie->count] = tie->locals[i];
            if (tie->multipliers)
                tie->multipliers[tie->count] = (pli_vec3){0};
            tie->count++;
        }
    }
}

void pli_torn_follow_ties(pli_body *body)
{
    for (pli_tie *tie = body->first_tie; tie; tie = tie->next_tie)
        if (may_concern(&body->torn->fabric, tie))
            follow_tie(body->torn, tie);
}
