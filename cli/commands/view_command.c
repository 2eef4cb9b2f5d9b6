// pliant view: a window on a scene. It is a separate program, pliant-view, so that this one needs no display.
#define _XOPEN_SOURCE 700
#include "commands/view_options.h"

#include "frame/options.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "sources/fitted_scene.h"
#include "sources/scene_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MOST = 10 + 2 * PLI_CLI_PLUGINS_MAX };

// The program next to this one, or the first of that name in PATH.
static char *program(void)
{
    char here[4000];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(here, '/');
    char *beside = slash ? pli_cli_format("%.*s/pliant-view", (int)(slash - here), here) : NULL;
    if (beside && access(beside, X_OK) == 0)
        return beside;
    free(beside);
    return pli_cli_format("pliant-view");
}

static pli_cli_exit run_view(const pli_cli_arguments *arguments)
{
    const char *scene = arguments->operands[0], *script = pli_cli_text(arguments, PLI_VIEW_OPTION_SCRIPT);
    const char *size = pli_cli_text(arguments, PLI_VIEW_OPTION_SIZE), *as = pli_cli_text(arguments, PLI_VIEW_OPTION_AS);
    pli_cli_plugins plugins;
    pli_cli_exit code = pli_cli_plugins_named(arguments, PLI_VIEW_OPTION_PLUGIN, &plugins);
    if (code != PLI_CLI_DONE)
        return code;
    char *name = program(), *words[WORDS_MOST] = {name}, *named = pli_cli_named_scene(scene);
    int count = 1;
    words[count++] = named ? named : (char *)(uintptr_t)scene;
    if (script)
        words[count++] = (char *)(uintptr_t) "--script", words[count++] = (char *)(uintptr_t)script;
    if (size)
        words[count++] = (char *)(uintptr_t) "--size", words[count++] = (char *)(uintptr_t)size;
    if (as)
        words[count++] = (char *)(uintptr_t) "--as", words[count++] = (char *)(uintptr_t)as;
    if (pli_cli_flag(arguments, PLI_VIEW_OPTION_ALLOW_OUTSIDE))
        words[count++] = (char *)(uintptr_t) "--allow-outside";
    for (int32_t i = 0; i < plugins.count; i++)
        words[count++] = (char *)(uintptr_t) "--plugin", words[count++] = (char *)(uintptr_t)plugins.paths[i];
    execvp(name, words);
    free(name);
    free(named);
    return pli_cli_complain(
        PLI_CLI_FAILURE,
        "the program pliant-view is not there; build Pliant where GLFW and Dear ImGui are installed (Debian: "
        "libglfw3-dev libimgui-dev). `make web-serve` shows a window in the browser");
}

static const pli_cli_operand operands[] = {
    {.name = "SCENE", .summary = "A scene file (.json), a mesh file, for which one is made, or a recording"},
};

static const pli_cli_option options[] = {
    [PLI_VIEW_OPTION_SCRIPT] =
        {.name = "script",
         .kind = PLI_CLI_FILE,
         .value = "FILE",
         .summary = "Commands in place of the pointer and keys, one a line: run, to, press, drag, release, pin, "
                    "unpin, cut, ball, blow, set, slide, panel, shown, material, colour, edges, show, split, camera, "
                    "scale, click, key, point, pass, menu, message, open, save, record, compare, move, drop, calm, "
                    "values, lesson, browse, choose, choose-in, preferences, wait, memory, picture, mark, same, "
                    "expect; view/script.c, view/commands.c and view/input.c define them"},
    [PLI_VIEW_OPTION_SIZE] = {.name = "size",
                              .kind = PLI_CLI_SIZE,
                              .value = "WxH",
                              .minimum = 320,
                              .maximum = 8192,
                              .summary = "Size of the window (default: 1280x800)"},
    [PLI_VIEW_OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [PLI_VIEW_OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [PLI_VIEW_OPTION_AS] = PLI_CLI_OPTION_AS,
};

static const pli_cli_example examples[] = {
    {"pliant view scenes/first.json", "Pull the cloth, change its values, go back in time"},
    {"pliant view bunny.obj", "Any mesh, with values that fit it"},
    {"pliant view ropes.json --plugin ./ropes.so", "With constraint types of your own"},
    {"pliant view scenes/first.json --script film.txt", "The same by a script, which takes pictures and compares"},
};

const pli_cli_command pli_cli_row_view = {
    .name = "view",
    .summary = "Open a window on a scene: pull it, change its values, go back in time",
    .description =
        "Press on cloth and drag to pull it; beside it, dragging orbits the camera. The right button pans, the wheel "
        "zooms. "
        "Space pauses time, Left and Right step through it, Backspace starts over. G grabs, P pins and unpins, N "
        "paints, "
        "C cuts along a stroke, B throws a ball, V blows, T moves colliders. Ctrl+Z undoes an edit, Ctrl+S saves a "
        "copy of "
        "the scene. M changes the colours, W draws edges, F frames everything, Home is the camera of the scene, L "
        "opens the "
        "tutorial, H hides the interface, F1 lists all keys. A scene file that another program saves is loaded again; "
        "files "
        "can be dropped on the window. Frames are stored in up to 256 MB, and 64 edits can be undone, bit-identically.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_view,
};
