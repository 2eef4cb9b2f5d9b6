// Which knobs have an effect as things stand, by the conditions of their descriptors.
#ifndef PLI_VIEW_EFFECTS_H
#define PLI_VIEW_EFFECTS_H

#include "session/session.h"

#include <pliant/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

// The parameter of a set by its name; NULL for none.
const pli_property *pli_view_parameter_find(const pli_world *world, pli_constraint_set set, const char *name);
// Whose knob it is: a constraint set's, a deformable's, or with two null handles the world's.
typedef struct pli_view_owner {
    pli_constraint_set set;
    pli_deformable deformable;
} pli_view_owner;

// Whether a knob has an effect in the session's world. That of a number that is painted has none.
bool pli_view_has_effect(const pli_view_session *session, const pli_property *property, pli_view_owner owner);

#ifdef __cplusplus
}
#endif
#endif
