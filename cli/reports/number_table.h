// A table of numbers from a file of comma-separated values, such as `pliant run --record` and `pliant sweep table` write.
#ifndef PLI_CLI_NUMBER_TABLE_H
#define PLI_CLI_NUMBER_TABLE_H

#include <pliant/base.h>

typedef struct pli_cli_number_table {
    char **names; // [columns]
    int32_t column_count, row_count;
    double *values; // [columns * rows], column by column; NAN for fields that are not numbers.
} pli_cli_number_table;

// Errors: FILE, PARSE with the line, OUT_OF_MEMORY. The caller must release the table in any case.
pli_status pli_cli_number_table_read(const char *path, pli_cli_number_table *table, pli_error *error);
// Index of the column of that name, or -1.
int32_t pli_cli_number_table_find(const pli_cli_number_table *table, const char *name);
const double *pli_cli_number_table_column(const pli_cli_number_table *table, int32_t column);
void pli_cli_number_table_release(pli_cli_number_table *table);

// Writes the field at `at` without its quotes into `field`, which must have room for the rest of the text, and returns the position
// after it: a comma, the end of a line, or the end of the text.
const char *pli_cli_table_field(const char *at, char *field);
// Returns the start of the next line, given the end of a line.
const char *pli_cli_table_next_line(const char *at);

#endif
