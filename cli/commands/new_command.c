// pliant new: creates a scene for a mesh, with suitable initial values.
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "sources/fitted_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUTPUT,
    OPTION_AS,
    OPTION_SCALE,
    OPTION_PIN_TOP,
    OPTION_PIN_GROUP,
    OPTION_PIN_MAP,
    OPTION_NO_GROUND,
    OPTION_WELD,
    OPTION_NO_REPAIR,
    OPTION_QUIET
};

// The path of the mesh file for the scene: relative to the scene's folder, which must contain the file.
static const char *named_from(const char *mesh, const char *output)
{
    const char *slash = strrchr(output, '/');
    size_t length = slash ? (size_t)(slash - output) + 1 : 0;
    return strncmp(mesh, output, length) == 0 ? mesh + length : mesh;
}

static bool is_outside(const char *named) { return named[0] == '/' || strncmp(named, "../", 3) == 0; }

static void say(const char *output, const pli_cli_fitted *f)
{
    const pli_guess *g = &f->guess;
    const float height = g->extents.y, most = fmaxf(g->extents.x, fmaxf(height, g->extents.z));
    printf("%s: %d vertices, %.3g x %.3g x %.3g m, edges of %.2g m, %s", output, (int)g->vertex_count,
           (double)g->extents.x, (double)height, (double)g->extents.z, (double)g->edge,
           g->closed ? "closed"
           : g->flat ? "a flat sheet"
                     : "open");
    if (g->piece_count > 1)
        printf(", in %d pieces", (int)g->piece_count);
    if (g->pin_count > 0)
        printf(", %d vertices pinned", (int)g->pin_count);
    puts("");
    if (f->repair[0])
        printf("It was %s; --no-repair refuses such a mesh\n", f->repair);
    printf("It is taken for %s. --as cloth, shell or balloon changes this\n", g->reason);
    if (most > 6.0f || most < 0.03f)
        printf("It is %.3g m large. Is that right? If the file is in centimetres, --scale 0.01; in millimetres, "
               "--scale 0.001\n",
               (double)most);
    if (g->unit != 1.0)
        printf("Until then a unit of it counts as %g m, and gravity is %g units/s2\n", g->unit, 9.81 / g->unit);
}

