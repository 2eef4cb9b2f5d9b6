// A recording in progress, in the form for the rows of cache formats.
#ifndef PLI_IO_RECORDER_H
#define PLI_IO_RECORDER_H

#include "caches/cache_formats.h"
#include "files/file.h"

struct pli_recorder {
    const pli_cache_row *row;
    char *directory, *name, *path;
    pli_cache_object *objects; // Their names are valid in file names.
    int32_t object_count;
    double frames_per_second;
    int32_t frame_count, resume_frame;
    pli_vec3 up;
    const pli_mesh_attributes *const *attributes; // [object_count], with null for objects without; or null.
    int32_t frame;                                // Frames added so far, including resumed ones.
    void *state;
};

// "directory/name_object.extension", or without the object when there is only one; free with free().
char *pli_recorder_object_path(const pli_recorder *recorder, int32_t object, const char *extension);
// "directory/name_object_0007.extension" with the number of the frame being added, in the format's extension; free with
// free().
char *pli_recorder_frame_path(const pli_recorder *recorder, int32_t object);
// Stores the path that pli_recorder_path returns; later calls are ignored. False when memory runs out.
bool pli_recorder_note_path(pli_recorder *recorder, const char *path);
int32_t pli_recorder_vertex_count(const pli_recorder *recorder, int32_t object);

#endif
