// A writer of JSON text. Members come in the order of the calls. After a failed allocation calls do nothing.
#ifndef PLI_DESCRIPTORS_JSON_TEXT_H
#define PLI_DESCRIPTORS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pli_json {
    char *text; // Ended by a zero; null before the first call.
    size_t length, capacity;
    int depth;
    bool follows; // A member or element stands before the next one.
    bool failed;  // Memory ran out.
} pli_json;

// `key` is null for elements of a list and for the whole text. `bracket` is '{' or '['.
void pli_json_open(pli_json *json, const char *key, char bracket);
// Closes what `bracket` opened.
void pli_json_close(pli_json *json, char bracket);
// A null text is written as null. Bytes from 0x80 on are UTF-8 already.
void pli_json_string(pli_json *json, const char *key, const char *text);
// The shortest decimal number that reads back to the same double; null for what is not finite.
void pli_json_number(pli_json *json, const char *key, double number);
void pli_json_boolean(pli_json *json, const char *key, bool value);
// A text that is JSON already.
void pli_json_literal(pli_json *json, const char *key, const char *text);

#endif
