// The session of a scene (session/session.h).
#include "../world.h"

#include "session/edits.h"
#include "session/events.h"
#include "session/log.h"
#include "session/tools.h"

#include <stdlib.h>

/// A session with the world as JavaScript has it.
typedef struct web_session {
    pli_session session;
    web_world *world;
    int32_t worlds; ///< The session's count of worlds when `world` was wrapped.
} web_session;

/// Owns the scene from now on, also on failure. Null when it fails.
EXPORT(session_open) web_session *web_session_open(pli_scene *scene, double budget, int32_t interval)
{
    const pli_session_def def = {.scene = scene, .budget = (size_t)budget, .interval = interval};
    web_session *s = calloc(1, sizeof *s);
    if (!s) {
        pli_scene_destroy(scene);
        pli_fail(&web_error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for a session");
        return NULL;
    }
    web_error.status = pli_session_open(&s->session, &def, &web_error);
    if (web_error.status == PLI_STATUS_OK)
        return s;
    free(s);
    return NULL;
}

static void forget_world(web_world *world)
{
    if (!world)
        return;
    world->world = NULL;
    web_world_destroy(world);
}

EXPORT(session_destroy) void web_session_destroy(web_session *s)
{
    forget_world(s->world);
    pli_session_close(&s->session);
    free(s);
}

/// The world, which the session owns; another one after it was made again. Null when memory runs out.
EXPORT(session_world) web_world *web_session_world(web_session *s)
{
    if (s->world && s->worlds == s->session.worlds)
        return s->world;
    // The old one is freed last, so that another world has another address.
    web_world *before = s->world;
    const bool done = web_world_wrap(s->session.world, &s->world) == PLI_STATUS_OK;
    forget_world(before);
    s->worlds = s->session.worlds;
    return done ? s->world : NULL;
}

EXPORT(session_scene) const pli_scene *web_session_scene(const web_session *s)
{
    return pli_session_scene(&s->session);
}

typedef struct state {
    double frame, first, last, events, acted, edits, undone, moments, bytes, breaks, failed, scene, side, balls, gust,
        messages, stays;
} state;

#define STATE(F, V, A)                                                                                                 \
    F(frame)                                                                                                           \
    F(first)                                                                                                           \
    F(last)                                                                                                            \
    F(events)                                                                                                          \
    F(acted)                                                                                                           \
    F(edits)                                                                                                           \
    F(undone)                                                                                                          \
    F(moments)                                                                                                         \
    F(bytes)                                                                                                           \
    F(breaks)                                                                                                          \
    F(failed)                                                                                                          \
    F(scene)                                                                                                           \
    F(side)                                                                                                            \
    F(balls)                                                                                                           \
    F(gust)                                                                                                            \
    F(messages)                                                                                                        \
    F(stays)
WEB_RECORD(session, state, STATE)

EXPORT(session_state) void web_session_state(const web_session *from)
{
    const pli_session *s = &from->session;
    const state now = {.frame = s->frame,
                       .first = s->moments[0].frame,
                       .last = s->last,
                       .events = s->event_count,
                       .acted = s->acted,
                       .edits = s->edit_count,
                       .undone = s->undone_count,
                       .moments = s->moment_count,
                       .bytes = (double)s->moment_bytes,
                       .breaks = s->breaks,
                       .failed = s->failed,
                       .scene = s->scene,
                       .side = s->tools.side,
                       .balls = pli_session_balls_count(&s->tools.balls),
                       .gust = (double)(s->tools.gust.strength * s->tools.gust.speed),
                       .messages = s->message_count,
                       .stays = s->message_stays};
    web_put_session(&now);
}

EXPORT(session_message) const char *web_session_message(const web_session *s) { return s->session.message; }

/// Number of events of a kind that have acted.
EXPORT(session_count) int32_t web_session_count(const web_session *s, int32_t kind)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->session.acted; i++)
        count += s->session.events[i].kind == kind;
    return count;
}

/// Whether a run of the scene with other values gives this state: only values were set, before the first step.
EXPORT(session_is_plain) bool web_session_is_plain(const web_session *s)
{
    bool plain = true;
    for (int32_t i = 0; i < s->session.acted && plain; i++) {
        const pli_session_event *e = &s->session.events[i];
        plain = e->frame == 0 && (e->kind == PLI_SESSION_SET || e->kind == PLI_SESSION_SIDE);
    }
    return plain;
}

