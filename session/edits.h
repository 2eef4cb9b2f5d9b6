// Edits of values and paint, A and B. Each edit is one or more events, and can be undone.
#ifndef PLI_SESSION_EDITS_H
#define PLI_SESSION_EDITS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets a value as an edit with its path as label; consecutive changes of the same value are one edit. Returns false, with the message, if
// it is rejected.
bool pli_session_set(pli_session *session, const char *path, double value);
// The same under another label; null continues the last edit.
bool pli_session_set_labelled(pli_session *session, const char *path, double value, const char *label);
bool pli_session_set_control(pli_session *session, const pli_session_control *control, double value);
// Gives a deformable the values of a preset that its sets and its plate have, as one edit.
bool pli_session_set_material(pli_session *session, pli_deformable deformable, const pli_material *material);
// Paints all layers of a paint, as events.
bool pli_session_paint_set(pli_session *session, const pli_session_paint *paint);
// Starts again at frame 0 with the current values and paint; everything else is discarded.
void pli_session_restart(pli_session *session);

// The current values, without the air density that the blow tool sets.
pli_status pli_session_values_now(const pli_session *session, pli_session_values *values, pli_error *error);

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
