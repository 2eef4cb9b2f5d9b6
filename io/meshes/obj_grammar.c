// One pass over the text of an OBJ file, with the grammar of its numbers and indices.
#include "meshes/obj_grammar.h"

#include <stdbool.h>

enum { EXPONENT_DIGITS_MAX = 9 };

typedef struct scan {
    char *at, *end;
    int32_t line;
    const char *name;
    pli_obj_count count;
    pli_error *error;
} scan;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool at_line_end(const scan *s) { return s->at == s->end || *s->at == '\n' || *s->at == '\r'; }

// Length of the line break here: 2 for "\r\n", 0 for none.
static int break_length(const scan *s, const char *at)
{
    if (at >= s->end || (*at != '\n' && *at != '\r'))
        return 0;
    return *at == '\r' && at + 1 < s->end && at[1] == '\n' ? 2 : 1;
}

static bool goes_on(const scan *s) { return s->at < s->end && *s->at == '\\' && break_length(s, s->at + 1) > 0; }

static void next_line(scan *s)
{
    while (!at_line_end(s))
        s->at++;
    s->at += break_length(s, s->at);
    s->line++;
}

// Skips to the next token or the end of the line; comments and continuations become spaces.
static void skip_blanks(scan *s)
{
    for (;;) {
        if (goes_on(s)) {
            for (int left = 1 + break_length(s, s->at + 1); left > 0; left--)
                *s->at++ = ' ';
            s->line++;
        } else if (s->at < s->end && *s->at == '#') {
            while (!at_line_end(s))
                *s->at++ = ' ';
        } else if (s->at < s->end && (*s->at == ' ' || *s->at == '\t')) {
            s->at++;
        } else {
            return;
        }
    }
}

static bool at_token_end(const scan *s)
{
    return at_line_end(s) || *s->at == ' ' || *s->at == '\t' || *s->at == '#' || goes_on(s);
}

static int skip_digits(scan *s)
{
    const char *start = s->at;
    while (s->at < s->end && is_digit(*s->at))
        s->at++;
    return (int)(s->at - start);
}

static void skip_sign(scan *s)
{
    if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
        s->at++;
}

// Skips a decimal number, as in "-1.5e-3".
static bool skip_number(scan *s)
{
    skip_sign(s);
    int digits = skip_digits(s);
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        digits += skip_digits(s);
    }
    if (digits > 0 && s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        skip_sign(s);
        int exponent = skip_digits(s);
        if (exponent == 0 || exponent > EXPONENT_DIGITS_MAX)
            return false;
    }
    return digits > 0 && at_token_end(s);
}

static bool skip_index(scan *s, int64_t *index)
{
    bool negative = s->at < s->end && *s->at == '-';
    skip_sign(s);
    const char *start = s->at;
    for (*index = 0; s->at < s->end && is_digit(*s->at); s->at++)
        if (*index <= INT32_MAX)
            *index = 10 * *index + (*s->at - '0');
    if (negative)
        *index = -*index;
    return s->at > start;
}

// "v", "v/t", "v//n", "v/t/n"; the parts after a slash may be empty.
static bool skip_corner(scan *s, int64_t *vertex)
{
    int64_t other;
    if (!skip_index(s, vertex))
        return false;
    for (int slash = 0; slash < 2 && s->at < s->end && *s->at == '/'; slash++) {
        s->at++;
        if (s->at < s->end && *s->at != '/' && !at_token_end(s) && !skip_index(s, &other))
            return false;
    }
    return at_token_end(s);
}

static pli_status fail_token(const scan *s, const char *token, const char *what)
{
    int length = 0;
    while (token + length < s->end && length < 40 && (unsigned char)token[length] > ' ')
        length++;
    return pli_fail(s->error, PLI_STATUS_PARSE, "%s:%d: '%.*s' is not %s", s->name, (int)s->line, length, token, what);
}

static pli_status fail_short(const scan *s, const char *thing, int count)
{
    return pli_fail(s->error, PLI_STATUS_PARSE, "%s:%d: a %s needs at least 3 numbers, here are %d", s->name,
                    (int)s->line, thing, count);
}

static pli_status scan_vertex(scan *s)
{
    for (int i = 0; i < 3; i++) {
        skip_blanks(s);
        if (at_line_end(s))
            return fail_short(s, "vertex", i);
        const char *token = s->at;
        if (!skip_number(s))
            return fail_token(s, token, "a number");
    }
    // A weight or a colour may follow; it is ignored.
    for (skip_blanks(s); !at_line_end(s); skip_blanks(s))
        while (!at_token_end(s))
            s->at++;
    s->count.vertices++;
    return PLI_STATUS_OK;
}

// Indices count from 1, or backwards from the latest vertex. Indices beyond the last vertex are left
// to the check of the mesh, which can repair them.
static pli_status scan_face(scan *s)
{
    int corners = 0;
    for (skip_blanks(s); !at_line_end(s); skip_blanks(s), corners++) {
        const char *token = s->at;
        int64_t vertex;
        if (!skip_corner(s, &vertex))
            return fail_token(s, token, "an index, which is a number like 7 or 7/2/5");
        if (vertex == 0 || vertex > INT32_MAX || vertex < -(int64_t)s->count.vertices)
            return fail_token(s, token, "a vertex: they count from 1, or from -1 backwards");
    }
    if (corners < 3)
        return fail_short(s, "face", corners);
    s->count.faces++;
    return PLI_STATUS_OK;
}

pli_status pli_obj_look_over(char *text, size_t size, const char *name, pli_obj_count *count, pli_error *error)
{
    scan s = {text, text + size, 1, name, {0, 0}, error};
    pli_status status = PLI_STATUS_OK;
    for (; s.at < s.end && status == PLI_STATUS_OK; next_line(&s)) {
        while (s.at < s.end && (*s.at == ' ' || *s.at == '\t'))
            s.at++;
        char kind = s.at < s.end ? *s.at : '\0';
        if (kind != 'v' && kind != 'f')
            continue;
        s.at++;
        if (!at_token_end(&s))
            continue;
        status = kind == 'v' ? scan_vertex(&s) : scan_face(&s);
    }
    *count = s.count;
    return status;
}
