// A writer of JSON text (RFC 8259): brackets, commas, indentation, escapes and numbers.
#include "properties/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Integers below this are written without an exponent.
#define WHOLE_MAX 1e15

enum { JSON_FIRST_CAPACITY = 1 << 16, NUMBER_SIZE = 40 };

static void json_append(pli_json *json, const char *text, size_t length)
{
    if (json->failed)
        return;
    if (json->length + length + 1 > json->capacity) {
        size_t capacity = json->capacity ? 2 * json->capacity : JSON_FIRST_CAPACITY;
        while (capacity < json->length + length + 1)
            capacity *= 2;
        char *grown = realloc(json->text, capacity);
        if (!grown) {
            json->failed = true;
            return;
        }
        json->text = grown;
        json->capacity = capacity;
    }
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void append_text(pli_json *json, const char *text) { json_append(json, text, strlen(text)); }

static void append_line(pli_json *json)
{
    append_text(json, "\n");
    for (int i = 0; i < json->depth; i++)
        append_text(json, "  ");
}

static void append_string(pli_json *json, const char *text)
{
    append_text(json, "\"");
    for (; *text; text++) {
        char escape[8];
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            json_append(json, (const char[2]){'\\', *text}, 2);
        else if (c < 0x20)
            json_append(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
        else
            json_append(json, text, 1);
    }
    append_text(json, "\"");
}

// Writes the comma, line break and key before a value.
static void json_begin(pli_json *json, const char *key)
{
    if (json->follows)
        append_text(json, ",");
    if (json->depth > 0)
        append_line(json);
    if (key) {
        append_string(json, key);
        append_text(json, ": ");
    }
    json->follows = true;
}

void pli_json_open(pli_json *json, const char *key, char bracket)
{
    json_begin(json, key);
    json_append(json, &bracket, 1);
    json->depth++;
    json->follows = false;
}

void pli_json_close(pli_json *json, char bracket)
{
    json->depth--;
    if (json->follows)
        append_line(json);
    append_text(json, bracket == '{' ? "}" : "]");
    json->follows = true;
}

void pli_json_literal(pli_json *json, const char *key, const char *text)
{
    json_begin(json, key);
    append_text(json, text);
}

void pli_json_string(pli_json *json, const char *key, const char *text)
{
    json_begin(json, key);
    if (text)
        append_string(json, text);
    else
        append_text(json, "null");
}

void pli_json_number(pli_json *json, const char *key, double number)
{
    char text[NUMBER_SIZE] = "null";
    if (isfinite(number) && fabs(number) < WHOLE_MAX && number == floor(number)) {
        snprintf(text, sizeof text, "%.0f", number);
    } else if (isfinite(number)) {
        int digits = 6;
        do
            snprintf(text, sizeof text, "%.*g", digits, number);
        while (strtod(text, NULL) != number && digits++ < 17);
        // The application may have set a locale with another decimal point.
        for (char *c = text; *c; c++)
            if (!strchr("0123456789+-e", *c))
                *c = '.';
    }
    pli_json_literal(json, key, text);
}

void pli_json_boolean(pli_json *json, const char *key, bool value)
{
    pli_json_literal(json, key, value ? "true" : "false");
}
