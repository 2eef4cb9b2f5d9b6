// The objects whose properties a panel shows, by the prefixes of the library's table (pli_panel_rows).
#ifndef PLI_VIEW_OWNERS_H
#define PLI_VIEW_OWNERS_H

#include "session/effects.h"

#ifdef __cplusplus
extern "C" {
#endif

// Finds the i-th owner of a prefix for a deformable: "bend" has its bending sets and then its plate, "stretch" its sets of "distance" or
// "membrane", "others" its other sets without attachments, "cloth" itself, and "settings" the world. Returns false if there is none.
bool pli_view_owner_find(const pli_world *world, pli_deformable deformable, const char *prefix, int32_t i,
                         pli_view_owner *owner);
// The property of an owner by its name; null for none.
const pli_property *pli_view_owner_property(const pli_world *world, pli_view_owner owner, const char *name);
// The path of a property as pli_view_session_set takes it.
void pli_view_owner_path(const pli_world *world, pli_view_owner owner, const char *name, char *path, size_t size);
// Writes a property of a set or a deformable. A property that another one replaces gets its default.
pli_status pli_view_owner_write(pli_world *world, pli_view_owner owner, const pli_property *property, double value,
                                pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