static pli_cli_exit run_new(const pli_cli_arguments *arguments)
{
    const char *mesh = arguments->operands[0];
    char *shipped = pli_cli_named_mesh(mesh);
    char *stem = pli_cli_stem(mesh);
    const char *slash = strrchr(mesh, '/'), *given = pli_cli_text(arguments, OPTION_OUTPUT);
    // The scene of a shipped mesh is written to the current folder.
    char *output = given     ? pli_cli_format("%s", given)
                   : shipped ? pli_cli_format("%s.json", stem)
                             : pli_cli_format("%.*s%s.json", slash ? (int)(slash - mesh) + 1 : 0, mesh, stem);
    float scale = 1.0f, top = 0.0f;
    pli_cli_numbers(arguments, OPTION_SCALE, &scale, 1);
    pli_cli_numbers(arguments, OPTION_PIN_TOP, &top, 1);
    const pli_cli_fitted_def def = {
        .mesh = shipped ? shipped : mesh,
        .named = shipped ? shipped : named_from(mesh, output),
        .kind = pli_cli_guess_kind(arguments, OPTION_AS),
        .scale = scale,
        .scaled = pli_cli_flag(arguments, OPTION_SCALE),
        .weld = pli_cli_flag(arguments, OPTION_WELD),
        .quiet = pli_cli_flag(arguments, OPTION_QUIET),
        .refuse = pli_cli_flag(arguments, OPTION_NO_REPAIR),
        .pin_top = 0.01f * top,
        .pin_groups = pli_cli_text(arguments, OPTION_PIN_GROUP),
        .pin_map = pli_cli_text(arguments, OPTION_PIN_MAP),
        .ground = !pli_cli_flag(arguments, OPTION_NO_GROUND),
    };
    pli_cli_fitted fitted = {0};
    pli_error error;
    pli_cli_exit code = PLI_CLI_DONE;
    if (!(scale > 0.0f && scale <= 1e6f))
        code = pli_cli_complain(PLI_CLI_WRONG_USE, "new: --scale is %g; it must be above 0 and at most 1000000",
                                (double)scale);
    else if (!(top >= 0.0f && top <= 100.0f))
        code = pli_cli_complain(PLI_CLI_WRONG_USE, "new: --pin-top is %g; it is a part of the height, 0 to 100 percent",
                                (double)top);
    else if (pli_cli_fitted_make(&def, &fitted, &error) != PLI_STATUS_OK ||
             pli_cli_fitted_write(&fitted, output, &error) != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    if (code == PLI_CLI_DONE && !pli_cli_flag(arguments, OPTION_QUIET)) {
        say(output, &fitted);
        printf("Try it: pliant run %s --render%s\n", output, is_outside(def.named) ? " --allow-outside" : "");
    }
    pli_text_release(fitted.scene);
    free(output);
    free(stem);
    free(shipped);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "MESH",
     .summary = "An OBJ, PLY, STL or glTF file, or another one that libpliant_assimp reads (.fbx, .dae)",
     .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FILE,
                       .value = "FILE",
                       .summary = "Where the scene goes (default: next to the mesh, with its name and .json)"},
    [OPTION_AS] = PLI_CLI_OPTION_AS,
    [OPTION_SCALE] = {.name = "scale",
                      .kind = PLI_CLI_NUMBERS,
                      .value = "F",
                      .minimum = 1,
                      .summary = "Factor on positions, such as 0.01 for a file in centimetres (default: 1)"},
    [OPTION_PIN_TOP] = {.name = "pin-top",
                        .kind = PLI_CLI_NUMBERS,
                        .value = "PERCENT",
                        .minimum = 1,
                        .summary = "Pin the vertices in this part of the height, from the top on"},
    [OPTION_PIN_GROUP] = {.name = "pin-group",
                          .kind = PLI_CLI_TEXT,
                          .value = "NAMES",
                          .summary =
                              "Pin the vertices of these groups, materials or objects of the file, between commas"},
    [OPTION_PIN_MAP] =
        {.name = "pin-map",
         .kind = PLI_CLI_TEXT,
         .value = "NAME",
         .summary = "Pin where these painted values of the file, or the brightness of colours, are 0.5 or more"},
    [OPTION_NO_GROUND] = {.name = "no-ground", .kind = PLI_CLI_FLAG, .summary = "Without a plane under it"},
    [OPTION_WELD] = {.name = "weld", .kind = PLI_CLI_FLAG, .summary = "Merge vertices within a millionth of the size"},
    [OPTION_NO_REPAIR] = {.name = "no-repair",
                          .kind = PLI_CLI_FLAG,
                          .summary = "Refuse a mesh that is not manifold instead of repairing it"},
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("Errors only"),
};

static const pli_cli_example examples[] = {
    {"pliant new cape.obj --pin-top 5", "Writes cape.json: a cape that hangs by its upper border"},
    {"pliant new glove.obj --as cloth", "Overrides the guess from its shape"},
    {"pliant new flag.glb --scale 0.01 --pin-group pole -o flag.json", "In centimetres, pinned by its vertex group"},
};

const pli_cli_command pli_cli_row_new = {
    .name = "new",
    .summary = "Write a scene for a mesh, with values that fit it",
    .description = "Reads a mesh and writes a scene with it: cloth that hangs from its upper border or falls over a "
                   "ball, a shell that stands, or a balloon, by its shape; thickness, substeps and a rigidity that "
                   "carries its weight by its size and edges; self-collision, a plane under it. Says what it took the "
                   "mesh for, and its size, so that a wrong unit is seen. The scene is yours to change; `pliant run "
                   "MESH` makes one and runs it immediately.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_new,
};
