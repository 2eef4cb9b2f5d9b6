// Reads a mesh from a place, for scenes and animations.
#ifndef PLI_IO_MESH_FILE_H
#define PLI_IO_MESH_FILE_H

#include "files/place.h"

#include <pliant/mesh_file.h>

// pli_mesh_read from a place; import->files is ignored. Files that this file names must lie inside the root of the place, or inside the
// folder of this file if there is no root.
pli_status pli_mesh_read_at(const pli_place *place, const char *path, const pli_mesh_import_def *import,
                            pli_mesh **mesh, pli_mesh_report *report, pli_error *error);

#endif
