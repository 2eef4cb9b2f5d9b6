// The format VTKHDF, which a separate library implements: libpliant_hdf5.
#ifndef PLI_IO_VTKHDF_H
#define PLI_IO_VTKHDF_H

#include "caches/cache_formats.h"
#include "support/library.h"

// The row in the table, which locates the library, and the row in the library, which implements the format, have the same public part.
#define PLI_VTKHDF_FACE                                                                                                \
    {                                                                                                                  \
        "vtkhdf", "vtkhdf", "HDF5 for ParaView, h5py and numpy", .can_read = true, .variable_topology = false          \
    }

// The symbol that a library of a cache format exports.
typedef struct pli_cache_plugin {
    pli_plugin head;
    const pli_cache_row *row;
} pli_cache_plugin;

#endif
