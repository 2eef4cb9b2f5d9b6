// Updates constraints and attachments after a cut. For each constraint on a vertex near the cut, the cut surface
// decides which combinations of the vertices and their copies it carries:
//
//   before          after cutting between u and v        edge constraint
//   u --- v         u --- v     still carried            stays
//   u --- v         u --- v'    carried at the copy      moves to (u, v')
//   u --- v         u --- v and u' --- v'                stays, and is copied to (u', v'): an edge along the cut
//   u     v         carried nowhere                      is removed
#include "tearing/tear_state.h"

#include "base/sort.h"
#include "mesh/generators/build.h"
#include "model/user_types.h"
#include "sweep/constraint_links.h"
#include "sweep/constraint_slots.h"

#include <stdio.h>
#include <string.h>

/* ---- adoption ---------------------------------------------------------------------------------- */

static void constraint_vertices(const pli_constraints_data *set, int32_t constraint, int32_t *vertices, int32_t *count)
{
    int32_t fixed[PLI_CARDINALITY_MAX];
    const int32_t *places;
    *count = pli_constraints_particles(set, constraint, &places, fixed);
    for (int32_t k = 0; k < *count; k++)
        vertices[k] = pli_vertex(set->deformable, places[k]);
}

// Whether the surface carries all constraints of a set that was made from a list. Cuts do not change a set with other
// constraints, such as straps between distant vertices.
static bool all_survive(const pli_tear_state *tear_state, const pli_constraints_data *set,
                        const pli_generator *generator)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t count;
        constraint_vertices(set, i, tear_state->members.items, &count);
        if (!generator->survives_cut(&tear_state->fabric, tear_state->members.items, count))
            return false;
    }
    return true;
}

bool pli_tear_state_adopt(pli_world *world, pli_constraints_data *set)
{
    pli_tear_state *tear_state = set->deformable->tear_state;
    const pli_generator *generator = pli_world_find_generator(world, set->made.generator ? set->made.generator
                                                                                         : set->type->generator);
    if (!pli_array_reserve(&world->memory, &tear_state->members, set->variable.largest) || !pli_links_build(world, set))
        return false;
    bool carried = generator && generator->survives_cut && generator->cardinality == set->type->cardinality &&
                   (set->made.generator || all_survive(tear_state, set, generator));
    set->links->survives_cut = carried ? generator->survives_cut : NULL;
    set->links->warning = carried ? generator->cut_warning : NULL;
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------ */

// Adds a vertex to `near` once. Beyond the capacity, vertices are only counted.
static void mark_near(pli_tear_state *tear_state, int32_t vertex)
{
    if (tear_state->near_marks.items[vertex] == tear_state->stamp)
        return;
    tear_state->near_marks.items[vertex] = tear_state->stamp;
    if (tear_state->near.count < tear_state->near.capacity)
        tear_state->near.items[tear_state->near.count] = vertex;
    tear_state->near.count++;
}

static void mark_around(pli_tear_state *tear_state, int32_t vertex)
{
    const pli_fabric *f = &tear_state->fabric;
    for (int32_t i = f->corner_begins[vertex]; i < f->corner_ends[vertex]; i++) {
        int32_t face = f->corner_faces[f->vertex_corners[i]];
        for (int32_t c = f->faces.face_offsets[face]; c < f->faces.face_offsets[face + 1]; c++)
            mark_near(tear_state, f->face_vertices[c]);
    }
}

static void start_marking(pli_tear_state *tear_state)
{
    tear_state->stamp++;
    tear_state->near.count = 0;
}

static int32_t entries_near(const pli_tear_state *tear_state, const pli_constraints_data *set)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tear_state->near.count; i++)
        for (int32_t e = pli_links_first(set, pli_place(set->deformable, tear_state->near.items[i])); e >= 0;
             e = set->links->next[e])
            count++;
    return count;
}

