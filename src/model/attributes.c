#include "model/attributes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define PLI_FIELD(member) .field = offsetof(pli_deformable_def, member)
static const pli_attribute attribute_rows[] = {
#define PLI_MASS_ROW(...) {.element = PLI_ELEMENT_VERTEX, .components = 1, __VA_ARGS__},
#include "model/attribute_rows.h"
#define PLI_VERTEX_ROW(type, array, count, ...)                                                                        \
    {.element = PLI_ELEMENT_VERTEX,                                                                                    \
     .components = (count),                                                                                            \
     .offset = offsetof(pli_deformable_data, vertex.array),                                                            \
     .size = sizeof(type),                                                                                             \
     __VA_ARGS__},
#include "model/attribute_rows.h"
#define PLI_TRIANGLE_ROW(type, array, count, ...)                                                                      \
    {.element = PLI_ELEMENT_TRIANGLE,                                                                                  \
     .components = (count),                                                                                            \
     .offset = offsetof(pli_deformable_data, triangle.array),                                                          \
     .size = sizeof(type),                                                                                             \
     __VA_ARGS__},
#include "model/attribute_rows.h"
#define PLI_CONSTRAINT_ROWS(type, array, count, ...)                                                                   \
    {.element = PLI_ELEMENT_CONSTRAINT,                                                                                \
     .components = (count),                                                                                            \
     .offset = offsetof(pli_constraints_data, array),                                                                  \
     .size = sizeof(type),                                                                                             \
     __VA_ARGS__},
#define PLI_CONSTRAINT_ROW(type, array, ...) PLI_CONSTRAINT_ROWS(type, array, 1, __VA_ARGS__)
#include "model/attribute_rows.h"
};

enum { ROWS = sizeof attribute_rows / sizeof *attribute_rows };

/* ---- the table ----------------------------------------------------------------------------------- */

const char *pli_element_name(pli_element element)
{
    static const char *const names[] = {"vertex", "face", "triangle", "constraint"};
    return (unsigned)element < sizeof names / sizeof *names ? names[element] : "unknown";
}

const pli_attribute *pli_attribute_at(int32_t i)
{
    for (int32_t k = 0; k < ROWS; k++)
        if (attribute_rows[k].name && i-- == 0)
            return &attribute_rows[k];
    return NULL;
}

int32_t pli_attribute_count(void)
{
    int32_t count = 0;
    for (int32_t k = 0; k < ROWS; k++)
        count += attribute_rows[k].name != NULL;
    return count;
}

const pli_attribute *pli_attribute_painted_at(int32_t i)
{
    for (int32_t k = 0; k < ROWS; k++) {
        const bool repeats = attribute_rows[k].element == PLI_ELEMENT_CONSTRAINT &&
                             pli_attribute_find(attribute_rows[k].name, PLI_ELEMENT_TRIANGLE);
        if (attribute_rows[k].painted && !repeats && i-- == 0)
            return &attribute_rows[k];
    }
    return NULL;
}

const pli_attribute *pli_attribute_find(const char *name, pli_element element)
{
    for (int32_t k = 0; name && k < ROWS; k++)
        if (attribute_rows[k].name && attribute_rows[k].element == element && strcmp(attribute_rows[k].name, name) == 0)
            return &attribute_rows[k];
    return NULL;
}

const pli_attribute *pli_attribute_rows(pli_element element, int32_t *count)
{
    const pli_attribute *first = NULL;
    *count = 0;
    for (int32_t k = 0; k < ROWS; k++)
        if (attribute_rows[k].element == element) {
            first = first ? first : &attribute_rows[k];
            ++*count;
        }
    return first;
}

