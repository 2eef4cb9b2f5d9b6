// pliant-lab database: the table of a study as a database.
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "reports/table_database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT };

static pli_status write_database(const char *table, const char *path, pli_error *error)
{
    void *bytes = NULL;
    size_t size = 0;
    pli_status status = pli_cli_file_read(table, &bytes, &size, error);
    char *text = status == PLI_STATUS_OK ? malloc(size + 1) : NULL;
    if (text) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        status = pli_lab_table_to_database(text, path, error);
    } else if (status == PLI_STATUS_OK) {
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for '%s'", table);
    }
    free(text);
    free(bytes);
    return status;
}

static pli_cli_exit run_database(const pli_cli_arguments *arguments)
{
    const char *table = arguments->operands[0], *output = pli_cli_text(arguments, OPTION_OUTPUT);
    pli_error error;
    char *path = output ? pli_cli_format("%s", output)
                        : pli_cli_format("%.*s.db",
                                         (int)(strlen(table) - strlen(pli_cli_extension(table)) -
                                               (pli_cli_extension(table)[0] != '\0')),
                                         table);
    pli_cli_exit code = PLI_CLI_DONE;
    if (write_database(table, path, &error) == PLI_STATUS_OK)
        puts(path);
    else
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    free(path);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "TABLE.csv", .summary = "A table that `pliant sweep table` has written", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FILE,
                       .value = "FILE.db",
                       .summary = "The database (default: next to the table, with its name)"},
};

static const pli_cli_example examples[] = {
    {"pliant-lab database out/study/table.csv", "Write out/study/table.db"},
};

const pli_cli_command pli_lab_row_database = {
    .name = "database",
    .summary = "Write the table of a study as an SQLite database",
    .description = "Writes the table of a study as the table `points` of an SQLite database. Numbers are stored as "
                   "numbers, and empty fields as NULL.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_database,
};
