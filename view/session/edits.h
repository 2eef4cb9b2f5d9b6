// Edits by hand, which can be taken back.
#ifndef PLI_VIEW_EDITS_H
#define PLI_VIEW_EDITS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pins the vertex and its neighbours where they are.
void pli_view_session_pin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Lets go what holds the vertex and its neighbours, pins and attachments of the scene alike.
void pli_view_session_unpin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Holds vertices that nothing holds, by an attachment that is made, or by one that has some already.
pli_status pli_view_session_hold(pli_view_session *session, pli_deformable deformable, const int32_t *vertices,
                                 int32_t count, pli_attachment *attachment, pli_error *error);
// Lets vertices go, whatever holds them but the hand; `released` gets their number.
pli_status pli_view_session_let_go(pli_view_session *session, pli_deformable deformable, const int32_t *vertices,
                                   int32_t count, int32_t *released, pli_error *error);
// 1 for each of the deformable's first `count` vertices that is held exactly, 0 for others.
void pli_view_session_held(const pli_view_session *session, pli_deformable deformable, float *held, int32_t count);
// The diagonal of what can bend, by its rest shapes [m].
float pli_view_session_size(const pli_view_session *session);
// Takes a collider of the scene, or what holds a vertex, to lead it by the session's mover until it is let go. False, with the message, when nothing
// can be moved there.
bool pli_view_session_take_collider(pli_view_session *session, pli_collider collider);
bool pli_view_session_take_pin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
void pli_view_session_drop(pli_view_session *session);
// Throws a ball from a place through a point, as large and fast as suits the scene.
void pli_view_session_throw(pli_view_session *session, pli_vec3 from, pli_vec3 through);
// Blows from a place in a direction until pli_view_session_calm.
void pli_view_session_blow(pli_view_session *session, pli_vec3 from, pli_vec3 way);
void pli_view_session_calm(pli_view_session *session);

// Before an edit: it can be taken back from now on. Edits of one label at one frame that follow each other join where `joins` says so, as those of
// a slider that is drawn. After it, pli_view_session_edited keeps the frame anew; without success, the edit is forgotten.
void pli_view_session_edit(pli_view_session *session, const char *label, bool joins);
void pli_view_session_edited(pli_view_session *session, bool success);
// Goes back to the moment before the last edit, and forth again to where that left from.
void pli_view_session_undo(pli_view_session *session);
void pli_view_session_redo(pli_view_session *session);
// Forgets the edits of frames after the present one, and what could be redone: the past goes on differently.
void pli_view_session_forget_edits(pli_view_session *session);
void pli_view_session_release_edits(pli_view_session *session);
// Cuts between faces on two sides of a plane, within a reach of its point [m].
void pli_view_session_cut(pli_view_session *session, pli_deformable deformable, pli_vec3 point, pli_vec3 normal,
                          float reach);

// Goes to the start with the knobs as they are now: what keyframes lead they lead again.
void pli_view_session_restart(pli_view_session *session);

#ifdef __cplusplus
}
#endif
#endif
