// An interactive scene: its steps, the stored frames, and the user's actions. Nothing here draws.
#ifndef PLI_VIEW_SESSION_H
#define PLI_VIEW_SESSION_H

#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "brush/paint.h"
#include "files/scene_copy.h"
#include "hands/balls.h"
#include "hands/gust.h"
#include "hands/mover.h"
#include "looking/figures.h"
#include "looking/models.h"
#include "sources/scene_source.h"
#include "view/playback.h"

// A stored frame with the state of the tools.
typedef struct pli_view_kept {
    int32_t frame;
    size_t size;
    void *bytes; // Snapshot.
    pli_grab grab;
    pli_vec3 target;
    bool holds;
    pli_view_balls balls;
    pli_view_gust gust;
    pli_view_figures figures;
    pli_view_paint *paint; // Shared between frames.
    int32_t side;          // Active set of control values.
} pli_view_kept;

enum { PLI_VIEW_EDITS_MOST = 64 };

// The state before an edit, to which it can be undone.
typedef struct pli_view_edit {
    char label[80]; // Description of the edit.
    pli_view_kept moment;
} pli_view_edit;

typedef struct pli_view_edits {
    pli_view_edit edits[PLI_VIEW_EDITS_MOST];
    int32_t count;
} pli_view_edits;

// The current stroke of the brush; without a deformable there is none.
typedef struct pli_view_stroke {
    pli_deformable deformable;
    pli_attachment pins; // Attachment with the vertices pinned so far.
    bool changed;
} pli_view_stroke;

// Two sets of control values; a set without parameters was never read.
typedef struct pli_view_values {
    pli_view_baseline sets[2];
    int32_t side; // Index of the active set.
} pli_view_values;

// Whether the pointer drags a control, whose changes are one edit.
typedef enum pli_view_drag { PLI_VIEW_DRAG_NONE, PLI_VIEW_DRAG_BEGINS, PLI_VIEW_DRAG_CONTINUES } pli_view_drag;

typedef struct pli_view_session {
    pli_cli_scene_source source;
    pli_scene *scene;
    pli_world *world;
    pli_cache *cache;          // Cache of a recording, which is played back; null for a simulated scene.
    pli_cli_playback playback; // Playback of the recording; the session uses its world.
    int32_t frame;             // Steps since the start.
    bool playing;
    pli_grab grab; // Without an attachment while nothing is grabbed.
    pli_vec3 target;
    bool holds;
    pli_view_kept *kept; // In ascending order of frames; the start is always included.
    int32_t kept_count, kept_capacity;
    size_t kept_bytes, budget; // Memory of the stored frames, and its limit.
    pli_view_edits undo, redo; // States before edits, and states before undoing.
    size_t edits_budget;       // Limit of their total memory; the oldest are dropped first.
    bool joined;               // Whether the current edit is merged with the last one.
    pli_view_drag drag;
    float grab_radius, pin_radius; // Radii of the tools [m]; 0: the default of the grab, a vertex and its neighbours.
    pli_view_balls balls;
    pli_collider ball_colliders[PLI_VIEW_BALLS];
    pli_view_gust gust;
    pli_view_mover mover;
    pli_view_brush brush;
    pli_view_stroke stroke;
    pli_view_paint *paint; // Painted values of the world; null for none.
    pli_view_values values;
    uint32_t painted_rows; // A bit for each row of the brush that the scene's file paints.
    pli_view_kept whole;   // State without tears, before the first stroke.
    char message[400];     // The last message; empty for none.
    bool message_stays;    // It is an error, which stays until it is closed.
    int32_t message_count; // Number of messages so far.
    bool checked;          // Whether the world was checked since the last edit,
    int32_t finding_count; // and how many findings it had.
} pli_view_session;

// Opens a scene or a recording; `path` and the paths of the plugins are borrowed. After a failure the session contains only its source,
// with the problems of the file.
pli_status pli_view_session_open(pli_view_session *session, const char *path, bool allow_outside,
                                 const pli_cli_plugins *plugins, pli_error *error);
void pli_view_session_close(pli_view_session *session);
// The last frame that can be reached without computing new ones.
int32_t pli_view_session_last(const pli_view_session *session);
// Computes one frame. Stored frames after the current one are dropped, since the simulation continues differently. If the step fails,
// the previous frame is restored, the session pauses, and its message gives the reason.
void pli_view_session_step(pli_view_session *session);
// Goes to a frame: restores the nearest stored frame before it and steps from there, without the user's tools.
void pli_view_session_go(pli_view_session *session, int32_t frame);

// Shows a message in the window: one that disappears, and an error, which stays until it is closed.
void pli_view_session_tell(pli_view_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pli_view_session_fail(pli_view_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Number of findings of the world (pliant/check.h). The check runs after the world was opened and after each edit.
int32_t pli_view_session_check(pli_view_session *session);
// Stores the current state, to be released with pli_view_kept_release; false when memory runs out. The second function restores it:
// frames stored after it are dropped, and its own frame is stored as it is.
bool pli_view_session_capture(const pli_view_session *session, pli_view_kept *moment);
bool pli_view_session_return(pli_view_session *session, const pli_view_kept *moment);
void pli_view_kept_release(pli_view_kept *moment);
// Stores the current frame after an edit, and drops the frames after it.
void pli_view_session_keep_again(pli_view_session *session);

// Grabs the surface at a vertex; the grab follows `target` until it is released.
void pli_view_session_grab(pli_view_session *session, pli_deformable deformable, int32_t vertex);
void pli_view_session_release(pli_view_session *session);
// Finds a setting by NAME or settings.NAME, and the components of vectors as settings.NAME.x to .z; NULL for none. `component` is the
// index among the values of the property, -1 if the axis is missing or superfluous.
const pli_property *pli_view_setting_find(const char *path, int32_t *component);
// Changes a setting by its path, a parameter of a constraint set as SET.PARAMETER or DEFORMABLE/SET.PARAMETER, or a number of a
// deformable as DEFORMABLE.NUMBER if no set has that name. Returns false, with the message, when the value is rejected.
bool pli_view_session_set(pli_view_session *session, const char *path, double value);
// The same for a deformable (files/deformable_values.h). Painted values are changed only by the brush.
bool pli_view_session_set_deformable(pli_view_session *session, pli_deformable deformable, const char *name,
                                     double value);
// Gives a deformable the values of a preset that its sets and its plate have, as one edit.
bool pli_view_session_set_material(pli_view_session *session, pli_deformable deformable, const pli_material *material);
bool pli_view_session_is_painted(const pli_view_session *session, pli_deformable deformable, const char *name);
// The same for a set.
bool pli_view_session_set_parameter(pli_view_session *session, pli_constraints set, const char *name, double value);
// Finds a set by DEFORMABLE/SET, or SET for the first of that name; the null handle for none.
pli_constraints pli_view_session_find_set(const pli_view_session *session, const char *path, size_t length);
// Finds the first deformable of a name; the null handle for none.
pli_deformable pli_view_session_find_deformable(const pli_view_session *session, const char *name, size_t length);

#ifdef __cplusplus
}
#endif
#endif
