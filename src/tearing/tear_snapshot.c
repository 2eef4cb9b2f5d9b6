// Snapshots of cut topology, constraints and attachments: tearing/tear_snapshot.h.
#include "tearing/tear_snapshot.h"

#include "collision/particle_contact/particle_contact.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "sweep/constraint_links.h"
#include "sweep/constraint_slots.h"
#include "tearing/growth.h"
#include "tearing/tear_sets.h"
#include "tearing/tear_state.h"
#include "tearing/uncut.h"

#include <string.h>

static bool reads(const pli_stream *s) { return s->mode >= PLI_STREAM_CHECK; }

// Returns the length of the longest list that the rest of the snapshot can contain. Damaged counts thus never cause large allocations.
static int32_t max_list_length(const pli_stream *s)
{
    size_t left = reads(s) ? (s->size - s->at) / 4 : INT32_MAX;
    return left < INT32_MAX ? (int32_t)left : INT32_MAX;
}

static void run_out_of_memory(pli_stream *s) { s->failed = s->out_of_memory = true; }

/* ---- shapes ------------------------------------------------------------------------------------ */

// Points to the arrays of a fabric record: the arrays of the fabric when it is written, newly allocated arrays when it is read.
typedef struct shape_arrays {
    int32_t vertex_count, split_count;
    int32_t *sources, *face_vertices, *split_corners;
} shape_arrays;

static bool make_arrays(pli_world *world, const pli_topology *t, shape_arrays *a)
{
    a->sources = PLI_ALLOCATE(&world->memory, int32_t, a->vertex_count);
    a->face_vertices = PLI_ALLOCATE(&world->memory, int32_t, t->corner_count);
    a->split_corners = PLI_ALLOCATE(&world->memory, int32_t, a->split_count);
    for (int32_t v = 0; a->sources && v < t->vertex_count; v++)
        a->sources[v] = v;
    return a->sources && a->face_vertices && a->split_corners;
}

static void release_arrays(pli_world *world, shape_arrays *a)
{
    pli_release(&world->memory, a->sources);
    pli_release(&world->memory, a->face_vertices);
    pli_release(&world->memory, a->split_corners);
}

static void pass_arrays(pli_stream *s, const pli_topology *t, const pli_fabric *f, shape_arrays *a)
{
    bool into = reads(s);
    for (int32_t v = t->vertex_count; v < a->vertex_count && !s->failed; v++) {
        int32_t read = pli_pass_index(s, into ? 0 : f->sources[v], 0, t->vertex_count - 1);
        if (into)
            a->sources[v] = read;
    }
    for (int32_t c = 0; c < t->corner_count && !s->failed; c++) {
        int32_t read = pli_pass_index(s, into ? 0 : f->face_vertices[c], 0, a->vertex_count - 1);
        if (into)
            a->face_vertices[c] = read;
    }
    for (int32_t i = 0; i < a->split_count && !s->failed; i++) {
        int32_t corner = into ? 0 : f->edge_corners[2 * (t->edge_count + i)];
        int32_t read = pli_pass_index(s, corner, 0, t->corner_count - 1);
        if (into)
            a->split_corners[i] = read;
    }
}

static bool stage_fabric(pli_world *world, pli_deformable_data *deformable, const shape_arrays *a, bool *belongs)
{
    pli_tear_state *tear_state = deformable->tear_state;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    pli_fabric_record record = {a->vertex_count, a->split_count, a->sources, a->face_vertices, a->split_corners};
    tear_state->staged = PLI_ALLOCATE(&world->memory, pli_fabric, 1);
    if (!tear_state->staged || !pli_fabric_build(&world->memory, tear_state->staged, t) ||
        !pli_fabric_reserve(&world->memory, tear_state->staged, a->vertex_count - t->vertex_count, a->split_count) ||
        !pli_deformable_grow(world, deformable, tear_state->staged->vertex_capacity))
        return false;
    *belongs = pli_fabric_restore(tear_state->staged, &record);
    return true;
}

