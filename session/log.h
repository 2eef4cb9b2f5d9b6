// The log as text: one line for each event, and the last frame.
//
//     FRAME EVENT INTEGER... NUMBER... [VALUE] [NAME] [COUNT VERTEX... [NUMBER...]]
//     FRAME end
//     # a comment
//
// Parameters are in the order of the table in session/session.h; numbers are written such that they are read back bit-identically.
#ifndef PLI_SESSION_LOG_H
#define PLI_SESSION_LOG_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// The text of the log, to be freed by the caller; null when memory runs out.
char *pli_session_log_write(const pli_session *session);
// Replaces the log by the one of a text, and goes to the start. pli_session_go then repeats the session, up to `last`. Events with
// indices out of range, or of another scene, are rejected before they act. Errors: CORRUPT, with the line; the log is then empty.
pli_status pli_session_log_read(pli_session *session, const char *text, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