// Upper bound on the constraints that opening these edges adds: each entry at an end of an edge may be copied once.
static int32_t entries_at(const pli_fabric *f, const pli_constraints_data *set, const int32_t *edges, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t place = pli_place(set->deformable, f->edges[2 * edges[i / 2] + i % 2]);
        for (int32_t e = pli_links_first(set, place); e >= 0; e = set->links->next[e])
            sum++;
    }
    return sum;
}

// Returns an upper bound on the vertices that opening these edges adds: where every vertex has one fan of faces, each
// edge splits each of its ends at most once; elsewhere every corner at the ends may get a vertex of its own.
static int32_t most_copies(const pli_deformable_data *deformable, const int32_t *edges, int32_t count)
{
    const pli_mesh_report *report = pli_mesh_get_report(deformable->mesh);
    const pli_fabric *f = &deformable->tear_state->fabric;
    int32_t sum = 0;
    if (report->non_manifold_edges == 0 && report->non_manifold_vertices == 0)
        return 2 * count;
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t v = f->edges[2 * edges[i / 2] + i % 2];
        sum += f->corner_ends[v] - f->corner_begins[v];
    }
    return sum;
}

bool pli_tear_state_reserve_sets(pli_world *world, pli_deformable_data *deformable, const int32_t *edges, int32_t count)
{
    pli_tear_state *tear_state = deformable->tear_state;
    pli_memory *memory = &world->memory;
    if (!pli_array_reserve(memory, &tear_state->near_marks, tear_state->fabric.vertex_capacity))
        return false;
    start_marking(tear_state);
    for (int32_t i = 0; i < 2 * count; i++)
        mark_around(tear_state, tear_state->fabric.edges[2 * edges[i / 2] + i % 2]);
    // The cut adds copies to the vertices that are near it now.
    int32_t near = tear_state->near.count, copies = most_copies(deformable, edges, count);
    if (!pli_array_reserve(memory, &tear_state->near, (int64_t)near + 3 * (int64_t)copies))
        return false;
    start_marking(tear_state);
    for (int32_t i = 0; i < 2 * count; i++)
        mark_around(tear_state, tear_state->fabric.edges[2 * edges[i / 2] + i % 2]);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        if (!pli_links_widen(world, set) ||
            !pli_links_reserve(world, set, entries_at(&tear_state->fabric, set, edges, count), copies) ||
            !pli_array_reserve(memory, &tear_state->found, entries_near(tear_state, set)))
            return false;
    }
    return true;
}

/* ---- one constraint ---------------------------------------------------------------------------- */

// Returns choice i for a vertex of a constraint: the vertex itself for 0, then its copies, and -1 after the last copy.
static int32_t tear_choice(const pli_tear_state *tear_state, int32_t vertex, int32_t i)
{
    int32_t count;
    const pli_vertex_copy *copies = pli_tear_state_copies(tear_state, vertex, &count);
    return i == 0 ? vertex : i <= count ? copies[i - 1].copy : -1;
}

// Adds a copy of the constraint between the vertices `to`.
static void add_beside(pli_constraints_data *set, int32_t constraint, const int32_t *from, const int32_t *to,
                       int32_t count)
{
    int32_t places[PLI_CARDINALITY_MAX], origins[PLI_CARDINALITY_MAX];
    for (int32_t k = 0; k < count; k++)
        places[k] = pli_place(set->deformable, to[k]), origins[k] = pli_place(set->deformable, from[k]);
    pli_links_add(set, constraint, places, origins);
}

// Advances to the next combination of choices, the last vertex fastest. Returns false after the last combination.
static bool next_combination(const pli_tear_state *tear_state, const int32_t *from, int32_t count, int32_t *choices,
                             int32_t *to)
{
    for (int32_t k = count - 1; k >= 0; k--) {
        to[k] = tear_choice(tear_state, from[k], ++choices[k]);
        if (to[k] >= 0)
            return true;
        choices[k] = 0;
        to[k] = from[k];
    }
    return false;
}

