/// Pliant-io, mesh files: OBJ, PLY, STL and glTF in; OBJ and PLY out.
#ifndef PLIANT_MESH_FILE_H
#define PLIANT_MESH_FILE_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One row of the table of mesh file formats.
typedef struct pli_mesh_format {
    const char *name;       ///< "obj", "ply", "stl", "gltf"
    const char *extensions; ///< Separated by spaces, without dots: "gltf glb".
    const char *summary;
    bool can_read, can_write;
} pli_mesh_format;

PLI_API int32_t pli_mesh_format_count(void);
PLI_API const pli_mesh_format *pli_mesh_format_at(int32_t i);

typedef struct pli_mesh_import_def {
    uint32_t cookie;
    pli_mesh_policy policy; ///< Default: refuse.
    bool weld;              ///< Merge vertices at exactly equal positions. STL and glTF always do and log it.
    float scale;            ///< Multiplies positions, > 0. Default 1.
    pli_hooks hooks;
} pli_mesh_import_def;

PLI_API pli_mesh_import_def pli_mesh_import_def_default(void);

/// Reads a mesh file; the format follows the extension. Vertex order and polygons are kept.
/// `report`, which may be null, is filled also when the mesh is refused. Errors: FILE, PARSE (with
/// file and line where the format has lines), INVALID_MESH, UNSUPPORTED, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_read(const char *path, const pli_mesh_import_def *import, pli_mesh **mesh,
                                 pli_mesh_report *report, pli_error *error);
/// The same from memory; `format` names a row of the table.
PLI_API pli_status pli_mesh_read_memory(const void *data, size_t size, const char *format,
                                        const pli_mesh_import_def *import, pli_mesh **mesh, pli_mesh_report *report,
                                        pli_error *error);
/// Writes the mesh's faces at other positions (an empty view means its own), through a temporary
/// name and a rename. `normals` may be an empty view. OBJ and PLY (binary).
PLI_API pli_status pli_mesh_write(const char *path, const pli_mesh *mesh, pli_view positions, pli_view normals,
                                  pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
