// The state that a VTKHDF file had when it was opened last is kept, so that a kill while it grows cannot take it.
#ifndef PLI_IO_VTKHDF_UNDO_H
#define PLI_IO_VTKHDF_UNDO_H

#include "files/io_error.h"

// Keeps in PATH.undo what the HDF5 library may change in place while frames are added: all of the file but its points,
// which only grow. The file is whole and not open.
pli_status pli_vtkhdf_keep(const char *path, pli_error *error);
// Brings a file back to the state of PATH.undo, where there is one.
pli_status pli_vtkhdf_go_back(const char *path, pli_error *error);
// Forgets that state: the file was closed, or is made anew.
void pli_vtkhdf_forget(const char *path);

#endif
