// A point's folder contains the output of `pliant run`, errors.txt with its error output, and failed.json if it failed without a
// summary that says so.
#define _POSIX_C_SOURCE 200809L
#include "sweep/points.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIXED_WORDS = 16 };

const char *pli_cli_point_status_name(pli_cli_point_status status)
{
    static const char *const names[] = {"waiting", "stopped", "done", "failed"};
    return names[status];
}

char *pli_cli_point_folder(const pli_cli_study *study, const char *folder, int32_t point)
{
    char id[17];
    pli_cli_study_id(study, point, id);
    return pli_cli_format("%s/points/%s", folder, id);
}

/* ---- what became of a point ----------------------------------------------------------------- */

static json_t *read_json(const char *folder, const char *name)
{
    char *path = pli_cli_format("%s/%s", folder, name);
    json_t *read = json_load_file(path, 0, NULL);
    free(path);
    return read;
}

static char *message_of(const json_t *object)
{
    const char *text = json_string_value(json_object_get(object, "message"));
    return text ? pli_cli_format("%s", text) : NULL;
}

// The status of a point for the status word in its summary; null without one.
static pli_cli_point_status status_of(const char *word)
{
    return !word                                                            ? PLI_CLI_POINT_WAITING
           : strcmp(word, "done") == 0                                      ? PLI_CLI_POINT_DONE
           : strcmp(word, "running") == 0 || strcmp(word, "cancelled") == 0 ? PLI_CLI_POINT_STOPPED
                                                                            : PLI_CLI_POINT_FAILED;
}

pli_cli_point_state pli_cli_point_look(const pli_cli_study *study, const char *folder, int32_t point)
{
    char *own = pli_cli_point_folder(study, folder, point);
    json_t *failed = read_json(own, "failed.json");
    pli_cli_point_state state = {.summary = read_json(own, "summary.json")};
    const char *word = json_string_value(json_object_get(state.summary, "status"));
    state.status = failed ? PLI_CLI_POINT_FAILED : status_of(word);
    if (failed || word)
        state.message = message_of(failed ? failed : state.summary);
    json_decref(failed);
    free(own);
    return state;
}

void pli_cli_point_state_release(pli_cli_point_state *state)
{
    free(state->message);
    json_decref(state->summary);
    *state = (pli_cli_point_state){0};
}

// The last line of a file that is neither empty nor a warning; NULL if there is none. Warnings are printed as `pliant: warning: ...`.
static char *last_line(const char *folder, const char *name)
{
    char *path = pli_cli_format("%s/%s", folder, name), *line = NULL;
    void *content = NULL;
    size_t size = 0;
    if (pli_cli_file_read(path, &content, &size, NULL) == PLI_STATUS_OK) {
        const char *found = NULL;
        char *text = content;
        text[size] = '\0'; // There is room for it.
        for (char *rest = NULL, *at = strtok_r(text, "\r\n", &rest); at; at = strtok_r(NULL, "\r\n", &rest))
            if (!strstr(at, ": warning: "))
                found = at;
        line = found ? pli_cli_format("%s", found) : NULL;
    }
    free(content);
    free(path);
    return line;
}

static pli_status write_failed(const char *point_folder, int exit_status, pli_error *error)
{
    char *line = last_line(point_folder, "errors.txt"), *path = pli_cli_format("%s/failed.json", point_folder);
    json_t *message = line ? json_string(line) : NULL, *failed = json_object();
    if (!message)
        message = json_string(line ? "its last words are not UTF-8; errors.txt has them" : "it ended without a word");
    json_object_set_new(failed, "exit", json_integer(exit_status));
    json_object_set_new(failed, "message", message);
    char *text = json_dumps(failed, JSON_INDENT(2));
    pli_status status = text ? pli_cli_file_write(path, (const void *const[]){text}, (const size_t[]){strlen(text)}, 1,
                                                  error)
                             : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    free(text);
    json_decref(failed);
    free(path);
    free(line);
    return status;
}

pli_status pli_cli_point_note_end(const char *point_folder, int exit_status, pli_error *error)
{
    json_t *summary = read_json(point_folder, "summary.json");
    const char *word = json_string_value(json_object_get(summary, "status"));
    // The summary may come from an earlier process, since a process that cannot start writes none.
    pli_status status = PLI_STATUS_OK;
    if (!word || (exit_status != 0 && status_of(word) != PLI_CLI_POINT_FAILED))
        status = write_failed(point_folder, exit_status, error);
    json_decref(summary);
    return status;
}

