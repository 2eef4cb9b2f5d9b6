// Strokes of a brush: each is one edit, which may go on over frames.
#ifndef PLI_VIEW_STROKES_H
#define PLI_VIEW_STROKES_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Begins a stroke with the session's brush. False, with the message, when nothing can be painted.
bool pli_view_session_stroke(pli_view_session *session, pli_deformable deformable);
// A dab at a point near a vertex of the deformable on which the stroke began. A value that is refused ends it, with the message.
void pli_view_session_dab(pli_view_session *session, pli_deformable deformable, int32_t vertex, pli_vec3 point);
// Begins with the numbers that the text of the scene lists, and notes which it takes from files. At frame 0.
void pli_view_session_begin_paint(pli_view_session *session, const pli_view_baseline *start);
// What is painted, for saving: at most `most`, borrowed; returns their number.
int32_t pli_view_session_list_paint(const pli_view_session *session, pli_view_painted *list, int32_t most);
void pli_view_session_stroke_end(pli_view_session *session);
// The values of the brush's row for each vertex of the present mesh, which has `count`: painted ones, else those that the deformable has; 1 where
// a vertex is held for rows of pins.
void pli_view_session_painted(const pli_view_session *session, pli_deformable deformable, int32_t row, float *values,
                              int32_t count);
// Gives the world the paint of another moment, to be read after it; without success, the message says why.
bool pli_view_session_repaint(pli_view_session *session, pli_view_paint *paint);

#ifdef __cplusplus
}
#endif
#endif
