// File names of a recording, for the rows of the formats.
#define _POSIX_C_SOURCE 200809L
#include "caches/recorder.h"

#include <stdlib.h>
#include <string.h>

char *pli_recorder_object_path(const pli_recorder *r, int32_t object, const char *extension)
{
    const char *name = r->objects[object].name;
    size_t length = strlen(r->directory) + strlen(r->name) + strlen(name) + strlen(extension) + 4;
    char *path = malloc(length);
    if (path && r->object_count > 1)
        snprintf(path, length, "%s/%s_%s.%s", r->directory, r->name, name, extension);
    else if (path)
        snprintf(path, length, "%s/%s.%s", r->directory, r->name, extension);
    return path;
}

void pli_recorder_note_path(pli_recorder *r, const char *path)
{
    if (!r->path)
        r->path = strdup(path);
}

int32_t pli_recorder_vertex_count(const pli_recorder *r, int32_t object)
{
    return pli_mesh_topology(r->objects[object].mesh)->vertex_count;
}
