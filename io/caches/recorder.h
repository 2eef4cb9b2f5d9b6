// What the formats of recordings share. Each format is one row with four functions.
#ifndef PLI_IO_RECORDER_H
#define PLI_IO_RECORDER_H

#include "files/file.h"

#include <pliant/cache.h>

struct pli_recorder;

typedef struct pli_recorder_row {
    pli_cache_format face;
    size_t state_size;
    // Opens files, or goes on with them when resume_frame > 0. Close is called also when open failed.
    pli_status (*open)(struct pli_recorder *recorder, pli_error *error);
    pli_status (*add)(struct pli_recorder *recorder, const pli_view *positions, const pli_view *normals,
                      pli_error *error);
    pli_status (*close)(struct pli_recorder *recorder, pli_error *error);
} pli_recorder_row;

struct pli_recorder {
    const pli_recorder_row *row;
    char *directory, *name, *path;
    pli_cache_object *objects; // Names are made fit for files.
    int32_t object_count;
    double frames_per_second;
    int32_t frame_count, resume_frame;
    int32_t frame; // Added so far, resumed ones included.
    void *state;
};

extern const pli_recorder_row pli_recorder_obj, pli_recorder_ply, pli_recorder_pc2, pli_recorder_mdd, pli_recorder_gltf,
    pli_recorder_vtkhdf;

// "directory/name_object.extension", or without the object when there is only one; free with free().
char *pli_recorder_object_path(const pli_recorder *recorder, int32_t object, const char *extension);
// Keeps `path` as what pli_recorder_path answers, if it is the first.
void pli_recorder_note_path(pli_recorder *recorder, const char *path);
int32_t pli_recorder_vertex_count(const pli_recorder *recorder, int32_t object);

#endif
