// A scene that runs under hands: steps, the frames that are kept to go back to, and what hands do. Nothing here draws.
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

// A frame that is kept, with the hand as it was.
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
    pli_view_paint *paint; // Shared.
    int32_t side;          // Of the knobs.
} pli_view_kept;

enum { PLI_VIEW_EDITS_MOST = 64 };

// A moment that an edit can be taken back to.
typedef struct pli_view_edit {
    char label[80]; // What was done.
    pli_view_kept moment;
} pli_view_edit;

typedef struct pli_view_edits {
    pli_view_edit edits[PLI_VIEW_EDITS_MOST];
    int32_t count;
} pli_view_edits;

// A stroke of the brush that goes on; without a deformable there is none.
typedef struct pli_view_stroke {
    pli_deformable deformable;
    pli_attachment pins; // What it holds so far.
    bool changed;
} pli_view_stroke;

// Two sets of knobs; one without parameters was never read.
typedef struct pli_view_knobs {
    pli_view_baseline sets[2];
    int32_t side; // That which acts.
} pli_view_knobs;

typedef struct pli_view_session {
    pli_cli_scene_source source;
    pli_scene *scene;
    pli_world *world;
    pli_cache *cache;          // Of a recording, which is shown and not computed; null for a scene that runs.
    pli_cli_playback playback; // Of the recording, whose world is the session's.
    int32_t frame;             // Steps since the start.
    bool playing;
    pli_grab grab; // Without an attachment while nothing is held.
    pli_vec3 target;
    bool holds;
    pli_view_kept *kept; // Ascending frames; the start is always there.
    int32_t kept_count, kept_capacity;
    size_t kept_bytes, budget; // Memory of the kept frames, and its limit.
    pli_view_edits undo, redo; // Moments before edits, and those that undoing left.
    size_t edits_budget;       // Limit of their memory together; the oldest go first.
    bool joined;               // Whether the edit that goes on is part of the last one.
    pli_view_balls balls;
    pli_collider ball_colliders[PLI_VIEW_BALLS];
    pli_view_gust gust;
    pli_view_mover mover;
    pli_view_brush brush;
    pli_view_stroke stroke;
    pli_view_paint *paint; // What brushes have laid on the world; null for nothing.
    pli_view_knobs knobs;
    uint32_t painted_rows; // A bit for each row of the brush that the scene's file paints.
    pli_view_kept whole;   // A moment at which nothing had torn, before the first stroke.
    char message[400];     // The last thing to tell; empty for nothing.
    bool checked;          // Whether the world was checked since the last edit,
    int32_t finding_count; // and how many findings it had.
} pli_view_session;

// Opens a scene or a recording; `path` is borrowed, and what the plugins name. On failure the session has nothing but its source, with what is wrong with the file.
pli_status pli_view_session_open(pli_view_session *session, const char *path, bool allow_outside,
                                 const pli_cli_plugins *plugins, pli_error *error);
void pli_view_session_close(pli_view_session *session);
// The last frame that can be gone to without computing new ones.
int32_t pli_view_session_last(const pli_view_session *session);
// One frame. What was kept beyond the present frame is dropped: the past goes on differently. When the step fails, the frame
// before is restored, the session pauses, and its message says why.
void pli_view_session_step(pli_view_session *session);
// Goes to a frame: reads the nearest kept one before it and steps from there, without hands.
void pli_view_session_go(pli_view_session *session, int32_t frame);

// Tells something, in the window's message. With a null session nothing happens.
void pli_view_session_tell(pli_view_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
// How many findings the world has (pliant/check.h), which are looked for when it has been opened and after each edit.
int32_t pli_view_session_check(pli_view_session *session);
// The present state, to be released with pli_view_kept_release; false when memory is used up. And back to it: the frames kept after it are
// dropped, and its own is kept as it is.
bool pli_view_session_capture(const pli_view_session *session, pli_view_kept *moment);
bool pli_view_session_return(pli_view_session *session, const pli_view_kept *moment);
void pli_view_kept_release(pli_view_kept *moment);
// Keeps the present frame as it is after an edit, and drops those after it.
void pli_view_session_keep_again(pli_view_session *session);

// Takes hold of the surface at a vertex; the hand is led by `target` until it lets go.
void pli_view_session_grab(pli_view_session *session, pli_deformable deformable, int32_t vertex);
void pli_view_session_release(pli_view_session *session);
// A setting by NAME or settings.NAME, the components of vectors as settings.NAME.x to .z; NULL for none. `component` is the place among the values of
// the property, -1 where the path has an axis too few or too many.
const pli_property *pli_view_setting_find(const char *path, int32_t *component);
// Changes a setting by its path, a parameter of a constraint set as SET.PARAMETER or DEFORMABLE/SET.PARAMETER, or a number of a deformable as
// DEFORMABLE.NUMBER where no set is called like it. False, with the message, when it is refused.
bool pli_view_session_set(pli_view_session *session, const char *path, double value);
// The same for a deformable (files/deformable_values.h). What is painted is left to the brush.
bool pli_view_session_set_deformable(pli_view_session *session, pli_deformable deformable, const char *name,
                                     double value);
bool pli_view_session_is_painted(const pli_view_session *session, pli_deformable deformable, const char *name);
// The same for a set.
bool pli_view_session_set_parameter(pli_view_session *session, pli_constraint_set set, const char *name, double value);
// A set as DEFORMABLE/SET, or SET for the first of that name; the null handle for none.
pli_constraint_set pli_view_session_find_set(const pli_view_session *session, const char *path, size_t length);
// The first deformable of a name; the null handle for none.
pli_deformable pli_view_session_find_deformable(const pli_view_session *session, const char *name, size_t length);

#ifdef __cplusplus
}
#endif
#endif
