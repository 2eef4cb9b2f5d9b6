// JSON from a text, where lack of memory is told from a mistake in the text.
#ifndef PLI_IO_JSON_PARSE_H
#define PLI_IO_JSON_PARSE_H

#include <jansson.h>

// json_loadb, with an empty `where->text` when there was not enough memory.
json_t *pli_json_parse(const char *text, size_t size, size_t flags, json_error_t *where);

#endif
