// pliant schema: the JSON Schema of scenes, and the reference of their keys.
#include "frame/options.h"
#include "frame/terminal.h"

#include <pliant/scene.h>

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_REFERENCE };

static pli_cli_exit run_schema(const pli_cli_arguments *arguments)
{
    char *text = pli_cli_flag(arguments, OPTION_REFERENCE) ? pli_scene_reference() : pli_scene_schema();
    if (!text)
        return pli_cli_complain(PLI_CLI_FAILURE, "out of memory");
    fputs(text, stdout);
    pli_text_release(text);
    return PLI_CLI_DONE;
}

static const pli_cli_option options[] = {
    [OPTION_REFERENCE] = {.name = "reference",
                          .kind = PLI_CLI_FLAG,
                          .summary = "Print a reference of all keys as Markdown instead"},
};

static const pli_cli_example examples[] = {
    {"pliant schema > scene.schema.json", "Then name it in your editor's settings, for completion in scenes"},
    {"pliant schema --reference", "Every key of a scene with its unit, range and default, as Markdown"},
};

const pli_cli_command pli_cli_row_schema = {
    .name = "schema",
    .summary = "Print the JSON Schema of scenes",
    .description = "Prints the JSON Schema that scenes follow, made from the same tables as pliant check.",
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_schema,
};
