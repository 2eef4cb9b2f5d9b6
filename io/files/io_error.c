// Common failures of the io library.
#include "files/io_error.h"

#include <errno.h>
#include <string.h>

pli_status pli_io_fail_memory(pli_error *error) { return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory"); }

pli_status pli_io_fail_errno(pli_error *error, const char *what, const char *path)
{
    return pli_fail(error, PLI_STATUS_FILE, "cannot %s '%s': %s", what, path, strerror(errno));
}
