// pliant-view: the window. It steps and draws a scene, and the user pulls at it; a script can replace the user.
#include "actions.h"
#include "ghost.h"
#include "document.h"
#include "browser.h"
#include "lessons/lessons_panel.h"
#include "menu.h"
#include "panels.h"
#include "legend.h"
#include "recording.h"
#include "script.h"
#include "stage.h"
#include "gui.h"

#include "commands/command_rows.h"
#include "commands/view_options.h"
#include "frame/options.h"
#include "frame/signals.h"
#include "frame/terminal.h"
#include "sources/fitted_scene.h"
#include "view/playback.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct window {
    GLFWwindow *glfw;
    pli_view_desk desk;
    pli_viewer viewer;
    float x, y;                 // Position of the pointer [pixels of the framebuffer].
    bool turning, moving;       // Whether the buttons that control the camera are pressed.
    double pressed;             // Time of the last press of the left button [s],
    float pressed_x, pressed_y; // and its place.
    int32_t pictures;           // Pictures drawn so far.
    pli_view_script *script;    // Null when the user controls the window.
} window;

/* ---- input -------------------------------------------------------------------------------------- */

static void pointer(GLFWwindow *glfw, double x, double y)
{
    window *w = glfwGetWindowUserPointer(glfw);
    int width, height;
    glfwGetWindowSize(glfw, &width, &height);
    float scale = height > 0 ? (float)w->viewer.height / (float)height : 1.0f, before_x = w->x, before_y = w->y;
    w->x = (float)x * scale, w->y = (float)y * scale;
    float right = (w->x - before_x) / (float)w->viewer.height, down = (w->y - before_y) / (float)w->viewer.height;
    if (w->turning)
        pli_view_camera_turn(&w->viewer.camera, right, down);
    else if (w->moving)
        pli_view_camera_move(&w->viewer.camera, right, down);
    else
        pli_viewer_drag(&w->viewer, w->x, w->y);
    if (w->turning || w->moving)
        w->viewer.still = 0;
}

// Whether this press of the left button is the second one of a double click.
static bool is_second_press(window *w)
{
    const double now = glfwGetTime();
    const bool second = now - w->pressed < 0.35 && fabsf(w->x - w->pressed_x) + fabsf(w->y - w->pressed_y) < 6.0f;
    w->pressed = second ? -1.0 : now;
    w->pressed_x = w->x, w->pressed_y = w->y;
    return second;
}

static void button(GLFWwindow *glfw, int which, int action, int modifiers)
{
    window *w = glfwGetWindowUserPointer(glfw);
    if (action == GLFW_RELEASE) {
        w->turning = w->moving = false;
        pli_viewer_release(&w->viewer, w->x, w->y);
    } else if (pli_gui_wants_pointer()) {
        return;
    } else if (which == GLFW_MOUSE_BUTTON_LEFT) {
        w->turning = (modifiers & GLFW_MOD_ALT) != 0;
        w->viewer.secondary = (modifiers & GLFW_MOD_SHIFT) != 0;
        if (is_second_press(w) && !w->turning)
            pli_viewer_pivot(&w->viewer, w->x, w->y);
        else if (!w->turning)
            w->turning = !pli_viewer_press(&w->viewer, w->x, w->y);
    } else {
        w->turning = which == GLFW_MOUSE_BUTTON_MIDDLE && !(modifiers & GLFW_MOD_SHIFT);
        w->moving = !w->turning;
    }
}

