// Importer of STL.
#ifndef PLI_IO_STL_READ_H
#define PLI_IO_STL_READ_H

#include "meshes/polygon_soup.h"

pli_status pli_read_stl(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
