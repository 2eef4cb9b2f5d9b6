// Mesh formats that libpliant_assimp reads, if it is installed.
#ifndef PLI_IO_ASSIMP_PLUGIN_H
#define PLI_IO_ASSIMP_PLUGIN_H

#include "soup/polygon_soup.h"
#include "support/library.h"

// The type of the symbol pli_plugin_assimp that libpliant_assimp exports.
typedef struct pli_mesh_plugin {
    pli_plugin head;
    pli_polygons_reader read;
} pli_mesh_plugin;

#define PLI_ASSIMP_EXTENSIONS "fbx dae 3ds blend off x lwo 3mf"

// An importer that loads libpliant_assimp and passes it the file.
pli_status pli_read_by_assimp(const pli_import_file *file, pli_polygons *polygons, pli_error *error);

#endif