/* ---- commands ------------------------------------------------------------------------------- */

// As --format takes them.
static char *formats_of(const pli_cli_study *study)
{
    pli_text list = {0};
    for (size_t i = 0; i < json_array_size(study->formats); i++)
        pli_text_add(&list, "%s%s", i ? "," : "", json_string_value(json_array_get(study->formats, i)));
    return list.characters ? list.characters : pli_cli_format("none");
}

char **pli_cli_point_command(const pli_cli_study *study, const char *program, const char *folder, int32_t point)
{
    const size_t most = (size_t)(2 * (study->axis_count + study->plugins.count)) + FIXED_WORDS;
    char **words = pli_text_memory(most * sizeof *words);
    int32_t count = 0;
    words[count++] = pli_cli_format("%s", program);
    words[count++] = pli_cli_format("run");
    words[count++] = pli_cli_format("%s", study->scene);
    words[count++] = pli_cli_format("--output");
    words[count++] = pli_cli_point_folder(study, folder, point);
    words[count++] = pli_cli_format("--format");
    words[count++] = formats_of(study);
    words[count++] = pli_cli_format("--threads");
    words[count++] = pli_cli_format("1");
    words[count++] = pli_cli_format("--quiet");
    words[count++] = pli_cli_format("--resume");
    if (study->frames >= 0) {
        words[count++] = pli_cli_format("--frames");
        words[count++] = pli_cli_format("%d", (int)study->frames);
    }
    for (int32_t k = 0; k < study->axis_count; k++) {
        words[count++] = pli_cli_format("--set");
        words[count++] = pli_cli_study_setting(study, point, k);
    }
    for (int32_t i = 0; i < study->plugins.count; i++) {
        words[count++] = pli_cli_format("--plugin");
        words[count++] = pli_cli_format("%s", study->plugins.paths[i]);
    }
    return words;
}

void pli_cli_point_quote(pli_text *out, const char *word)
{
    pli_text_add(out, "'");
    for (; *word; word++)
        pli_text_add(out, *word == '\'' ? "'\\''" : "%c", *word);
    pli_text_add(out, "'");
}

void pli_cli_point_line(const pli_cli_study *study, const char *folder, int32_t point, pli_text *out)
{
    char **words = pli_cli_point_command(study, "pliant", folder, point);
    pli_text_add(out, "pliant");
    for (int32_t i = 1; words[i]; i++) {
        pli_text_add(out, " ");
        pli_cli_point_quote(out, words[i]);
    }
    pli_text_add(out, "\n");
    for (int32_t i = 0; words[i]; i++)
        free(words[i]);
    free(words);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void add_text(pli_text *out, const char *text)
{
    if (!text || !strpbrk(text, ",\"\r\n")) {
        pli_text_add(out, "%s", text ? text : "");
        return;
    }
    pli_text_add(out, "\"");
    for (; *text; text++)
        pli_text_add(out, *text == '"' ? "\"\"" : "%c", *text);
    pli_text_add(out, "\"");
}

static void add_json(pli_text *out, const json_t *value)
{
    if (json_is_string(value)) {
        add_text(out, json_string_value(value));
    } else if (value && !json_is_null(value)) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
        add_text(out, text);
        free(text);
    }
}

// An item of a list by its number, or by its name.
static const json_t *item_of(const json_t *list, const char *key)
{
    char *end;
    const unsigned long number = strtoul(key, &end, 10);
    if (end != key && !*end)
        return json_array_get(list, number);
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        const char *name = json_string_value(json_object_get(item, "name"));
        if (name && strcmp(name, key) == 0)
            return item;
    }
    return NULL;
}

// The value for a path of keys separated by dots, with list indices in brackets, as --set takes it.
static const json_t *look_up(const json_t *value, const char *path)
{
    while (value && *path) {
        const size_t length = strcspn(path, ".[]");
        char *key = pli_cli_format("%.*s", (int)length, path);
        value = json_is_array(value) ? item_of(value, key) : json_object_get(value, key);
        free(key);
        path += length;
        path += strspn(path, ".[]");
    }
    return value;
}

// Columns of every table, and their paths in summary.json.
static const struct {
    const char *name, *path;
} columns[] = {
    {"hash", "hash"},
    {"frame", "frame"},
    {"seconds", "seconds"},
    {"ms_frame", "ms.frame"},
    {"kinetic_energy", "kinetic_energy"},
    {"potential_energy", "potential_energy"},
    {"stretch_rms", "stretch_rms"},
    {"stretch_max", "stretch_max"},
    {"stretch_peak", "stretch_peak"},
    {"contacts", "contact.surface_contacts_mean"},
    {"failed_pairs", "contact.breaches"},
    {"intersections", "contact.tangled"},
    {"stuck", "contact.stuck_peak"},
};

