/// Pliant-scene, mesh files: reads and writes OBJ, PLY, STL and glTF; reads other formats through libpliant_assimp.
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

/// How a mesh file is imported.
typedef struct pli_mesh_import_def {
    pli_mesh_policy policy; ///< Default PLI_MESH_REFUSE.
    /// Merges vertices that are within a millionth of the mesh's bounding box diagonal of each other into the first of them,
    /// and drops faces that lose their area as a result. The counts are logged. STL, glTF and the formats of
    /// libpliant_assimp are always welded. Default false.
    bool weld;
    float scale; ///< Factor on positions, > 0. Default 1.
    pli_hooks hooks;
    /// Where files are read from; NULL means the disk. With a source, the path is a name in that source.
    const pli_file_source *files;
    /// Receives the attributes of the file, which the caller frees with pli_mesh_attributes_destroy; set to NULL if reading
    /// fails. With NULL, attributes are not read.
    pli_mesh_attributes **attributes;
} pli_mesh_import_def;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_mesh_import_def pli_mesh_import_def_default(void);

/// Reads a mesh file; the extension determines the format. The caller owns the mesh. Vertex order and polygons are kept. Files
/// that a glTF file references are read only if they are inside the folder of the glTF file. `report`, which may be NULL, is
/// filled even if the mesh is refused. Errors: FILE, PARSE (with file and line if the format has lines), INVALID_MESH,
/// UNSUPPORTED, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_read(const char *path, const pli_mesh_import_def *import, pli_mesh **mesh,
                                 pli_mesh_report *report, pli_error *error);
/// Like pli_mesh_read, but reads from memory. `format` is an extension from the table of formats. A glTF file must contain its
/// buffers.
PLI_API pli_status pli_mesh_read_memory(const void *data, size_t size, const char *format,
                                        const pli_mesh_import_def *import, pli_mesh **mesh, pli_mesh_report *report,
                                        pli_error *error);
/// Writes the faces of the mesh with the given positions, or with its own positions if the view is empty. The file is written
/// under a temporary name and then renamed. `normals` may be an empty view. Formats: OBJ, PLY (binary), STL (binary;
/// triangles) and glTF (triangles).
PLI_API pli_status pli_mesh_write(const char *path, const pli_mesh *mesh, pli_view positions, pli_view normals,
                                  pli_error *error);
/// Like pli_mesh_write, but also writes attributes of the mesh, from this library or filled by the application; NULL for none.
/// OBJ stores vertex colours, "uv" and face groups. PLY stores colours, "uv" and attributes with one component. glTF stores
/// vertex attributes, "uv" and materials. STL stores no attributes. If a format has one value per vertex of the mesh, the value
/// of its first render vertex is written. Errors: as for pli_mesh_write, and INVALID_ARGUMENT for attributes that do not fit
/// the mesh.
PLI_API pli_status pli_mesh_write_with_attributes(const char *path, const pli_mesh *mesh,
                                                  const pli_mesh_attributes *attributes, pli_view positions,
                                                  pli_view normals, pli_error *error);

#ifdef __cplusplus
}
#endif

#endif
