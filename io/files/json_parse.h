// Parses and formats JSON, and distinguishes lack of memory from errors in the text.
#ifndef PLI_IO_JSON_PARSE_H
#define PLI_IO_JSON_PARSE_H

#include <jansson.h>

// json_loadb, with an empty `where->text` when memory ran out.
json_t *pli_json_parse(const char *text, size_t size, size_t flags, json_error_t *where);
// json_dumps, with NULL when memory ran out for any part of it; free with free().
char *pli_json_format(const json_t *json, size_t flags);

#endif