static void check_shape(pli_stream *s, pli_world *world, pli_deformable_data *deformable, shape_arrays *a)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    bool belongs = true;
    if (!pli_tear_state_build(world, deformable) || !make_arrays(world, t, a))
        run_out_of_memory(s);
    else
        pass_arrays(s, t, NULL, a);
    if (!s->failed && !stage_fabric(world, deformable, a, &belongs))
        run_out_of_memory(s);
    s->failed = s->failed || !belongs;
    release_arrays(world, a);
}

static void take_shape(pli_world *world, pli_deformable_data *deformable)
{
    pli_tear_state *tear_state = deformable->tear_state;
    pli_fabric_release(&world->memory, &tear_state->fabric);
    tear_state->fabric = *tear_state->staged;
    pli_release(&world->memory, tear_state->staged);
    tear_state->staged = NULL;
    deformable->shape = tear_state->fabric.faces;
    deformable->count = tear_state->fabric.faces.vertex_count;
    pli_features_cut(deformable);
    for (int32_t v = pli_mesh_topology(deformable->mesh)->vertex_count; deformable->order && v < deformable->count; v++)
        deformable->order[v] = deformable->vertices[v] = v;
    pli_mesh_destroy(tear_state->mesh);
    tear_state->mesh = NULL;
    tear_state->copy_count = tear_state->face_count = 0;
    // The contact mesh is built again from the faces when it is needed.
    pli_contact_mesh_free(&world->memory, deformable->surface);
    deformable->surface = NULL;
}

// The snapshot was taken before the deformable was cut or prepared to be cut.
static void pass_whole(pli_stream *s, pli_world *world, pli_deformable_data *deformable)
{
    bool known = true;
    if (s->mode == PLI_STREAM_CHECK && !s->failed && !pli_uncut_stage(world, deformable, &known))
        run_out_of_memory(s);
    // A deformable that was only prepared may remain prepared.
    s->whole = s->whole || (!known && deformable->count > pli_mesh_topology(deformable->mesh)->vertex_count);
    s->failed = s->failed || s->whole;
    if (s->mode == PLI_STREAM_READ && deformable->tear_state->uncut_staged)
        pli_uncut_take(world, deformable);
}

int32_t pli_pass_shape(pli_stream *s, pli_world *world, pli_deformable_data *deformable)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    const pli_fabric *f = deformable->tear_state ? &deformable->tear_state->fabric : NULL;
    if (!pli_pass_index(s, f != NULL, 0, 1)) {
        if (reads(s) && f)
            pass_whole(s, world, deformable);
        return t->vertex_count;
    }
    size_t begin = s->at;
    shape_arrays a = {.vertex_count = f ? f->faces.vertex_count : t->vertex_count,
                      .split_count = f ? f->faces.edge_count - t->edge_count : 0};
    a.vertex_count = pli_pass_index(s, a.vertex_count, t->vertex_count, t->vertex_count + t->corner_count);
    a.split_count = pli_pass_index(s, a.split_count, 0, t->edge_count);
    if (s->mode == PLI_STREAM_CHECK && !s->failed) {
        check_shape(s, world, deformable, &a);
        if (!s->failed)
            deformable->tear_state->staged_size = s->at - begin;
    } else if (s->mode == PLI_STREAM_READ) {
        s->at = begin + deformable->tear_state->staged_size;
        take_shape(world, deformable);
    } else if (!s->failed) {
        pass_arrays(s, t, f, &a);
    }
    return a.vertex_count;
}

/* ---- constraints ------------------------------------------------------------------------------- */

// Passes a value and checks its range. The check reads it as well, into the staged set.
static void pass_value(pli_stream *s, float *value, const pli_attribute *row)
{
    pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pli_pass_float(s, value);
    s->mode = mode;
    s->failed = s->failed || !pli_attribute_allows(row, *value);
}

