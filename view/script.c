// Scripts for tests and films: one command per line, # starts a comment. Words are separated by blanks; options are NAME=VALUE.
//
//     run N                      step N frames                  to F                      go to frame F
//     press vertex=N             grab (first deformable)        drag by=X,Y,Z frames=N    move the grab target and step
//     release                    end the grab                   pin vertex=N              pin the vertex where it is
//     cut at=X,Y,Z normal=X,Y,Z reach=R                         set PATH VALUE            a setting (components: settings.gravity.y),
//                                                                                         SET.PARAMETER or DEFORMABLE.NUMBER
//     colour MEASURE|none        edges on|off                   camera yaw=D pitch=D distance=M
//     show NAME... | none            overlays: constraints, batches, contacts, thickness, boxes
//     split TYPE... | values | none   up to four bending types side by side, or both sets of control values
//     click x=X y=Y              click on a panel [pixels]
//     picture FILE               write the window's picture     message                   clear the message
//     expect frame N | hash HEX | stretch below V | moved above M | message TEXT | kept above N | models N
//            model TYPE state | other whether a model is in the session's state
//     mark                       store the state                same                      fail unless the state equals the stored one
// The other commands are in commands.c and input.c.
#define _POSIX_C_SOURCE 200809L
#include "script.h"

#include "commands.h"
#include "input.h"
#include "session/tools.h"
#include "session/values.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include <pliant/math.h>
#include "view/overlays.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 8, LINE_MOST = 500 };

typedef struct words {
    char *word[WORDS_MOST];
    int32_t count;
} words;

struct pli_view_script {
    char *text, *next;
    char name[200];
    int32_t line;
    int32_t steps; // Remaining frames.
    pli_vec3 way;  // Displacement of the grab target per frame.
    char picture[300];
    uint64_t marked;
    pli_vec3 first; // Position of vertex 0 at the start.
    bool begun;
    words again; // A line that waits, and the number of times it was run.
    int32_t looks;
};

__attribute__((format(printf, 3, 4))) static bool refuse(const pli_view_script *s, pli_error *error, const char *format,
                                                         ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error->status = PLI_STATUS_INVALID_ARGUMENT;
    snprintf(error->message, sizeof error->message, "%s:%d: %s", s->name, (int)s->line, text);
    return false;
}

pli_view_script *pli_view_script_open(const char *path, pli_error *error)
{
    pli_view_script *s = calloc(1, sizeof *s);
    if (!s) {
        pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the script '%s'", path);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size >= 0 && size < (1 << 24)) {
        rewind(file);
        s->text = calloc((size_t)size + 1, 1);
        if (s->text && fread(s->text, 1, (size_t)size, file) == (size_t)size)
            s->next = s->text;
    }
    if (file)
        fclose(file);
    if (s->next) {
        snprintf(s->name, sizeof s->name, "%s", path);
        return s;
    }
    error->status = PLI_STATUS_FILE;
    snprintf(error->message, sizeof error->message, "cannot read the script '%s'", path);
    pli_view_script_close(s);
    return NULL;
}

void pli_view_script_close(pli_view_script *s)
{
    if (s)
        free(s->text);
    free(s);
}

bool pli_view_script_waits(const pli_view_script *s) { return s->again.count > 0; }

const char *pli_view_script_picture(const pli_view_script *s) { return s->picture[0] ? s->picture : NULL; }

/* ---- words -------------------------------------------------------------------------------------- */

static const char *value_of(const words *w, const char *name)
{
    size_t length = strlen(name);
    for (int32_t i = 1; i < w->count; i++)
        if (strncmp(w->word[i], name, length) == 0 && w->word[i][length] == '=')
            return w->word[i] + length + 1;
    return NULL;
}

static bool read_number(const char *text, double *value)
{
    char *end = NULL;
    *value = text ? strtod(text, &end) : 0.0;
    return text && end != text && *end == '\0';
}

static bool read_vector(const char *text, pli_vec3 *v)
{
    float numbers[3] = {0};
    const bool done = text && pli_cli_read_numbers(text, numbers, 3);
    *v = (pli_vec3){numbers[0], numbers[1], numbers[2]};
    return done;
}

static bool next_line(pli_view_script *s, words *w)
{
    w->count = 0;
    while (w->count == 0 && *s->next) {
        char *line = s->next, *end = line + strcspn(line, "\n"), *place = NULL;
        s->next = *end ? end + 1 : end;
        *end = '\0';
        line[strcspn(line, "#")] = '\0';
        s->line++;
        for (char *word = strtok_r(line, " \t\r", &place); word && w->count < WORDS_MOST;
             word = strtok_r(NULL, " \t\r", &place))
            w->word[w->count++] = word;
    }
    return w->count > 0;
}

