// pliant plot: draws the figures that `pliant run --record` has written as curves in SVG.
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "reports/figure_panels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT, OPTION_COLUMNS, OPTION_X, OPTION_LOG };
enum { SOURCES_MAX = 8, COLUMNS_MAX = 16 };

// The tables and their plotted columns.
typedef struct drawing {
    pli_cli_figure_source sources[SOURCES_MAX];
    int32_t source_count;
    char *columns[COLUMNS_MAX];
    int32_t column_count;
    const char *x;
} drawing;

static const drawing *listed; // Columns of the first table, to suggest the nearest name.
static const char *column_name(int32_t i)
{
    return i < listed->sources[0].table.column_count ? listed->sources[0].table.names[i] : NULL;
}

static pli_cli_exit check_column(const drawing *d, const char *name)
{
    for (int32_t s = 0; s < d->source_count; s++)
        if (pli_cli_number_table_find(&d->sources[s].table, name) >= 0)
            return PLI_CLI_DONE;
    listed = d;
    const char *nearest = pli_cli_nearest(name, column_name);
    if (nearest)
        return pli_cli_complain(PLI_CLI_FAILURE, "plot: no table has a column '%s'; is '%s' meant?", name, nearest);
    char list[2000];
    pli_cli_choice_list(column_name, list, sizeof list);
    return pli_cli_complain(PLI_CLI_FAILURE, "plot: no table has a column '%s'; %s has %s", name, d->sources[0].name,
                            list);
}

static pli_cli_exit take_columns(drawing *d, const char *list)
{
    pli_cli_exit code = check_column(d, d->x);
    while (list && *list && code == PLI_CLI_DONE) {
        const size_t length = strcspn(list, ",");
        if (d->column_count == COLUMNS_MAX)
            return pli_cli_complain(PLI_CLI_WRONG_USE, "plot: --columns takes at most %d", COLUMNS_MAX);
        d->columns[d->column_count++] = pli_cli_format("%.*s", (int)length, list);
        code = check_column(d, d->columns[d->column_count - 1]);
        list += length + (list[length] == ',');
    }
    return code;
}

static pli_cli_exit write_plot(const drawing *d, const char *path, bool logarithmic)
{
    pli_text out = {0};
    pli_error error;
    pli_cli_exit code = PLI_CLI_DONE;
    if (d->column_count > 0)
        pli_cli_figure_columns(d->sources, d->source_count, d->x, (const char *const *)d->columns, d->column_count,
                               logarithmic, &out);
    else if (pli_cli_figure_panels(d->sources, d->source_count, d->x, &out) == 0)
        code = pli_cli_complain(PLI_CLI_FAILURE,
                                "plot: none of the tables is from `pliant run --record`; name the columns "
                                "to draw with --columns");
    if (code == PLI_CLI_DONE && pli_cli_file_write(path, (const void *const[]){out.characters},
                                                   (const size_t[]){out.length}, 1, &error) != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    pli_text_free(&out);
    if (code == PLI_CLI_DONE)
        puts(path);
    return code;
}

static pli_cli_exit read_all(const pli_cli_arguments *arguments, drawing *d)
{
    pli_error error;
    if (arguments->operand_count > SOURCES_MAX)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "plot: at most %d tables fit into one plot", SOURCES_MAX);
    for (int32_t i = 0; i < arguments->operand_count; i++) {
        const char *path = arguments->operands[i];
        d->sources[d->source_count++].name = path;
        if (pli_cli_number_table_read(path, &d->sources[i].table, &error) != PLI_STATUS_OK)
            return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    }
    return PLI_CLI_DONE;
}

static pli_cli_exit run_plot(const pli_cli_arguments *arguments)
{
    drawing d = {.x = pli_cli_text(arguments, OPTION_X)};
    const char *output = pli_cli_text(arguments, OPTION_OUTPUT);
    if (output && strcmp(pli_cli_extension(output), "svg") != 0)
        return pli_cli_complain(
            PLI_CLI_WRONG_USE,
            "plot: plots are SVG files, which browsers and LaTeX tools show: '%s' has to end in .svg", output);
    d.x = d.x ? d.x : "time";
    pli_cli_exit code = read_all(arguments, &d);
    if (code == PLI_CLI_DONE)
        code = take_columns(&d, pli_cli_text(arguments, OPTION_COLUMNS));
    if (code == PLI_CLI_DONE) {
        char *stem = pli_cli_stem(arguments->operands[0]);
        char *path = output ? pli_cli_format("%s", output) : pli_cli_format("%s.svg", stem);
        code = write_plot(&d, path, pli_cli_flag(arguments, OPTION_LOG));
        free(path);
        free(stem);
    }
    for (int32_t i = 0; i < d.source_count; i++)
        pli_cli_number_table_release(&d.sources[i].table);
    for (int32_t i = 0; i < d.column_count; i++)
        free(d.columns[i]);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "TABLE.csv", .summary = "Tables of figures; several are drawn together", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FILE,
                       .value = "FILE.svg",
                       .summary = "Where the plot goes (default: the first table's name, in the present folder)"},
    [OPTION_COLUMNS] = {.name = "columns",
                        .letter = 'c',
                        .kind = PLI_CLI_TEXT,
                        .value = "LIST",
                        .summary = "Columns to draw in one plot, between commas (default: panels of all figures)"},
    [OPTION_X] = {.name = "x",
                  .kind = PLI_CLI_TEXT,
                  .value = "COLUMN",
                  .summary = "Column along the horizontal axis (default: time)"},
    [OPTION_LOG] = {.name = "log", .kind = PLI_CLI_FLAG, .summary = "Logarithmic vertical axis, with --columns"},
};

static const pli_cli_example examples[] = {
    {"pliant plot stats.csv", "Energy, stretch, residuals, contacts and times of a run, in stats.svg"},
    {"pliant plot a.csv b.csv -o energy.svg --columns kinetic_energy", "One figure of two runs"},
};

const pli_cli_command pli_cli_row_plot = {
    .name = "plot",
    .summary = "Draw the figures of runs as curves",
    .description =
        "Draws the tables that `pliant run --record` writes, and any other table of comma-separated numbers, as "
        "SVG. Potential energy is drawn as its change since the first row.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .last_repeats = true,
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_plot,
};
