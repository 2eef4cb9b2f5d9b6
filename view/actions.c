// The rows of the menus, in their order.
#include "actions.h"

#include "compare.h"
#include "document.h"
#include "recording.h"
#include "session/tools.h"
#include "session/values.h"
#include "stage.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string.h>

/* ---- actions of the rows ------------------------------------------------------------------------ */

// Lists and tables close each other.
static void open_alone(pli_viewer *v, bool *shown)
{
    const bool open = !*shown;
    pli_viewer_close_lists(v);
    *shown = open;
}

static void show_gallery(pli_viewer *v)
{
    open_alone(v, &v->desk->shows_gallery);
    if (v->desk->shows_gallery)
        pli_viewer_find_gallery(v);
}

static void show_experiments(pli_viewer *v)
{
    v->desk->shows_gallery = false;
    show_gallery(v);
    v->desk->shows_experiments = true;
}

static void show_files(pli_viewer *v)
{
    open_alone(v, &v->desk->shows_files);
    if (v->desk->shows_files)
        pli_viewer_list(v, v->desk->listing.folder);
}
static void show_keys(pli_viewer *v) { open_alone(v, &v->desk->shows_keys); }
static bool is_keys(const pli_viewer *v) { return v->desk->shows_keys; }
static bool is_files(const pli_viewer *v) { return v->desk->shows_files; }
static bool is_gallery(const pli_viewer *v) { return v->desk->shows_gallery; }
#define TAKE(name, KIND)                                                                                               \
    static void mesh_as_##name(pli_viewer *v) { pli_viewer_take_mesh_for(v, KIND); }                                   \
    static bool is_mesh_as_##name(const pli_viewer *v) { return v->desk->mesh && v->desk->kind == (KIND); }
TAKE(auto, PLI_GUESS_AUTO)
TAKE(cloth, PLI_GUESS_CLOTH)
TAKE(shell, PLI_GUESS_SHELL)
TAKE(balloon, PLI_GUESS_BALLOON)
static bool is_mesh(const pli_viewer *v) { return v->desk->mesh; }

static void save_copy(pli_viewer *v) { pli_viewer_save(v, NULL); }
static void save_over(pli_viewer *v) { pli_viewer_save(v, v->desk->path); }
static void reload(pli_viewer *v) { pli_viewer_reload(v); }
static void record_video(pli_viewer *v) { pli_viewer_record_anew(v, true); }
static bool is_video(const pli_viewer *v) { return pli_viewer_records(v, true); }
static void record_cache(pli_viewer *v) { pli_viewer_record_anew(v, false); }
static bool is_cache(const pli_viewer *v) { return pli_viewer_records(v, false); }
static void leave(pli_viewer *v) { v->desk->asks_to_leave = true; }

static void undo(pli_viewer *v) { pli_session_undo(&v->session); }
static void redo(pli_viewer *v) { pli_session_redo(&v->session); }

static void swap_values(pli_viewer *v) { pli_session_swap_values(&v->session, 1 - v->session.tools.side); }
static bool is_b(const pli_viewer *v) { return v->session.tools.side == 1; }
static void copy_values(pli_viewer *v) { pli_session_copy_values(&v->session); }
static void split_values(pli_viewer *v)
{
    if (v->models.apply)
        pli_view_models_close(&v->models);
    else
        pli_viewer_split_values(&v->session, &v->models);
}
static bool is_split(const pli_viewer *v) { return v->models.apply != NULL; }

static void play(pli_viewer *v) { v->session.playing = !v->session.playing; }
static bool is_playing(const pli_viewer *v) { return v->session.playing; }
static void go_by(pli_viewer *v, int32_t frames) { pli_session_go(&v->session, v->session.frame + frames); }
static void step_back(pli_viewer *v) { go_by(v, -1); }
static void step(pli_viewer *v) { go_by(v, 1); }
static void leap_back(pli_viewer *v) { go_by(v, -10); }
static void leap(pli_viewer *v) { go_by(v, 10); }
static void restart(pli_viewer *v) { pli_session_restart(&v->session); }

#define TOOL(name, TOOL_ID)                                                                                            \
    static void take_##name(pli_viewer *v) { v->tool = (TOOL_ID); }                                                    \
    static bool is_##name(const pli_viewer *v) { return v->tool == (TOOL_ID); }