static void pass_slot(pli_stream *s, pli_constraints_data *set, int32_t slot, int32_t vertex_count)
{
    const pli_deformable_data *deformable = set->deformable;
    for (int32_t k = 0; k < set->type->cardinality; k++) {
        int32_t vertex = pli_pass_index(s, reads(s) ? 0 : pli_vertex(deformable, pli_index_place(set->index[k][slot])),
                                        0, vertex_count - 1);
        if (reads(s) && !s->failed)
            set->index[k][slot] = pli_index_of(deformable->order &&
                                                       vertex < pli_mesh_topology(deformable->mesh)->vertex_count
                                                   ? deformable->order[vertex]
                                                   : vertex);
    }
    int32_t rows;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    for (; rows > 0; rows--, row++)
        for (int32_t k = 0; k < row->components && row->lifetime != PLI_LIFETIME_SCRATCH; k++) {
            float *values = pli_attribute_array(set, row, k);
            if (values)
                pass_value(s, &values[slot], row);
        }
}

// Passes the number of a constraint; the numbers must be a permutation.
static void pass_number(pli_stream *s, pli_constraints_data *set, int32_t slot, int32_t *numbers)
{
    int32_t number = pli_pass_index(s, reads(s) ? 0 : numbers[slot], 0, set->count - 1);
    if (!reads(s) || s->failed)
        return;
    s->failed = s->failed || set->slot_of[number] >= 0;
    set->slot_of[number] = slot;
    numbers[slot] = number;
}

static void pass_origin(pli_stream *s, pli_constraints_data *set, int32_t slot, int32_t *origins,
                        const pli_links *links)
{
    int32_t origin = pli_pass_index(s, reads(s) ? 0 : origins[slot], 0, links->original_count - 1);
    if (!reads(s) || s->failed)
        return;
    const pli_span *spans = links->original_spans + 3 * origin;
    set->member_spans[slot] = spans[0], set->rest_spans[slot] = spans[1], set->triangle_spans[slot] = spans[2];
    origins[slot] = origin;
}

static void pass_members(pli_stream *s, pli_constraints_data *set, int32_t slot, int32_t vertex_count)
{
    const pli_deformable_data *deformable = set->deformable;
    pli_span span = set->member_spans[slot];
    for (int32_t i = span.begin; i < span.end && !s->failed; i++) {
        int32_t vertex = pli_pass_index(s, reads(s) ? 0 : pli_vertex(deformable, set->members[i]), 0, vertex_count - 1);
        if (reads(s))
            set->members[i] = deformable->order && vertex < pli_mesh_topology(deformable->mesh)->vertex_count
                                  ? deformable->order[vertex]
                                  : vertex;
    }
    pli_span triangles = set->triangle_spans[slot];
    for (int32_t t = 3 * triangles.begin; reads(s) && t < 3 * triangles.end; t++)
        set->triangles[t] = set->members[span.begin + set->local_triangles[t]];
}

// Passes all slots, colour by colour. `numbers` and `origins` are indexed by slot.
static void pass_slots(pli_stream *s, pli_constraints_data *set, int32_t vertex_count, int32_t *numbers,
                       int32_t *origins, const pli_links *links)
{
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        for (int32_t i = 0; i < set->colour_sizes[colour] && !s->failed; i++) {
            int32_t slot = set->colour_offsets[colour] + i;
            if (numbers)
                pass_number(s, set, slot, numbers);
            if (origins && !s->failed) {
                pass_origin(s, set, slot, origins, links);
                pass_members(s, set, slot, vertex_count);
            }
            if (!s->failed)
                pass_slot(s, set, slot, vertex_count);
        }
    }
}

// Returns the size of the array of members (0), rest values (1) or triangles (2): the end of the last span.
static int32_t last_of(const pli_constraints_data *set, int32_t which)
{
    int32_t last = 0;
    for (int32_t i = 0; i < set->links->original_count; i++)
        last = set->links->original_spans[3 * i + which].end > last ? set->links->original_spans[3 * i + which].end
                                                                    : last;
    return last;
}