// Returns the number of combinations of vertices and copies that the surface carries.
static int32_t follow_fixed(const pli_tear_state *tear_state, pli_constraints_data *set, int32_t constraint)
{
    int32_t from[PLI_CARDINALITY_MAX], to[PLI_CARDINALITY_MAX], choices[PLI_CARDINALITY_MAX] = {0};
    int32_t count, carried = 0;
    constraint_vertices(set, constraint, from, &count);
    memcpy(to, from, sizeof to);
    do {
        if (!set->links->survives_cut(&tear_state->fabric, to, count))
            continue;
        if (carried++ == 0) {
            for (int32_t k = 0; k < count; k++)
                if (to[k] != from[k])
                    pli_links_move(set, constraint, k, pli_place(set->deformable, to[k]));
        } else
            add_beside(set, constraint, from, to, count);
    } while (next_combination(tear_state, from, count, choices, to));
    return carried;
}

// Chooses for each vertex the vertex or the copy that shares a face with `hub`. Returns false when none does, or more
// than one.
static bool choose_around(const pli_tear_state *tear_state, int32_t hub, int32_t *vertices, int32_t count)
{
    vertices[0] = hub;
    for (int32_t k = 1; k < count; k++) {
        int32_t copies, found = -1;
        pli_tear_state_copies(tear_state, vertices[k], &copies);
        if (copies == 0)
            continue;
        for (int32_t i = 0; i <= copies; i++) {
            int32_t vertex = tear_choice(tear_state, vertices[k], i);
            if (!pli_fabric_face(&tear_state->fabric, hub, vertex))
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

// Constraints of variable cardinality are stencils around their first vertex. They are moved but never copied.
static int32_t follow_variable(const pli_tear_state *tear_state, pli_constraints_data *set, int32_t constraint)
{
    int32_t count, hub;
    constraint_vertices(set, constraint, tear_state->members.items, &count);
    int32_t centre = tear_state->members.items[0];
    for (int32_t i = 0; (hub = tear_choice(tear_state, centre, i)) >= 0; i++) {
        constraint_vertices(set, constraint, tear_state->members.items, &count);
        if (!choose_around(tear_state, hub, tear_state->members.items, count) ||
            !set->links->survives_cut(&tear_state->fabric, tear_state->members.items, count))
            continue;
        for (int32_t k = 0; k < count; k++) {
            int32_t fixed[PLI_CARDINALITY_MAX], place = pli_place(set->deformable, tear_state->members.items[k]);
            const int32_t *places;
            pli_constraints_particles(set, constraint, &places, fixed);
            if (places[k] != place)
                pli_links_move(set, constraint, k, place);
        }
        return 1;
    }
    return 0;
}

/* ---- all sets ---------------------------------------------------------------------------------- */

// Lists the constraints of a set near the cut, ascending. They are processed from the end, since removing a constraint
// renumbers only the ones after it.
static int32_t find_constraints(pli_tear_state *tear_state, const pli_constraints_data *set)
{
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; i < tear_state->near.count; i++)
        for (int32_t e = pli_links_first(set, pli_place(set->deformable, tear_state->near.items[i])); e >= 0;
             e = set->links->next[e])
            tear_state->found.items[count++] = pli_links_constraint(set, e);
    pli_sort_integers(tear_state->found.items, count);
    for (int32_t i = 0; i < count; i++)
        if (i == 0 || tear_state->found.items[i] != tear_state->found.items[i - 1])
            tear_state->found.items[kept++] = tear_state->found.items[i];
    tear_state->fabric.work += count;
    return kept;
}

void pli_tear_state_follow_sets(pli_world *world, pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    const pli_fabric *f = &tear_state->fabric;
    start_marking(tear_state);
    for (int32_t i = 0; i < f->cut.touched_count; i++)
        mark_around(tear_state, f->cut.touched[i]);
    for (int32_t i = 0; i < f->cut.copy_count; i++)
        mark_around(tear_state, f->cut.copies[i].copy);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        if (set->links->survives_cut) {
            int32_t count = find_constraints(tear_state, set);
            for (int32_t i = count - 1; i >= 0; i--) {
                int32_t constraint = tear_state->found.items[i];
                if (!(set->type->cardinality > 0 ? follow_fixed : follow_variable)(tear_state, set, constraint)) {
                    pli_links_remove(set, constraint);
                    char line[300];
                    if (!set->links->warning || set->links->warned)
                        continue;
                    set->links->warned = true;
                    const char *name = set->deformable->name;
                    snprintf(line, sizeof line, "'%.80s': a part of '%.80s' %.80s", name ? name : "", set->name,
                             set->links->warning);
                    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
                }
            }
        } else if (set->type->cardinality == 1) {
            // Constraints between one particle and the world, such as soft attachments, are copied with the particle.
            int32_t count = find_constraints(tear_state, set);
            for (int32_t i = count - 1; i >= 0; i--) {
                int32_t vertex, n, copies;
                constraint_vertices(set, tear_state->found.items[i], &vertex, &n);
                const pli_vertex_copy *c = pli_tear_state_copies(tear_state, vertex, &copies);
                for (int32_t k = 0; k < copies; k++)
                    add_beside(set, tear_state->found.items[i], &vertex, &c[k].copy, 1);
            }
        }
    }
}

/* ---- attachments ------------------------------------------------------------------------------- */

bool pli_tear_state_reserve_attachments(pli_world *world, pli_deformable_data *deformable, int32_t copies)
{
    for (pli_attachment_data *attachment = deformable->first_attachment; attachment;
         attachment = attachment->next_attachment) {
        int32_t a = attachment->capacity, b = attachment->capacity, c = attachment->capacity, d = attachment->capacity;
        int64_t needed = (int64_t)attachment->count + copies;
        if (needed <= attachment->capacity)
            continue;
        if (!pli_reserve(&world->memory, &attachment->particles, &a, needed, sizeof *attachment->particles) ||
            !pli_reserve(&world->memory, &attachment->locals, &b, needed, sizeof *attachment->locals) ||
            !pli_reserve(&world->memory, &attachment->targets, &d, needed, sizeof *attachment->targets) ||
            (attachment->multipliers &&
             !pli_reserve(&world->memory, &attachment->multipliers, &c, needed, sizeof *attachment->multipliers)))
            return false;
        attachment->capacity = a;
    }
    return true;
}

// Whether a copy may belong to a particle of the attachment. This is a quick test that does not search all its particles.
static bool may_concern(const pli_fabric *f, const pli_attachment_data *attachment)
{
    for (int32_t i = 0; i < f->cut.copy_count; i++) {
        int32_t place = pli_place(attachment->deformable, f->cut.copies[i].source);
        if (attachment->rigid ||
            (attachment->set ? pli_links_first(attachment->set, place) >= 0 : attachment->deformable->held[place]))
            return true;
    }
    return false;
}

void pli_tear_state_follow_attachments(pli_deformable_data *deformable)
{
    for (pli_attachment_data *attachment = deformable->first_attachment; attachment;
         attachment = attachment->next_attachment) {
        attachment->edges_known = false; // The known edges belong to the mesh before the tear.
        if (may_concern(&deformable->tear_state->fabric, attachment)) {
            // Append the copies in the order in which the constraints of a soft attachment were copied.
            for (int32_t i = attachment->count - 1; i >= 0; i--) {
                int32_t copies;
                const pli_vertex_copy *c = pli_tear_state_copies(
                    deformable->tear_state, pli_vertex(attachment->deformable, attachment->particles[i]), &copies);
                for (int32_t k = 0; k < copies; k++) {
                    attachment->particles[attachment->count] = pli_place(attachment->deformable, c[k].copy);
                    attachment->locals[attachment->count] = attachment->locals[i];
                    if (attachment->multipliers)
                        attachment->multipliers[attachment->count] = (pli_vec3){0};
                    attachment->count++;
                }
            }
        }
    }
}
