// Two sets of knobs, A and B: one acts, and both can be seen side by side.
#ifndef PLI_VIEW_KNOBS_H
#define PLI_VIEW_KNOBS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// A value that A and B do not share.
typedef struct pli_view_difference {
    char path[200];   // As pli_view_session_set takes it.
    double values[2]; // Of A and of B.
} pli_view_difference;

// Gives the world the other set of knobs, an edit that can be taken back. A set that was never chosen begins as a copy of the first one.
void pli_view_session_turn_knobs(pli_view_session *session, int32_t side);
// Gives the set that does not act the values of the one that does.
void pli_view_session_copy_knobs(pli_view_session *session);
// Reads the set that acts from the world. Whether it has changed since it was last read.
bool pli_view_session_read_knobs(pli_view_session *session);
// Writes at most `most` of the values in which A and B differ, and returns how many there are.
int32_t pli_view_session_differences(const pli_view_session *session, pli_view_difference *list, int32_t most);
// Opens A and B side by side, each in a world of its own, in place of what was seen there. False, with the message, without success.
bool pli_view_session_split_knobs(pli_view_session *session, pli_view_models *models);
// Gives the world of the set that acts what has changed in it.
void pli_view_session_follow_knobs(pli_view_session *session, pli_view_models *models);

#ifdef __cplusplus
}
#endif
#endif
