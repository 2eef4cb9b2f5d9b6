// Which knobs have an effect as things stand, by the conditions of their descriptors.
#ifndef PLI_VIEW_EFFECTS_H
#define PLI_VIEW_EFFECTS_H

#include "session/session.h"

#include <pliant/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whose knob it is: a constraint set's, a deformable's, or with two null handles the world's.
typedef struct pli_view_owner {
    pli_constraint_set set;
    pli_deformable deformable;
} pli_view_owner;

// A property of an owner, or one number of it.
typedef struct pli_view_knob {
    const pli_property *property;
    pli_view_owner owner;
    int32_t component; // Of a vector, -1 for the whole; 0 for others.
} pli_view_knob;

// The knob of a path as pli_view_session_set takes it. False where there is none.
bool pli_view_knob_find(const pli_view_session *session, const char *path, pli_view_knob *knob);
// The value of one number.
double pli_view_knob_value(const pli_world *world, const pli_view_knob *knob);
// Whether a knob has an effect in the session's world. That of a number that is painted has none.
bool pli_view_has_effect(const pli_view_session *session, const pli_property *property, pli_view_owner owner);

#ifdef __cplusplus
}
#endif
#endif