TOOL(grab, PLI_SESSION_TOOL_GRAB)
TOOL(pin, PLI_SESSION_TOOL_PIN)
TOOL(cut, PLI_SESSION_TOOL_CUT)
TOOL(ball, PLI_SESSION_TOOL_BALL)
TOOL(blow, PLI_SESSION_TOOL_BLOW)
TOOL(move, PLI_SESSION_TOOL_MOVE)
TOOL(brush, PLI_SESSION_TOOL_BRUSH)
TOOL(pump, PLI_SESSION_TOOL_PUMP)

static bool has_pressure(const pli_viewer *v) { return pli_session_has_pressure(&v->session); }
static bool is_no_move(const pli_viewer *v) { return v->tool != PLI_SESSION_TOOL_MOVE; }
static bool is_no_brush(const pli_viewer *v) { return v->tool != PLI_SESSION_TOOL_BRUSH; }

static void next_quantity(pli_viewer *v)
{
    v->session.brush.quantity = (v->session.brush.quantity + 1) % pli_session_quantity_count();
}
static void narrow(pli_viewer *v) { pli_viewer_widen(v, 1.0f / 1.25f); }
static void widen(pli_viewer *v) { pli_viewer_widen(v, 1.25f); }

// A second press switches it off again.
#define AXIS(name, number)                                                                                             \
    static void move_##name(pli_viewer *v) { v->session.axis = v->session.axis == (number) ? -1 : (number); }          \
    static bool is_##name(const pli_viewer *v) { return v->session.axis == (number); }
AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)

static void draw_edges(pli_viewer *v) { v->wireframe = !v->wireframe; }
static bool has_edges(const pli_viewer *v) { return v->wireframe; }
// The own colours come before the first measure and after the last one.
static void turn_measure(pli_viewer *v, int32_t by)
{
    const int32_t count = PLI_MEASURE_COUNT + 1;
    v->measure = (v->measure + 1 + by + count) % count - 1;
    pli_cli_world_view_measure(v->picture, v->measure);
}
static void next_measure(pli_viewer *v) { turn_measure(v, 1); }
static void previous_measure(pli_viewer *v) { turn_measure(v, -1); }
static void hide(pli_viewer *v) { v->desk->hides = !v->desk->hides; }
static bool is_hidden(const pli_viewer *v) { return v->desk->hides; }
static void frame_all(pli_viewer *v) { pli_viewer_frame_all(v); }
static void describe(pli_viewer *v) { pli_viewer_describe(v); }
static void first_camera(pli_viewer *v) { v->camera = v->start; }
static void light(pli_viewer *v) { v->desk->preferences.light = !v->desk->preferences.light; }
static bool is_light(const pli_viewer *v) { return v->desk->preferences.light; }
static void zoom_by(pli_viewer *v, float factor)
{
    float *zoom = &v->desk->preferences.zoom, next = *zoom * factor;
    *zoom = next < 0.5f ? 0.5f : next > 3.0f ? 3.0f : next;
}
static void larger(pli_viewer *v) { zoom_by(v, 1.125f); }
static void smaller(pli_viewer *v) { zoom_by(v, 1.0f / 1.125f); }
static void better(pli_viewer *v)
{
    int32_t *quality = &v->desk->preferences.quality;
    *quality = *quality == PLI_CLI_QUALITY_PLAIN ? PLI_CLI_QUALITY_GOOD : PLI_CLI_QUALITY_PLAIN;
}
static bool is_better(const pli_viewer *v) { return v->desk->preferences.quality > PLI_CLI_QUALITY_PLAIN; }
static void show_first(pli_viewer *v) { v->desk->shows_first = !v->desk->shows_first; }
static bool is_first(const pli_viewer *v) { return v->desk->shows_first; }
static void learn(pli_viewer *v) { v->desk->lessons.shown = !v->desk->lessons.shown; }
static bool is_learning(const pli_viewer *v) { return v->desk->lessons.shown; }
// Each press undoes one thing.
static void escape(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    if (d->hides || pli_viewer_has_list(v) || d->problem_count > 0 || d->shows_first) {
        pli_viewer_close_lists(v);
        d->hides = d->shows_first = false;
        d->problem_count = 0;
    } else if (v->session.tools.hands[0].holds) {
        pli_session_release_all(&v->session);
    } else if (v->session.message[0]) {
        v->session.message[0] = '\0';
    } else {
        v->tool = PLI_SESSION_TOOL_GRAB;
    }
}

