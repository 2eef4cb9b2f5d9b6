// Two sets of control values, A and B: one is active, and both can be seen side by side.
#ifndef PLI_VIEW_VALUES_H
#define PLI_VIEW_VALUES_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// A value that differs between A and B.
typedef struct pli_view_difference {
    char path[200];   // As pli_view_session_set takes it.
    double values[2]; // Values of A and of B.
} pli_view_difference;

// Makes the other set active, as an edit that can be undone. A set that was never chosen begins as a copy of the first one.
void pli_view_session_swap_values(pli_view_session *session, int32_t side);
// Copies the values of the active set to the inactive one.
void pli_view_session_copy_values(pli_view_session *session);
// Reads the active set from the world. Returns whether it has changed since it was last read.
bool pli_view_session_read_values(pli_view_session *session);
// Writes at most `most` of the values in which A and B differ, and returns how many there are.
int32_t pli_view_session_differences(const pli_view_session *session, pli_view_difference *list, int32_t most);
// Opens A and B side by side, each in its own world, instead of the current models. Returns false with the message on failure.
bool pli_view_session_split_values(pli_view_session *session, pli_view_models *models);
// Applies changes of the active set to its world in the side-by-side view.
void pli_view_session_follow_values(pli_view_session *session, pli_view_models *models);

#ifdef __cplusplus
}
#endif
#endif
