// A recording in progress, as the rows of cache formats see it.
#ifndef PLI_IO_RECORDER_H
#define PLI_IO_RECORDER_H

#include "caches/cache_formats.h"
#include "files/file.h"

struct pli_recorder {
    const pli_cache_row *row;
    char *directory, *name, *path;
    pli_cache_object *objects; // Names are made fit for files.
    int32_t object_count;
    double frames_per_second;
    int32_t frame_count, resume_frame;
    int32_t frame; // Added so far, resumed ones included.
    void *state;
};

// "directory/name_object.extension", or without the object when there is only one; free with free().
char *pli_recorder_object_path(const pli_recorder *recorder, int32_t object, const char *extension);
// Keeps `path` as what pli_recorder_path answers, if it is the first.
void pli_recorder_note_path(pli_recorder *recorder, const char *path);
int32_t pli_recorder_vertex_count(const pli_recorder *recorder, int32_t object);

#endif
