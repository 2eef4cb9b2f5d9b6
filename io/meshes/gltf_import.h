// Importer of glTF.
#ifndef PLI_IO_GLTF_IMPORT_H
#define PLI_IO_GLTF_IMPORT_H

#include "meshes/polygon_soup.h"

pli_status pli_read_gltf(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