double pli_attribute_initial(const pli_attribute *attribute, const pli_deformable_def *def)
{
    float value;
    if (attribute->field == 0)
        return attribute->initial;
    memcpy(&value, (const char *)def + attribute->field, sizeof value);
    return (double)value;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

void *pli_attribute_array(const void *object, const pli_attribute *row, int32_t k)
{
    void *array = NULL;
    if (row->size > 0)
        memcpy(&array, (const char *)object + row->offset + (size_t)k * sizeof array, sizeof array);
    return array;
}

void pli_attribute_replace(pli_memory *memory, void *object, const pli_attribute *row, int32_t k, void *array)
{
    pli_release(memory, pli_attribute_array(object, row, k));
    memcpy((char *)object + row->offset + (size_t)k * sizeof array, &array, sizeof array);
}

static void *allocate(pli_memory *memory, const pli_attribute *row, int32_t count)
{
    return pli_allocate(memory, (size_t)count * (size_t)row->components + (size_t)row->extra, row->size);
}

void *pli_attribute_allocate(pli_memory *memory, const pli_deformable_data *deformable, const pli_attribute *row)
{
    return allocate(memory, row,
                    row->element == PLI_ELEMENT_VERTEX ? deformable->capacity : deformable->shape.triangle_count);
}

bool pli_attributes_grow(pli_memory *memory, pli_deformable_data *deformable, int32_t capacity)
{
    int32_t count;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_VERTEX, &count);
    for (; count > 0; count--, row++) {
        void *old = pli_attribute_array(deformable, row, 0), *fresh = old ? allocate(memory, row, capacity) : NULL;
        if (!old)
            continue;
        if (!fresh)
            return false;
        memcpy(fresh, old, (size_t)deformable->capacity * (size_t)row->components * row->size);
        pli_attribute_replace(memory, deformable, row, 0, fresh);
    }
    pli_deformable_lend_attributes(deformable);
    return true;
}

void pli_attributes_copy(pli_deformable_data *deformable, int32_t from, int32_t to)
{
    int32_t count;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_VERTEX, &count);
    for (; count > 0; count--, row++) {
        char *array = pli_attribute_array(deformable, row, 0);
        const size_t size = row->size * (size_t)row->components;
        if (array && row->cleared_by_cuts)
            memset(array + (size_t)to * size, 0, size);
        else if (array)
            memcpy(array + (size_t)to * size, array + (size_t)from * size, size);
    }
}

void pli_attributes_reset(pli_deformable_data *deformable)
{
    int32_t count;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_VERTEX, &count);
    for (; count > 0; count--, row++) {
        void *array = pli_attribute_array(deformable, row, 0);
        if (array && row->lifetime != PLI_LIFETIME_KEPT)
            memset(array, 0, (size_t)deformable->count * (size_t)row->components * row->size);
    }
    deformable->painted.forced = false;
}

void pli_attributes_release(pli_memory *memory, pli_deformable_data *deformable)
{
    for (int32_t k = 0; k < ROWS; k++)
        if (attribute_rows[k].element != PLI_ELEMENT_CONSTRAINT && attribute_rows[k].size > 0)
            pli_attribute_replace(memory, deformable, &attribute_rows[k], 0, NULL);
}

/* ---- derived values ------------------------------------------------------------------------------ */

void pli_deformable_measure_thickness(pli_deformable_data *deformable)
{
    const float *values = deformable->vertex.thickness;
    deformable->painted.thickest = 0.0f, deformable->painted.thinnest = values && deformable->count > 0 ? 1e6f : 0.0f;
    for (int32_t i = 0; values && i < deformable->count; i++) {
        deformable->painted.thickest = fmaxf(deformable->painted.thickest, values[i]);
        deformable->painted.thinnest = fminf(deformable->painted.thinnest, values[i]);
    }
    pli_deformable_take_thickness(deformable);
}

void pli_deformable_lend_attributes(pli_deformable_data *deformable)
{
    if (!deformable->surface)
        return;
    deformable->surface->material.thicknesses = deformable->vertex.thickness;
    deformable->surface->material.frictions = deformable->vertex.friction;
}