// A column of a study's table: a standard column, an axis, or a key of the summary.
typedef struct table_column {
    char *name;
    const char *path; // In the summary; NULL for others.
    int32_t axis;     // -1 for others.
    bool found;       // In the summary of any point.
} table_column;

typedef struct table_columns {
    table_column *all;
    int32_t count;
} table_columns;

static const char *const beginning[] = {"point", "id", "status", "message"};
enum { BEGINNING = sizeof beginning / sizeof *beginning, SUMMARY_COLUMNS = sizeof columns / sizeof *columns };

// Column names of databases are not case-sensitive.
static const table_column *find_column(const table_columns *c, const char *name)
{
    for (int32_t i = 0; i < c->count; i++)
        if (strcasecmp(c->all[i].name, name) == 0)
            return &c->all[i];
    return NULL;
}

// A duplicate name gets _2, _3 and so on.
static void add_column(table_columns *c, const char *name, const char *path, int32_t axis)
{
    char *own = pli_cli_format("%s", name);
    for (int32_t number = 2; find_column(c, own); number++) {
        free(own);
        own = pli_cli_format("%s_%d", name, (int)number);
    }
    c->all[c->count++] = (table_column){own, path, axis, false};
}

// A further column is left out if the table has it already: the same key of a summary, or a column that names the point.
static bool has_column(const table_columns *c, int32_t own_count, const char *path)
{
    const table_column *found = find_column(&(table_columns){c->all, own_count}, path);
    return found && (!found->path || strcasecmp(found->path, path) == 0);
}

static table_columns make_columns(const pli_cli_study *study)
{
    const size_t most = BEGINNING + SUMMARY_COLUMNS + (size_t)study->axis_count + json_array_size(study->columns);
    table_columns c = {.all = pli_text_memory(most * sizeof *c.all)};
    size_t i;
    json_t *further;
    for (int32_t k = 0; k < BEGINNING; k++)
        add_column(&c, beginning[k], NULL, -1);
    for (int32_t k = 0; k < study->axis_count; k++)
        add_column(&c, study->axes[k].path, NULL, k);
    for (int32_t k = 0; k < SUMMARY_COLUMNS; k++)
        add_column(&c, columns[k].name, columns[k].path, -1);
    const int32_t own_count = c.count;
    json_array_foreach (study->columns, i, further)
        if (!has_column(&c, own_count, json_string_value(further)))
            add_column(&c, json_string_value(further), json_string_value(further), -1);
    return c;
}

static void add_header(const table_columns *c, pli_text *out)
{
    for (int32_t k = 0; k < c->count; k++) {
        if (k > 0)
            pli_text_add(out, ",");
        add_text(out, c->all[k].name);
    }
    pli_text_add(out, "\n");
}

// Returns whether the point is done.
static bool add_row(const pli_cli_study *study, const char *folder, int32_t point, table_columns *c, pli_text *out)
{
    char id[17];
    pli_cli_point_state state = pli_cli_point_look(study, folder, point);
    pli_cli_study_id(study, point, id);
    pli_text_add(out, "%d,%s,%s,", (int)point, id, pli_cli_point_status_name(state.status));
    add_text(out, state.message);
    for (int32_t k = BEGINNING; k < c->count; k++) {
        table_column *column = &c->all[k];
        const json_t *value = column->path ? look_up(state.summary, column->path)
                                           : pli_cli_study_value(study, point, column->axis);
        column->found = column->found || value;
        pli_text_add(out, ",");
        add_json(out, value);
    }
    pli_text_add(out, "\n");
    const bool done = state.status == PLI_CLI_POINT_DONE;
    pli_cli_point_state_release(&state);
    return done;
}

const char *pli_cli_points_table(const pli_cli_study *study, const char *folder, pli_text *out)
{
    table_columns c = make_columns(study);
    add_header(&c, out);
    bool any = false;
    for (int32_t point = 0; point < study->point_count; point++)
        any = add_row(study, folder, point, &c, out) || any;
    const char *unknown = NULL;
    for (int32_t k = 0; k < c.count; k++) {
        if (any && !unknown && k >= BEGINNING && !c.all[k].found)
            unknown = c.all[k].path;
        free(c.all[k].name);
    }
    free(c.all);
    return unknown;
}
