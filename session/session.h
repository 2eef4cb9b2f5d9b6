// A simulation under the user's tools: the window and the web page draw it, and this library does the rest.
//
// State. A session has a world, a frame number, and the state of the tools (pli_session_tools). Every action of the user is an event,
// which acts between two steps. The log contains all events in order, each with its frame. The state at a frame depends on the scene
// and the log alone, so that the session can compute every frame again, bit-identically, on every machine.
//
//     event     parameters                                              effect
//     grab      hand, deformable, vertex; radius, strength, target      pulls softly towards the target (pliant/grab.h)
//     pull      hand; target                                            moves the target
//     release   hand                                                    ends the pull, which fades
//     pin       deformable, continues; vertices                         fixes the vertices where they are
//     unpin     deformable; vertices                                    frees them from all pins and attachments
//     cut       deformable; point, normal, reach                        cuts between faces on both sides of a plane
//     ball      from, through, speed, radius                            throws a ball
//     blow      from, direction, speed                                  starts an air flow in a cone, or changes its direction
//     calm                                                              ends it
//     pump      rate                                                    changes the pressure of closed surfaces in each step [1/s]
//     take      collider, or -1, deformable and vertex                  grabs a collider or an attachment rigidly
//     move      position                                                moves it, at 5 m/s at most
//     drop                                                              ends the motion
//     set       set, deformable, component, plain; value, name          sets a value of a constraint set, a deformable or the world
//     paint     deformable; name; vertices, values                      paints values of the attribute
//     side      side                                                    the active set of values is A (0) or B (1)
//     scene     index                                                   the world is made again from another variant of the scene
//
// Time. Snapshots ("moments") of some frames are stored within a memory budget. Going to a frame restores the nearest earlier moment and
// steps from there with the log. A new event before the last frame discards the frames and the events after it.
//
// Undo. An edit is a run of events under one label. Undo returns to the moment before the edit, with its frame. Redo puts its events back
// and returns to the frame where it was undone. The events grab, pull, release, blow and calm are no edits: undoing an earlier edit
// discards them as well.
//
// A and B. Two sets of values: the active one is in the world, the other one is stored (session/values.h).
//
// Text. The log can be written as text and read again (session/log.h), which reproduces the session natively and in WebAssembly.
#ifndef PLI_SESSION_H
#define PLI_SESSION_H

#include <pliant/pliant.h>
#include <pliant/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "session/blow.h"
#include "session/balls.h"
#include "session/brush.h"
#include "session/values.h"

enum { PLI_SESSION_HANDS = 4, PLI_SESSION_EDITS = 64, PLI_SESSION_SCENES = 32 };

typedef enum pli_session_kind {
    PLI_SESSION_GRAB,
    PLI_SESSION_PULL,
    PLI_SESSION_RELEASE,
    PLI_SESSION_PIN,
    PLI_SESSION_UNPIN,
    PLI_SESSION_CUT,
    PLI_SESSION_BALL,
    PLI_SESSION_BLOW,
    PLI_SESSION_CALM,
    PLI_SESSION_PUMP,
    PLI_SESSION_TAKE,
    PLI_SESSION_MOVE,
    PLI_SESSION_DROP,
    PLI_SESSION_SET,
    PLI_SESSION_PAINT,
    PLI_SESSION_SIDE,
    PLI_SESSION_SCENE,
    PLI_SESSION_KINDS
} pli_session_kind;

// The parameters are in the order of the table above: integers in `indices`, lengths and directions in `numbers`.
typedef struct pli_session_event {
    int32_t kind; // A pli_session_kind.
    int32_t frame;
    int32_t indices[4];
    float numbers[8];
    double value;
    const char *name;        // Property of `set`, attribute of `paint`.
    const int32_t *vertices; // Lists of `pin`, `unpin` and `paint`.
    const float *values;
    int32_t count;
} pli_session_event;

// A grab of one pointer.
typedef struct pli_session_hand {
    pli_grab grab; // Without an attachment while nothing is grabbed.
    int32_t vertex;
    pli_vec3 target;
    bool holds;
} pli_session_hand;

// A collider or an attachment that follows a target; both handles are null while nothing is moved.
typedef struct pli_session_mover {
    pli_collider collider;
    pli_attachment attachment;
    pli_vec3 target; // Target of its frame [m].
} pli_session_mover;

