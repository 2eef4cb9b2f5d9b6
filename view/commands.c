// Commands of scripts:
//
//     open FILE                  a scene or a mesh              save [FILE]               write the scene with its current values
//     menu LABEL                 run a menu action              wait reload               wait until the scene's file is reloaded
//     unpin vertex=N             release the vertex             ball vertex=N             throw a ball from the eye
//     blow vertex=N              blow from the eye              calm                      end the gust
//     record FILE | off          a video, or a cache            compare FILE | off        compare with a recording
//     scale S                    simulate a display scale       memory [again]            note the bytes in use
//     move collider=N by=X,Y,Z | vertex=N by=X,Y,Z              move it there in the following frames, until
//     drop                       releases it
//     brush NAME vertex=N [to=N] [radius=R] [strength=S] [value=V]   select the brush and paint a stroke over vertices;
//                                at=X,Y by=X,Y instead of vertices: the pointer, in pixels; brush off
//     browse [FOLDER]            the list of files              choose NAME               an entry of the list
//     preferences FILE           read preferences from a file, to which changes are written
//     values a | b | copy        select the active set of control values, or copy it to the other one
//     history BYTES              the memory limit of stored frames
//     lesson ID | set V | turn | note | next N | point I X,Y   the tutorial: open a lesson, set the value of its drawing, set its first
//                                control, note what it measures, run lines of Algorithm 1, move a point
//     expect advice N | advice WORD | listed NAME | preference light | zoom | quality V | values a | b | differing N | value PATH V |
//            effect PATH 0|1 | painted NAME N V | held N | balls N | edits N | title TEXT | problem TEXT | difference D |
//            difference above D | growth below BYTES | lesson id ID | lesson holds | lesson fails |
//            lesson reads V [N] | lesson acts
#include "commands.h"

#include "actions.h"
#include "compare.h"
#include "document.h"
#include "lessons/lessons.h"
#include "session/tools.h"
#include "session/values.h"
#include "recording.h"

#include "frame/strings.h"
#include <pliant/math.h>

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Maximum number of pictures that a line waits.
enum { LOOKS_MOST = 3000 };

pli_view_result pli_view_line_complain(pli_view_line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(l->complaint, sizeof l->complaint, format, arguments);
    va_end(arguments);
    return PLI_VIEW_FAILED;
}

const char *pli_view_line_word(const pli_view_line *l, int32_t i) { return i < l->count ? l->words[i] : ""; }

// Joins the words starting at `first` with blanks.
static const char *rest(const pli_view_line *l, int32_t first, char *text, size_t size)
{
    text[0] = '\0';
    for (int32_t i = first; i < l->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i > first ? " " : "", l->words[i]);
    }
    return text;
}

