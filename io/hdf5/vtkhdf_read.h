// Reader of VTKHDF recordings.
#ifndef PLI_IO_VTKHDF_READ_H
#define PLI_IO_VTKHDF_READ_H

#include "files/place.h"

#include <pliant/cache.h>

// Prepares the HDF5 library: it writes no messages, and does not close files at exit. All of ours are closed by then but those
// that a full disk left open, on which the library's own closing reads a wrong address.
void pli_quiet_hdf5(void);

// Opener for the format's row; it appends the objects of the file at `path` to the cache.
pli_status pli_open_vtkhdf(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                           pli_error *error);

#endif
