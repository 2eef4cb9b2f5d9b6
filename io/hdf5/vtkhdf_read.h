// Reader of VTKHDF recordings.
#ifndef PLI_IO_VTKHDF_READ_H
#define PLI_IO_VTKHDF_READ_H

#include "files/place.h"

#include <pliant/cache.h>

#include <hdf5.h>

// Opener for the format's row; it appends the objects of the file at `path` to the cache.
pli_status pli_open_vtkhdf(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                           pli_error *error);

// Open a dataset or a group by its name; -1 if there is none, or if a link, a list of files or a view of other datasets leads out of
// the file.
hid_t pli_hdf5_open_data(hid_t at, const char *name);
hid_t pli_hdf5_open_group(hid_t at, const char *name);

// Must be called before the HDF5 library is used. It silences the library and prevents it from closing files at exit, where a file that
// cannot be written (a full disk) would crash the program.
void pli_hdf5_begin(void);

#endif