bool pli_view_line_number(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

bool pli_view_line_option(const pli_view_line *l, const char *name, double *value)
{
    size_t length = strlen(name);
    for (int32_t i = 1; i < l->count; i++)
        if (strncmp(l->words[i], name, length) == 0 && l->words[i][length] == '=')
            return pli_view_line_number(l->words[i] + length + 1, value);
    return false;
}

static pli_deformable first_of(const pli_view_line *l) { return pli_world_deformable_at(l->viewer->session.world, 0); }

static bool vertex_of(const pli_view_line *l, int32_t *vertex)
{
    double value;
    int32_t count = pli_deformable_positions(l->viewer->session.world, first_of(l)).count;
    if (!pli_view_line_option(l, "vertex", &value) || !(value >= 0.0 && value < count))
        return false;
    *vertex = (int32_t)value;
    return true;
}

static pli_vec3 place_of(const pli_view_line *l, int32_t vertex)
{
    const float *p = pli_view_at(pli_deformable_positions(l->viewer->session.world, first_of(l)), vertex);
    return (pli_vec3){p[0], p[1], p[2]};
}

static const char vertex_needed[] = "vertex=N of the first deformable";

/* ---- files -------------------------------------------------------------------------------------- */

static pli_view_result run_open(pli_view_line *l)
{
    char path[1000];
    if (l->count < 2)
        return pli_view_line_complain(l, "'open' needs a file");
    pli_viewer_load(l->viewer, rest(l, 1, path, sizeof path));
    return PLI_VIEW_DONE;
}

static pli_view_result run_save(pli_view_line *l)
{
    char path[1000];
    pli_viewer_save(l->viewer, l->count > 1 ? rest(l, 1, path, sizeof path) : NULL);
    return PLI_VIEW_DONE;
}

static pli_view_result run_record(pli_view_line *l)
{
    char path[1000];
    if (l->count < 2)
        return pli_view_line_complain(l, "'record' needs a file, or off");
    if (strcmp(pli_view_line_word(l, 1), "off") == 0)
        pli_viewer_record_end(l->viewer);
    else
        pli_viewer_record(l->viewer, rest(l, 1, path, sizeof path));
    return PLI_VIEW_DONE;
}

static pli_view_result run_compare(pli_view_line *l)
{
    char path[1000];
    if (l->count < 2)
        return pli_view_line_complain(l, "'compare' needs a recording, or off");
    pli_viewer_compare(l->viewer, strcmp(pli_view_line_word(l, 1), "off") == 0 ? NULL : rest(l, 1, path, sizeof path));
    return PLI_VIEW_DONE;
}

static pli_view_result run_menu(pli_view_line *l)
{
    char label[200];
    const pli_view_action *action = pli_view_action_find(rest(l, 1, label, sizeof label));
    if (!action)
        return pli_view_line_complain(l, "no menu has '%s'", label);
    action->run(l->viewer);
    return PLI_VIEW_DONE;
}

// The file may also be rejected; the desk then lists its problems.
static pli_view_result run_wait(pli_view_line *l)
{
    const pli_view_desk *d = l->viewer->desk;
    static int32_t before;
    if (strcmp(pli_view_line_word(l, 1), "reload") != 0)
        return pli_view_line_complain(l, "'wait' needs reload");
    if (l->looks == 0)
        before = d->reloads;
    if (d->reloads > before)
        return PLI_VIEW_DONE;
    return l->looks < LOOKS_MOST ? PLI_VIEW_AGAIN : pli_view_line_complain(l, "'%s' was not written again", d->path);
}

static pli_view_result run_scale(pli_view_line *l)
{
    double scale;
    if (!pli_view_line_number(pli_view_line_word(l, 1), &scale) || !(scale >= 0.5 && scale <= 4.0))
        return pli_view_line_complain(l, "'scale' needs a number, 0.5 to 4");
    l->viewer->desk->scale = (float)scale;
    return PLI_VIEW_DONE;
}

static pli_view_result run_browse(pli_view_line *l)
{
    char folder[1000];
    l->viewer->desk->shows_files = pli_viewer_list(l->viewer, l->count > 1 ? rest(l, 1, folder, sizeof folder) : NULL);
    return PLI_VIEW_DONE;
}

static pli_view_result run_choose(pli_view_line *l)
{
    char name[300];
    return pli_viewer_choose(l->viewer, rest(l, 1, name, sizeof name))
               ? PLI_VIEW_DONE
               : pli_view_line_complain(l, "'%s' is not listed", name);
}

static pli_view_result run_preferences(pli_view_line *l)
{
    if (l->count != 2)
        return pli_view_line_complain(l, "'preferences' needs a file");
    pli_viewer_prefer(l->viewer, l->words[1]);
    return PLI_VIEW_DONE;
}

static pli_view_result run_values(pli_view_line *l)
{
    pli_session *s = &l->viewer->session;
    const char *which = pli_view_line_word(l, 1);
    if (strcmp(which, "copy") == 0)
        pli_session_copy_values(s);
    else if (strcmp(which, "a") == 0 || strcmp(which, "b") == 0)
        pli_session_swap_values(s, *which == 'b');
    else
        return pli_view_line_complain(l, "'values' needs a, b or copy");
    return PLI_VIEW_DONE;
}

/* ---- tools -------------------------------------------------------------------------------------- */

static pli_view_result run_unpin(pli_view_line *l)
{
    int32_t vertex;
    if (!vertex_of(l, &vertex))
        return pli_view_line_complain(l, "'unpin' needs %s", vertex_needed);
    pli_session_unpin(&l->viewer->session, first_of(l), vertex);
    return PLI_VIEW_DONE;
}

static pli_view_result run_ball(pli_view_line *l)
{
    int32_t vertex;
    if (!vertex_of(l, &vertex))
        return pli_view_line_complain(l, "'ball' needs %s", vertex_needed);
    pli_session_throw(&l->viewer->session, pli_view_camera_get(&l->viewer->camera).eye, place_of(l, vertex), 1.0f);
    return PLI_VIEW_DONE;
}

static pli_view_result run_blow(pli_view_line *l)
{
    int32_t vertex;
    if (!vertex_of(l, &vertex))
        return pli_view_line_complain(l, "'blow' needs %s", vertex_needed);
    pli_vec3 eye = pli_view_camera_get(&l->viewer->camera).eye;
    pli_session_blow(&l->viewer->session, eye, pli_sub(place_of(l, vertex), eye));
    return PLI_VIEW_DONE;
}

// Grabs a collider, or the attachment of a vertex, and moves it by a displacement, at the maximum speed, during the following `run`
// commands.
static pli_view_result run_move(pli_view_line *l)
{
    pli_session *s = &l->viewer->session;
    double collider;
    int32_t vertex;
    float by[3];
    bool has_by = false;
    for (int32_t i = 1; i < l->count && !has_by; i++)
        has_by = strncmp(l->words[i], "by=", 3) == 0 && pli_cli_read_numbers(l->words[i] + 3, by, 3);
    bool of_collider = pli_view_line_option(l, "collider", &collider) && collider >= 0.0 && collider < INT32_MAX;
    if (!has_by || !(of_collider || vertex_of(l, &vertex)))
        return pli_view_line_complain(l, "'move' needs collider=N or vertex=N, and by=X,Y,Z");
    bool taken = of_collider ? pli_session_take_collider(s, pli_world_collider_at(s->world, (int32_t)collider))
                             : pli_session_take_pin(s, first_of(l), vertex);
    if (taken)
        pli_session_move(s, pli_add(s->tools.mover.target, (pli_vec3){by[0], by[1], by[2]}));
    return PLI_VIEW_DONE;
}

static pli_view_result run_drop(pli_view_line *l)
{
    pli_session_drop(&l->viewer->session);
    return PLI_VIEW_DONE;
}

// The two numbers of a word NAME=X,Y.
static bool place(const pli_view_line *l, const char *name, float *two)
{
    size_t length = strlen(name);
    for (int32_t i = 1; i < l->count; i++)
        if (strncmp(l->words[i], name, length) == 0 && l->words[i][length] == '=')
            return pli_cli_read_numbers(l->words[i] + length + 1, two, 2);
    return false;
}

static pli_view_result run_brush(pli_view_line *l)
{
    pli_viewer *v = l->viewer;
    pli_session *s = &v->session;
    const int32_t row = pli_session_quantity_find(pli_view_line_word(l, 1)),
                  count = pli_deformable_positions(s->world, first_of(l)).count;
    double radius = (double)s->brush.radius, strength = (double)s->brush.strength, to;
    int32_t vertex = 0;
    float at[2], by[2];
    v->tool = row >= 0 ? PLI_SESSION_TOOL_BRUSH : PLI_SESSION_TOOL_GRAB;
    if (strcmp(pli_view_line_word(l, 1), "off") == 0)
        return PLI_VIEW_DONE;
    bool points = place(l, "at", at) && place(l, "by", by);
    pli_view_line_option(l, "radius", &radius);
    pli_view_line_option(l, "strength", &strength);
    if (row < 0 || !(points || vertex_of(l, &vertex)) || !(radius > 0.0) || !(strength > 0.0 && strength <= 1.0))
        return pli_view_line_complain(l, "'brush' needs what it paints, and %s or at=X,Y by=X,Y", vertex_needed);
    pli_view_line_option(l, "value", &s->brush.values[row]);
    s->brush.quantity = row, s->brush.radius = (float)radius, s->brush.strength = (float)strength;
    if (points) {
        pli_viewer_press(v, at[0], at[1]);
        pli_viewer_drag(v, at[0] + by[0], at[1] + by[1]);
    } else if (pli_session_stroke_begin(s, 0, first_of(l), false)) {
        pli_session_stroke(s, 0, first_of(l), vertex, place_of(l, vertex));
        if (pli_view_line_option(l, "to", &to) && to >= 0.0 && to < count)
            pli_session_stroke(s, 0, first_of(l), (int32_t)to, place_of(l, (int32_t)to));
    }
    pli_session_stroke_end(s, 0);
    return PLI_VIEW_DONE;
}

static pli_view_result run_calm(pli_view_line *l)
{
    pli_session_calm(&l->viewer->session);
    return PLI_VIEW_DONE;
}

// Bytes that the program has allocated and not freed.
static double memory_now(void) { return (double)mallinfo2().uordblks; }

static pli_view_result run_memory(pli_view_line *l)
{
    pli_view_desk *d = l->viewer->desk;
    const double now = memory_now();
    d->growth = strcmp(pli_view_line_word(l, 1), "again") == 0 ? fmin(d->growth, now - d->memory) : INFINITY;
    d->memory = now;
    return PLI_VIEW_DONE;
}

static pli_view_result run_history(pli_view_line *l)
{
    double bytes;
    if (!pli_view_line_number(pli_view_line_word(l, 1), &bytes) || !(bytes >= 0.0 && bytes <= 1e12))
        return pli_view_line_complain(l, "'history' needs a number of bytes, 0 to 1e12");
    l->viewer->session.budget = (size_t)bytes;
    return PLI_VIEW_DONE;
}

static pli_view_result run_lesson(pli_view_line *l)
{
    const char *needs = pli_lesson_command(l->viewer, pli_view_line_word(l, 1), pli_view_line_word(l, 2),
                                           pli_view_line_word(l, 3));
    return needs ? pli_view_line_complain(l, "'lesson' needs %s", needs) : PLI_VIEW_DONE;
}

/* ---- expectations ------------------------------------------------------------------------------- */

static int32_t held_count(const pli_world *world)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < pli_world_attachment_count(world); i++) {
        pli_attachment attachment = pli_world_attachment_at(world, i);
        pli_attachment_def def;
        int32_t count = 0;
        if (pli_attachment_get_def(world, attachment, &def, NULL) == PLI_STATUS_OK && def.fixed && def.enabled)
            pli_attachment_particles(world, attachment, NULL, 0, &count, NULL);
        sum += count;
    }
    return sum;
}

