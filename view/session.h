// A scene that runs under hands: steps, the frames that are kept to go back to, grabs, pins and cuts. Nothing here draws.
#ifndef PLI_VIEW_SESSION_H
#define PLI_VIEW_SESSION_H

#include "looking/figures.h"
#include "sources/scene_source.h"

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

// A frame that is kept, with the hand as it was.
typedef struct pli_view_kept {
    int32_t frame;
    size_t size;
    void *bytes; // Snapshot.
    pli_grab grab;
    pli_vec3 target;
    bool holds;
    pli_view_figures figures;
} pli_view_kept;

typedef struct pli_view_session {
    pli_cli_scene_source source;
    pli_scene *scene;
    pli_world *world;
    int32_t frame; // Steps since the start.
    bool playing;
    pli_grab grab; // Without an attachment while nothing is held.
    pli_vec3 target;
    bool holds;
    pli_view_kept *kept; // Ascending frames; the start is always there.
    int32_t kept_count, kept_capacity;
    size_t kept_bytes, budget; // Memory of the kept frames, and its limit.
    char message[400];         // The last thing to tell; empty for nothing.
} pli_view_session;

// Opens a scene; `path` is borrowed. The session is empty on failure.
pli_status pli_view_session_open(pli_view_session *session, const char *path, bool allow_outside, pli_error *error);
void pli_view_session_close(pli_view_session *session);
// One frame. What was kept beyond the present frame is dropped: the past goes on differently. When the step fails, the frame
// before is restored, the session pauses, and its message says why.
void pli_view_session_step(pli_view_session *session);
// Goes to a frame: reads the nearest kept one before it and steps from there, without hands.
void pli_view_session_go(pli_view_session *session, int32_t frame);

// Takes hold of the surface at a vertex; the hand is led by `target` until it lets go.
void pli_view_session_grab(pli_view_session *session, pli_deformable deformable, int32_t vertex);
void pli_view_session_release(pli_view_session *session);
// Pins the vertex and its neighbours where they are.
void pli_view_session_pin(pli_view_session *session, pli_deformable deformable, int32_t vertex);
// Cuts between faces on two sides of a plane, within a reach of its point [m].
void pli_view_session_cut(pli_view_session *session, pli_deformable deformable, pli_vec3 point, pli_vec3 normal,
                          float reach);
// Changes a setting by its name, or a parameter of a constraint set as SET.PARAMETER. False, with the message, when it is refused.
bool pli_view_session_set(pli_view_session *session, const char *path, double value);

#ifdef __cplusplus
}
#endif
#endif
