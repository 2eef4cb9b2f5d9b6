// Stores the state of a VTKHDF file when it was last opened, so that the state survives if the process is killed while the file grows.
#ifndef PLI_IO_VTKHDF_UNDO_H
#define PLI_IO_VTKHDF_UNDO_H

#include "files/io_error.h"

// Stores in PATH.undo everything that the HDF5 library may change in place while frames are added: the entire file except its points,
// which are only appended. The file must be complete and closed.
pli_status pli_vtkhdf_keep(const char *path, pli_error *error);
// Restores a file to the state of PATH.undo, if that exists.
pli_status pli_vtkhdf_go_back(const char *path, pli_error *error);
// Deletes that state: the file was closed, or is created again.
void pli_vtkhdf_forget(const char *path);

#endif