static pli_view_result expect_number(pli_view_line *l, const char *what, double value, const char *wanted)
{
    double expected;
    if (!pli_view_line_number(wanted, &expected))
        return pli_view_line_complain(l, "'expect %s' needs a number", what);
    return (float)value == (float)expected ? PLI_VIEW_DONE : pli_view_line_complain(l, "%s is %.9g", what, value);
}

static pli_view_result expect_painted(pli_view_line *l)
{
    const pli_session *s = &l->viewer->session;
    const int32_t row = pli_session_quantity_find(pli_view_line_word(l, 2)),
                  count = pli_deformable_positions(s->world, first_of(l)).count;
    double vertex;
    float *values = calloc((size_t)count + 1, sizeof *values);
    if (row < 0 || !values || !pli_view_line_number(pli_view_line_word(l, 3), &vertex) ||
        !(vertex >= 0.0 && vertex < count)) {
        free(values);
        return pli_view_line_complain(l, "'expect painted' needs what is painted, a vertex and a value");
    }
    pli_session_painted(s, first_of(l), row, values, count);
    const float value = values[(int32_t)vertex];
    free(values);
    return expect_number(l, pli_view_line_word(l, 2), (double)value, pli_view_line_word(l, 4));
}

// A control without an effect is not shown.
static pli_view_result expect_effect(pli_view_line *l)
{
    const pli_session *s = &l->viewer->session;
    pli_session_control control;
    return pli_session_control_find(s, pli_view_line_word(l, 2), &control)
               ? expect_number(l, pli_view_line_word(l, 2), pli_session_has_effect(s, control.property, control.owner),
                               pli_view_line_word(l, 3))
               : pli_view_line_complain(l, "there is no value '%s'", pli_view_line_word(l, 2));
}

