// The rows of the menus, in their order.
#include "actions.h"

#include "compare.h"
#include "document.h"
#include "session/edits.h"
#include "session/knobs.h"
#include "recording.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string.h>

/* ---- actions of the rows ------------------------------------------------------------------------ */

static void show_experiments(pli_viewer *v)
{
    v->desk->shows_gallery = v->desk->shows_experiments = true;
    pli_viewer_find_gallery(v);
}

static void show_gallery(pli_viewer *v)
{
    v->desk->shows_gallery = !v->desk->shows_gallery;
    if (v->desk->shows_gallery)
        pli_viewer_find_gallery(v);
}
static void show_files(pli_viewer *v)
{
    v->desk->shows_files = !v->desk->shows_files;
    if (v->desk->shows_files)
        pli_viewer_list(v, v->desk->listing.folder);
}
static bool is_files(const pli_viewer *v) { return v->desk->shows_files; }
static bool is_gallery(const pli_viewer *v) { return v->desk->shows_gallery; }
#define TAKE(name, KIND)                                                                                               \
    static void mesh_as_##name(pli_viewer *v) { pli_viewer_take_mesh_for(v, KIND); }                                   \
    static bool is_mesh_as_##name(const pli_viewer *v) { return v->desk->mesh && v->desk->kind == (KIND); }
TAKE(auto, PLI_GUESS_AUTO)
TAKE(cloth, PLI_GUESS_CLOTH)
TAKE(shell, PLI_GUESS_SHELL)
TAKE(balloon, PLI_GUESS_BALLOON)

static void save_copy(pli_viewer *v) { pli_viewer_save(v, NULL); }
static void save_over(pli_viewer *v) { pli_viewer_save(v, v->desk->path); }
static void reload(pli_viewer *v) { pli_viewer_reload(v); }
static void record_video(pli_viewer *v) { pli_viewer_record_anew(v, true); }
static bool is_video(const pli_viewer *v) { return pli_viewer_records(v, true); }
static void record_cache(pli_viewer *v) { pli_viewer_record_anew(v, false); }
static bool is_cache(const pli_viewer *v) { return pli_viewer_records(v, false); }
static void leave(pli_viewer *v) { v->desk->asks_to_leave = true; }

static void undo(pli_viewer *v) { pli_view_session_undo(&v->session); }
static void redo(pli_viewer *v) { pli_view_session_redo(&v->session); }

static void turn_knobs(pli_viewer *v) { pli_view_session_turn_knobs(&v->session, 1 - v->session.knobs.side); }
static bool is_b(const pli_viewer *v) { return v->session.knobs.side == 1; }
static void copy_knobs(pli_viewer *v) { pli_view_session_copy_knobs(&v->session); }
static void split_knobs(pli_viewer *v)
{
    if (v->models.apply)
        pli_view_models_close(&v->models);
    else
        pli_view_session_split_knobs(&v->session, &v->models);
}
static bool is_split(const pli_viewer *v) { return v->models.apply != NULL; }

static void play(pli_viewer *v) { v->session.playing = !v->session.playing; }
static bool is_playing(const pli_viewer *v) { return v->session.playing; }
static void step_back(pli_viewer *v) { pli_view_session_go(&v->session, v->session.frame - 1); }
static void step(pli_viewer *v) { pli_view_session_go(&v->session, v->session.frame + 1); }
static void restart(pli_viewer *v) { pli_view_session_restart(&v->session); }

#define TOOL(name, TOOL_ID)                                                                                            \
    static void take_##name(pli_viewer *v) { v->tool = (TOOL_ID); }                                                    \
    static bool is_##name(const pli_viewer *v) { return v->tool == (TOOL_ID); }
TOOL(grab, PLI_VIEW_GRAB)
TOOL(pin, PLI_VIEW_PIN)
TOOL(cut, PLI_VIEW_CUT)
TOOL(unpin, PLI_VIEW_UNPIN)
TOOL(throw, PLI_VIEW_THROW)
TOOL(blow, PLI_VIEW_BLOW)
TOOL(move, PLI_VIEW_MOVE)
TOOL(brush, PLI_VIEW_BRUSH)