/* ---- commands ----------------------------------------------------------------------------------- */

typedef struct context {
    pli_view_script *script;
    pli_viewer *viewer;
    const words *words;
    pli_error *error;
} context;

static const char *word_of(const context *c, int32_t i) { return i < c->words->count ? c->words->word[i] : ""; }

// Joins the words starting at `first` with blanks; the result is valid until the next call.
static const char *rest_of(const context *c, int32_t first)
{
    static char text[300];
    text[0] = '\0';
    for (int32_t i = first; i < c->words->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i > first ? " " : "", c->words->word[i]);
    }
    return text;
}

static bool wrong(const context *c, const char *needs)
{
    return refuse(c->script, c->error, "'%s' needs %s", c->words->word[0], needs);
}

static pli_deformable first_deformable(const context *c)
{
    return pli_world_deformable_at(c->viewer->session.world, 0);
}

static pli_vec3 place_of(const context *c, int32_t vertex)
{
    const float *p = pli_view_at(pli_deformable_positions(c->viewer->session.world, first_deformable(c)), vertex);
    return (pli_vec3){p[0], p[1], p[2]};
}

static bool read_vertex(const context *c, int32_t *vertex)
{
    double number;
    int32_t count = pli_deformable_positions(c->viewer->session.world, first_deformable(c)).count;
    if (!read_number(value_of(c->words, "vertex"), &number) || !(number >= 0.0 && number < count))
        return wrong(c, "vertex=N of the first deformable");
    *vertex = (int32_t)number;
    return true;
}

static bool run_run(context *c)
{
    double frames;
    if (!read_number(word_of(c, 1), &frames) || !(frames >= 1.0 && frames <= 1e6))
        return wrong(c, "a number of frames");
    c->script->steps = (int32_t)frames;
    c->script->way = (pli_vec3){0, 0, 0};
    return true;
}

static bool run_to(context *c)
{
    double frame;
    if (!read_number(word_of(c, 1), &frame) || !(frame >= 0.0 && frame <= 1e6))
        return wrong(c, "a frame");
    pli_session_go(&c->viewer->session, (int32_t)frame);
    return true;
}

static bool run_press(context *c)
{
    int32_t vertex;
    if (!read_vertex(c, &vertex))
        return false;
    pli_session_grab(&c->viewer->session, 0, first_deformable(c), vertex);
    return true;
}

static bool run_drag(context *c)
{
    double frames;
    pli_vec3 by;
    if (!read_vector(value_of(c->words, "by"), &by) || !read_number(value_of(c->words, "frames"), &frames) ||
        !(frames >= 1.0 && frames <= 1e6))
        return wrong(c, "by=X,Y,Z and frames=N");
    c->script->steps = (int32_t)frames;
    c->script->way = pli_scale(by, (float)(1.0 / frames));
    return true;
}

static bool run_release(context *c)
{
    pli_session_let_go(&c->viewer->session, 0);
    return true;
}

static bool run_pin(context *c)
{
    int32_t vertex;
    if (!read_vertex(c, &vertex))
        return false;
    pli_session_pin(&c->viewer->session, first_deformable(c), vertex);
    return true;
}

static bool run_cut(context *c)
{
    pli_vec3 at, normal;
    double reach;
    if (!read_vector(value_of(c->words, "at"), &at) || !read_vector(value_of(c->words, "normal"), &normal) ||
        !read_number(value_of(c->words, "reach"), &reach))
        return wrong(c, "at=X,Y,Z, normal=X,Y,Z and reach=R");
    pli_session_cut(&c->viewer->session, first_deformable(c), at, normal, (float)reach);
    return true;
}

static bool run_set(context *c)
{
    double value;
    if (!read_number(word_of(c, 2), &value))
        return wrong(c, "a path and a number");
    pli_session_set(&c->viewer->session, word_of(c, 1), value);
    return true;
}

static bool run_colour(context *c)
{
    for (int32_t i = -1; i < PLI_MEASURE_COUNT; i++) {
        if (strcmp(word_of(c, 1), i < 0 ? "none" : pli_choice_name("measure", i)) != 0)
            continue;
        c->viewer->measure = i;
        pli_cli_world_view_measure(c->viewer->picture, i);
        return true;
    }
    return wrong(c, "a measure, such as stretch, or none");
}

static bool run_show(context *c)
{
    uint32_t which = 0;
    if (!*word_of(c, 1))
        return wrong(c, "names of overlays, or none");
    for (int32_t i = 1; i < c->words->count && strcmp(word_of(c, 1), "none") != 0; i++) {
        int32_t found = pli_cli_overlay_find(word_of(c, i));
        if (found < 0)
            return wrong(c, "names of overlays, such as contacts, or none");
        which |= 1u << found;
    }
    c->viewer->overlays = which;
    return true;
}

