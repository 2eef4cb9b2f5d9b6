#include "io_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

pli_status pli_io_fail(pli_error *error, pli_status status, const char *format, ...)
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

pli_status pli_io_succeed(pli_error *error)
{
    if (error) {
        error->status = PLI_STATUS_OK;
        error->message[0] = '\0';
    }
    return PLI_STATUS_OK;
}

pli_status pli_io_fail_memory(pli_error *error)
{
    return pli_io_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
}

pli_status pli_io_fail_errno(pli_error *error, const char *what, const char *path)
{
    return pli_io_fail(error, PLI_STATUS_FILE, "cannot %s '%s': %s", what, path, strerror(errno));
}
