#include "state/kept_attributes.h"

#include "sweep/constraint_slots.h"
#include "sweep/take_attribute.h"

#include <string.h>

/* ---- arrays -------------------------------------------------------------------------------------- */

// The place of a value in its array: the internal index of a vertex, the slot of a constraint, or itself.
static int32_t attribute_element_of(const void *object, const pli_attribute *row, int32_t i)
{
    const pli_deformable_data *deformable = object;
    if (row->element == PLI_ELEMENT_CONSTRAINT)
        return pli_constraints_slot(object, i);
    return row->element == PLI_ELEMENT_VERTEX && i < deformable->count ? pli_place(deformable, i) : i;
}

static float *stage(pli_stream *s, pli_world *world, const void *object, const pli_attribute *row)
{
    float *array = row->element == PLI_ELEMENT_CONSTRAINT
                       ? PLI_ALLOCATE(&world->memory, float, pli_constraints_capacity(object))
                       : pli_attribute_allocate(&world->memory, object, row);
    if (!array || !pli_reserve(&world->memory, &s->staged, &s->staged_capacity, (int64_t)s->staged_count + 1,
                               sizeof *s->staged)) {
        pli_release(&world->memory, array);
        s->failed = s->out_of_memory = true;
        return NULL;
    }
    s->staged[s->staged_count++] = array;
    return array;
}

// Passes `count` elements of an array. The check reads them into a new one, and reading returns that one.
static float *pass_array(pli_stream *s, pli_world *world, const void *object, const pli_attribute *row, int32_t count)
{
    if (s->mode == PLI_STREAM_READ) {
        s->at += (size_t)count * (size_t)row->components * sizeof(float);
        return s->staged[s->staged_at++];
    }
    const bool checks = s->mode == PLI_STREAM_CHECK;
    float *array = checks ? stage(s, world, object, row) : pli_attribute_array(object, row, 0);
    for (int32_t i = 0; i < count && !s->failed; i++) {
        float *value = array + (size_t)attribute_element_of(object, row, i) * (size_t)row->components;
        for (int32_t k = 0; k < row->components; k++) {
            s->mode = checks ? PLI_STREAM_READ : s->mode;
            pli_pass_float(s, &value[k]);
            s->mode = checks ? PLI_STREAM_CHECK : s->mode;
            s->failed = s->failed || (checks && !pli_attribute_allows(row, value[k]));
        }
    }
    return array;
}

static bool is_same(const void *object, const pli_attribute *row, const float *fresh, int32_t count)
{
    const float *array = pli_attribute_array(object, row, 0);
    const size_t width = (size_t)row->components;
    bool same = array && fresh;
    for (int32_t i = 0; i < count && same; i++) {
        const size_t at = width * (size_t)attribute_element_of(object, row, i);
        same = memcmp(array + at, fresh + at, width * sizeof *array) == 0;
    }
    return same || (!array && !fresh);
}

void pli_drop_staged_attributes(pli_world *world, pli_stream *s)
{
    for (; s->staged_at < s->staged_count; s->staged_at++)
        pli_release(&world->memory, s->staged[s->staged_at]);
    pli_release(&world->memory, s->staged);
    s->staged = NULL, s->staged_count = s->staged_at = s->staged_capacity = 0;
}

/* ---- vertices and triangles ---------------------------------------------------------------------- */

// Whether there is anything to write: painted values, or values of the simulation that are not all 0.
static bool has_values(const pli_deformable_data *deformable, const pli_attribute *row)
{
    const float *array = pli_attribute_array(deformable, row, 0);
    bool has = array && row->lifetime == PLI_LIFETIME_KEPT;
    for (int32_t i = 0; array && i < deformable->count * row->components && !has; i++)
        has = array[i] != 0.0f;
    return has;
}

static void install(pli_world *world, pli_deformable_data *deformable, const pli_attribute *row, float *fresh,
                    int32_t count)
{
    const bool same = is_same(deformable, row, fresh, count);
    float *array = pli_attribute_array(deformable, row, 0);
    if (same)
        pli_release(&world->memory, fresh);
    else if (!fresh && row->lifetime != PLI_LIFETIME_KEPT)
        memset(array, 0, (size_t)deformable->capacity * (size_t)row->components * sizeof *array);
    else
        pli_attribute_take(world, deformable, row, fresh);
    if (row->offset == offsetof(pli_deformable_data, vertex.force))
        deformable->painted.forced = fresh != NULL;
}

void pli_pass_attributes(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t vertex_count)
{
    const pli_element elements[] = {PLI_ELEMENT_VERTEX, PLI_ELEMENT_TRIANGLE};
    const bool writes = s->mode < PLI_STREAM_CHECK;
    for (int32_t e = 0; e < 2; e++) {
        const int32_t count = e == 0 ? vertex_count : deformable->shape.triangle_count;
        int32_t rows;
        const pli_attribute *row = pli_attribute_rows(elements[e], &rows);
        for (; rows > 0 && !s->failed; rows--, row++) {
            if (row->size == 0 || row->lifetime == PLI_LIFETIME_SCRATCH)
                continue;
            const bool has = pli_pass_index(s, writes && has_values(deformable, row), 0, 1) != 0;
            float *array = has && !s->failed ? pass_array(s, world, deformable, row, count) : NULL;
            if (s->mode == PLI_STREAM_READ)
                install(world, deformable, row, array, count);
        }
    }
}

/* ---- constraints --------------------------------------------------------------------------------- */

void pli_pass_painted(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    int32_t rows;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    const bool reads = s->mode == PLI_STREAM_READ, checks = s->mode == PLI_STREAM_CHECK;
    pli_constraints_data found = *set; // The check tests which attributes the snapshot has together.
    bool scales = false;
    if (reads && set->base_scale)
        pli_constraints_write_scales(set, false);
    for (; rows > 0 && !s->failed; rows--, row++) {
        if (!pli_constraints_is_painted_by(set, row))
            continue;
        const bool has = pli_pass_index(s, pli_attribute_array(set, row, 0) != NULL, 0, 1) != 0;
        float *array = has && !s->failed ? pass_array(s, world, set, row, set->count) : NULL;
        if (checks)
            memcpy((char *)&found + row->offset, &array, sizeof array);
        if (reads && is_same(set, row, array, set->count)) {
            pli_release(&world->memory, array);
        } else if (reads) {
            pli_attribute_replace(&world->memory, set, row, 0, array);
            scales = scales || row->need != PLI_NEEDS_YIELD;
        }
    }
    s->failed = s->failed || !pli_constraints_fits(&found);
    if (reads && scales)
        pli_constraints_take_scales(world, set);
    else if (reads && set->base_scale)
        pli_constraints_write_scales(set, true);
}
