#include "lessons/lessons.h"

#include "desk.h"
#include "document.h"
#include "viewer.h"

#include "lessons/lesson_table.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "view/overlays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shifts the camera, so that the scene is in the part beside the panel.
static void make_room(pli_viewer *v)
{
    const float wide = pli_viewer_stage_width(v), panel = pli_viewer_pixels(v, PLI_LESSON_WIDTH);
    if (wide < 2.0f * panel)
        return;
    v->camera.distance *= wide / (wide - panel);
    pli_view_camera_move(&v->camera, 0.5f * panel / pli_viewer_stage_height(v), 0.0f);
    v->start = v->camera;
}

bool pli_lesson_open(pli_viewer *v, const pli_lesson *lesson)
{
    pli_view_desk *d = v->desk;
    pli_view_lessons *l = &d->lessons;
    char *folder = pli_cli_shipped_folder();
    if (!folder) {
        pli_session_tell(&v->session, "no scenes are beside this program; PLIANT_SCENES names a folder that has some");
        return false;
    }
    char *path = pli_cli_format("%s/%s", folder, lesson->scene);
    // Lessons share the meshes of the other scenes, which are outside their folder.
    const bool outside = d->allow_outside;
    d->allow_outside = true;
    const bool done = pli_viewer_load(v, path);
    d->allow_outside = outside;
    free(path);
    free(folder);
    if (!done)
        return false;
    l->shown = true, l->current = lesson, l->cost = 0.0, l->value = lesson->value.initial;
    l->algorithm = (pli_view_algorithm){0};
    if (lesson->begin)
        lesson->begin(v);
    const int32_t overlay = lesson->overlay ? pli_cli_overlay_find(lesson->overlay) : -1;
    v->overlays = overlay >= 0 ? 1u << overlay : 0;
    make_room(v);
    v->still = 0;
    return true;
}

// Counts follow the open scene, so the drawing's lessons read any; others read bodies by their names, and give NAN without them.
int32_t pli_lesson_read(pli_viewer *v, pli_lesson_reading readings[PLI_LESSON_READINGS])
{
    const pli_lesson *lesson = v->desk->lessons.current;
    return lesson && !v->session.show ? lesson->read(v, readings) : 0;
}

bool pli_lesson_holds(const pli_lesson *lesson, const pli_lesson_reading *readings)
{
    const double value = readings[0].value, other = readings[lesson->against].value;
    switch (lesson->sense) {
    case PLI_LESSON_AT_MOST:
        return value <= lesson->limit;
    case PLI_LESSON_AT_LEAST:
        return value >= lesson->limit;
    default:
        return lesson->against > 0 ? fabs(value - other) <= lesson->tolerance * (fabs(other) + 1e-3)
                                   : fabs(value - lesson->limit) <= lesson->tolerance;
    }
}

void pli_lesson_set(pli_viewer *v, double value)
{
    pli_view_lessons *l = &v->desk->lessons;
    if (l->current && l->current->value.label)
        l->value = fmin(fmax(value, l->current->value.low), l->current->value.high);
}

bool pli_lesson_turn(pli_viewer *v)
{
    const pli_lesson *lesson = v->desk->lessons.current;
    if (!lesson)
        return false;
    if (lesson->controls[0])
        return pli_session_set(&v->session, lesson->controls[0], lesson->turned);
    pli_lesson_set(v, lesson->turned);
    return true;
}

/* ---- scripts ------------------------------------------------------------------------------------ */

static void next_lines(pli_viewer *v, int32_t count)
{
    const double dt = 1.0 / pli_scene_frames_per_second(v->session.scenes[0]);
    for (int32_t i = 0; i < count; i++)
        if (pli_view_algorithm_next(&v->desk->lessons.algorithm, v->session.world, dt))
            pli_session_step(&v->session);
}

static const char *place_point(pli_viewer *v, double index, const char *place)
{
    pli_view_points *p = &v->desk->lessons.points;
    float to[2];
    if (!(index >= 0.0 && index < p->count) || !pli_cli_read_numbers(place, to, 2) || !isfinite(to[0]) ||
        !isfinite(to[1]))
        return "point I X,Y of a lesson with points";
    p->now[(int32_t)index][0] = (double)to[0], p->now[(int32_t)index][1] = (double)to[1];
    return NULL;
}

const char *pli_lesson_command(pli_viewer *v, const char *word, const char *second, const char *third)
{
    pli_view_lessons *l = &v->desk->lessons;
    pli_lesson_reading readings[PLI_LESSON_READINGS];
    char *end = NULL;
    const double number = strtod(second, &end);
    const bool numbered = end != second && *end == '\0';
    const pli_lesson *lesson = pli_lesson_find(word);
    if (lesson)
        return pli_lesson_open(v, lesson) ? NULL : "a lesson that opens";
    if (!l->current)
        return "the name of a lesson";
    if (strcmp(word, "set") == 0 && numbered) {
        pli_lesson_set(v, number);
    } else if (strcmp(word, "turn") == 0) {
        return pli_lesson_turn(v) ? NULL : "a value that can be turned";
    } else if (strcmp(word, "note") == 0) {
        l->noted = pli_lesson_read(v, readings) > 0 ? readings[0].value : NAN;
        l->state = pli_world_hash(v->session.world);
    } else if (strcmp(word, "next") == 0 && numbered && number >= 1.0 && number <= 1e3) {
        next_lines(v, (int32_t)number);
    } else if (strcmp(word, "point") == 0 && numbered) {
        return place_point(v, number, third);
    } else {
        return "the name of a lesson, set V, turn, note, next N or point I X,Y";
    }
    return NULL;
}

const char *pli_lesson_expect(pli_viewer *v, const char *what, const char *wanted, const char *which)
{
    static char found[200];
    const pli_view_lessons *l = &v->desk->lessons;
    pli_lesson_reading readings[PLI_LESSON_READINGS];
    const int32_t count = pli_lesson_read(v, readings);
    if (!l->current || count < 1)
        return "no lesson is open";
    if (strcmp(what, "id") == 0)
        return strcmp(l->current->id, wanted) == 0 && l->shown ? NULL : l->current->id;
    snprintf(found, sizeof found, "%s is %.6g %s", readings[0].label, readings[0].value, readings[0].unit);
    if (strcmp(what, "holds") == 0)
        return pli_lesson_holds(l->current, readings) ? NULL : found;
    if (strcmp(what, "fails") == 0)
        return pli_lesson_holds(l->current, readings) ? found : NULL;
    if (strcmp(what, "reads") == 0) {
        const int32_t i = (int32_t)strtol(which, NULL, 10);
        if (i < 0 || i >= count)
            return "there is no such reading";
        snprintf(found, sizeof found, "%s is %.6g %s", readings[i].label, readings[i].value, readings[i].unit);
        return fabs(readings[i].value - strtod(wanted, NULL)) <= 1e-6 ? NULL : found;
    }
    if (strcmp(what, "acts") == 0) {
        const bool differs = fabs(readings[0].value - l->noted) > 0.01 * fabs(l->noted);
        const bool same_state = pli_world_hash(v->session.world) == l->state;
        return (l->current->steady ? !same_state : differs) ? NULL : found;
    }
    return "'expect lesson' needs id ID, holds, fails, reads V [N] or acts";
}
