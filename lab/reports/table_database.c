// Uses the fast path of SQLite: one transaction with a prepared statement.
#define _POSIX_C_SOURCE 200809L
#include "reports/table_database.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "reports/number_table.h"
#include "support/text_buffer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PLIANT_SQLITE

pli_status pli_lab_table_to_database(const char *table, const char *path, pli_error *error)
{
    (void)table;
    return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "'%s' needs SQLite, which was not installed when Pliant was built", path);
}

#else

#include <sqlite3.h>

enum { COLUMNS_MAX = 500 };

// State of the table while it is read.
typedef struct reading {
    sqlite3 *database;
    sqlite3_stmt *insert;
    char *field; // Buffer for the longest field.
    bool is_text[COLUMNS_MAX];
    int column_count;
} reading;

static bool holds_text(const char *name)
{
    return strcmp(name, "id") == 0 || strcmp(name, "hash") == 0 || strcmp(name, "status") == 0 ||
           strcmp(name, "message") == 0;
}

// Creates the table and the insert statement; returns the position after the line of names, or NULL.
static const char *begin(reading *r, const char *at)
{
    pli_text create = {0}, insert = {0};
    pli_text_add(&create, "BEGIN; CREATE TABLE points (");
    pli_text_add(&insert, "INSERT INTO points VALUES (");
    do {
        at = pli_cli_table_field(r->column_count ? at + 1 : at, r->field);
        r->is_text[r->column_count] = holds_text(r->field);
        char *name = sqlite3_mprintf("%s\"%w\"", r->column_count ? ", " : "", r->field);
        pli_text_add(&create, "%s", name ? name : "");
        sqlite3_free(name);
        pli_text_add(&insert, r->column_count++ ? ", ?" : "?");
    } while (*at == ',' && r->column_count < COLUMNS_MAX);
    pli_text_add(&create, ")");
    pli_text_add(&insert, ")");
    const bool made = sqlite3_exec(r->database, create.characters, NULL, NULL, NULL) == SQLITE_OK &&
                      sqlite3_prepare_v2(r->database, insert.characters, -1, &r->insert, NULL) == SQLITE_OK;
    pli_text_free(&create);
    pli_text_free(&insert);
    return made && *at != ',' ? pli_cli_table_next_line(at) : NULL;
}

static void bind(reading *r, int column)
{
    char *end;
    const double value = strtod(r->field, &end);
    if (!*r->field)
        sqlite3_bind_null(r->insert, column + 1);
    else if (!r->is_text[column] && *end == '\0')
        sqlite3_bind_double(r->insert, column + 1, value);
    else
        sqlite3_bind_text(r->insert, column + 1, r->field, -1, SQLITE_TRANSIENT);
}

static bool fill(reading *r, const char *at)
{
    while (at && *at) {
        for (int k = 0; k < r->column_count; k++) {
            at = pli_cli_table_field(k ? at + 1 : at, r->field);
            bind(r, k);
        }
        if (sqlite3_step(r->insert) != SQLITE_DONE || sqlite3_reset(r->insert) != SQLITE_OK)
            return false;
        at = pli_cli_table_next_line(at);
    }
    return at && sqlite3_exec(r->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static void forget(void *path) { unlink(path); }

pli_status pli_lab_table_to_database(const char *table, const char *path, pli_error *error)
{
    char *temporary = pli_cli_format("%s.%d.tmp", path, (int)getpid());
    reading r = {.field = malloc(strlen(table) + 1)};
    unlink(temporary);
    pli_text_before_end(forget, temporary);
    bool whole = r.field && sqlite3_open(temporary, &r.database) == SQLITE_OK && fill(&r, begin(&r, table));
    char *why = pli_cli_format("%s", r.database ? sqlite3_errmsg(r.database) : "out of memory");
    sqlite3_finalize(r.insert);
    whole = sqlite3_close(r.database) == SQLITE_OK && whole;
    if (whole && rename(temporary, path) != 0) {
        free(why);
        why = pli_cli_format("%s", strerror(errno));
        whole = false;
    }
    if (!whole)
        unlink(temporary);
    pli_text_before_end(NULL, NULL);
    pli_status status = whole ? PLI_STATUS_OK
                              : pli_cli_fail(error, PLI_STATUS_FILE, "cannot write '%s': %s", path, why);
    free(why);
    free(r.field);
    free(temporary);
    return status;
}

#endif
