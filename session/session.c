// Time, the log and undo. A moment is stored when a frame is reached, before the events of that frame: `acted` events have acted then.
#include "session/session.h"

#include "session/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t budget_default = (size_t)256 << 20;

/* ---- messages ----------------------------------------------------------------------------------- */

static void show_message(pli_session *s, bool stays, const char *format, va_list arguments)
{
    vsnprintf(s->message, sizeof s->message, format, arguments);
    s->message_stays = stays;
    s->message_count++;
}

void pli_session_tell(pli_session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show_message(s, false, format, arguments);
    va_end(arguments);
}

void pli_session_fail(pli_session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show_message(s, true, format, arguments);
    va_end(arguments);
}

int32_t pli_session_check(pli_session *s)
{
    if (s->show) // A recording cannot be stepped.
        return 0;
    if (!s->checked)
        pli_world_check(s->world, 1.0 / pli_scene_frames_per_second(pli_session_scene(s)), &s->finding_count, NULL);
    s->checked = true;
    return s->finding_count;
}

/* ---- the log ------------------------------------------------------------------------------------ */

static void release_event(pli_session_event *e)
{
    free((char *)e->name);
    free((int32_t *)e->vertices);
    free((float *)e->values);
}

static void *copy_of(const void *from, size_t size)
{
    void *to = from ? malloc(size) : NULL;
    if (to)
        memcpy(to, from, size);
    return to;
}

