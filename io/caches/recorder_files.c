// File names of a recording, for the rows of the formats.
#define _POSIX_C_SOURCE 200809L
#include "caches/recorder.h"

#include <stdlib.h>
#include <string.h>

// The object's name is left out when there is only one.
static char *path_of(const pli_recorder *r, int32_t object, const char *ending)
{
    const char *name = r->objects[object].name;
    size_t length = strlen(r->directory) + strlen(r->name) + strlen(name) + strlen(ending) + 3;
    char *path = malloc(length);
    if (path && r->object_count > 1)
        snprintf(path, length, "%s/%s_%s%s", r->directory, r->name, name, ending);
    else if (path)
        snprintf(path, length, "%s/%s%s", r->directory, r->name, ending);
    return path;
}

char *pli_recorder_object_path(const pli_recorder *r, int32_t object, const char *extension)
{
    char ending[40];
    snprintf(ending, sizeof ending, ".%s", extension);
    return path_of(r, object, ending);
}

char *pli_recorder_frame_path(const pli_recorder *r, int32_t object)
{
    char ending[40];
    snprintf(ending, sizeof ending, "_%04d.%s", (int)r->frame, r->row->face.extension);
    return path_of(r, object, ending);
}

bool pli_recorder_note_path(pli_recorder *r, const char *path)
{
    if (!r->path)
        r->path = strdup(path);
    return r->path != NULL;
}

int32_t pli_recorder_vertex_count(const pli_recorder *r, int32_t object)
{
    return pli_mesh_topology(r->objects[object].mesh)->vertex_count;
}
