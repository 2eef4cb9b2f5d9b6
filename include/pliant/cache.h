/// Pliant-scene, caches: animations that are written frame by frame and read back.
///
/// A recording has objects and frames. In most formats the faces of an object are constant. Files by format:
///
///     pc2, mdd             one file per object
///     gltf, glb, vtkhdf    one file for all objects
///     usda                 one file for all objects, and for each object one file of positions, one of extents and one of normals
///     obj, ply             a sequence: one file per frame and object
///
/// Files stay readable up to the last complete frame, even if the process is killed.
///
///     pli_cache_object cloth = {"cloth", mesh, {0.8f, 0.2f, 0.2f}};
///     pli_recorder_def def = pli_recorder_def_default();
///     def.directory = "out", def.format = "gltf", def.objects = &cloth, def.object_count = 1;
///     pli_recorder *recorder;
///     if (pli_recorder_open(&def, &recorder, &error) != PLI_STATUS_OK) ...
///     pli_recorder_add(recorder, &positions, NULL, &error);      // each frame
///     pli_recorder_close(recorder, &error);
#ifndef PLIANT_CACHE_H
#define PLIANT_CACHE_H

#include "file_source.h"
#include "mesh.h"
#include "mesh_attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A cache format: one row of the table of formats.
typedef struct pli_cache_format {
    const char *name;       ///< "obj", "ply", "pc2", "mdd", "gltf", "glb", "usda", "vtkhdf"
    const char *extension;  ///< Without the dot.
    const char *summary;    ///< Programs that read or play it.
    bool can_read;          ///< pli_cache_open can read it.
    bool variable_topology; ///< Faces and vertices may change from frame to frame, as in meshes that tear.
} pli_cache_format;

/// The number of formats.
PLI_API int32_t pli_cache_format_count(void);
/// The i-th format, or null if out of range.
PLI_API const pli_cache_format *pli_cache_format_at(int32_t i);

/// One animated object.
typedef struct pli_cache_object {
    const char *name;     ///< Part of file names: letters, digits, '-' and '_' are kept, other characters become '_'.
    const pli_mesh *mesh; ///< Faces and rest positions.
    pli_vec3 colour;      ///< Linear RGB, 0..1, for formats with colours.
} pli_cache_object;

/// The definition of a recording.
typedef struct pli_recorder_def {
    const char *directory; ///< Must exist.
    const char *name;      ///< Stem of the file names.
    const char *format;    ///< Name of a format in the table.
    const pli_cache_object *objects;
    int32_t object_count;     ///< Number of objects, >= 1.
    double frames_per_second; ///< [1/s], > 0.
    int32_t frame_count;      ///< Expected number of frames, >= 0, for headers. Files are also valid with fewer frames.
    int32_t resume_frame;     ///< > 0: continues an earlier recording after its first `resume_frame` frames. Default 0.
    pli_vec3 up;              ///< Unit up axis, y or z, for formats that store it. Default y.
    /// [object_count] texture coordinates and colours for formats that store them; each entry belongs to the mesh of the object
    /// or is NULL. NULL: none. Borrowed until the recorder is closed. Default NULL.
    const pli_mesh_attributes *const *attributes;
} pli_recorder_def;

/// A recording that is being written.
typedef struct pli_recorder pli_recorder;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_recorder_def pli_recorder_def_default(void);
/// Opens the files of a recording. Close the recorder with pli_recorder_close. Errors: NOT_FOUND for an unknown
/// format; INVALID_ARGUMENT; UNSUPPORTED for a format that this build lacks; FILE; CORRUPT if the earlier recording has fewer than
/// `resume_frame` frames or is another recording; OUT_OF_MEMORY.
PLI_API pli_status pli_recorder_open(const pli_recorder_def *def, pli_recorder **recorder, pli_error *error);
/// Adds one frame: one view of finite positions per object, and one view of normals per object, which may be empty; `normals`
/// may be null. Errors: INVALID_ARGUMENT for another number of vertices or a position that is not finite; FILE.
PLI_API pli_status pli_recorder_add(pli_recorder *recorder, const pli_view *positions, const pli_view *normals,
                                    pli_error *error);
/// Sets the vertices and faces of an object from the next frame on, for cloth that tears. Errors: INVALID_ARGUMENT for an
/// object out of range or a null mesh; UNSUPPORTED for formats with constant faces (pli_cache_format.variable_topology).
PLI_API pli_status pli_recorder_set_mesh(pli_recorder *recorder, int32_t object, const pli_mesh *mesh,
                                         pli_error *error);
/// Completes and closes the files, and frees the recorder, also on failure. Null is allowed.
PLI_API pli_status pli_recorder_close(pli_recorder *recorder, pli_error *error);
/// Path of the file that the recorder writes, for messages; for sequences, of the first file. Borrowed.
PLI_API const char *pli_recorder_path(const pli_recorder *recorder);

/// An animation that is read frame by frame.
typedef struct pli_cache pli_cache;

/// Opens a cache file, the first file of an OBJ or PLY sequence, or a folder that `pliant run` wrote, whose summary lists its
/// files. PC2 and MDD have no faces: `mesh_path` is the file with the faces, and may be NULL for other formats. From a glTF
/// figure of another program, the first clip is read at 60 frames a second. Errors: FILE, PARSE, UNSUPPORTED, CORRUPT.
PLI_API pli_status pli_cache_open(const char *path, const char *mesh_path, pli_cache **cache, pli_error *error);
/// As pli_cache_open, but reads from a file source, which must outlive the cache. NULL: from the disk. VTKHDF can only be read
/// from the disk.
PLI_API pli_status pli_cache_open_from(const pli_file_source *files, const char *path, const char *mesh_path,
                                       pli_cache **cache, pli_error *error);
/// Closes the files and frees the cache. Null is allowed.
PLI_API void pli_cache_close(pli_cache *cache);
/// The number of frames that all objects have.
PLI_API int32_t pli_cache_frame_count(const pli_cache *cache);
/// The frame rate [1/s].
PLI_API double pli_cache_frames_per_second(const pli_cache *cache);
/// The number of objects.
PLI_API int32_t pli_cache_object_count(const pli_cache *cache);
/// Name and mesh of an object, borrowed from the cache.
PLI_API pli_cache_object pli_cache_object_at(const pli_cache *cache, int32_t object);
/// Faces of an object in one frame: the faces of its mesh, unless it tore (pli_cache_format.variable_topology). Borrowed until
/// the next call for the object. Errors: INVALID_ARGUMENT for an object or frame out of range; UNSUPPORTED if a frame has
/// another number of triangles than the first frame.
PLI_API pli_status pli_cache_frame_mesh(pli_cache *cache, int32_t object, int32_t frame, const pli_mesh **mesh,
                                        pli_error *error);
/// Reads the positions of one object in one frame: 3 floats per vertex. `positions` must have room for the vertices of the
/// mesh of the object, or of the mesh from the last pli_cache_frame_mesh if it was for this frame. Errors: INVALID_ARGUMENT
/// for an object or frame out of range; UNSUPPORTED for a frame with another number of vertices.
PLI_API pli_status pli_cache_read(pli_cache *cache, int32_t object, int32_t frame, float *positions, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