// Whether there is a finding with these words, or the given number of findings.
static pli_view_result expect_advice(pli_view_line *l)
{
    pli_session *s = &l->viewer->session;
    const int32_t count = pli_session_check(s);
    double wanted;
    if (pli_view_line_number(pli_view_line_word(l, 2), &wanted))
        return expect_number(l, "the number of findings", count, pli_view_line_word(l, 2));
    for (int32_t i = 0; i < count; i++)
        if (strstr(pli_world_finding_at(s->world, i)->text, pli_view_line_word(l, 2)))
            return PLI_VIEW_DONE;
    return pli_view_line_complain(l, "none of %d findings has '%s'", (int)count, pli_view_line_word(l, 2));
}

static pli_view_result expect_value(pli_view_line *l)
{
    const pli_session *s = &l->viewer->session;
    pli_session_control control;
    return pli_session_control_find(s, pli_view_line_word(l, 2), &control) && control.component >= 0
               ? expect_number(l, pli_view_line_word(l, 2), pli_session_control_value(s->world, &control),
                               pli_view_line_word(l, 3))
               : pli_view_line_complain(l, "there is no value '%s'", pli_view_line_word(l, 2));
}

static pli_view_result expect_text(pli_view_line *l, const char *what, const char *text)
{
    char wanted[300];
    return strstr(text, rest(l, 2, wanted, sizeof wanted))
               ? PLI_VIEW_DONE
               : pli_view_line_complain(l, "the %s is '%.200s'", what, text);
}

