// Common failures of the io library.
#ifndef PLI_IO_IO_ERROR_H
#define PLI_IO_IO_ERROR_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

pli_status pli_io_fail_memory(pli_error *error);
// FILE with the path and the message of errno.
pli_status pli_io_fail_errno(pli_error *error, const char *what, const char *path);

#ifdef __cplusplus
}
#endif
#endif
