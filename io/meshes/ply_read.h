// Importer of PLY.
#ifndef PLI_IO_PLY_READ_H
#define PLI_IO_PLY_READ_H

#include "meshes/polygon_soup.h"

pli_status pli_read_ply(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