static void next_row(pli_viewer *v)
{
    v->tool = PLI_VIEW_BRUSH;
    v->session.brush.row = (v->session.brush.row + 1) % PLI_VIEW_BRUSH_ROWS;
}
static void narrow(pli_viewer *v) { v->session.brush.radius /= 1.25f; }
static void widen(pli_viewer *v) { v->session.brush.radius *= 1.25f; }

// A second press switches it off again.
#define AXIS(name, number)                                                                                             \
    static void move_##name(pli_viewer *v) { v->axis = v->axis == (number) ? -1 : (number); }                          \
    static bool is_##name(const pli_viewer *v) { return v->axis == (number); }
AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)

static void draw_edges(pli_viewer *v) { v->wireframe = !v->wireframe; }
static bool has_edges(const pli_viewer *v) { return v->wireframe; }
static void next_measure(pli_viewer *v)
{
    v->measure = v->measure + 1 < PLI_MEASURE_COUNT ? v->measure + 1 : -1;
    pli_cli_world_view_measure(v->picture, v->measure);
}
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
static void forget_message(pli_viewer *v)
{
    v->session.message[0] = '\0';
    v->desk->problem_count = 0;
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
        pli_view_session_tell(&v->session, "record a cache first (Ctrl+Shift+R), then start again and compare with it");
}
static bool is_compared(const pli_viewer *v) { return v->desk->other.path; }
static void ghost(pli_viewer *v) { v->desk->ghost = !v->desk->ghost; }
static bool is_ghost(const pli_viewer *v) { return v->desk->other.path && v->desk->ghost; }
static void difference(pli_viewer *v) { v->desk->difference = !v->desk->difference; }
static bool is_difference(const pli_viewer *v) { return v->desk->other.path && v->desk->difference; }

/* ---- the table ---------------------------------------------------------------------------------- */

enum { CTRL = GLFW_MOD_CONTROL, SHIFT = GLFW_MOD_SHIFT };

