// Status plus message for the io library, which sees the core only through its public headers.
#ifndef PLI_IO_ERROR_H
#define PLI_IO_ERROR_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

pli_status pli_io_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
pli_status pli_io_succeed(pli_error *error);
pli_status pli_io_fail_memory(pli_error *error);
// FILE with the path and what errno says.
pli_status pli_io_fail_errno(pli_error *error, const char *what, const char *path);

#ifdef __cplusplus
}
#endif
#endif
