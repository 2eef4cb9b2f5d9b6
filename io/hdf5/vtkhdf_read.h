// Reader of VTKHDF recordings.
#ifndef PLI_IO_VTKHDF_READ_H
#define PLI_IO_VTKHDF_READ_H

#include "files/place.h"

#include <pliant/cache.h>

// Opener for the format's row; it appends the objects of the file at `path` to the cache.
pli_status pli_open_vtkhdf(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                           pli_error *error);

// To be called before the HDF5 library is used: it says nothing by itself, and does not close files at the end of the
// program, where one that could not be written (a full disk) would end it with a fault.
void pli_hdf5_begin(void);

#endif