static pli_view_result expect_problem(pli_view_line *l)
{
    const pli_view_desk *d = l->viewer->desk;
    char text[300] = "";
    for (int32_t i = d->problem_count - 1; i >= 0; i--)
        snprintf(text, sizeof text, "%d:%d: %.200s", (int)d->problems[i].line, (int)d->problems[i].column,
                 d->problems[i].text);
    return expect_text(l, "problem", text);
}

static pli_view_result expect_of_desk(pli_view_line *l)
{
    const pli_view_desk *d = l->viewer->desk;
    const pli_view_preferences *p = &d->preferences;
    const char *name = pli_view_line_word(l, 2);
    if (strcmp(pli_view_line_word(l, 1), "preference") == 0)
        return expect_number(l, name,
                             strcmp(name, "light") == 0  ? p->light
                             : strcmp(name, "zoom") == 0 ? (double)p->zoom
                                                         : p->quality,
                             pli_view_line_word(l, 3));
    for (int32_t i = 0; i < d->listing.count; i++)
        if (strcmp(d->listing.entries[i].name, name) == 0)
            return PLI_VIEW_DONE;
    return pli_view_line_complain(l, "'%s' is not listed", name);
}

pli_view_result pli_view_command_expect(pli_view_line *l)
{
    const pli_session *s = &l->viewer->session;
    const char *what = pli_view_line_word(l, 1);
    double value;
    if (strcmp(what, "advice") == 0)
        return expect_advice(l);
    if (strcmp(what, "value") == 0)
        return expect_value(l);
    if (strcmp(what, "effect") == 0)
        return expect_effect(l);
    if (strcmp(what, "painted") == 0)
        return expect_painted(l);
    if (strcmp(what, "held") == 0)
        return expect_number(l, what, held_count(s->world), pli_view_line_word(l, 2));
    if (strcmp(what, "balls") == 0)
        return expect_number(l, what, pli_session_balls_count(&s->tools.balls), pli_view_line_word(l, 2));
    if (strcmp(what, "edits") == 0)
        return expect_number(l, what, s->edit_count, pli_view_line_word(l, 2));
    if (strcmp(what, "growth") == 0 && strcmp(pli_view_line_word(l, 2), "below") == 0) {
        // A block that the driver caches is allocated in one span; a leak grows in each span.
        double growth = fmin(l->viewer->desk->growth, memory_now() - l->viewer->desk->memory);
        return pli_view_line_number(pli_view_line_word(l, 3), &value) && growth < value
                   ? PLI_VIEW_DONE
                   : pli_view_line_complain(l, "%.0f bytes more are in use", growth);
    }
    if (strcmp(what, "difference") == 0 && strcmp(pli_view_line_word(l, 2), "above") == 0)
        return pli_view_line_number(pli_view_line_word(l, 3), &value) && l->viewer->desk->other.largest > (float)value
                   ? PLI_VIEW_DONE
                   : pli_view_line_complain(l, "the difference is %.6g", (double)l->viewer->desk->other.largest);
    if (strcmp(what, "difference") == 0)
        return expect_number(l, what, (double)l->viewer->desk->other.largest, pli_view_line_word(l, 2));
    if (strcmp(what, "listed") == 0 || strcmp(what, "preference") == 0)
        return expect_of_desk(l);
    if (strcmp(what, "values") == 0)
        return strcmp(pli_view_line_word(l, 2), s->tools.side ? "b" : "a") == 0
                   ? PLI_VIEW_DONE
                   : pli_view_line_complain(l, "the values are %s", s->tools.side ? "b" : "a");
    if (strcmp(what, "differing") == 0) {
        pli_session_read_values(&l->viewer->session);
        return expect_number(l, what, pli_session_differences(s, NULL, 0), pli_view_line_word(l, 2));
    }
    if (strcmp(what, "title") == 0)
        return expect_text(l, what, pli_scene_title(pli_session_scene(s)));
    if (strcmp(what, "problem") == 0)
        return expect_problem(l);
    if (strcmp(what, "lesson") == 0) {
        const char *found = pli_lesson_expect(l->viewer, pli_view_line_word(l, 2), pli_view_line_word(l, 3),
                                              pli_view_line_word(l, 4));
        return found ? pli_view_line_complain(l, "the lesson: %s", found) : PLI_VIEW_DONE;
    }
    return PLI_VIEW_UNKNOWN;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    pli_view_result (*run)(pli_view_line *l);
} commands[] = {
    {"open", run_open},       {"save", run_save},     {"menu", run_menu},       {"wait", run_wait},
    {"scale", run_scale},     {"unpin", run_unpin},   {"ball", run_ball},       {"blow", run_blow},
    {"calm", run_calm},       {"record", run_record}, {"compare", run_compare}, {"memory", run_memory},
    {"history", run_history}, {"move", run_move},     {"drop", run_drop},       {"brush", run_brush},
    {"values", run_values},   {"browse", run_browse}, {"choose", run_choose},   {"preferences", run_preferences},
    {"lesson", run_lesson},
};

pli_view_result pli_view_command_run(pli_view_line *l)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, pli_view_line_word(l, 0)) == 0)
            return commands[i].run(l);
    return PLI_VIEW_UNKNOWN;
}
