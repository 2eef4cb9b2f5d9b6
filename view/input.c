// Commands of scripts:
//
//     key [Ctrl+][Shift+]NAME     press a key: a letter, [ ] + - . , ? Space Left Right Home Backspace Esc F1 F5
//     point WHAT x=X y=Y [by=N]   the pointer [pixels]: press, drag, release, wheel, radius (by steps of the wheel) or twice
//     panel PART                  open one part of the panel and close the others
//     slide PATH from=T to=T      drag the slider of a value; 0 and 1 are its ends
//     choose-in PATH              click on a list of the panel, "material NAME" on an entry of the open list
//     shown PATH 0|1              fail unless the panel shows the value, or not
//     material NAME               give the first deformable the values of a material
//     pass SECONDS                let time pass for messages
//     expect tool NAME | open gallery, files, keys or nothing | hidden, grab, playing 0|1 | quiet | colour NAME | legend above V | radius above R | eye above H | target above H |
//            looks-at X,Y,Z
#include "input.h"

#include "actions.h"
#include "stage.h"

#include "frame/strings.h"
#include <pliant/math.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS_MOST = 20, DRAG_PICTURES = 8, CLICK_PICTURES = 2 };

static bool number(const char *text, double *value) { return pli_view_line_number(text, value) && isfinite(*value); }

static bool option(const pli_view_line *l, const char *name, double *value)
{
    return pli_view_line_option(l, name, value) && isfinite(*value);
}

/* ---- keys and pointer --------------------------------------------------------------------------- */

static pli_view_result run_key(pli_view_line *l)
{
    return pli_view_action_named_key(l->viewer, pli_view_line_word(l, 1))
               ? PLI_VIEW_DONE
               : pli_view_line_complain(l, "no action has the key '%s'", pli_view_line_word(l, 1));
}

static pli_view_result run_point(pli_view_line *l)
{
    pli_viewer *v = l->viewer;
    const char *what = pli_view_line_word(l, 1);
    double x, y, by = 1.0;
    if (!option(l, "x", &x) || !option(l, "y", &y))
        return pli_view_line_complain(l, "'point' needs x=X and y=Y, in pixels from the upper left corner");
    option(l, "by", &by);
    const float at[] = {(float)x, (float)y};
    if (strcmp(what, "press") == 0)
        pli_viewer_press(v, at[0], at[1]);
    else if (strcmp(what, "drag") == 0)
        pli_viewer_drag(v, at[0], at[1]);
    else if (strcmp(what, "release") == 0)
        pli_viewer_release(v, at[0], at[1]);
    else if (strcmp(what, "twice") == 0)
        pli_viewer_pivot(v, at[0], at[1]);
    else if (strcmp(what, "wheel") == 0 || strcmp(what, "radius") == 0)
        pli_viewer_wheel(v, at[0], at[1], fminf(fmaxf((float)by, -100.0f), 100.0f), *what == 'r');
    else
        return pli_view_line_complain(l, "'point' needs press, drag, release, twice, wheel or radius");
    return PLI_VIEW_DONE;
}

/* ---- the panel ---------------------------------------------------------------------------------- */

static pli_view_result run_panel(pli_view_line *l)
{
    for (int32_t i = 0; i < pli_panel_part_count(); i++)
        if (strcmp(pli_panel_part_at(i)->id, pli_view_line_word(l, 1)) == 0) {
            l->viewer->desk->only_part = pli_panel_part_at(i)->id;
            return PLI_VIEW_DONE;
        }
    return pli_view_line_complain(l, "the panel has no part '%s'", pli_view_line_word(l, 1));
}

// The control of a path is found in the picture that is drawn while the line waits.
static pli_view_result seek(pli_view_line *l, const char *path)
{
    pli_view_desk *d = l->viewer->desk;
    if (l->looks == 0) {
        free(d->sought);
        d->sought = pli_cli_format("%s", path);
        d->found = false;
    }
    if (d->found)
        return PLI_VIEW_DONE;
    return l->looks < LOOKS_MOST ? PLI_VIEW_AGAIN : pli_view_line_complain(l, "the panel does not show '%s'", path);
}

static void move_pointer(pli_viewer *v, float from, float to, int32_t pictures)
{
    const float *spot = v->desk->spot;
    v->click_x = spot[0] + from * (spot[2] - spot[0]), v->click_to = spot[0] + to * (spot[2] - spot[0]);
    v->click_y = 0.5f * (spot[1] + spot[3]);
    v->click = pictures;
}

static pli_view_result run_slide(pli_view_line *l)
{
    double from, to;
    if (!option(l, "from", &from) || !option(l, "to", &to))
        return pli_view_line_complain(l, "'slide' needs the path of a value, from=T and to=T");
    const pli_view_result result = seek(l, pli_view_line_word(l, 1));
    if (result == PLI_VIEW_DONE)
        move_pointer(l->viewer, (float)fmin(fmax(from, 0.0), 1.0), (float)fmin(fmax(to, 0.0), 1.0), DRAG_PICTURES);
    return result;
}

static pli_view_result run_choose_in(pli_view_line *l)
{
    char path[200];
    snprintf(path, sizeof path, "%s%s%s", pli_view_line_word(l, 1), l->count > 2 ? " " : "", pli_view_line_word(l, 2));
    const pli_view_result result = seek(l, path);
    if (result == PLI_VIEW_DONE)
        move_pointer(l->viewer, 0.5f, 0.5f, CLICK_PICTURES);
    return result;
}