// The state of the tools at a frame.
typedef struct pli_session_tools {
    pli_session_hand hands[PLI_SESSION_HANDS];
    pli_session_balls balls;
    pli_session_gust gust;
    pli_session_mover mover;
    float pump;          // Change of the pressure of closed surfaces [1/s].
    pli_attachment pins; // The last attachment that `pin` made, which a stroke extends.
    int32_t side;        // Active set of values.
} pli_session_tools;

// A stored state.
typedef struct pli_session_moment {
    int32_t frame;
    int32_t acted; // Number of events of the log that have acted.
    int32_t scene;
    size_t size;
    void *bytes; // Snapshot.
    pli_session_tools tools;
    pli_session_paint *paint; // Shared between moments.
} pli_session_moment;

// An edit that can be undone: the events of the log from `first` on.
typedef struct pli_session_edit {
    char label[80];
    int32_t frame, first;
} pli_session_edit;

// An edit that was undone, with the discarded events.
typedef struct pli_session_undone {
    pli_session_edit edit;
    pli_session_event *events;
    int32_t count, frame, last; // Frame where it was undone, and the last frame at that time.
} pli_session_undone;

// Whether a control is dragged, so that its changes are one edit although frames pass.
typedef enum pli_session_drag {
    PLI_SESSION_DRAG_NONE,
    PLI_SESSION_DRAG_BEGINS,
    PLI_SESSION_DRAG_CONTINUES
} pli_session_drag;

typedef enum pli_session_tool {
    PLI_SESSION_TOOL_GRAB,
    PLI_SESSION_TOOL_PIN,
    PLI_SESSION_TOOL_BRUSH,
    PLI_SESSION_TOOL_CUT,
    PLI_SESSION_TOOL_BALL,
    PLI_SESSION_TOOL_BLOW,
    PLI_SESSION_TOOL_PUMP,
    PLI_SESSION_TOOL_MOVE,
    PLI_SESSION_TOOLS
} pli_session_tool;

// The pointer: a ray from the eye, and the time at which it is there.
typedef struct pli_session_pointer {
    pli_vec3 eye, ray, ahead; // Directions are unit vectors; `ahead` is the middle of the picture.
    double seconds;
} pli_session_pointer;

// A pressed pointer. Gestures produce events, and are not part of the log.
typedef struct pli_session_gesture {
    bool pressed, moved, secondary, hits;
    pli_session_tool tool;
    pli_ray_hit hit; // Where it was pressed.
    pli_session_pointer first, last;
    pli_vec3 from;        // Position of what is moved.
    pli_vec3 cut_rays[2]; // First and last ray of a cut that hit the cloth,
    pli_vec3 cut_ends[2]; // and the points there.
    int32_t cut_hits;
    bool taken;  // Something is moved.
    bool edited; // A stroke of the brush has changed something.
} pli_session_gesture;

struct pli_session {
    pli_scene *scenes[PLI_SESSION_SCENES]; // Variants of the scene; the session owns them.
    int32_t scene_count, scene;
    pli_world *world;
    int32_t scene_attachments; // The first attachments are the scene's, later ones are pins and grabs.
    pli_collider ball_colliders[PLI_SESSION_BALLS];
    bool (*show)(void *user, int32_t frame,
                 pli_error *error); // Shows a frame of a recording, which has no steps; null for a scene.
    void (*arrived)(void *user, const pli_session *session);
    void *user;
    int32_t frame, last; // The current frame, and the last one that can be reached without new steps.
    bool playing;
    pli_session_tools tools;
    pli_session_event *events; // The log.
    int32_t event_count, event_capacity, acted;
    pli_session_edit edits[PLI_SESSION_EDITS];
    pli_session_undone undone[PLI_SESSION_EDITS];
    int32_t edit_count, undone_count;
    pli_session_moment *moments; // In ascending order; the first is the start.
    int32_t moment_count, moment_capacity, interval;
    size_t moment_bytes, budget;
    pli_session_paint *paint;   // Painted values of the world; null for none.
    uint32_t painted_by_file;   // A bit for each quantity that the scene's file paints.
    pli_session_values sets[2]; // The values of A and B as last read; without parameters if never read.
    pli_session_drag drag;
    pli_session_brush brush;
    float grab_radius, pin_radius; // [m]; 0: the default of the grab, the neighbours of a vertex.
    float grab_strength;           // Factor on the force limit of a grab.
    int32_t axis; // Axis along which the move tool moves, 0 to 2; -1: the plane parallel to the picture.
    pli_session_gesture gestures[PLI_SESSION_HANDS];
    int32_t worlds;        // Number of worlds that were made.
    int32_t breaks;        // Number of changes that are no step: other worlds, restored moments, cuts.
    bool failed;           // The last step failed.
    bool left;             // Time went back, so that what is held is released before anything new happens.
    char message[400];     // The last message; empty for none.
    bool message_stays;    // It is an error, which stays until it is closed.
    int32_t message_count; // Number of messages so far.
    bool checked;          // Whether the world was checked since the last event,
    int32_t finding_count; // and how many findings it had.
};