static bool copy_ints(pli_memory *memory, int32_t **to, const int32_t *from, int32_t count)
{
    *to = PLI_ALLOCATE(memory, int32_t, count);
    if (*to)
        memcpy(*to, from, (size_t)count * sizeof **to);
    return *to != NULL;
}

static bool copy_variable(pli_memory *memory, const pli_constraints_data *set, pli_constraints_data *fresh)
{
    int32_t values = last_of(set, 1), triangles = 3 * last_of(set, 2);
    fresh->member_spans = PLI_ALLOCATE(memory, pli_span, fresh->slot_count);
    fresh->rest_spans = PLI_ALLOCATE(memory, pli_span, fresh->slot_count);
    fresh->triangle_spans = PLI_ALLOCATE(memory, pli_span, fresh->slot_count);
    fresh->variable_rest = PLI_ALLOCATE(memory, float, values);
    if (fresh->variable_rest)
        memcpy(fresh->variable_rest, set->variable_rest, (size_t)values * sizeof *fresh->variable_rest);
    return fresh->member_spans && fresh->rest_spans && fresh->triangle_spans && fresh->variable_rest &&
           copy_ints(memory, &fresh->members, set->members, last_of(set, 0)) &&
           copy_ints(memory, &fresh->triangles, set->triangles, triangles) &&
           copy_ints(memory, &fresh->local_triangles, set->local_triangles, triangles);
}

// Whether a set may have the attribute at one time and not at another.
static bool is_optional(const pli_constraints_data *set, const pli_attribute *row)
{
    return pli_constraints_is_painted_by(set, row) || row->offset == offsetof(pli_constraints_data, first_rest) ||
           row->offset == offsetof(pli_constraints_data, bends);
}

static bool allocate_slots(pli_memory *memory, const pli_constraints_data *set, pli_constraints_data *fresh,
                           int32_t optional)
{
    int64_t slots = fresh->slot_count;
    bool complete = true;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        complete = (fresh->index[k] = PLI_ALLOCATE(memory, pli_index, slots)) && complete;
    int32_t rows;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    for (int32_t i = 0; i < rows; i++, row++)
        for (int32_t k = 0; k < row->components; k++) {
            const bool has = is_optional(set, row) ? optional >> i & 1 : pli_attribute_array(set, row, k) != NULL;
            float *values = has ? PLI_ALLOCATE(memory, float, slots) : NULL;
            pli_attribute_replace(memory, fresh, row, k, values);
            complete = complete && (!has || values);
        }
    return complete;
}

// Allocates an empty set with the type and sizes of `set`, to be filled from a snapshot.
static pli_constraints_data *start_set(pli_world *world, const pli_constraints_data *set)
{
    pli_constraints_data *fresh = PLI_ALLOCATE(&world->memory, pli_constraints_data, 1);
    if (!fresh)
        return NULL;
    *fresh = (pli_constraints_data){.id = set->id,
                                    .name = set->name,
                                    .type = set->type,
                                    .row = set->row,
                                    .generator = set->generator,
                                    .deformable = set->deformable,
                                    .of_attachment = set->of_attachment,
                                    .keep_lambda = set->keep_lambda,
                                    .warps = set->warps,
                                    .degenerate_count = set->degenerate_count,
                                    .pad = set->pad,
                                    .overflow = set->overflow,
                                    .evaluation = set->evaluation,
                                    .largest = set->largest,
                                    .zero_rest = set->zero_rest,
                                    .memory = set->memory};
    memcpy(fresh->parameters, set->parameters, sizeof set->parameters);
    memcpy(fresh->own, set->own, sizeof set->own);
    return fresh;
}