static void slower(pli_viewer *v) { v->desk->slow = v->desk->slow < 15 ? 2 * v->desk->slow + 1 : 15; }
static void faster(pli_viewer *v) { v->desk->slow /= 2; }
static void compare(pli_viewer *v)
{
    if (v->desk->other.path)
        pli_viewer_compare(v, NULL);
    else if (v->desk->recorded)
        pli_viewer_compare(v, v->desk->recorded);
    else
        pli_session_tell(&v->session, "record a cache first (Ctrl+Shift+R), then start over and compare with it");
}
static bool is_compared(const pli_viewer *v) { return v->desk->other.path; }
static void ghost(pli_viewer *v) { v->desk->ghost = !v->desk->ghost; }
static bool is_ghost(const pli_viewer *v) { return v->desk->other.path && v->desk->ghost; }
static void difference(pli_viewer *v) { v->desk->difference = !v->desk->difference; }
static bool is_difference(const pli_viewer *v) { return v->desk->other.path && v->desk->difference; }

/* ---- the table ---------------------------------------------------------------------------------- */

enum { CTRL = GLFW_MOD_CONTROL, SHIFT = GLFW_MOD_SHIFT };

static const pli_view_action actions[] = {
    {"File", "Gallery", "Ctrl+O", GLFW_KEY_O, CTRL, show_gallery, is_gallery, NULL, false},
    {"File", "Experiments", NULL, 0, 0, show_experiments, NULL, NULL, false},
    {"File", "Open a file", "Ctrl+Shift+O", GLFW_KEY_O, CTRL | SHIFT, show_files, is_files, NULL, false},
    {"File", "Load again", "F5", GLFW_KEY_F5, 0, reload, NULL, NULL, false},
    {"File", "Save a copy", "Ctrl+S", GLFW_KEY_S, CTRL, save_copy, NULL, NULL, true},
    {"File", "Save over the scene", "Ctrl+Shift+S", GLFW_KEY_S, CTRL | SHIFT, save_over, NULL, NULL, false},
    {"File", "Record a video", "Ctrl+R", GLFW_KEY_R, CTRL, record_video, is_video, NULL, true},
    {"File", "Record a cache", "Ctrl+Shift+R", GLFW_KEY_R, CTRL | SHIFT, record_cache, is_cache, NULL, false},
    {"File", "Quit", "Ctrl+Q", GLFW_KEY_Q, CTRL, leave, NULL, NULL, true},
    {"Edit", "Undo", "Ctrl+Z", GLFW_KEY_Z, CTRL, undo, NULL, NULL, false},
    {"Edit", "Redo", "Ctrl+Shift+Z", GLFW_KEY_Z, CTRL | SHIFT, redo, NULL, NULL, false},
    {"Edit", "Values B", "X", GLFW_KEY_X, 0, swap_values, is_b, is_no_move, true},
    {"Edit", "Values A and B side by side", "Shift+X", GLFW_KEY_X, SHIFT, split_values, is_split, NULL, false},
    {"Edit", "Copy to the other values", NULL, 0, 0, copy_values, NULL, NULL, false},
    {"Edit", "Close or release", "Esc", GLFW_KEY_ESCAPE, 0, escape, NULL, NULL, true},
    {"Mesh", "By its shape", NULL, 0, 0, mesh_as_auto, is_mesh_as_auto, is_mesh, false},
    {"Mesh", "As cloth", NULL, 0, 0, mesh_as_cloth, is_mesh_as_cloth, is_mesh, false},
    {"Mesh", "As a shell", NULL, 0, 0, mesh_as_shell, is_mesh_as_shell, is_mesh, false},
    {"Mesh", "As a balloon", NULL, 0, 0, mesh_as_balloon, is_mesh_as_balloon, is_mesh, false},
    {"Tools", "Grab", "G", GLFW_KEY_G, 0, take_grab, is_grab, NULL, false},
    {"Tools", "Pin", "P", GLFW_KEY_P, 0, take_pin, is_pin, NULL, false},
    {"Tools", "Brush", "N", GLFW_KEY_N, 0, take_brush, is_brush, is_no_brush, false},
    {"Tools", "Cut", "C", GLFW_KEY_C, 0, take_cut, is_cut, NULL, false},
    {"Tools", "Ball", "B", GLFW_KEY_B, 0, take_ball, is_ball, NULL, false},
    {"Tools", "Blow", "V", GLFW_KEY_V, 0, take_blow, is_blow, NULL, false},
    {"Tools", "Pump", "U", GLFW_KEY_U, 0, take_pump, is_pump, has_pressure, false},
    {"Tools", "Move", "T", GLFW_KEY_T, 0, take_move, is_move, NULL, false},
    {"Tools", "Next quantity of the brush", "N", GLFW_KEY_N, 0, next_quantity, NULL, is_brush, true},
    {"Tools", "Smaller radius", "[", GLFW_KEY_LEFT_BRACKET, 0, narrow, NULL, pli_viewer_has_radius, false},
    {"Tools", "Larger radius", "]", GLFW_KEY_RIGHT_BRACKET, 0, widen, NULL, pli_viewer_has_radius, false},
    {"Tools", "Move along X", "X", GLFW_KEY_X, 0, move_x, is_x, is_move, true},
    {"Tools", "Move along Y", "Y", GLFW_KEY_Y, 0, move_y, is_y, is_move, false},
    {"Tools", "Move along Z", "Z", GLFW_KEY_Z, 0, move_z, is_z, is_move, false},
    {"Time", "Play", "Space", GLFW_KEY_SPACE, 0, play, is_playing, NULL, false},
    {"Time", "Step", "Right or .", GLFW_KEY_RIGHT, 0, step, NULL, NULL, false},
    {"Time", "Back", "Left or ,", GLFW_KEY_LEFT, 0, step_back, NULL, NULL, false},
    {"Time", "Ten frames on", "Shift+Right", GLFW_KEY_RIGHT, SHIFT, leap, NULL, NULL, false},
    {"Time", "Ten frames back", "Shift+Left", GLFW_KEY_LEFT, SHIFT, leap_back, NULL, NULL, false},
    {"Time", "Start over", "Backspace", GLFW_KEY_BACKSPACE, 0, restart, NULL, NULL, true},
    {"Time", "Faster", "+", GLFW_KEY_EQUAL, SHIFT, faster, NULL, NULL, true},
    {"Time", "Slower", "-", GLFW_KEY_MINUS, 0, slower, NULL, NULL, false},
    {"Time", "Compare with the last recording", "K", GLFW_KEY_K, 0, compare, is_compared, NULL, true},
    {"Time", "Ghost of the other run", NULL, 0, 0, ghost, is_ghost, NULL, false},
    {"Time", "Difference as colour", NULL, 0, 0, difference, is_difference, NULL, false},
    {"View", "Frame everything", "F", GLFW_KEY_F, 0, frame_all, NULL, NULL, false},
    {"View", "Camera of the scene", "Home", GLFW_KEY_HOME, 0, first_camera, NULL, NULL, false},
    {"View", "Wireframe", "W", GLFW_KEY_W, 0, draw_edges, has_edges, NULL, true},
    {"View", "Next colours", "M", GLFW_KEY_M, 0, next_measure, NULL, NULL, false},
    {"View", "Previous colours", "Shift+M", GLFW_KEY_M, SHIFT, previous_measure, NULL, NULL, false},
    {"View", "Hide the interface", "H", GLFW_KEY_H, 0, hide, is_hidden, NULL, true},
    {"View", "Light theme", NULL, 0, 0, light, is_light, NULL, false},
    {"View", "Larger text", "Ctrl++", GLFW_KEY_EQUAL, CTRL, larger, NULL, NULL, false},
    {"View", "Smaller text", "Ctrl+-", GLFW_KEY_MINUS, CTRL, smaller, NULL, NULL, false},
    {"View", "Smooth edges at rest", NULL, 0, 0, better, is_better, NULL, false},
    {"Help", "Keys", "? or F1", GLFW_KEY_F1, 0, show_keys, is_keys, NULL, false},
    {"Help", "Describe what is there", "I", GLFW_KEY_I, 0, describe, NULL, NULL, false},
    {"Help", "First steps", NULL, 0, 0, show_first, is_first, NULL, false},
    {"Help", "Learn", "L", GLFW_KEY_L, 0, learn, is_learning, NULL, false},
};

