// What an OBJ file's vertex and face lines must be, checked before the loader sees them.
#ifndef PLI_IO_OBJ_GRAMMAR_H
#define PLI_IO_OBJ_GRAMMAR_H

#include "files/io_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_obj_count {
    int32_t vertices, faces;
} pli_obj_count;

// Looks over all lines; the first bad one is a PARSE failure that names it. The loader takes what it
// cannot read as zero, knows no comment after a face and no line that goes on after a backslash: the
// latter two are made spaces in `text`.
pli_status pli_obj_look_over(char *text, size_t size, const char *name, pli_obj_count *count, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