static bool place_colours(pli_stream *s, pli_world *world, const pli_constraints_data *set, pli_constraints_data *fresh)
{
    fresh->colour_offsets = PLI_ALLOCATE(&world->memory, int32_t, (int64_t)fresh->colour_count + 1);
    fresh->colour_sizes = PLI_ALLOCATE(&world->memory, int32_t, fresh->colour_count);
    if (!fresh->colour_offsets || !fresh->colour_sizes)
        return false;
    int64_t sum = 0;
    for (int32_t colour = 0; colour < fresh->colour_count && !s->failed; colour++) {
        int32_t size = fresh->colour_sizes[colour] = pli_pass_index(s, 0, 0, fresh->count);
        sum += size;
        fresh->colour_offsets[colour + 1] = fresh->colour_offsets[colour] + (size + set->pad - 1) / set->pad * set->pad;
        s->failed = s->failed || sum > fresh->count;
    }
    s->failed = s->failed || sum != fresh->count;
    fresh->slot_count = fresh->colour_offsets[fresh->colour_count];
    return true;
}

static bool stage_slots(pli_stream *s, pli_world *world, const pli_constraints_data *set, pli_constraints_data *fresh,
                        int32_t optional)
{
    pli_memory *memory = &world->memory;
    bool coloured = set->links->constraint_of != NULL, variable = set->type->cardinality == 0;
    int32_t vertex_count = set->deformable->tear_state->staged->faces.vertex_count;
    int32_t *numbers = coloured ? PLI_ALLOCATE(memory, int32_t, fresh->slot_count) : NULL;
    int32_t *origins = variable ? PLI_ALLOCATE(memory, int32_t, fresh->slot_count) : NULL;
    pli_span *spans = variable ? PLI_ALLOCATE(memory, pli_span, 3 * (int64_t)set->links->original_count) : NULL;
    fresh->slot_of = coloured ? PLI_ALLOCATE(memory, int32_t, fresh->count) : NULL;
    bool complete = (!coloured || (numbers && fresh->slot_of)) && (!variable || (origins && spans)) &&
                    allocate_slots(memory, set, fresh, optional) && (!variable || copy_variable(memory, set, fresh));
    for (int32_t i = 0; complete && coloured && i < fresh->count; i++)
        fresh->slot_of[i] = -1;
    if (complete)
        pass_slots(s, fresh, vertex_count, numbers, origins, set->links);
    complete = complete && (s->failed || pli_links_build(world, fresh));
    if (complete && !s->failed) {
        pli_links *links = fresh->links;
        links->survives_cut = set->links->survives_cut, links->warning = set->links->warning,
        links->warned = set->links->warned;
        if (variable) {
            memcpy(spans, set->links->original_spans, 3 * (size_t)set->links->original_count * sizeof *spans);
            pli_release(memory, links->origins);
            pli_release(memory, links->original_spans);
            links->origins = origins, links->original_spans = spans, links->original_count = set->links->original_count;
            origins = NULL, spans = NULL;
        }
    }
    pli_release(memory, numbers);
    pli_release(memory, origins);
    pli_release(memory, spans);
    return complete;
}

static void drop_set(pli_world *world, pli_constraints_data *fresh)
{
    pli_constraints_release_slots(world, fresh);
    pli_release(&world->memory, fresh);
}

// Passes a bit for each optional attribute that the set has.
static int32_t pass_optional(pli_stream *s, const pli_constraints_data *set)
{
    int32_t rows, optional = 0;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    for (int32_t i = 0; i < rows; i++, row++)
        optional |= (int32_t)(is_optional(set, row) && pli_attribute_array(set, row, 0)) << i;
    return pli_pass_index(s, optional, 0, INT32_MAX);
}

static void check_set(pli_stream *s, pli_world *world, pli_constraints_data *set, int32_t count, int32_t colours)
{
    pli_constraints_data *fresh = start_set(world, set);
    const int32_t optional = pass_optional(s, set);
    if (!fresh) {
        run_out_of_memory(s);
        return;
    }
    fresh->count = count, fresh->colour_count = colours;
    if (!place_colours(s, world, set, fresh) || (!s->failed && !stage_slots(s, world, set, fresh, optional)))
        run_out_of_memory(s);
    s->failed = s->failed || !pli_constraints_fits(fresh);
    if (s->failed) {
        drop_set(world, fresh);
        return;
    }
    if (set->type->bend)
        pli_constraints_mark_bends(fresh);
    set->links->staged = fresh;
}

