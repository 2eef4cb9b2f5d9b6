// jansson reports lack of memory as an invalid token somewhere in a valid text. A text that it rejects is therefore checked once more,
// without allocating memory, by the grammar of RFC 8259. Its formatted text silently lacks the keys for which memory ran out.
#include "files/json_parse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

enum { DEPTH_MAX = 2048 }; // The limit of jansson.

static bool is_value(cursor *c, int depth);

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

static bool takes(cursor *c, char wanted)
{
    const bool there = c->at < c->end && *c->at == wanted;
    c->at += there;
    return there;
}

static bool is_word(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    const bool there = (size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0;
    c->at += there ? length : 0;
    return there;
}

static bool has_digits(cursor *c)
{
    const char *start = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
        c->at++;
    return c->at > start;
}

static bool is_number(cursor *c)
{
    takes(c, '-');
    if (!takes(c, '0') && !has_digits(c))
        return false;
    if (takes(c, '.') && !has_digits(c))
        return false;
    if (!takes(c, 'e') && !takes(c, 'E'))
        return true;
    if (!takes(c, '+'))
        takes(c, '-');
    return has_digits(c);
}

// jansson reports invalid UTF-8 as a different error.
static bool is_string(cursor *c)
{
    if (!takes(c, '"'))
        return false;
    while (c->at < c->end && *c->at != '"') {
        const char now = *c->at++;
        if ((unsigned char)now < 0x20)
            return false;
        if (now != '\\')
            continue;
        if (c->at == c->end || !*c->at || !strchr("\"\\/bfnrtu", *c->at))
            return false;
        const char *code = c->at;
        for (int left = *c->at++ == 'u' ? 4 : 0; left > 0; left--)
            if (c->at == c->end || !*c->at || !strchr("0123456789abcdefABCDEF", *c->at++))
                return false;
        // Half of a surrogate pair, which may be the cause of the error.
        if (code[0] == 'u' && (code[1] == 'd' || code[1] == 'D') && code[2] > '7')
            return false;
    }
    return takes(c, '"');
}

static bool is_list(cursor *c, char last, bool has_keys, int depth)
{
    skip_blanks(c);
    if (takes(c, last))
        return true;
    do {
        skip_blanks(c);
        if (has_keys) {
            if (!is_string(c))
                return false;
            skip_blanks(c);
            if (!takes(c, ':'))
                return false;
        }
        if (!is_value(c, depth))
            return false;
    } while (takes(c, ','));
    return takes(c, last);
}

static bool is_value(cursor *c, int depth)
{
    skip_blanks(c);
    if (depth > DEPTH_MAX || c->at == c->end)
        return false;
    const bool fine = takes(c, '{')   ? is_list(c, '}', true, depth + 1)
                      : takes(c, '[') ? is_list(c, ']', false, depth + 1)
                      : *c->at == '"' ? is_string(c)
                                      : is_word(c, "true") || is_word(c, "false") || is_word(c, "null") || is_number(c);
    skip_blanks(c);
    return fine;
}

json_t *pli_json_parse(const char *text, size_t size, size_t flags, json_error_t *where)
{
    where->text[0] = '\0';
    json_t *root = json_loadb(text, size, flags, where);
    cursor c = {text, text + size};
    skip_blanks(&c);
    const bool holds_values = c.at < c.end && (*c.at == '{' || *c.at == '[');
    if (!root && holds_values && json_error_code(where) == json_error_invalid_syntax && is_value(&c, 1) &&
        c.at == c.end)
        where->text[0] = '\0';
    return root;
}

char *pli_json_format(const json_t *json, size_t flags)
{
    const size_t size = json_dumpb(json, NULL, 0, flags);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    if (text && json_dumpb(json, text, size, flags) == size) {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}
