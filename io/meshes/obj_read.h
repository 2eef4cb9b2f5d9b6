// Importer of Wavefront OBJ.
#ifndef PLI_IO_OBJ_READ_H
#define PLI_IO_OBJ_READ_H

#include "meshes/polygon_soup.h"

#ifdef __cplusplus
extern "C" {
#endif

pli_status pli_read_obj(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
