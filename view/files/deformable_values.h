// Parameters of deformables and their plates that the user can change: the ones whose descriptors say that they take effect immediately.
#ifndef PLI_VIEW_DEFORMABLE_VALUES_H
#define PLI_VIEW_DEFORMABLE_VALUES_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether a property is a number, a truth value or a choice, which a control can show.
bool pli_view_is_single(const pli_property *property);
// The i-th of these properties, null when out of range; and the property of a name.
const pli_property *pli_view_deformable_property_at(int32_t i);
const pli_property *pli_view_deformable_property_find(const char *name);
int32_t pli_view_deformable_property_count(void);
bool pli_view_is_of_plate(const pli_property *property);

double pli_view_deformable_value(const pli_world *world, pli_deformable deformable, const pli_property *property);
// Errors: those of the library for rejected values; nothing has changed then.
pli_status pli_view_deformable_set_value(pli_world *world, pli_deformable deformable, const pli_property *property,
                                         double value, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
