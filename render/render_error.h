// Status plus message for the renderer, which sees the core only through its public headers.
#ifndef PLI_RENDER_ERROR_H
#define PLI_RENDER_ERROR_H

#include <pliant/base.h>

pli_status pli_render_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
pli_status pli_render_succeed(pli_error *error);

#endif
