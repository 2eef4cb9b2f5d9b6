// Importer of glTF.
#ifndef PLI_IO_GLTF_IMPORT_H
#define PLI_IO_GLTF_IMPORT_H

#include "formats/gltf_parts.h"

pli_status pli_read_gltf(const pli_import_file *file, pli_polygons *polygons, pli_error *error);
// Adds the scene that a document shows to an import, in a pose that was placed; its parts can be placed in others.
pli_status pli_gltf_add_scene(pli_gltf *gltf, pli_gltf_pose *pose, pli_gltf_parts *parts, pli_polygons *polygons,
                              pli_error *error);

#endif
