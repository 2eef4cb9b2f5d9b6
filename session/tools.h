// Tools: pointers produce events. A pointer is pressed, dragged and released with one tool; a gesture is not part of the log.
#ifndef PLI_SESSION_TOOLS_H
#define PLI_SESSION_TOOLS_H

#include "session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Name of a tool as buttons show it, and what it does; the tool of a name, or -1.
const char *pli_session_tool_name(int32_t tool);
const char *pli_session_tool_summary(int32_t tool);
// Whether a tool also works beside the cloth, and whether it acts within a radius.
bool pli_session_tool_is_free(int32_t tool);
bool pli_session_tool_has_radius(int32_t tool);
// The radius of a tool on a deformable [m], and its change by a factor.
float pli_session_radius(const pli_session *session, int32_t tool, pli_deformable deformable);
void pli_session_widen(pli_session *session, int32_t tool, float factor);

// The nearest deformable on the ray that no collider hides; false for none.
bool pli_session_pick(const pli_session *session, const pli_session_pointer *pointer, pli_ray_hit *hit);
// The vertex of the hit triangle that is nearest to the hit point.
int32_t pli_session_nearest(const pli_ray_hit *hit);

// Presses a pointer, 0 <= hand < PLI_SESSION_HANDS. `secondary` frees instead of pinning, and deflates. Returns false if the tool does
// nothing there.
bool pli_session_press(pli_session *session, int32_t hand, pli_session_tool tool, const pli_session_pointer *pointer,
                       bool secondary);
void pli_session_drag_pointer(pli_session *session, int32_t hand, const pli_session_pointer *pointer);
// Moves the target of a grab away from the eye.
void pli_session_push(pli_session *session, int32_t hand, const pli_session_pointer *pointer, float factor);
void pli_session_release(pli_session *session, int32_t hand, const pli_session_pointer *pointer);
// Releases all pointers where they are.
void pli_session_release_all(pli_session *session);

// Actions of the gestures, for scripts, keyboards and tests. Each returns false, with a message, if it is impossible.
bool pli_session_grab(pli_session *session, int32_t hand, pli_deformable deformable, int32_t vertex);
void pli_session_pull(pli_session *session, int32_t hand, pli_vec3 target);
void pli_session_let_go(pli_session *session, int32_t hand);
// Pins or frees the vertex and its neighbours, or the vertices within the radius of the tool.
bool pli_session_pin(pli_session *session, pli_deformable deformable, int32_t vertex);
bool pli_session_unpin(pli_session *session, pli_deformable deformable, int32_t vertex);
bool pli_session_cut(pli_session *session, pli_deformable deformable, pli_vec3 point, pli_vec3 normal, float reach);
// Throws a ball through a point, with a size and speed that suit the scene; `strength` multiplies the speed.
bool pli_session_throw(pli_session *session, pli_vec3 from, pli_vec3 through, float strength);
void pli_session_blow(pli_session *session, pli_vec3 from, pli_vec3 direction);
void pli_session_calm(pli_session *session);
bool pli_session_pump(pli_session *session, float rate);
bool pli_session_take_collider(pli_session *session, pli_collider collider);
bool pli_session_take_pin(pli_session *session, pli_deformable deformable, int32_t vertex);
void pli_session_move(pli_session *session, pli_vec3 target);
void pli_session_drop(pli_session *session);
// Begins a stroke with the session's brush, paints samples at points near vertices, and ends it. A stroke is one edit.
bool pli_session_stroke_begin(pli_session *session, int32_t hand, pli_deformable deformable, bool secondary);
void pli_session_stroke(pli_session *session, int32_t hand, pli_deformable deformable, int32_t vertex, pli_vec3 point);
void pli_session_stroke_end(pli_session *session, int32_t hand);

// Weights of a sample of the brush at a point near a vertex, for each vertex of the current mesh: 1 at the point, falling to 0 at the
// radius [m]. It covers only vertices that are connected to the vertex within the radius, so that the other side of a fold is not painted.
// The vertex itself always has a positive weight. `count` gets the number of weights; null when memory runs out. To be freed by the caller.
float *pli_session_sample(pli_world *world, pli_deformable deformable, int32_t vertex, pli_vec3 point, float radius,
                          int32_t *count);

#ifdef __cplusplus
}
#endif
#endif
