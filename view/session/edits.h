// Edits by the user, which can be undone.
#ifndef PLI_VIEW_EDITS_H
#define PLI_VIEW_EDITS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pins the vertex and its neighbours, or the vertices within the radius of the tool, where they are.
void pli_view_session_pin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Releases the same vertices from all pins and attachments of the scene.
void pli_view_session_unpin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Whether a pin or an attachment of the scene holds the vertex.
bool pli_view_session_is_held(const pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Pins unpinned vertices with a new attachment, or with one that already holds some vertices.
pli_status pli_view_session_hold(pli_view_session *session, pli_deformable deformable, const int32_t *vertices,
                                 int32_t count, pli_attachment *attachment, pli_error *error);
// Releases vertices from everything except the grab; `released` gets their number.
pli_status pli_view_session_let_go(pli_view_session *session, pli_deformable deformable, const int32_t *vertices,
                                   int32_t count, int32_t *released, pli_error *error);
// Writes 1 for each of the deformable's first `count` vertices that is kinematic, 0 for the others.
void pli_view_session_held(const pli_view_session *session, pli_deformable deformable, float *held, int32_t count);
// The diagonal of the deformables that can bend, from their rest shapes [m].
float pli_view_session_size(const pli_view_session *session);
// Grabs a collider of the scene, or the attachment of a vertex, to move it by the session's mover until it is released. Returns false
// with the message if nothing can be moved there.
bool pli_view_session_take_collider(pli_view_session *session, pli_collider collider);
bool pli_view_session_take_pin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
void pli_view_session_drop(pli_view_session *session);
// Throws a ball from one point through another, with a size and speed that suit the scene.
void pli_view_session_throw(pli_view_session *session, pli_vec3 from, pli_vec3 through);
// Blows from a point in a direction until pli_view_session_calm.
void pli_view_session_blow(pli_view_session *session, pli_vec3 from, pli_vec3 way);
void pli_view_session_calm(pli_view_session *session);

// Called before an edit, which can be undone from now on. Consecutive edits with the same label at the same frame are merged if `joins`
// is set; a drag of a slider is one edit, whatever frames it lasts. After the edit, pli_view_session_edited stores the frame again; if the edit failed, it is discarded.
void pli_view_session_edit(pli_view_session *session, const char *label, bool joins);
void pli_view_session_edited(pli_view_session *session, bool success);
// Undoes the last edit, and redoes the last undone one.
void pli_view_session_undo(pli_view_session *session);
void pli_view_session_redo(pli_view_session *session);
// Discards the edits of later frames and everything that could be redone, since the simulation continues differently.
void pli_view_session_forget_edits(pli_view_session *session);
void pli_view_session_release_edits(pli_view_session *session);
// Cuts between faces on opposite sides of a plane, within a distance of its point [m].
void pli_view_session_cut(pli_view_session *session, pli_deformable deformable, pli_vec3 point, pli_vec3 normal,
                          float reach);

// Goes to the start with the current control values; keyframes then animate their values again.
void pli_view_session_restart(pli_view_session *session);

#ifdef __cplusplus
}
#endif
#endif