// Other keys of the same actions; keyboards differ in where they have + and ?.
static const struct {
    int key, modifiers, means, with;
} other_keys[] = {
    {GLFW_KEY_PERIOD, 0, GLFW_KEY_RIGHT, 0},
    {GLFW_KEY_COMMA, 0, GLFW_KEY_LEFT, 0},
    {GLFW_KEY_PERIOD, SHIFT, GLFW_KEY_RIGHT, SHIFT},
    {GLFW_KEY_COMMA, SHIFT, GLFW_KEY_LEFT, SHIFT},
    {GLFW_KEY_SLASH, SHIFT, GLFW_KEY_F1, 0},
    {GLFW_KEY_EQUAL, 0, GLFW_KEY_EQUAL, SHIFT},
    {GLFW_KEY_EQUAL, CTRL | SHIFT, GLFW_KEY_EQUAL, CTRL},
    {GLFW_KEY_KP_ADD, 0, GLFW_KEY_EQUAL, SHIFT},
    {GLFW_KEY_KP_SUBTRACT, 0, GLFW_KEY_MINUS, 0},
};

int32_t pli_view_action_count(void) { return (int32_t)(sizeof actions / sizeof *actions); }

const pli_view_action *pli_view_action_at(int32_t i) { return &actions[i]; }