static bool run_split(context *c)
{
    const char *types[WORDS_MOST];
    int32_t count = strcmp(word_of(c, 1), "none") == 0 ? 0 : c->words->count - 1;
    if (c->words->count < 2 || count > PLI_VIEW_MODELS_MOST)
        return wrong(c, "one to four types of bending, or none");
    for (int32_t i = 0; i < count; i++)
        types[i] = word_of(c, i + 1);
    pli_error error;
    if (count == 1 && strcmp(types[0], "values") == 0)
        return pli_viewer_split_values(&c->viewer->session, &c->viewer->models)
                   ? true
                   : refuse(c->script, c->error, "%s", c->viewer->session.message);
    if (pli_view_models_open(&c->viewer->models, c->viewer->session.scenes[0], types, count, &error) != PLI_STATUS_OK)
        return refuse(c->script, c->error, "%s", error.message);
    return true;
}

static bool run_edges(context *c)
{
    c->viewer->wireframe = strcmp(word_of(c, 1), "on") == 0;
    return c->viewer->wireframe || strcmp(word_of(c, 1), "off") == 0 ? true : wrong(c, "on or off");
}

static bool run_camera(context *c)
{
    const struct {
        const char *name;
        float *value;
    } options[] = {{"yaw", &c->viewer->camera.yaw},
                   {"pitch", &c->viewer->camera.pitch},
                   {"distance", &c->viewer->camera.distance}};
    bool any = false;
    for (int i = 0; i < 3; i++) {
        double value;
        if (!read_number(value_of(c->words, options[i].name), &value))
            continue;
        *options[i].value = (float)value;
        any = true;
    }
    return any ? true : wrong(c, "yaw=, pitch= or distance=");
}

static bool run_picture(context *c)
{
    if (!*word_of(c, 1))
        return wrong(c, "a file");
    snprintf(c->script->picture, sizeof c->script->picture, "%s", word_of(c, 1));
    return true;
}

static bool run_click(context *c)
{
    double x, y;
    if (!read_number(value_of(c->words, "x"), &x) || !read_number(value_of(c->words, "y"), &y))
        return wrong(c, "x=X and y=Y, in pixels from the upper left corner");
    c->viewer->click_x = (float)x, c->viewer->click_y = (float)y;
    c->viewer->click_to = (float)x;
    c->viewer->click = 2;
    return true;
}

static bool run_message(context *c)
{
    c->viewer->session.message[0] = '\0';
    return true;
}

static bool run_mark(context *c)
{
    c->script->marked = pli_world_hash(c->viewer->session.world);
    return true;
}

static bool run_same(context *c)
{
    uint64_t hash = pli_world_hash(c->viewer->session.world);
    return hash == c->script->marked
               ? true
               : refuse(c->script, c->error, "the state is %016" PRIx64 ", not the marked one", hash);
}

static bool compare(const context *c, const char *what, double value, bool below)
{
    double limit;
    if (!read_number(word_of(c, 3), &limit))
        return wrong(c, "a number at its end");
    if (below ? value < limit : value > limit)
        return true;
    return refuse(c->script, c->error, "%s is %.6g, not %s %g", what, value, below ? "below" : "above", limit);
}

static bool expect_count(const context *c, int32_t count, const char *what)
{
    double wanted;
    if (!read_number(word_of(c, 2), &wanted))
        return wrong(c, "a number at its end");
    return count == wanted ? true : refuse(c->script, c->error, "%s is %d", what, (int)count);
}

// Whether a model is in the session's frame and its state is bit-identical to the session's (or differs).
static bool expect_model(const context *c)
{
    pli_view_models *models = &c->viewer->models;
    const pli_session *s = &c->viewer->session;
    int32_t i = 0;
    while (i < models->count && strcmp(models->model[i].type, word_of(c, 2)) != 0)
        i++;
    if (i == models->count)
        return refuse(c->script, c->error, "there is no model '%s'", word_of(c, 2));
    pli_view_models_go(models, pli_session_scene(s), s->frame);
    bool same = pli_world_hash(models->model[i].world) == pli_world_hash(s->world);
    if (models->model[i].frame == s->frame && same == (strcmp(word_of(c, 3), "state") == 0))
        return true;
    return refuse(c->script, c->error, "%s is in frame %d, its state %s", word_of(c, 2), (int)models->model[i].frame,
                  same ? "that of the scene" : "another");
}

