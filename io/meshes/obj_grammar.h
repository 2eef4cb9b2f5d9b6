// Checks the grammar of vertex and face lines of an OBJ file before the loader reads them.
#ifndef PLI_IO_OBJ_GRAMMAR_H
#define PLI_IO_OBJ_GRAMMAR_H

#include "files/io_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_obj_count {
    int32_t vertices, faces;
} pli_obj_count;

// Checks all lines; the first bad one gives a PARSE failure with its number. The loader reads unparsable numbers as
// zero and knows neither comments after a face nor line continuations by a backslash: both are replaced by spaces in
// `text`.
pli_status pli_obj_look_over(char *text, size_t size, const char *name, pli_obj_count *count, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
