// Importer of Wavefront OBJ.
#ifndef PLI_IO_OBJ_READ_H
#define PLI_IO_OBJ_READ_H

#include "meshes/polygon_soup.h"

pli_status pli_read_obj(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