/// Writes the numbers of at most `most` attachments that pin vertices for the user, and returns how many there are.
EXPORT(session_pins) int32_t web_session_pins(const web_session *from, uint32_t *ids, int32_t most)
{
    const pli_session *s = &from->session;
    int32_t count = 0;
    for (int32_t i = s->scene_attachments; i < pli_world_attachment_count(s->world); i++) {
        const pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        if (pli_attachment_get_def(s->world, attachment, &def, NULL) != PLI_STATUS_OK || !def.fixed || !def.enabled)
            continue;
        if (count < most)
            ids[count] = attachment.id;
        count++;
    }
    return count;
}

/* ---- time --------------------------------------------------------------------------------------- */

EXPORT(session_step) bool web_session_step(web_session *s) { return pli_session_step(&s->session); }
EXPORT(session_go) void web_session_go(web_session *s, int32_t frame, int32_t steps)
{
    pli_session_go_within(&s->session, frame, steps);
}
EXPORT(session_adopt) bool web_session_adopt(web_session *s, int32_t frame, const void *bytes, size_t size)
{
    return pli_session_adopt(&s->session, frame, bytes, size);
}
EXPORT(session_restart) void web_session_restart(web_session *s) { pli_session_restart(&s->session); }

/* ---- events ------------------------------------------------------------------------------------- */

EXPORT(session_kind_name) const char *web_session_kind_name(int32_t kind)
{
    return kind < PLI_SESSION_KINDS ? pli_session_row_of(kind)->name : "";
}

/// Takes indices from web_values[0], numbers from [4] and the value from [12]. An empty label is no edit.
EXPORT(session_act)
bool web_session_act(web_session *s, int32_t kind, const char *label, const char *name, const int32_t *vertices,
                     const float *values, int32_t count)
{
    pli_session_event event = {.kind = kind,
                               .value = web_values[12],
                               .name = name[0] ? name : NULL,
                               .vertices = count > 0 ? vertices : NULL,
                               .values = values,
                               .count = count};
    for (int32_t i = 0; i < 4; i++)
        event.indices[i] = (int32_t)web_values[i];
    for (int32_t i = 0; i < 8; i++)
        event.numbers[i] = (float)web_values[4 + i];
    return pli_session_act(&s->session, &event, label[0] ? label : NULL);
}

EXPORT(session_undo) void web_session_undo(web_session *s) { pli_session_undo(&s->session); }
EXPORT(session_redo) void web_session_redo(web_session *s) { pli_session_redo(&s->session); }

/// Owns the scene from now on, also on failure. An empty label continues the last edit.
EXPORT(session_change_scene) bool web_session_change_scene(web_session *s, pli_scene *scene, const char *label)
{
    return pli_session_change_scene(&s->session, scene, label[0] ? label : NULL);
}

/// An empty label continues the last edit; `continues` does so if its label is the same.
EXPORT(session_set)
bool web_session_set(web_session *s, const char *path, double value, const char *label, bool continues)
{
    s->session.drag = continues ? PLI_SESSION_DRAG_CONTINUES : PLI_SESSION_DRAG_NONE;
    const bool done = pli_session_set_labelled(&s->session, path, value, label[0] ? label : NULL);
    s->session.drag = PLI_SESSION_DRAG_NONE;
    return done;
}
EXPORT(session_swap_values) void web_session_swap_values(web_session *s, int32_t side)
{
    pli_session_swap_values(&s->session, side);
}

/// The caller releases it (text_release).
EXPORT(session_log_write) char *web_session_log_write(const web_session *s)
{
    return pli_session_log_write(&s->session);
}
EXPORT(session_log_read) pli_status web_session_log_read(web_session *s, const char *text)
{
    return pli_session_log_read(&s->session, text, &web_error);
}

/* ---- tools -------------------------------------------------------------------------------------- */

static pli_session_pointer pointer(void)
{
    return (pli_session_pointer){web_vector(0), web_vector(3), web_vector(6), web_values[9]};
}

/// Take the pointer from web_values: eye, ray and middle of the picture, three numbers each, and seconds.
EXPORT(session_press) bool web_session_press(web_session *s, int32_t hand, int32_t tool, bool secondary)
{
    const pli_session_pointer p = pointer();
    return pli_session_press(&s->session, hand, (pli_session_tool)tool, &p, secondary);
}
EXPORT(session_drag) void web_session_drag(web_session *s, int32_t hand)
{
    const pli_session_pointer p = pointer();
    pli_session_drag_pointer(&s->session, hand, &p);
}
EXPORT(session_push) void web_session_push(web_session *s, int32_t hand, double factor)
{
    const pli_session_pointer p = pointer();
    pli_session_push(&s->session, hand, &p, (float)factor);
}
EXPORT(session_release) void web_session_release(web_session *s, int32_t hand)
{
    const pli_session_pointer p = pointer();
    pli_session_release(&s->session, hand, &p);
}
EXPORT(session_release_all) void web_session_release_all(web_session *s) { pli_session_release_all(&s->session); }

