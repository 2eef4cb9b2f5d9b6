// The text of a log.
#include "session/log.h"

#include "session/events.h"

#include "support/text_buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *pli_session_log_write(const pli_session *s)
{
    pli_text text = {0};
    for (int32_t i = 0; i < s->event_count; i++) {
        const pli_session_event *e = &s->events[i];
        const pli_session_row *row = pli_session_row_of(e->kind);
        pli_text_add(&text, "%d %s", (int)e->frame, row->name);
        for (int32_t k = 0; row->indices[k]; k++)
            pli_text_add(&text, " %d", (int)e->indices[k]);
        for (int32_t k = 0; k < row->number_count; k++)
            pli_text_add(&text, " %.9g", (double)e->numbers[k]);
        if (row->has_value)
            pli_text_add(&text, " %.17g", e->value);
        if (row->has_name)
            pli_text_add(&text, " %s", e->name);
        if (row->has_vertices)
            pli_text_add(&text, " %d", (int)e->count);
        for (int32_t k = 0; row->has_vertices && k < e->count; k++)
            pli_text_add(&text, " %d", (int)e->vertices[k]);
        for (int32_t k = 0; row->has_values && k < e->count; k++)
            pli_text_add(&text, " %.9g", (double)e->values[k]);
        pli_text_add(&text, "\n");
    }
    pli_text_add(&text, "%d end\n", (int)s->last);
    return text.characters;
}

// A reader of one line: the next word, and whether everything was as expected so far.
typedef struct reader {
    const char *at;
    char word[80];
    bool sound;
} reader;

static const char *next_word(reader *r)
{
    r->at += strspn(r->at, " ");
    const size_t length = strcspn(r->at, " \r\n");
    r->sound = r->sound && length > 0 && length < sizeof r->word;
    r->word[0] = '\0';
    if (r->sound) {
        memcpy(r->word, r->at, length);
        r->word[length] = '\0';
        r->at += length;
    }
    return r->word;
}

static double next_number(reader *r)
{
    char *end;
    const double value = strtod(next_word(r), &end);
    r->sound = r->sound && *end == '\0';
    return value;
}

static int32_t next_integer(reader *r)
{
    const double value = next_number(r);
    r->sound = r->sound && value >= -1.0 && value <= 1e9 && value == (double)(int32_t)value;
    return r->sound ? (int32_t)value : 0;
}

static int32_t kind_of(const char *name)
{
    int32_t kind = PLI_SESSION_KINDS - 1;
    while (kind >= 0 && strcmp(pli_session_row_of(kind)->name, name) != 0)
        kind--;
    return kind;
}

static void read_list(reader *r, const pli_session_row *row, pli_session_event *e)
{
    const int32_t count = next_integer(r);
    // Each vertex takes two characters at least.
    r->sound = r->sound && count >= 0 && (size_t)count <= strlen(r->at);
    int32_t *vertices = r->sound ? malloc(((size_t)count + 1) * sizeof *vertices) : NULL;
    float *values = r->sound && row->has_values ? malloc(((size_t)count + 1) * sizeof *values) : NULL;
    for (int32_t k = 0; vertices && k < count && r->sound; k++)
        vertices[k] = next_integer(r);
    for (int32_t k = 0; values && k < count && r->sound; k++)
        values[k] = (float)next_number(r);
    r->sound = r->sound && vertices && (values || !row->has_values);
    e->vertices = vertices, e->values = values, e->count = r->sound ? count : 0;
}

// Reads and appends one event; `last` gets the frame of the line `end`.
static bool read_line(pli_session *s, reader *r, int32_t *last)
{
    pli_session_event e = {.frame = next_integer(r)};
    char name[sizeof r->word];
    const int32_t before = s->event_count > 0 ? s->events[s->event_count - 1].frame : s->moments[0].frame;
    if (strcmp(next_word(r), "end") == 0 && e.frame >= before)
        *last = e.frame;
    if (!r->sound || e.frame < before || *last >= 0)
        return r->sound && e.frame >= before;
    e.kind = kind_of(r->word);
    if (e.kind < 0)
        return false;
    const pli_session_row *row = pli_session_row_of(e.kind);
    for (int32_t k = 0; row->indices[k]; k++)
        e.indices[k] = next_integer(r);
    for (int32_t k = 0; k < row->number_count; k++)
        e.numbers[k] = (float)next_number(r);
    if (row->has_value)
        e.value = next_number(r);
    if (row->has_name) {
        memcpy(name, next_word(r), sizeof name);
        e.name = name;
    }
    if (row->has_vertices)
        read_list(r, row, &e);
    const bool done = r->sound && pli_session_append(s, &e);
    free((int32_t *)e.vertices);
    free((float *)e.values);
    return done;
}

pli_status pli_session_log_read(pli_session *s, const char *text, pli_error *error)
{
    int32_t line = 1, last = -1;
    pli_session_forget(s);
    for (const char *at = text; *at; line++) {
        reader r = {.at = at, .sound = true};
        const char first = at[strspn(at, " \r")];
        if (first != '\n' && first != '#' && !read_line(s, &r, &last)) {
            pli_session_forget(s);
            return pli_fail(error, PLI_STATUS_CORRUPT, "line %d of the session is not an event", (int)line);
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (last < 0) {
        pli_session_forget(s);
        return pli_fail(error, PLI_STATUS_CORRUPT, "the session has no line 'end'");
    }
    s->last = last;
    pli_session_arrive(s);
    return PLI_STATUS_OK;
}
