// A writer of JSON text. Members appear in the order of the calls. After a failed allocation all further calls do nothing.
#ifndef PLI_PROPERTIES_JSON_TEXT_H
#define PLI_PROPERTIES_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pli_json {
    char *text; // The text so far, zero-terminated; null before the first call.
    size_t length, capacity;
    int depth;
    bool follows; // The next member or element needs a comma before it.
    bool failed;  // Memory ran out.
} pli_json;

// Opens an object or a list: `bracket` is '{' or '['. `key` is null for elements of a list and for the whole text.
void pli_json_open(pli_json *json, const char *key, char bracket);
// Closes an object or a list; `bracket` is the bracket that opened it.
void pli_json_close(pli_json *json, char bracket);
// Writes a string; a null text is written as null. Bytes from 0x80 on must be UTF-8.
void pli_json_string(pli_json *json, const char *key, const char *text);
// Writes the shortest decimal number that reads back to the same double; null for NaN and infinity.
void pli_json_number(pli_json *json, const char *key, double number);
void pli_json_boolean(pli_json *json, const char *key, bool value);
// Writes text that is already JSON.
void pli_json_literal(pli_json *json, const char *key, const char *text);

#endif
