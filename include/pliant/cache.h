/// Pliant-scene, caches: animations written frame by frame and read back.
///
/// A recording has objects and frames. In most formats an object's faces are constant. Single-file formats hold
/// one object a file (pc2, mdd) or all of them (gltf, vtkhdf); usda is a file for all, and one for the positions and one for the normals of each object; sequences (obj, ply) are one file a
/// frame and object. Files stay readable up to the last complete frame, even if the process is killed.
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

/// One row of the table of cache formats.
typedef struct pli_cache_format {
    const char *name;       ///< "obj", "ply", "pc2", "mdd", "gltf", "usda", "vtkhdf"
    const char *extension;  ///< Without the dot.
    const char *summary;    ///< Which program reads or plays it.
    bool can_read;          ///< pli_cache_open understands it.
    bool variable_topology; ///< Faces and vertices may change from frame to frame: for meshes that tear.
} pli_cache_format;

PLI_API int32_t pli_cache_format_count(void);
PLI_API const pli_cache_format *pli_cache_format_at(int32_t i);

/// One animated object.
typedef struct pli_cache_object {
    const char *name;     ///< Becomes part of file names; letters, digits, '-' and '_' are kept, others become '_'.
    const pli_mesh *mesh; ///< Faces, and rest positions.
    pli_vec3 colour;      ///< Linear 0..1, for formats that have colours.
} pli_cache_object;

typedef struct pli_recorder_def {
    uint32_t size;         ///< Bytes of this struct; set by the default function.
    uint32_t cookie;       ///< Set by the default function.
    const char *directory; ///< Must exist.
    const char *name;      ///< Stem of the file names.
    const char *format;    ///< Name of the table's format.
    const pli_cache_object *objects;
    int32_t object_count;
    double frames_per_second;
    int32_t frame_count;  ///< Frames expected, for headers; the file is right also if fewer come.
    int32_t resume_frame; ///< > 0: go on with an earlier recording, keeping its first `resume_frame` frames.
    pli_vec3 up;          ///< Axis that points up, of length 1, for formats that say so: y, the default, or z.
    /// [object_count] texture coordinates and colours of the objects, for formats that have them, each of the object's mesh or NULL; or NULL, the
    /// default. Borrowed until the recorder is closed.
    const pli_mesh_attributes *const *attributes;
} pli_recorder_def;

typedef struct pli_recorder pli_recorder;

/// Fills `size` bytes of a definition with its defaults; see pli_recorder_def_default.
PLI_API void pli_recorder_def_init(pli_recorder_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_recorder_def pli_recorder_def_default(void)
{
    pli_recorder_def def;
    pli_recorder_def_init(&def, sizeof def);
    return def;
}
PLI_API pli_status pli_recorder_open(const pli_recorder_def *def, pli_recorder **recorder, pli_error *error);
/// Adds one frame: finite positions (and normals, or an array of empty views, or null) of each object.
PLI_API pli_status pli_recorder_add(pli_recorder *recorder, const pli_view *positions, const pli_view *normals,
                                    pli_error *error);
/// From the next frame on an object has these vertices and faces: a torn cloth. Errors: UNSUPPORTED for formats
/// that hold one set of faces (pli_cache_format.variable_topology).
PLI_API pli_status pli_recorder_set_mesh(pli_recorder *recorder, int32_t object, const pli_mesh *mesh,
                                         pli_error *error);
/// Completes and closes the files; frees the recorder also on failure. Null is allowed.
PLI_API pli_status pli_recorder_close(pli_recorder *recorder, pli_error *error);
/// Path of what the recorder writes (the first file, for sequences), for messages. Borrowed.
PLI_API const char *pli_recorder_path(const pli_recorder *recorder);

/// An animation on disk, read frame by frame.
typedef struct pli_cache pli_cache;

/// Opens a cache file, or the first file of an OBJ or PLY sequence, or a folder that `pliant run`
/// wrote (its summary says what is in it). PC2 and MDD have no faces: `mesh_path` gives them, and
/// may be NULL otherwise. A glTF figure of another program is its first clip at 60 frames a second. Errors: FILE,
/// PARSE, UNSUPPORTED, CORRUPT.
PLI_API pli_status pli_cache_open(const char *path, const char *mesh_path, pli_cache **cache, pli_error *error);
/// The same from a file source, which must outlive the cache; NULL is the disk. VTKHDF is read from the disk only.
PLI_API pli_status pli_cache_open_from(const pli_file_source *files, const char *path, const char *mesh_path,
                                       pli_cache **cache, pli_error *error);
PLI_API void pli_cache_close(pli_cache *cache);
PLI_API int32_t pli_cache_frame_count(const pli_cache *cache);
PLI_API double pli_cache_frames_per_second(const pli_cache *cache);
PLI_API int32_t pli_cache_object_count(const pli_cache *cache);
/// Name and faces of an object; the mesh is borrowed from the cache.
PLI_API void pli_cache_get_object_sized(const pli_cache *cache, int32_t object, pli_cache_object *found, size_t size);
static inline pli_cache_object pli_cache_object_at(const pli_cache *cache, int32_t object)
{
    pli_cache_object found;
    pli_cache_get_object_sized(cache, object, &found, sizeof found);
    return found;
}
/// Faces of an object in one frame: those of its mesh, unless it tore (pli_cache_format.variable_topology). Borrowed
/// until the next call for the object. Errors: UNSUPPORTED when a frame has not as many triangles as the first.
PLI_API pli_status pli_cache_frame_mesh(pli_cache *cache, int32_t object, int32_t frame, const pli_mesh **mesh,
                                        pli_error *error);
/// Reads one frame of one object: 3 floats a vertex into `positions`, which has room for all: those of its mesh, or
/// of the mesh that pli_cache_frame_mesh gave last if that was for this frame. Errors: UNSUPPORTED for a frame with
/// other vertices than that.
PLI_API pli_status pli_cache_read(pli_cache *cache, int32_t object, int32_t frame, float *positions, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
