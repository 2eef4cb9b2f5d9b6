// Tells which controls have an effect in the current state, by the conditions of their descriptors.
#ifndef PLI_VIEW_EFFECTS_H
#define PLI_VIEW_EFFECTS_H

#include "session/session.h"

#include <pliant/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

// The owner of a control: a constraint set, a deformable, or, with two null handles, the world.
typedef struct pli_view_owner {
    pli_constraints set;
    pli_deformable deformable;
} pli_view_owner;

// A property of an owner, or one of its components.
typedef struct pli_view_control {
    const pli_property *property;
    pli_view_owner owner;
    int32_t component; // Component of a vector, -1 for all of it; 0 for other properties.
} pli_view_control;

// Finds the control for a path of pli_view_session_set. Returns false if there is none.
bool pli_view_control_find(const pli_view_session *session, const char *path, pli_view_control *control);
// The value of the control.
double pli_view_control_value(const pli_world *world, const pli_view_control *control);
// Whether a control has an effect in the session's world. A control of a painted number has none.
bool pli_view_has_effect(const pli_view_session *session, const pli_property *property, pli_view_owner owner);

#ifdef __cplusplus
}
#endif
#endif
