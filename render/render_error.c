#include "render_error.h"

#include <stdarg.h>
#include <stdio.h>

pli_status pli_render_fail(pli_error *error, pli_status status, const char *format, ...)
{
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

pli_status pli_render_succeed(pli_error *error)
{
    if (error) {
        error->status = PLI_STATUS_OK;
        error->message[0] = '\0';
    }
    return PLI_STATUS_OK;
}
