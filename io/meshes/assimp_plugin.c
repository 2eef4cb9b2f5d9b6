// Passes files of other formats to libpliant_assimp.
#include "meshes/assimp_plugin.h"

pli_status pli_read_by_assimp(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    const pli_mesh_plugin *plugin = (const pli_mesh_plugin *)pli_plugin_load(
        "pliant_assimp", "pli_plugin_assimp", file->name, "Assimp (Debian: libassimp-dev)", error);
    return plugin ? plugin->read(file, polygons, error) : PLI_STATUS_UNSUPPORTED;
}