static void wheel(GLFWwindow *glfw, double x, double y)
{
    (void)x;
    window *w = glfwGetWindowUserPointer(glfw);
    if (pli_gui_wants_pointer())
        return;
    const bool held = glfwGetKey(glfw, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
                      glfwGetKey(glfw, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
    pli_viewer_wheel(&w->viewer, w->x, w->y, (float)y, held && pli_viewer_has_radius(&w->viewer));
}

// Letters go by the layout of the keyboard; GLFW's codes are places on an American one.
static int letter_of(int which, int code)
{
    const char *name = glfwGetKeyName(which, code);
    return name && name[0] >= 'a' && name[0] <= 'z' && !name[1] ? name[0] - 'a' + GLFW_KEY_A : which;
}

static void key(GLFWwindow *glfw, int which, int code, int action, int modifiers)
{
    window *w = glfwGetWindowUserPointer(glfw);
    // A held key repeats for stepping through time; toggles would flicker.
    bool repeats = action == GLFW_REPEAT && which != GLFW_KEY_LEFT && which != GLFW_KEY_RIGHT &&
                   which != GLFW_KEY_PERIOD && which != GLFW_KEY_COMMA;
    if (action == GLFW_RELEASE || repeats || pli_gui_wants_keys())
        return;
    w->viewer.still = 0;
    pli_view_action_key(&w->viewer, letter_of(which, code), modifiers);
}

// Handles dropped files: the last one that can be opened stays open.
static void drop(GLFWwindow *glfw, int count, const char **paths)
{
    window *w = glfwGetWindowUserPointer(glfw);
    for (int i = 0; i < count; i++)
        pli_viewer_load(&w->viewer, paths[i]);
}

static void rescale(GLFWwindow *glfw, float x, float y)
{
    (void)y;
    ((window *)glfwGetWindowUserPointer(glfw))->desk.scale = x;
}

/* ---- pictures ----------------------------------------------------------------------------------- */

static pli_status write_picture(const window *w, const char *path, pli_error *error)
{
    size_t row = 4 * (size_t)w->viewer.width, height = (size_t)w->viewer.height;
    uint8_t *pixels = malloc(2 * row * height);
    if (!pixels) {
        error->status = PLI_STATUS_OUT_OF_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory for the picture");
        return error->status;
    }
    uint8_t *turned = pixels + row * height;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, w->viewer.width, w->viewer.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t y = 0; y < height; y++)
        memcpy(turned + y * row, pixels + (height - 1 - y) * row, row);
    for (size_t i = 3; i < row * height; i += 4)
        turned[i] = 255;
    pli_status status = pli_image_write_png(path, turned, w->viewer.width, w->viewer.height, error);
    free(pixels);
    return status;
}

static pli_status draw(window *w, pli_error *error)
{
    double start = glfwGetTime();
    glfwGetFramebufferSize(w->glfw, &w->viewer.width, &w->viewer.height);
    if (w->viewer.width < 1 || w->viewer.height < 1)
        return PLI_STATUS_OK;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    pli_status status = pli_viewer_draw(&w->viewer, !w->script && !w->desk.film.video, error);
    pli_viewer_record_frame(&w->viewer);
    w->viewer.drawing = glfwGetTime() - start;
    pli_viewer *v = &w->viewer;
    pli_gui_look(pli_viewer_pixels(v, 100) / 100.0f, v->desk->preferences.light);
    if (v->click > 0) {
        if (v->click > 2)
            v->click_x += (v->click_to - v->click_x) / (float)(v->click - 2);
        pli_gui_begin_at(v->click_x, v->click_y, v->click > 1);
    } else {
        pli_gui_begin();
    }
    v->click -= v->click > 0;
    pli_viewer_ghost(v);
    const char *chosen = NULL, *file = NULL;
    const pli_lesson *lesson = NULL;
    if (!v->desk->hides) {
        pli_viewer_handles(v);
        pli_viewer_legend(v);
        pli_viewer_panels(v);
        chosen = pli_viewer_menus(v);
        file = pli_viewer_files(v);
        lesson = pli_lessons_panel(v);
    }
    pli_gui_end();
    if (chosen)
        pli_viewer_load(v, chosen);
    if (file)
        pli_viewer_choose(v, file);
    if (lesson)
        pli_lesson_open(v, lesson);
    pli_viewer_keep_preferences(v);
    return status;
}

/* ---- the program -------------------------------------------------------------------------------- */

static bool advance(window *w, pli_error *error)
{
    if (w->script) {
        if (pli_view_script_waits(w->script))
            pli_viewer_look_at_file(&w->viewer);
        return pli_view_script_run(w->script, &w->viewer, error);
    }
    pli_viewer_look_at_file(&w->viewer);
    w->desk.clock = glfwGetTime();
    bool due = w->pictures++ % (w->desk.slow + 1) == 0;
    if (w->viewer.session.playing && due)
        pli_session_step(&w->viewer.session);
    return !w->desk.asks_to_leave;
}

static pli_cli_exit loop(window *w)
{
    pli_error error = {0};
    while (!glfwWindowShouldClose(w->glfw) && !pli_cli_cancelled()) {
        glfwPollEvents();
        bool goes_on = advance(w, &error);
        pli_status status = error.status == PLI_STATUS_OK ? draw(w, &error) : error.status;
        const char *picture = w->script && goes_on ? pli_view_script_picture(w->script) : NULL;
        if (status == PLI_STATUS_OK && picture)
            status = write_picture(w, picture, &error);
        glfwSwapBuffers(w->glfw);
        if (status != PLI_STATUS_OK)
            return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
        if (!goes_on)
            break;
    }
    return PLI_CLI_DONE;
}

static GLFWwindow *open_window(int32_t width, int32_t height)
{
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *glfw = glfwCreateWindow(width, height, "Pliant", NULL, NULL);
    if (glfw) {
        glfwMakeContextCurrent(glfw);
        glfwSwapInterval(1);
    }
    return glfw;
}

static void listen(window *w)
{
    glfwSetWindowUserPointer(w->glfw, w);
    glfwSetCursorPosCallback(w->glfw, pointer);
    glfwSetMouseButtonCallback(w->glfw, button);
    glfwSetScrollCallback(w->glfw, wheel);
    glfwSetKeyCallback(w->glfw, key);
    glfwSetDropCallback(w->glfw, drop);
    glfwSetWindowContentScaleCallback(w->glfw, rescale);
}

// Opens the first scene. A mesh is outside the folder of the scene that is generated for it; scenes that are opened later get no access
// outside their folder because of it.
static pli_status open_first(window *w, const pli_cli_arguments *arguments, int32_t width, int32_t height,
                             pli_error *error)
{
    const char *path = arguments->operands[0];
    const pli_guess_kind kind = pli_cli_guess_kind(arguments, PLI_VIEW_OPTION_AS);
    const bool allow_outside = pli_cli_flag(arguments, PLI_VIEW_OPTION_ALLOW_OUTSIDE);
    char *made = NULL;
    pli_status status = PLI_STATUS_OK;
    const bool mesh = pli_cli_is_mesh_file(path) && !pli_cli_is_recording(path);
    w->desk.allow_outside = allow_outside;
    w->desk.open_outside = allow_outside || mesh;
    if (mesh)
        status = pli_viewer_make_for(&w->desk, path, kind, false, &made, error);
    if (mesh && status == PLI_STATUS_OK)
        pli_viewer_note_mesh(&w->desk, path, kind);
    if (made)
        path = made;
    if (status == PLI_STATUS_OK)
        status = pli_viewer_open(&w->viewer, &w->desk, path, w->desk.open_outside, width, height, error);
    if (status == PLI_STATUS_OK)
        status = pli_viewer_note_start(&w->viewer, path, error);
    free(made);
    return status;
}

static pli_cli_exit view(const pli_cli_arguments *arguments, window *w)
{
    pli_error error = {0};
    int32_t width = 1280, height = 800;
    const char *script = pli_cli_text(arguments, PLI_VIEW_OPTION_SCRIPT);
    pli_cli_size(arguments, PLI_VIEW_OPTION_SIZE, &width, &height);
    pli_cli_exit code = pli_cli_plugins_open(arguments, PLI_VIEW_OPTION_PLUGIN, &w->desk.plugins);
    if (code != PLI_CLI_DONE)
        return code;
    if (script && !(w->script = pli_view_script_open(script, &error)))
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    if (!glfwInit() || !(w->glfw = open_window(width, height)))
        return pli_cli_complain(
            PLI_CLI_FAILURE,
            "view: no window with OpenGL 3.3 can be opened; is there a display (DISPLAY, WAYLAND_DISPLAY)? "
            "`pliant run --render` draws without one");
    glfwGetFramebufferSize(w->glfw, &width, &height);
    float across = 1.0f, down = 1.0f;
    glfwGetWindowContentScale(w->glfw, &across, &down);
    w->desk.preferences = w->desk.written = pli_view_preferences_default();
    char *kept = w->script ? NULL : pli_view_preferences_path();
    w->viewer.desk = &w->desk;
    if (kept)
        pli_viewer_prefer(&w->viewer, kept);
    free(kept);
    w->desk.scale = w->script ? 1.0f : across;
    if (open_first(w, arguments, width, height, &error) != PLI_STATUS_OK)
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    listen(w);
    pli_gui_open(w->glfw);
    w->desk.shows_first = !w->script && !w->desk.preferences.knows_steps;
    w->viewer.session.playing = !w->script;
    // A file that exceeds its size limit is an error of its writer, and Ctrl+C closes the window.
    signal(SIGXFSZ, SIG_IGN);
    pli_cli_cancel_listen();
    code = loop(w);
    pli_viewer_record_end(&w->viewer);
    pli_gui_close();
    return code;
}

int main(int count, char **words)
{
    pli_cli_arguments arguments;
    window w = {0};
    pli_cli_program_use(&pli_cli_pliant);
    pli_cli_exit code = pli_cli_arguments_parse(pli_cli_command_find("view"), count - 1, words + 1, &arguments);
    if (code == PLI_CLI_DONE)
        code = view(&arguments, &w);
    if (w.viewer.picture)
        pli_viewer_close(&w.viewer);
    else
        pli_view_source_close(w.viewer.source, &w.viewer.session);
    pli_view_desk_close(&w.desk);
    if (w.glfw)
        glfwDestroyWindow(w.glfw);
    glfwTerminate();
    pli_view_script_close(w.script);
    pli_cli_arguments_release(&arguments);
    return (int)code;
}
