// Controls: values that the user changes, of the world, a constraint set or a deformable.
#ifndef PLI_SESSION_CONTROLS_H
#define PLI_SESSION_CONTROLS_H

#include <pliant/descriptor.h>
#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_session pli_session;

// The owner of a value: a constraint set, a deformable, or, with two null handles, the world.
typedef struct pli_session_owner {
    pli_constraints set;
    pli_deformable deformable;
} pli_session_owner;

typedef struct pli_session_control {
    const pli_property *property;
    pli_session_owner owner;
    int32_t component; // Component of a vector, -1 for all of it; 0 for other properties.
} pli_session_control;

// Finds the control of a path: NAME, settings.NAME, contact.NAME and their .x, .y and .z for the world; SET.PARAMETER or
// DEFORMABLE/SET.PARAMETER for a constraint set; DEFORMABLE.NAME for a deformable if no set has that name. Returns false if there is none.
bool pli_session_control_find(const pli_session *session, const char *path, pli_session_control *control);
double pli_session_control_value(const pli_world *world, const pli_session_control *control);
// Whether a control has an effect in the current state, by the conditions of its descriptor. A control of a painted value has none.
bool pli_session_has_effect(const pli_session *session, const pli_property *property, pli_session_owner owner);
// Writes a value. A property that this one replaces gets its default, unless the write is `plain`.
pli_status pli_session_control_write(pli_session *session, const pli_session_control *control, double value, bool plain,
                                     pli_error *error);

// Whether a value of a deformable is painted, so that only the brush changes it.
bool pli_session_is_painted(const pli_session *session, pli_deformable deformable, const char *name);

// Finds the i-th owner of a prefix for a deformable (pli_panel_rows): "bend" has its bending sets and then its plate, "stretch" its sets
// of "distance" or "membrane", "others" its other sets without attachments, "cloth" itself, and "settings" the world. Returns false if
// there is none.
bool pli_session_owner_find(const pli_world *world, pli_deformable deformable, const char *prefix, int32_t i,
                            pli_session_owner *owner);
// The property of an owner by its name; null for none.
const pli_property *pli_session_owner_property(const pli_world *world, pli_session_owner owner, const char *name);
// The path of a property as pli_session_set takes it.
void pli_session_owner_path(const pli_world *world, pli_session_owner owner, const char *name, char *path, size_t size);
// Finds a set by DEFORMABLE/SET, or SET for the first of that name; and the first deformable of a name. The null handle for none.
pli_constraints pli_session_find_set(const pli_session *session, const char *path, size_t length);
pli_deformable pli_session_find_deformable(const pli_session *session, const char *name, size_t length);

// The index of a deformable in its world, -1 for none.
int32_t pli_session_index_of(const pli_world *world, pli_deformable deformable);
// The i-th live property of deformables and their plates, null when out of range; the property of a name; and their number.
const pli_property *pli_session_deformable_property_at(int32_t i);
const pli_property *pli_session_deformable_property_find(const char *name);
int32_t pli_session_deformable_property_count(void);
bool pli_session_is_of_plate(const pli_property *property);
double pli_session_deformable_value(const pli_world *world, pli_deformable deformable, const pli_property *property);

#ifdef __cplusplus
}
#endif
#endif
