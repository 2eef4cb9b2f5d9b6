// Strokes of a brush: each is one edit, which may span several frames.
#ifndef PLI_VIEW_STROKES_H
#define PLI_VIEW_STROKES_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Begins a stroke with the session's brush. False, with the message, when nothing can be painted.
bool pli_view_session_stroke(pli_view_session *session, pli_deformable deformable);
// Paints a dab at a point near a vertex of the deformable on which the stroke began. A rejected value ends the stroke with the message.
void pli_view_session_dab(pli_view_session *session, pli_deformable deformable, int32_t vertex, pli_vec3 point);
// Initialises the paint at frame 0 with the numbers that the text of the scene lists, and stores which rows it takes from files.
void pli_view_session_begin_paint(pli_view_session *session, const pli_view_baseline *start);
// Lists the painted values for saving: at most `most`, borrowed; returns their number.
int32_t pli_view_session_list_paint(const pli_view_session *session, pli_view_painted *list, int32_t most);
void pli_view_session_stroke_end(pli_view_session *session);
// The values of the brush's row for each of the `count` vertices of the current mesh: painted values, else the deformable's own; for
// rows of pins, 1 if a vertex is held.
void pli_view_session_painted(const pli_view_session *session, pli_deformable deformable, int32_t row, float *values,
                              int32_t count);
// Applies the paint of another moment, before that moment is restored. On failure, the message gives the reason.
bool pli_view_session_repaint(pli_view_session *session, pli_view_paint *paint);

#ifdef __cplusplus
}
#endif
#endif