static const pli_view_action actions[] = {
    {"File", "Open shipped...", "Ctrl+O", GLFW_KEY_O, CTRL, show_gallery, is_gallery, false},
    {"File", "Experiments...", NULL, 0, 0, show_experiments, NULL, false},
    {"File", "Open a file...", "Ctrl+Shift+O", GLFW_KEY_O, CTRL | SHIFT, show_files, is_files, false},
    {"File", "Load again", "F5", GLFW_KEY_F5, 0, reload, NULL, false},
    {"File", "Save a copy", "Ctrl+S", GLFW_KEY_S, CTRL, save_copy, NULL, true},
    {"File", "Save over the scene", "Ctrl+Shift+S", GLFW_KEY_S, CTRL | SHIFT, save_over, NULL, false},
    {"File", "Record a video", "Ctrl+R", GLFW_KEY_R, CTRL, record_video, is_video, true},
    {"File", "Record a cache", "Ctrl+Shift+R", GLFW_KEY_R, CTRL | SHIFT, record_cache, is_cache, false},
    {"File", "Quit", "Ctrl+Q", GLFW_KEY_Q, CTRL, leave, NULL, true},
    {"Edit", "Undo", "Ctrl+Z", GLFW_KEY_Z, CTRL, undo, NULL, false},
    {"Edit", "Redo", "Ctrl+Shift+Z", GLFW_KEY_Z, CTRL | SHIFT, redo, NULL, false},
    {"Edit", "Knobs B", "Q", GLFW_KEY_Q, 0, turn_knobs, is_b, true},
    {"Edit", "The other knobs as these", NULL, 0, 0, copy_knobs, NULL, false},
    {"Edit", "Knobs A and B side by side", "Shift+Q", GLFW_KEY_Q, SHIFT, split_knobs, is_split, false},
    {"Edit", "Forget the message", "Esc", GLFW_KEY_ESCAPE, 0, forget_message, NULL, true},
    {"Mesh", "By its shape", NULL, 0, 0, mesh_as_auto, is_mesh_as_auto, false},
    {"Mesh", "As cloth", NULL, 0, 0, mesh_as_cloth, is_mesh_as_cloth, false},
    {"Mesh", "As a shell", NULL, 0, 0, mesh_as_shell, is_mesh_as_shell, false},
    {"Mesh", "As a balloon", NULL, 0, 0, mesh_as_balloon, is_mesh_as_balloon, false},
    {"Hands", "Grab", "1", GLFW_KEY_1, 0, take_grab, is_grab, false},
    {"Hands", "Pin", "2", GLFW_KEY_2, 0, take_pin, is_pin, false},
    {"Hands", "Cut", "3", GLFW_KEY_3, 0, take_cut, is_cut, false},
    {"Hands", "Unpin", "4", GLFW_KEY_4, 0, take_unpin, is_unpin, false},
    {"Hands", "Throw", "5", GLFW_KEY_5, 0, take_throw, is_throw, false},
    {"Hands", "Blow", "6", GLFW_KEY_6, 0, take_blow, is_blow, false},
    {"Hands", "Move", "7", GLFW_KEY_7, 0, take_move, is_move, false},
    {"Hands", "Brush", "8", GLFW_KEY_8, 0, take_brush, is_brush, false},
    {"Hands", "Brush paints the next", "B", GLFW_KEY_B, 0, next_row, NULL, true},
    {"Hands", "Narrower brush", "[", GLFW_KEY_LEFT_BRACKET, 0, narrow, NULL, false},
    {"Hands", "Wider brush", "]", GLFW_KEY_RIGHT_BRACKET, 0, widen, NULL, false},
    {"Hands", "Move along x", "X", GLFW_KEY_X, 0, move_x, is_x, true},
    {"Hands", "Move along y", "Y", GLFW_KEY_Y, 0, move_y, is_y, false},
    {"Hands", "Move along z", "Z", GLFW_KEY_Z, 0, move_z, is_z, false},
    {"Time", "Play", "Space", GLFW_KEY_SPACE, 0, play, is_playing, false},
    {"Time", "Back", "Left", GLFW_KEY_LEFT, 0, step_back, NULL, false},
    {"Time", "Step", "Right", GLFW_KEY_RIGHT, 0, step, NULL, false},
    {"Time", "Start again", "R", GLFW_KEY_R, 0, restart, NULL, true},
    {"Time", "Slower", "-", GLFW_KEY_MINUS, 0, slower, NULL, true},
    {"Time", "Faster", "=", GLFW_KEY_EQUAL, 0, faster, NULL, false},
    {"Time", "Compare with the last recording", "K", GLFW_KEY_K, 0, compare, is_compared, true},
    {"Time", "Ghost of the other run", NULL, 0, 0, ghost, is_ghost, false},
    {"Time", "Difference as colour", NULL, 0, 0, difference, is_difference, false},
    {"View", "Edges", "W", GLFW_KEY_W, 0, draw_edges, has_edges, false},
    {"View", "Next measure", "C", GLFW_KEY_C, 0, next_measure, NULL, false},
    {"View", "Camera of the scene", "F", GLFW_KEY_F, 0, first_camera, NULL, false},
    {"View", "Light colours", NULL, 0, 0, light, is_light, true},
    {"View", "Larger letters", "Ctrl+=", GLFW_KEY_EQUAL, CTRL, larger, NULL, false},
    {"View", "Smaller letters", "Ctrl+-", GLFW_KEY_MINUS, CTRL, smaller, NULL, false},
    {"View", "Smooth edges when still", NULL, 0, 0, better, is_better, false},
    {"Help", "First steps", "H", GLFW_KEY_H, 0, show_first, is_first, false},
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

bool pli_view_action_key(pli_viewer *v, int key, int modifiers)
{
    for (int32_t i = 0; i < pli_view_action_count(); i++) {
        if (!actions[i].key || actions[i].key != key || actions[i].modifiers != (modifiers & (CTRL | SHIFT)))
            continue;
        actions[i].run(v);
        return true;
    }
    return false;
}