typedef struct pli_session_def {
    pli_scene *scene; // The session owns it from now on, also on failure.
    pli_world *world; // The world of a recording, borrowed; null: the session creates the scene's world and owns it.
    bool (*show)(void *user, int32_t frame, pli_error *error);
    void (*arrived)(void *user,
                    const pli_session *session); // Called after each frame that is new or shown; null for none.
    void *user;
    int32_t frame_count; // Frames of the recording.
    size_t budget;       // Memory of stored moments [bytes]; 0: 256 MiB.
    int32_t interval;    // A moment is stored every so many frames; 0: every frame.
} pli_session_def;

// Opens a session at frame 0. Errors: those of pli_scene_create_world and of the pool of balls; the session is then closed.
pli_status pli_session_open(pli_session *session, const pli_session_def *def, pli_error *error);
void pli_session_close(pli_session *session);
pli_scene *pli_session_scene(const pli_session *session);
// Opens at a later frame with the state that a run of the scene has there; the start stays. Returns false, with the message, if it does
// not fit.
bool pli_session_adopt(pli_session *session, int32_t frame, const void *snapshot, size_t size);

// Computes the next frame. Before the last frame, the events of the log act again. If the step fails, the nearest stored frame is
// restored, the session pauses, and its message gives the reason. Returns whether the step succeeded.
bool pli_session_step(pli_session *session);
// Goes to a frame; beyond the last one it steps.
void pli_session_go(pli_session *session, int32_t frame);
// Goes towards a frame for at most so many steps, for a slider that must respond.
void pli_session_go_within(pli_session *session, int32_t frame, int32_t steps);
// Acts on the world and writes the event to the log, at the current frame. `label` begins an edit; null continues the last one, or is no
// edit. An event that merely repeats the last one, such as another target of a pull before the next step, replaces it. Returns false,
// with the message, on failure; nothing has changed then.
bool pli_session_act(pli_session *session, const pli_session_event *event, const char *label);
// Undoes the last edit, and redoes the last undone one.
void pli_session_undo(pli_session *session);
void pli_session_redo(pli_session *session);
// Makes the world again from another variant of the scene, which the session owns from now on: positions, velocities, pins, balls and
// paint are kept where both have the same vertices. Returns false, with the message, on failure.
bool pli_session_change_scene(pli_session *session, pli_scene *scene, const char *label);
// Stores the current state as the start, after the application has changed the world of frame 0.
void pli_session_begin_here(pli_session *session);

// Shows a message: one that disappears, and an error, which stays until it is closed.
void pli_session_tell(pli_session *session, const char *format, ...) PLI_PRINTF(2, 3);
void pli_session_fail(pli_session *session, const char *format, ...) PLI_PRINTF(2, 3);
// Number of findings of the world (pliant/check.h). The check runs after the world was opened and after each event.
int32_t pli_session_check(pli_session *session);

/* ---- inside the library ------------------------------------------------------------------------- */

// The events of the log at the current frame act.
void pli_session_arrive(pli_session *session);
// Goes to the start and discards the log.
void pli_session_forget(pli_session *session);
// Appends a copy of an event to the log, without acting.
bool pli_session_append(pli_session *session, const pli_session_event *event);
// Makes the world of a variant of the scene, with the pool of balls.
pli_status pli_session_make_world(const pli_session *session, int32_t scene, pli_world **world,
                                  pli_session_balls *balls, pli_collider *colliders, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