static void take_set(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_data *fresh = set->links->staged;
    set->links->staged = NULL;
    fresh->next = set->next;
    pli_constraints_release_slots(world, set);
    *set = *fresh;
    pli_release(&world->memory, fresh);
}

static void write_set(pli_stream *s, pli_constraints_data *set)
{
    pass_optional(s, set);
    for (int32_t colour = 0; colour < set->colour_count; colour++)
        pli_pass_index(s, set->colour_sizes[colour], 0, set->count);
    pass_slots(s, set, set->deformable->count, set->links->constraint_of, set->links->origins, set->links);
}

bool pli_pass_constraints(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    pli_deformable_data *deformable = set->deformable;
    // The check of the shape has staged a fabric when the snapshot contains the constraints of this deformable.
    bool staged = s->mode == PLI_STREAM_CHECK && deformable->tear_state && deformable->tear_state->staged;
    bool present = s->mode == PLI_STREAM_READ ? set->links && set->links->staged
                   : reads(s)                 ? staged
                                              : deformable->tear_state != NULL;
    if (!present)
        return false;
    size_t begin = s->at;
    int32_t count = pli_pass_index(s, set->count, 0, max_list_length(s));
    int32_t colours = pli_pass_index(s, set->colour_count, 0, max_list_length(s));
    if (s->mode == PLI_STREAM_READ) {
        s->at = begin + set->links->staged_size;
        take_set(world, set);
    } else if (s->mode == PLI_STREAM_CHECK && !s->failed) {
        check_set(s, world, set, count, colours);
        if (!s->failed)
            set->links->staged_size = s->at - begin;
    } else if (!s->failed) {
        write_set(s, set);
    }
    return true;
}

/* ---- attachments ------------------------------------------------------------------------------- */

int32_t pli_pass_attached(pli_stream *s, pli_world *world, pli_attachment_data *attachment)
{
    pli_deformable_data *deformable = attachment->deformable;
    pli_pass_same(s, (uint64_t)attachment->made_count);
    if (!pli_pass_index(s, deformable->tear_state != NULL, 0, 1)) {
        if (s->mode == PLI_STREAM_READ)
            attachment->count = attachment->made_count;
        return attachment->made_count;
    }
    int32_t count = pli_pass_index(s, attachment->count, attachment->made_count, max_list_length(s));
    if (s->mode == PLI_STREAM_CHECK && !s->failed &&
        (count > deformable->capacity || !pli_tear_state_reserve_attachments(world, deformable, count)))
        run_out_of_memory(s);
    for (int32_t i = attachment->made_count; i < count && !s->failed; i++) {
        int32_t vertex = pli_pass_index(s, reads(s) ? 0 : pli_vertex(deformable, attachment->particles[i]), 0,
                                        deformable->capacity - 1);
        if (s->mode == PLI_STREAM_READ)
            attachment->particles[i] = pli_place(deformable, vertex);
    }
    if (s->mode == PLI_STREAM_READ && !s->failed)
        attachment->count = count;
    return s->failed ? attachment->made_count : count;
}

void pli_drop_staged(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        pli_uncut_drop(world, deformable);
        if (!deformable->tear_state || !deformable->tear_state->staged)
            continue;
        pli_fabric_release(&world->memory, deformable->tear_state->staged);
        pli_release(&world->memory, deformable->tear_state->staged);
        deformable->tear_state->staged = NULL;
    }
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_constraints_data *set = pli_constraints_data_at(world, i);
        if (set->links && set->links->staged) {
            drop_set(world, set->links->staged);
            set->links->staged = NULL;
        }
    }
}
