// Attributes: allocation, growth, cuts, resets and release of the arrays of model/attribute_rows.h, written once over the rows.
#ifndef PLI_MODEL_ATTRIBUTES_H
#define PLI_MODEL_ATTRIBUTES_H

#include "model/model.h"
#include "pliant/attribute.h"

// The rows of an element; returns the first and their number.
const pli_attribute *pli_attribute_rows(pli_element element, int32_t *count);

// Whether a value is finite and in the range of the row.
static inline bool pli_attribute_allows(const pli_attribute *row, float value)
{
    return value - value == 0.0f && value >= (float)row->minimum && value <= (float)row->maximum;
}

// The array of a row in a deformable or a set (the k-th of several arrays); null if it has none.
void *pli_attribute_array(const void *object, const pli_attribute *row, int32_t k);
// Replaces that array, which is released.
void pli_attribute_replace(pli_memory *memory, void *object, const pli_attribute *row, int32_t k, void *array);

// An array of the row for all vertices that the deformable has memory for, or for its triangles. Null when memory ran out.
void *pli_attribute_allocate(pli_memory *memory, const pli_deformable_data *deformable, const pli_attribute *row);
// Gives the vertices of a deformable memory for `capacity` vertices. False when memory ran out.
bool pli_attributes_grow(pli_memory *memory, pli_deformable_data *deformable, int32_t capacity);
// Gives a vertex that a cut adds the values of the vertex it was split from, by internal index.
void pli_attributes_copy(pli_deformable_data *deformable, int32_t from, int32_t to);
// Clears all that results from motion.
void pli_attributes_reset(pli_deformable_data *deformable);
void pli_attributes_release(pli_memory *memory, pli_deformable_data *deformable);

// Call this after painted thickness has changed: its extremes, and the thickness of the surface.
void pli_deformable_measure_thickness(pli_deformable_data *deformable);
// Call this after arrays that contact reads have moved.
void pli_deformable_lend_attributes(pli_deformable_data *deformable);

#endif
