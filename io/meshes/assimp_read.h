// Importers of PLY, STL and glTF, by Assimp.
#ifndef PLI_IO_ASSIMP_READ_H
#define PLI_IO_ASSIMP_READ_H

#include "meshes/polygon_soup.h"

pli_status pli_read_ply(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error);
pli_status pli_read_stl(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error);
pli_status pli_read_gltf(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error);

#endif
