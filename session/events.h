// The effect of each event on the world, and the state that results.
#ifndef PLI_SESSION_EVENTS_H
#define PLI_SESSION_EVENTS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// The diagonal of the largest deformable that can bend, at rest [m].
float pli_session_size(const pli_session *session);
// Writes 1 for each of the deformable's first `count` vertices that a fixed attachment holds, 0 for the others.
void pli_session_pinned(const pli_session *session, pli_deformable deformable, float *pinned, int32_t count);
bool pli_session_is_pinned(const pli_session *session, pli_deformable deformable, int32_t vertex);
// The pose of what is moved; false if nothing is.
bool pli_session_moved_pose(const pli_session *session, pli_transform *pose);
// Whether the world has a closed surface with a pressure.
bool pli_session_has_pressure(const pli_session *session);
// The values of a quantity for the first `count` vertices; for pins, 1 if a vertex is pinned.
void pli_session_painted(const pli_session *session, pli_deformable deformable, int32_t quantity, float *values,
                         int32_t count);
// A kind of event: its name, its indices by letters (session/events.c), and which of the other parameters it has.
typedef struct pli_session_row {
    const char *name, *indices;
    int32_t number_count;
    bool has_value, has_name, has_vertices, has_values;
    pli_status (*act)(pli_session *session, const pli_session_event *event, pli_error *error);
} pli_session_row;
const pli_session_row *pli_session_row_of(int32_t kind);
// Acts on the world.
pli_status pli_session_apply(pli_session *session, const pli_session_event *event, pli_error *error);
// Moves what the tools move, before a step.
pli_status pli_session_move_tools(pli_session *session, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
