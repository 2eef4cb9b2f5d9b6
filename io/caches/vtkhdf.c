// The row of VTKHDF, implemented by libpliant_hdf5, which is loaded when needed.
#include "caches/vtkhdf.h"

const pli_cache_row pli_cache_row_vtkhdf = {
    .face = PLI_VTKHDF_FACE,
    .library = "pliant_hdf5",
    .symbol = "pli_plugin_hdf5",
    .package = "HDF5 (Debian: libhdf5-dev)",
};
