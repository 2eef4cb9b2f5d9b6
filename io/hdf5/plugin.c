// The symbol that libpliant_hdf5 exports to libpliant_scene.
#include "caches/vtkhdf.h"
#include "vtkhdf_row.h"

PLI_API extern const pli_cache_plugin pli_plugin_hdf5;
const pli_cache_plugin pli_plugin_hdf5 = {{PLI_VERSION_STRING}, &pli_vtkhdf_row};