/// Whether the ray hits a deformable. Values: its number, the nearest vertex, the distance, the point.
EXPORT(session_pick) bool web_session_pick(const web_session *s)
{
    const pli_session_pointer p = pointer();
    pli_ray_hit hit;
    if (!pli_session_pick(&s->session, &p, &hit))
        return false;
    web_values[0] = hit.deformable.id, web_values[1] = pli_session_nearest(&hit);
    web_values[2] = (double)hit.distance;
    web_put_vector(web_values + 3, hit.position);
    return true;
}

/// Name of a tool, empty for none. Values: whether it also works beside cloth, and whether it has a radius.
EXPORT(session_tool_name) const char *web_session_tool_name(int32_t tool)
{
    if (tool >= PLI_SESSION_TOOLS)
        return "";
    web_values[0] = pli_session_tool_is_free(tool), web_values[1] = pli_session_tool_has_radius(tool);
    return pli_session_tool_name(tool);
}
EXPORT(session_tool_summary) const char *web_session_tool_summary(int32_t tool)
{
    return pli_session_tool_summary(tool);
}
EXPORT(session_radius) double web_session_radius(const web_session *s, int32_t tool, uint32_t deformable)
{
    return (double)pli_session_radius(&s->session, tool, web_deformable(s->world, deformable));
}
EXPORT(session_widen) void web_session_widen(web_session *s, int32_t tool, double factor)
{
    pli_session_widen(&s->session, tool, (float)factor);
}
EXPORT(session_has_pressure) bool web_session_has_pressure(const web_session *s)
{
    return pli_session_has_pressure(&s->session);
}

/// Whether a pointer grabs. Values: whether it holds, deformable, vertex, limit, reach, target, force.
EXPORT(session_hand) bool web_session_hand(const web_session *s, int32_t hand)
{
    const pli_session_hand *h = &s->session.tools.hands[hand];
    double *to = web_values;
    *to++ = h->holds, *to++ = h->grab.deformable.id, *to++ = h->vertex;
    *to++ = (double)h->grab.limit, *to++ = (double)h->grab.reach;
    to = web_put_vector(to, h->target);
    web_put_vector(to, h->grab.force);
    return h->grab.attachment.id != 0;
}
EXPORT(session_grab) bool web_session_grab(web_session *s, int32_t hand, uint32_t deformable, int32_t vertex)
{
    return pli_session_grab(&s->session, hand, web_deformable(s->world, deformable), vertex);
}
/// Takes the target from web_values[0 ... 2].
EXPORT(session_pull) void web_session_pull(web_session *s, int32_t hand)
{
    pli_session_pull(&s->session, hand, web_vector(0));
}
EXPORT(session_let_go) void web_session_let_go(web_session *s, int32_t hand) { pli_session_let_go(&s->session, hand); }
EXPORT(session_pin) bool web_session_pin(web_session *s, uint32_t deformable, int32_t vertex)
{
    return pli_session_pin(&s->session, web_deformable(s->world, deformable), vertex);
}
EXPORT(session_unpin) bool web_session_unpin(web_session *s, uint32_t deformable, int32_t vertex)
{
    return pli_session_unpin(&s->session, web_deformable(s->world, deformable), vertex);
}

/* ---- brush -------------------------------------------------------------------------------------- */

/// Legend of a quantity of the brush, empty for none. Values: whether it has values.
EXPORT(session_quantity) const char *web_session_quantity(int32_t quantity)
{
    static char legend[PLI_SESSION_LEGEND];
    if (quantity >= pli_session_quantity_count())
        return "";
    pli_session_quantity_legend(quantity, legend);
    web_values[0] = pli_session_quantity_is_value(quantity);
    return legend;
}
EXPORT(session_quantity_name) const char *web_session_quantity_name(int32_t quantity)
{
    return pli_session_quantity_name(quantity);
}
EXPORT(session_quantity_summary) const char *web_session_quantity_summary(int32_t quantity)
{
    return pli_session_quantity_summary(quantity);
}

/// Values: quantity, strength, target value.
EXPORT(session_brush) void web_session_brush(const web_session *s)
{
    const pli_session_brush *b = &s->session.brush;
    web_values[0] = b->quantity, web_values[1] = (double)b->strength, web_values[2] = b->values[b->quantity];
}
EXPORT(session_choose_quantity) void web_session_choose_quantity(web_session *s, int32_t quantity)
{
    s->session.brush.quantity = quantity;
}
EXPORT(session_set_brush) void web_session_set_brush(web_session *s, double strength, double value)
{
    pli_session_brush *b = &s->session.brush;
    b->strength = (float)strength, b->values[b->quantity] = value;
}
