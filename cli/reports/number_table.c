// Reads comma-separated values (RFC 4180): quoted fields may contain commas, and two quotes stand for one. Lines end with \n or \r\n.
#define _POSIX_C_SOURCE 200809L
#include "reports/number_table.h"

#include "frame/folders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pli_cli_table_field(const char *at, char *field)
{
    const bool quoted = *at == '"';
    if (quoted)
        for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
            at += *at == '"';
            *field++ = *at;
        }
    at += quoted && *at == '"';
    for (; *at && *at != ',' && *at != '\n' && *at != '\r'; at++)
        if (!quoted)
            *field++ = *at;
    *field = '\0';
    return at;
}

const char *pli_cli_table_next_line(const char *at)
{
    at += *at == '\r';
    return at + (*at == '\n');
}

static int32_t count_fields(const char *at, char *field)
{
    int32_t count = 1;
    for (at = pli_cli_table_field(at, field); *at == ','; at = pli_cli_table_field(at + 1, field))
        count++;
    return count;
}

static double number_of(const char *field)
{
    char *end;
    const double value = strtod(field, &end);
    return end != field && *end == '\0' ? value : (double)NAN;
}

static bool read_names(pli_cli_number_table *t, const char **at, char *field)
{
    t->column_count = count_fields(*at, field);
    t->names = calloc((size_t)t->column_count, sizeof *t->names);
    for (int32_t i = 0; t->names && i < t->column_count; i++) {
        *at = pli_cli_table_field(*at + (i > 0), field);
        t->names[i] = strdup(field);
        if (!t->names[i])
            return false;
    }
    *at = pli_cli_table_next_line(*at);
    return t->names != NULL;
}

static pli_status read_rows(pli_cli_number_table *t, const char *path, const char *at, int32_t rows, char *field,
                            pli_error *error)
{
    for (int32_t line = 2; *at; line++) {
        if (*at == '\n' || *at == '\r') {
            at = pli_cli_table_next_line(at);
            continue;
        }
        if (count_fields(at, field) != t->column_count)
            return pli_cli_fail(error, PLI_STATUS_PARSE, "%s:%d: %d fields, and the header has %d", path, (int)line,
                                (int)count_fields(at, field), (int)t->column_count);
        for (int32_t i = 0; i < t->column_count; i++) {
            at = pli_cli_table_field(at + (i > 0), field);
            t->values[(size_t)i * (size_t)rows + (size_t)t->row_count] = number_of(field);
        }
        t->row_count++;
        at = pli_cli_table_next_line(at);
    }
    // If there are fewer rows than lines, the columns are moved together.
    for (int32_t i = 1; i < t->column_count; i++)
        memmove(t->values + (size_t)i * (size_t)t->row_count, t->values + (size_t)i * (size_t)rows,
                (size_t)t->row_count * sizeof *t->values);
    return PLI_STATUS_OK;
}

static pli_status read_text(pli_cli_number_table *t, const char *path, const char *text, char *field, pli_error *error)
{
    int32_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    bool complete = read_names(t, &text, field);
    if (complete)
        t->values = calloc((size_t)lines, (size_t)t->column_count * sizeof *t->values);
    if (!complete || !t->values)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for '%s'", path);
    return read_rows(t, path, text, lines, field, error);
}

pli_status pli_cli_number_table_read(const char *path, pli_cli_number_table *t, pli_error *error)
{
    void *memory = NULL;
    size_t size = 0;
    *t = (pli_cli_number_table){0};
    pli_status status = pli_cli_file_read(path, &memory, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *text = malloc(size + 1), *field = malloc(size + 1);
    if (text && field) {
        memcpy(text, memory, size);
        text[size] = '\0';
        status = strlen(text) < size ? pli_cli_fail(error, PLI_STATUS_PARSE, "'%s' is no text", path)
                                     : read_text(t, path, text, field, error);
    } else {
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for '%s'", path);
    }
    free(field);
    free(text);
    free(memory);
    return status;
}

int32_t pli_cli_number_table_find(const pli_cli_number_table *t, const char *name)
{
    for (int32_t i = 0; i < t->column_count; i++)
        if (strcmp(t->names[i], name) == 0)
            return i;
    return -1;
}

const double *pli_cli_number_table_column(const pli_cli_number_table *t, int32_t column)
{
    return t->values + (size_t)column * (size_t)t->row_count;
}

void pli_cli_number_table_release(pli_cli_number_table *t)
{
    for (int32_t i = 0; i < t->column_count && t->names; i++)
        free(t->names[i]);
    free(t->names);
    free(t->values);
    *t = (pli_cli_number_table){0};
}
