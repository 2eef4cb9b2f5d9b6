/// Pliant-scene, mesh files: OBJ, PLY, STL and glTF in; OBJ, PLY, STL and glTF out; others through libpliant_assimp.
///
///     pli_mesh_import_def import = pli_mesh_import_def_default();
///     import.policy = PLI_MESH_REPAIR;
///     pli_mesh *mesh;
///     if (pli_mesh_read("cape.obj", &import, &mesh, NULL, &error) != PLI_STATUS_OK) ...   // "cape.obj:12: ..."
///     pli_mesh_write("copy.ply", mesh, (pli_view){0}, (pli_view){0}, &error);
///     pli_mesh_destroy(mesh);
#ifndef PLIANT_MESH_FILE_H
#define PLIANT_MESH_FILE_H

#include "file_source.h"
#include "mesh_attributes.h"

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

/// How a file becomes a mesh.
typedef struct pli_mesh_import_def {
    uint32_t size;          ///< Bytes of this struct; set by the default function.
    uint32_t cookie;        ///< Set by the default function.
    pli_mesh_policy policy; ///< Default: refuse.
    /// Merge vertices within a millionth of the mesh's bounding box diagonal into the first of them, and drop faces that
    /// lose their area by it; the numbers are logged. Always done for STL and glTF. Default: false.
    bool weld;
    float scale; ///< Multiplies positions, > 0. Default 1.
    pli_hooks hooks;
    uint32_t report_size; ///< Bytes of a pli_mesh_report as the caller knows it; set by the default function.
    /// Where files come from; NULL is the disk. The path is then a name in the source.
    const pli_file_source *files;
    /// Receives what the file says beside the shape, for pli_mesh_attributes_destroy; NULL when the read fails. NULL:
    /// not wanted.
    pli_mesh_attributes **attributes;
} pli_mesh_import_def;

/// Fills `size` bytes of a definition with its defaults; see pli_mesh_import_def_default.
PLI_API void pli_mesh_import_def_init(pli_mesh_import_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_mesh_import_def pli_mesh_import_def_default(void)
{
    pli_mesh_import_def def;
    pli_mesh_import_def_init(&def, sizeof def);
    def.report_size = sizeof(pli_mesh_report);
    return def;
}

/// Reads a mesh file; the format follows the extension. Vertex order and polygons are kept. What a glTF file names is
/// read only from inside its own folder.
/// `report`, which may be NULL, is filled also when the mesh is refused. Errors: FILE, PARSE (with
/// file and line where the format has lines), INVALID_MESH, UNSUPPORTED, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_read(const char *path, const pli_mesh_import_def *import, pli_mesh **mesh,
                                 pli_mesh_report *report, pli_error *error);
/// The same from memory; `format` is an extension of the table. A glTF file must then hold its buffers itself.
PLI_API pli_status pli_mesh_read_memory(const void *data, size_t size, const char *format,
                                        const pli_mesh_import_def *import, pli_mesh **mesh, pli_mesh_report *report,
                                        pli_error *error);
/// Writes the mesh's faces at other positions (an empty view means its own), through a temporary name and a rename.
/// `normals` may be an empty view. OBJ, PLY (binary), STL (binary; triangles) and glTF (triangles).
PLI_API pli_status pli_mesh_write(const char *path, const pli_mesh *mesh, pli_view positions, pli_view normals,
                                  pli_error *error);
/// The same with attributes of the mesh, of this library or filled by the program; NULL for none. OBJ keeps colours of
/// vertices, "uv" and groups of faces; PLY colours, "uv" and attributes of one number; glTF those of vertices, "uv" and
/// materials; STL nothing. Where a format has one value a vertex of the mesh, its first render vertex gives it. Errors:
/// INVALID_ARGUMENT also for attributes that do not fit the mesh.
PLI_API pli_status pli_mesh_write_with_attributes(const char *path, const pli_mesh *mesh,
                                                  const pli_mesh_attributes *attributes, pli_view positions,
                                                  pli_view normals, pli_error *error);

#ifdef __cplusplus
}
#endif

#define PLIANT_OLD_NAMES_OF_MESH_FILE // For one version.
#include "deprecated.h"

#endif