static bool make_room(pli_session *s)
{
    if (s->event_count < s->event_capacity)
        return true;
    const int32_t capacity = 2 * s->event_capacity + 64;
    pli_session_event *grown = realloc(s->events, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    s->events = grown;
    s->event_capacity = capacity;
    return true;
}

bool pli_session_append(pli_session *s, const pli_session_event *event)
{
    pli_session_event e = *event;
    const size_t count = (size_t)event->count;
    e.name = event->name ? copy_of(event->name, strlen(event->name) + 1) : NULL;
    e.vertices = copy_of(event->vertices, count * sizeof *e.vertices);
    e.values = copy_of(event->values, count * sizeof *e.values);
    if (make_room(s) && !e.name == !event->name && !e.vertices == !event->vertices && !e.values == !event->values) {
        s->events[s->event_count++] = e;
        return true;
    }
    release_event(&e);
    return false;
}

static void forget_undone(pli_session *s)
{
    while (s->undone_count > 0) {
        pli_session_undone *u = &s->undone[--s->undone_count];
        for (int32_t i = 0; i < u->count; i++)
            release_event(&u->events[i]);
        free(u->events);
    }
}

/* ---- moments ------------------------------------------------------------------------------------ */

static void release_moment(pli_session_moment *m)
{
    free(m->bytes);
    pli_session_paint_release(m->paint);
}

static void drop(pli_session *s, int32_t i)
{
    s->moment_bytes -= s->moments[i].size;
    release_moment(&s->moments[i]);
    memmove(&s->moments[i], &s->moments[i + 1], (size_t)(s->moment_count - i - 1) * sizeof *s->moments);
    s->moment_count--;
}

// Drops the moment that leaves the smallest gap for its age; the start and the newest one stay.
static void thin(pli_session *s)
{
    int32_t best = 1;
    double least = 0.0;
    for (int32_t i = 1; i < s->moment_count - 1; i++) {
        const double gap = s->moments[i + 1].frame - s->moments[i - 1].frame;
        const double score = gap / (s->last - s->moments[i].frame + 1.0);
        if (i == 1 || score < least)
            best = i, least = score;
    }
    drop(s, best);
}

static void keep(pli_session *s)
{
    if (s->moment_count == s->moment_capacity) {
        const int32_t capacity = 2 * s->moment_capacity + 64;
        pli_session_moment *grown = realloc(s->moments, (size_t)capacity * sizeof *grown);
        if (!grown)
            return;
        s->moments = grown;
        s->moment_capacity = capacity;
    }
    pli_session_moment m = {.frame = s->frame,
                            .acted = s->acted,
                            .scene = s->scene,
                            .size = pli_world_snapshot_size(s->world),
                            .tools = s->tools,
                            .paint = pli_session_paint_retain(s->paint)};
    m.bytes = malloc(m.size);
    if (!m.bytes || pli_world_snapshot_write(s->world, m.bytes, m.size, NULL) != PLI_STATUS_OK) {
        release_moment(&m);
        return;
    }
    int32_t at = s->moment_count;
    while (at > 0 && s->moments[at - 1].frame > m.frame)
        at--;
    memmove(&s->moments[at + 1], &s->moments[at], (size_t)(s->moment_count - at) * sizeof *s->moments);
    s->moments[at] = m;
    s->moment_count++;
    s->moment_bytes += m.size;
    while (s->moment_bytes > s->budget && s->moment_count > 2)
        thin(s);
}

// The last moment at or before a frame.
static const pli_session_moment *moment_before(const pli_session *s, int32_t frame)
{
    int32_t i = s->moment_count - 1;
    while (i > 0 && s->moments[i].frame > frame)
        i--;
    return &s->moments[i];
}

static pli_status repaint(pli_session *s, pli_session_paint *paint, bool fresh, pli_error *error)
{
    const pli_session_moment *start = &s->moments[0];
    pli_status status = PLI_STATUS_OK;
    if (paint == s->paint && !fresh)
        return status;
    // Torn cloth cannot be painted, so the start is restored meanwhile.
    if (!fresh && start->scene == s->scene)
        status = pli_world_snapshot_read(s->world, start->bytes, start->size, error);
    if (status == PLI_STATUS_OK)
        status = pli_session_paint_switch(fresh ? NULL : s->paint, paint, s->world, error);
    if (status == PLI_STATUS_OK) {
        pli_session_paint_retain(paint);
        pli_session_paint_release(s->paint);
        s->paint = paint;
    }
    return status;
}

static pli_status change_world(pli_session *s, int32_t scene, pli_error *error)
{
    pli_world *world = NULL;
    pli_session_balls balls;
    pli_collider colliders[PLI_SESSION_BALLS];
    pli_status status = pli_session_make_world(s, scene, &world, &balls, colliders, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_world_destroy(s->world);
    s->world = world;
    s->scene = scene;
    s->scene_attachments = pli_world_attachment_count(world);
    memcpy(s->ball_colliders, colliders, sizeof colliders);
    s->worlds++;
    return status;
}

// Handles of a moment have the tag of the world that it was stored from.
static void retag(pli_session *s)
{
    const uint32_t world = pli_world_deformable_at(s->world, 0).world;
    for (int32_t i = 0; i < PLI_SESSION_HANDS; i++)
        s->tools.hands[i].grab.attachment.world = s->tools.hands[i].grab.deformable.world = world;
    s->tools.mover.collider.world = s->tools.mover.attachment.world = s->tools.pins.world = world;
}

static bool restore(pli_session *s, const pli_session_moment *m)
{
    pli_error error = {0};
    const bool fresh = m->scene != s->scene;
    pli_status status = fresh ? change_world(s, m->scene, &error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK && fresh)
        status = pli_scene_seek(pli_session_scene(s), s->world, m->frame, &error);
    if (status == PLI_STATUS_OK)
        status = repaint(s, m->paint, fresh, &error);
    if (status == PLI_STATUS_OK)
        status = pli_world_snapshot_read(s->world, m->bytes, m->size, &error);
    s->breaks++;
    s->checked = false;
    if (status != PLI_STATUS_OK) {
        pli_session_fail(s, "frame %d cannot be restored: %s", (int)m->frame, error.message);
        return false;
    }
    s->frame = m->frame;
    s->acted = m->acted;
    s->tools = m->tools;
    retag(s);
    memset(s->gestures, 0, sizeof s->gestures);
    return true;
}

/* ---- opening ------------------------------------------------------------------------------------ */

pli_scene *pli_session_scene(const pli_session *s) { return s->scenes[s->scene]; }

pli_status pli_session_make_world(const pli_session *s, int32_t scene, pli_world **world, pli_session_balls *balls,
                                  pli_collider *colliders, pli_error *error)
{
    const pli_scene_world_def def = pli_scene_world_def_default();
    pli_status status = pli_scene_create_world(s->scenes[scene], &def, world, error);
    if (status == PLI_STATUS_OK)
        status = pli_session_balls_create(*world, balls, colliders, error);
    if (status != PLI_STATUS_OK) {
        pli_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

pli_status pli_session_open(pli_session *s, const pli_session_def *def, pli_error *error)
{
    *s = (pli_session){.scenes = {def->scene},
                       .scene_count = 1,
                       .worlds = 1,
                       .world = def->world,
                       .show = def->show,
                       .arrived = def->arrived,
                       .user = def->user,
                       .last = def->show ? def->frame_count - 1 : 0,
                       .interval = def->interval > 0 ? def->interval : 1,
                       .budget = def->budget > 0 ? def->budget : budget_default,
                       .grab_strength = 1.0f,
                       .axis = -1};
    pli_status status = def->world ? pli_session_balls_create(s->world, &s->tools.balls, s->ball_colliders, error)
                                   : pli_session_make_world(s, 0, &s->world, &s->tools.balls, s->ball_colliders, error);
    if (status != PLI_STATUS_OK) {
        pli_session_close(s);
        return status;
    }
    s->scene_attachments = pli_world_attachment_count(s->world);
    s->brush = pli_session_brush_for(s->world, pli_session_size(s));
    keep(s);
    if (s->moment_count == 0) {
        pli_session_close(s);
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the start");
    }
    if (s->arrived)
        s->arrived(s->user, s);
    return status;
}

void pli_session_close(pli_session *s)
{
    forget_undone(s);
    while (s->event_count > 0)
        release_event(&s->events[--s->event_count]);
    free(s->events);
    while (s->moment_count > 0)
        drop(s, s->moment_count - 1);
    free(s->moments);
    for (int k = 0; k < 2; k++)
        pli_session_values_release(&s->sets[k]);
    pli_session_paint_release(s->paint);
    if (!s->show)
        pli_world_destroy(s->world);
    while (s->scene_count > 0)
        pli_scene_destroy(s->scenes[--s->scene_count]);
    *s = (pli_session){0};
}

// Discards events from one on, and what is after a frame.
static void forget_after(pli_session *s, int32_t count, int32_t frame)
{
    while (s->event_count > count)
        release_event(&s->events[--s->event_count]);
    while (s->edit_count > 0 && s->edits[s->edit_count - 1].first >= count)
        s->edit_count--;
    while (s->moment_count > 1 &&
           (s->moments[s->moment_count - 1].frame > frame || s->moments[s->moment_count - 1].acted > count))
        drop(s, s->moment_count - 1);
    s->last = frame;
}

void pli_session_begin_here(pli_session *s)
{
    forget_undone(s);
    forget_after(s, 0, s->frame);
    drop(s, 0);
    s->acted = 0;
    s->checked = false;
    s->breaks++;
    keep(s);
}

bool pli_session_adopt(pli_session *s, int32_t frame, const void *snapshot, size_t size)
{
    pli_error error = {0};
    pli_status status = pli_scene_seek(pli_session_scene(s), s->world, frame, &error);
    if (status == PLI_STATUS_OK)
        status = pli_world_snapshot_read(s->world, snapshot, size, &error);
    if (status != PLI_STATUS_OK) {
        pli_session_fail(s, "the stored state is not used: %s", error.message);
        return false;
    }
    forget_undone(s);
    forget_after(s, 0, s->moments[0].frame);
    s->frame = s->last = frame;
    s->acted = 0;
    s->checked = false;
    s->breaks++;
    keep(s);
    return true;
}

void pli_session_forget(pli_session *s)
{
    forget_undone(s);
    forget_after(s, 0, s->moments[0].frame);
    restore(s, &s->moments[0]);
    s->left = s->failed = false;
}

/* ---- time --------------------------------------------------------------------------------------- */

// The events of this frame act.
void pli_session_arrive(pli_session *s)
{
    pli_error error = {0};
    for (; s->acted < s->event_count && s->events[s->acted].frame <= s->frame; s->acted++)
        if (pli_session_apply(s, &s->events[s->acted], &error) != PLI_STATUS_OK)
            pli_session_fail(s, "an event of frame %d cannot be repeated: %s", (int)s->frame, error.message);
}

enum { HELD_MOST = PLI_SESSION_HANDS + 3 };

// Releases what was held when time went back, and lists the events that do so.
static int32_t release_held(pli_session *s, pli_session_event *events)
{
    pli_error error;
    int32_t count = 0;
    for (int32_t i = 0; i < PLI_SESSION_HANDS && s->left; i++)
        if (s->tools.hands[i].holds)
            events[count++] = (pli_session_event){.kind = PLI_SESSION_RELEASE, .indices = {i}};
    if (s->left && s->tools.gust.blows)
        events[count++] = (pli_session_event){.kind = PLI_SESSION_CALM};
    if (s->left && s->tools.pump != 0.0f)
        events[count++] = (pli_session_event){.kind = PLI_SESSION_PUMP};
    if (s->left && (s->tools.mover.collider.id != 0 || s->tools.mover.attachment.id != 0))
        events[count++] = (pli_session_event){.kind = PLI_SESSION_DROP};
    for (int32_t i = 0; i < count; i++) {
        events[i].frame = s->frame;
        pli_session_apply(s, &events[i], &error); // These only change the tools, and succeed.
    }
    return count;
}

static void append_all(pli_session *s, const pli_session_event *events, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        pli_session_append(s, &events[i]);
    s->acted = s->event_count;
    s->left = false;
}

static bool show_next(pli_session *s, int32_t frame)
{
    pli_error error = {0};
    const bool shown = frame >= 0 && frame <= s->last && s->show(s->user, frame, &error);
    s->playing = s->playing && shown;
    if (shown)
        s->frame = frame;
    if (shown && s->arrived)
        s->arrived(s->user, s);
    if (!shown && error.message[0])
        pli_session_fail(s, "frame %d cannot be read: %s", (int)frame, error.message);
    return shown;
}

bool pli_session_step(pli_session *s)
{
    pli_error error = {0};
    if (s->show)
        return show_next(s, s->frame + 1);
    if (s->left && s->frame == s->last) {
        pli_session_event held[HELD_MOST];
        append_all(s, held, release_held(s, held));
    }
    pli_status status = pli_session_move_tools(s, &error);
    if (status == PLI_STATUS_OK)
        status = pli_scene_step(pli_session_scene(s), s->world, s->frame, &error);
    s->failed = status != PLI_STATUS_OK;
    if (s->failed) {
        const int32_t frame = s->frame + 1;
        s->playing = false;
        if (restore(s, moment_before(s, s->frame))) {
            pli_session_arrive(s);
            pli_session_fail(s, "frame %d failed, and frame %d is restored: %s", (int)frame, (int)s->frame,
                             error.message);
        }
        return false;
    }
    s->frame++;
    if (s->frame > s->last)
        s->last = s->frame;
    if (s->frame % s->interval == 0 && moment_before(s, s->frame)->frame < s->frame)
        keep(s);
    pli_session_arrive(s);
    if (s->arrived)
        s->arrived(s->user, s);
    return true;
}

void pli_session_go_within(pli_session *s, int32_t frame, int32_t steps)
{
    const pli_session_moment *m = moment_before(s, frame);
    frame = frame > s->moments[0].frame ? frame : s->moments[0].frame;
    s->playing = s->playing && frame > s->last;
    if (s->show) {
        show_next(s, frame < s->last ? frame : s->last);
        return;
    }
    if (s->frame > frame || s->frame < m->frame) {
        if (!restore(s, m))
            return;
        s->left = true;
        pli_session_arrive(s);
    }
    while (s->frame < frame && steps-- > 0)
        if (!pli_session_step(s))
            return;
}

void pli_session_go(pli_session *s, int32_t frame) { pli_session_go_within(s, frame, INT32_MAX); }

/* ---- events and edits --------------------------------------------------------------------------- */

// Whether an event replaces the last one: a target, a direction, or a value of the same control.
static bool repeats(const pli_session *s, const pli_session_event *e, const char *label)
{
    const pli_session_event *last = s->event_count > 0 ? &s->events[s->event_count - 1] : NULL;
    const pli_session_edit *edit = s->edit_count > 0 ? &s->edits[s->edit_count - 1] : NULL;
    if (!last || last->kind != e->kind || last->frame != s->frame || s->drag == PLI_SESSION_DRAG_BEGINS)
        return false;
    if (e->kind == PLI_SESSION_SET)
        return label && edit && edit->first < s->event_count &&
               strncmp(edit->label, label, sizeof edit->label - 1) == 0 &&
               memcmp(last->indices, e->indices, sizeof e->indices) == 0 && strcmp(last->name, e->name) == 0;
    return e->kind == PLI_SESSION_MOVE || e->kind == PLI_SESSION_BLOW ||
           (e->kind == PLI_SESSION_PULL && last->indices[0] == e->indices[0]);
}

static void begin_edit(pli_session *s, const char *label)
{
    const pli_session_edit *last = s->edit_count > 0 ? &s->edits[s->edit_count - 1] : NULL;
    if (last && s->drag == PLI_SESSION_DRAG_CONTINUES && strncmp(last->label, label, sizeof last->label - 1) == 0)
        return;
    if (s->edit_count == PLI_SESSION_EDITS) {
        memmove(&s->edits[0], &s->edits[1], (PLI_SESSION_EDITS - 1) * sizeof s->edits[0]);
        s->edit_count--;
    }
    pli_session_edit *edit = &s->edits[s->edit_count++];
    *edit = (pli_session_edit){.frame = s->frame, .first = s->event_count};
    snprintf(edit->label, sizeof edit->label, "%s", label);
}

bool pli_session_act(pli_session *s, const pli_session_event *event, const char *label)
{
    pli_error error = {0};
    pli_session_event e = *event;
    const pli_session_tools before = s->tools;
    e.frame = s->frame;
    if (s->show) {
        pli_session_tell(s, "nothing can be changed in a recording");
        return false;
    }
    pli_session_event held[HELD_MOST];
    const int32_t held_count = release_held(s, held);
    if (pli_session_apply(s, &e, &error) != PLI_STATUS_OK) {
        s->tools = before;
        if (error.status == PLI_STATUS_NOT_FOUND)
            pli_session_tell(s, "%s", error.message);
        else
            pli_session_fail(s, "%s", error.message);
        return false;
    }
    s->checked = s->failed = false;
    forget_undone(s);
    if (s->frame < s->last)
        forget_after(s, s->acted, s->frame);
    append_all(s, held, held_count);
    if (repeats(s, &e, label)) {
        e.name = s->events[s->event_count - 1].name;
        s->events[s->event_count - 1] = e;
        return true;
    }
    const int32_t edits = s->edit_count;
    if (label)
        begin_edit(s, label);
    if (!pli_session_append(s, &e)) {
        s->edit_count = edits;
        pli_session_fail(s, "out of memory: the last action cannot be undone");
        return true;
    }
    s->acted = s->event_count;
    return true;
}

void pli_session_undo(pli_session *s)
{
    if (s->edit_count == 0) {
        pli_session_tell(s, "there is nothing to undo");
        return;
    }
    const pli_session_edit edit = s->edits[s->edit_count - 1];
    const int32_t count = s->event_count - edit.first;
    pli_session_event *events = malloc(((size_t)count + 1) * sizeof *events);
    if (!events) {
        pli_session_fail(s, "out of memory: nothing is undone");
        return;
    }
    // Its events are moved to the list of undone edits.
    memcpy(events, &s->events[edit.first], (size_t)count * sizeof *events);
    s->undone[s->undone_count++] = (pli_session_undone){edit, events, count, s->frame, s->last};
    s->event_count = edit.first;
    forget_after(s, edit.first, edit.frame);
    s->playing = s->failed = false;
    if (!restore(s, moment_before(s, edit.frame)))
        return;
    s->left = true;
    pli_session_arrive(s);
    pli_session_go(s, edit.frame);
    pli_session_tell(s, "undo: %s, at frame %d", edit.label, (int)s->frame);
}

void pli_session_redo(pli_session *s)
{
    if (s->undone_count == 0) {
        pli_session_tell(s, "there is nothing to redo");
        return;
    }
    pli_session_undone u = s->undone[--s->undone_count];
    s->playing = s->failed = false;
    forget_after(s, u.edit.first, u.edit.frame);
    bool restored = restore(s, moment_before(s, u.edit.frame));
    if (restored)
        pli_session_arrive(s);
    for (int32_t i = 0; i < u.count && restored; i++)
        restored = pli_session_append(s, &u.events[i]);
    if (restored) {
        s->edits[s->edit_count++] = u.edit;
        s->last = u.last;
        pli_session_arrive(s);
        pli_session_go(s, u.frame);
        pli_session_tell(s, "redo: %s, at frame %d", u.edit.label, (int)s->frame);
    }
    for (int32_t i = 0; i < u.count; i++)
        release_event(&u.events[i]);
    free(u.events);
}

bool pli_session_change_scene(pli_session *s, pli_scene *scene, const char *label)
{
    if (s->scene_count == PLI_SESSION_SCENES) {
        pli_scene_destroy(scene);
        pli_session_fail(s, "the scene can be changed %d times; start over to change it again", PLI_SESSION_SCENES - 1);
        return false;
    }
    s->scenes[s->scene_count] = scene;
    const pli_session_event event = {.kind = PLI_SESSION_SCENE, .indices = {s->scene_count++}};
    if (pli_session_act(s, &event, label))
        return true;
    pli_scene_destroy(s->scenes[--s->scene_count]);
    return false;
}