// Whether the panel shows a control; the answer is that of the second picture.
static pli_view_result run_shown(pli_view_line *l)
{
    const pli_view_desk *d = l->viewer->desk;
    if (l->looks == 0)
        seek(l, pli_view_line_word(l, 1));
    if (l->looks < 2)
        return PLI_VIEW_AGAIN;
    return strcmp(pli_view_line_word(l, 2), d->found ? "1" : "0") == 0
               ? PLI_VIEW_DONE
               : pli_view_line_complain(l, "'%s' is %s", pli_view_line_word(l, 1), d->found ? "shown" : "not shown");
}

static pli_view_result run_material(pli_view_line *l)
{
    pli_session *s = &l->viewer->session;
    const pli_material *material = pli_material_find(pli_view_line_word(l, 1));
    if (!material)
        return pli_view_line_complain(l, "there is no material '%s'", pli_view_line_word(l, 1));
    pli_session_set_material(s, pli_world_deformable_at(s->world, 0), material);
    return PLI_VIEW_DONE;
}

static pli_view_result run_pass(pli_view_line *l)
{
    double seconds;
    if (!number(pli_view_line_word(l, 1), &seconds) || !(seconds >= 0.0 && seconds <= 1e6))
        return pli_view_line_complain(l, "'pass' needs a number of seconds, 0 to 1e6");
    l->viewer->desk->clock += seconds;
    return PLI_VIEW_DONE;
}

/* ---- expectations ------------------------------------------------------------------------------- */

static pli_view_result expect_word(pli_view_line *l, const char *what, const char *is)
{
    return strcmp(pli_view_line_word(l, 2), is) == 0 ? PLI_VIEW_DONE
                                                     : pli_view_line_complain(l, "%s is '%s'", what, is);
}

static pli_view_result expect_above(pli_view_line *l, const char *what, float value)
{
    double limit;
    if (strcmp(pli_view_line_word(l, 2), "above") != 0 || !number(pli_view_line_word(l, 3), &limit))
        return pli_view_line_complain(l, "'expect %s' needs above and a number", what);
    return (double)value > limit ? PLI_VIEW_DONE : pli_view_line_complain(l, "%s is %.6g", what, (double)value);
}

static pli_view_result expect_target(pli_view_line *l)
{
    float p[3];
    const pli_vec3 at = l->viewer->camera.target;
    if (!pli_cli_read_numbers(pli_view_line_word(l, 2), p, 3))
        return pli_view_line_complain(l, "'expect looks-at' needs X,Y,Z");
    const pli_vec3 off = pli_sub(at, (pli_vec3){p[0], p[1], p[2]});
    return pli_dot(off, off) < 1e-4f
               ? PLI_VIEW_DONE
               : pli_view_line_complain(l, "the camera looks at %g,%g,%g", (double)at.x, (double)at.y, (double)at.z);
}

pli_view_result pli_view_input_expect(pli_view_line *l)
{
    const pli_viewer *v = l->viewer;
    const pli_view_desk *d = v->desk;
    const char *what = pli_view_line_word(l, 1);
    if (strcmp(what, "tool") == 0)
        return expect_word(l, what, pli_session_tool_name(v->tool));
    if (strcmp(what, "open") == 0)
        return expect_word(l, what,
                           d->shows_gallery ? "gallery"
                           : d->shows_files ? "files"
                           : d->shows_keys  ? "keys"
                                            : "nothing");
    if (strcmp(what, "colour") == 0)
        return expect_word(l, what, v->measure < 0 ? "none" : pli_choice_name("measure", v->measure));
    if (strcmp(what, "grab") == 0)
        return expect_word(l, what, v->session.tools.hands[0].holds ? "1" : "0");
    if (strcmp(what, "quiet") == 0)
        return v->session.message[0] ? pli_view_line_complain(l, "the message is '%.200s'", v->session.message)
                                     : PLI_VIEW_DONE;
    if (strcmp(what, "playing") == 0)
        return expect_word(l, what, v->session.playing ? "1" : "0");
    if (strcmp(what, "legend") == 0)
        return expect_above(l, what, pli_cli_world_view_frame(v->picture)->legend_minimum);
    if (strcmp(what, "hidden") == 0)
        return expect_word(l, what, d->hides ? "1" : "0");
    if (strcmp(what, "radius") == 0)
        return expect_above(l, what, pli_viewer_radius(v, pli_world_deformable_at(v->session.world, 0)));
    if (strcmp(what, "eye") == 0)
        return expect_above(l, what, pli_dot(pli_view_camera_get(&v->camera).eye, v->camera.up));
    if (strcmp(what, "target") == 0)
        return expect_above(l, what, pli_dot(v->camera.target, v->camera.up));
    if (strcmp(what, "looks-at") == 0)
        return expect_target(l);
    return PLI_VIEW_UNKNOWN;
}

static const struct {
    const char *name;
    pli_view_result (*run)(pli_view_line *l);
} commands[] = {
    {"key", run_key},     {"point", run_point},         {"panel", run_panel},
    {"slide", run_slide}, {"choose-in", run_choose_in}, {"material", run_material},
    {"pass", run_pass},   {"shown", run_shown},
};

pli_view_result pli_view_input_run(pli_view_line *l)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, pli_view_line_word(l, 0)) == 0)
            return commands[i].run(l);
    return PLI_VIEW_UNKNOWN;
}
