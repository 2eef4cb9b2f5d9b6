// Importer of glTF.
#ifndef PLI_IO_GLTF_IMPORT_H
#define PLI_IO_GLTF_IMPORT_H

#include "formats/gltf_parts.h"

pli_status pli_read_gltf(const pli_import_file *file, pli_polygons *polygons, pli_error *error);
// Adds the default scene of a document to an import, in an evaluated pose; its parts can be evaluated in other poses.
pli_status pli_gltf_add_scene(pli_gltf *gltf, pli_gltf_pose *pose, pli_gltf_parts *parts, pli_polygons *polygons,
                              pli_error *error);

#endif