const pli_view_action *pli_view_action_find(const char *label)
{
    for (int32_t i = 0; i < pli_view_action_count(); i++)
        if (strcmp(actions[i].label, label) == 0)
            return &actions[i];
    return NULL;
}

bool pli_view_action_applies(const pli_view_action *action, const pli_viewer *v)
{
    return !action->applies || action->applies(v);
}

bool pli_view_action_key(pli_viewer *v, int key, int modifiers)
{
    int with = modifiers & (CTRL | SHIFT);
    for (size_t i = 0; i < sizeof other_keys / sizeof *other_keys; i++)
        if (other_keys[i].key == key && other_keys[i].modifiers == with) {
            key = other_keys[i].means, with = other_keys[i].with;
            break;
        }
    for (int32_t i = 0; i < pli_view_action_count(); i++) {
        if (!actions[i].key || actions[i].key != key || actions[i].modifiers != with ||
            !pli_view_action_applies(&actions[i], v))
            continue;
        actions[i].run(v);
        return true;
    }
    return false;
}

bool pli_view_action_named_key(pli_viewer *v, const char *name)
{
    static const struct {
        const char *name;
        int key, modifiers;
    } names[] = {{"Space", GLFW_KEY_SPACE, 0},
                 {"Left", GLFW_KEY_LEFT, 0},
                 {"Right", GLFW_KEY_RIGHT, 0},
                 {"Home", GLFW_KEY_HOME, 0},
                 {"Backspace", GLFW_KEY_BACKSPACE, 0},
                 {"Esc", GLFW_KEY_ESCAPE, 0},
                 {"F1", GLFW_KEY_F1, 0},
                 {"F5", GLFW_KEY_F5, 0},
                 {"+", GLFW_KEY_EQUAL, SHIFT},
                 {"?", GLFW_KEY_SLASH, SHIFT}};
    int modifiers = 0;
    for (; strncmp(name, "Ctrl+", 5) == 0 && name[5]; name += 5)
        modifiers |= CTRL;
    for (; strncmp(name, "Shift+", 6) == 0 && name[6]; name += 6)
        modifiers |= SHIFT;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0)
            return pli_view_action_key(v, names[i].key, modifiers | names[i].modifiers);
    // The codes of letters and signs are those of ASCII.
    const bool letter = name[0] >= 'A' && name[0] <= 'Z';
    return (letter || (name[0] && strchr("[]-.,", name[0]))) && !name[1] && pli_view_action_key(v, name[0], modifiers);
}