static bool run_expect(context *c)
{
    const pli_session *s = &c->viewer->session;
    const char *what = word_of(c, 1);
    if (pli_world_deformable_count(s->world) == 0)
        return refuse(c->script, c->error, "the scene has no deformable");
    bool below = strcmp(word_of(c, 2), "below") == 0;
    pli_statistics statistics;
    pli_world_get_statistics(s->world, &statistics);
    pli_vec3 way = pli_sub(place_of(c, 0), c->script->first);
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, pli_world_hash(s->world));
    if (strcmp(what, "frame") == 0)
        return expect_count(c, s->frame, "the frame");
    if (strcmp(what, "hash") == 0)
        return strcmp(hash, word_of(c, 2)) == 0 ? true : refuse(c->script, c->error, "the hash is %s", hash);
    if (strcmp(what, "message") == 0)
        return strstr(s->message, rest_of(c, 2)) && s->message[0]
                   ? true
                   : refuse(c->script, c->error, "the message is '%s'", s->message);
    if (strcmp(what, "stretch") == 0)
        return compare(c, what, statistics.stretch_max, below);
    if (strcmp(what, "moved") == 0)
        return compare(c, what, (double)sqrtf(pli_dot(way, way)), below);
    if (strcmp(what, "kept") == 0)
        return compare(c, what, s->moment_count, below);
    if (strcmp(what, "models") == 0)
        return expect_count(c, c->viewer->models.count, "the number of models");
    if (strcmp(what, "model") == 0)
        return expect_model(c);
    pli_view_line line = {.viewer = c->viewer, .words = c->words->word, .count = c->words->count};
    pli_view_result result = pli_view_input_expect(&line);
    if (result == PLI_VIEW_UNKNOWN)
        result = pli_view_command_expect(&line);
    if (result == PLI_VIEW_FAILED)
        return refuse(c->script, c->error, "%s", line.complaint);
    return result == PLI_VIEW_DONE
               ? true
               : wrong(c, "frame, hash, message, advice, stretch, moved, kept, value, effect, painted, held, balls, "
                          "edits, tool, open, hidden, grab, playing, quiet, colour, legend, radius, eye, target, "
                          "looks-at, title, lesson,"
                          " problem, growth, difference, listed, preference, values, differing, models or model");
}

static const struct {
    const char *name;
    bool (*run)(context *c);
    bool draws; // A picture is drawn after the command.
} commands[] = {
    {"run", run_run, true},          {"to", run_to, false},           {"press", run_press, false},
    {"drag", run_drag, true},        {"release", run_release, false}, {"pin", run_pin, false},
    {"cut", run_cut, false},         {"set", run_set, false},         {"colour", run_colour, false},
    {"edges", run_edges, false},     {"camera", run_camera, false},   {"picture", run_picture, true},
    {"message", run_message, false}, {"mark", run_mark, false},       {"same", run_same, false},
    {"expect", run_expect, false},   {"click", run_click, true},      {"show", run_show, false},
    {"split", run_split, false},
};

// Runs a command of commands.c. `draws` is set if a picture must be drawn first.
static bool run_other(context *c, bool *draws)
{
    pli_view_script *s = c->script;
    pli_view_line line = {.viewer = c->viewer, .words = c->words->word, .count = c->words->count, .looks = s->looks};
    pli_view_result result = pli_view_input_run(&line);
    if (result == PLI_VIEW_UNKNOWN)
        result = pli_view_command_run(&line);
    *draws = true;
    if (result == PLI_VIEW_UNKNOWN)
        return refuse(s, c->error, "there is no command '%s'; pliant view --help lists them", c->words->word[0]);
    if (result == PLI_VIEW_FAILED)
        return refuse(s, c->error, "%s", line.complaint);
    s->again = result == PLI_VIEW_AGAIN ? *c->words : (words){0};
    s->looks = result == PLI_VIEW_AGAIN ? s->looks + 1 : 0;
    return true;
}

bool pli_view_script_run(pli_view_script *s, pli_viewer *v, pli_error *error)
{
    words w;
    context c = {s, v, &w, error};
    if (!s->begun && pli_world_deformable_count(v->session.world) == 0)
        return refuse(s, error, "the scene has no deformable");
    if (!s->begun)
        s->first = place_of(&c, 0);
    s->begun = true;
    s->picture[0] = '\0';
    if (s->steps > 0) {
        const pli_session_hand *hand = &v->session.tools.hands[0];
        if (hand->holds)
            pli_session_pull(&v->session, 0, pli_add(hand->target, s->way));
        pli_session_step(&v->session);
        s->steps--;
        return true;
    }
    if (v->click > 0)
        return true;
    bool draws = false;
    if (s->again.count > 0) {
        w = s->again;
        return run_other(&c, &draws);
    }
    while (next_line(s, &w)) {
        size_t i = 0, count = sizeof commands / sizeof *commands;
        while (i < count && strcmp(commands[i].name, w.word[0]) != 0)
            i++;
        if (i == count ? !run_other(&c, &draws) : !commands[i].run(&c))
            return false;
        if (i == count ? draws : commands[i].draws)
            return true;
    }
    return false;
}
