// Values that the user changes: settings of the world, parameters of constraint sets, and properties of deformables; and two complete
// sets of them, A and B.
#ifndef PLI_SESSION_VALUES_H
#define PLI_SESSION_VALUES_H

#include <pliant/descriptor.h>
#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_session pli_session;

/* ---- controls ----------------------------------------------------------------------------------- */

// The owner of a value: a constraint set, a deformable, or, with two null handles, the world.
typedef struct pli_session_owner {
    pli_constraint_set set;
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

// Sets a value as an edit with its path as label; consecutive changes of the same value are one edit. Returns false, with the message, if
// it is rejected.
bool pli_session_set(pli_session *session, const char *path, double value);
bool pli_session_set_control(pli_session *session, const pli_session_control *control, double value);
// Gives a deformable the values of a preset that its sets and its plate have, as one edit.
bool pli_session_set_material(pli_session *session, pli_deformable deformable, const pli_material *material);
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
pli_constraint_set pli_session_find_set(const pli_session *session, const char *path, size_t length);
pli_deformable pli_session_find_deformable(const pli_session *session, const char *name, size_t length);

// The index of a deformable in its world, -1 for none.
int32_t pli_session_index_of(const pli_world *world, pli_deformable deformable);
// The i-th live property of deformables and their plates, null when out of range; the property of a name; and their number.
const pli_property *pli_session_deformable_property_at(int32_t i);
const pli_property *pli_session_deformable_property_find(const char *name);
int32_t pli_session_deformable_property_count(void);
bool pli_session_is_of_plate(const pli_property *property);
double pli_session_deformable_value(const pli_world *world, pli_deformable deformable, const pli_property *property);

/* ---- sets of values ----------------------------------------------------------------------------- */

// All values of a world: its settings, the parameters of all constraint sets, and the properties of all deformables, concatenated.
typedef struct pli_session_values {
    pli_settings settings;
    double *parameters; // Null if never read.
    int32_t parameter_count;
    double *deformable_values;
    int32_t deformable_count;
} pli_session_values;

pli_status pli_session_values_read(pli_session_values *values, const pli_world *world, pli_error *error);
// Applies them to a world of the same objects.
pli_status pli_session_values_apply(const pli_session_values *values, pli_world *world, pli_error *error);
void pli_session_values_release(pli_session_values *values);
// The current values, without the air density that the blow tool sets.
pli_status pli_session_values_now(const pli_session *session, pli_session_values *values, pli_error *error);

// A value that differs between two sets.
typedef struct pli_session_difference {
    pli_session_control control;
    double values[2];
} pli_session_difference;

// Writes at most `most` of the differences between two sets of values, and returns how many there are.
int32_t pli_session_values_compare(const pli_world *world, const pli_session_values *a, const pli_session_values *b,
                                   pli_session_difference *list, int32_t most);
// Sets all values in which two sets differ to the second one, as events of the current edit.
bool pli_session_values_set(pli_session *session, const pli_session_values *from, const pli_session_values *to);
// The same for A and B.
int32_t pli_session_differences(const pli_session *session, pli_session_difference *list, int32_t most);
// Makes the other set active, as an edit. A set that was never chosen begins as a copy of the first one.
void pli_session_swap_values(pli_session *session, int32_t side);
// Copies the values of the active set to the inactive one.
void pli_session_copy_values(pli_session *session);
// Reads the active set from the world. Returns whether it has changed since it was last read.
bool pli_session_read_values(pli_session *session);
// Reads A and B; false, without a message, when memory runs out.
bool pli_session_ready_values(pli_session *session);

#ifdef __cplusplus
}
#endif
#endif
