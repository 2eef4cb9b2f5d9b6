// Reads sequences of OBJ or PLY files: the named file and its successors by number. A file without a number is a recording with one
// frame.
#define _POSIX_C_SOURCE 200809L
#include "caches/sequence_read.h"

#include "caches/cache_objects.h"
#include "meshes/mesh_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 1000000, DIGITS_MAX = 9 };

typedef struct sequence {
    pli_place place;
    char *before, *after; // Text around the number in the path.
    int digits;           // Digits of the number; 0 for none.
    long first;
    pli_mesh *mesh; // Mesh of the frame read last.
    int32_t frame;
    bool asked; // Whether the caller requested the faces of that frame.
} sequence;

static char *frame_path(const sequence *s, int32_t frame)
{
    size_t length = strlen(s->before) + strlen(s->after) + 24;
    char *path = malloc(length);
    if (path && s->digits > 0)
        snprintf(path, length, "%s%0*ld%s", s->before, s->digits, s->first + frame, s->after);
    else if (path)
        snprintf(path, length, "%s%s", s->before, s->after);
    return path;
}

static bool split(sequence *s, const char *path)
{
    const char *dot = strrchr(path, '.'), *start = dot;
    while (start > path && isdigit((unsigned char)start[-1]) && dot - start < DIGITS_MAX)
        start--;
    // Only "_0001" is a number; "shape2.obj" is a name.
    bool numbered = start < dot && start > path && start[-1] == '_';
    s->digits = numbered ? (int)(dot - start) : 0;
    s->first = numbered ? strtol(start, NULL, 10) : 0;
    s->before = strndup(path, (size_t)((numbered ? start : dot) - path));
    s->after = strdup(dot);
    return s->before && s->after;
}

static int32_t count_frames(const sequence *s)
{
    int32_t count = 0;
    while (count < FRAMES_MAX) {
        char *path = frame_path(s, count);
        bool there = path && pli_place_has(&s->place, path);
        free(path);
        if (!there)
            break;
        count++;
        if (s->digits == 0)
            break;
    }
    return count;
}

static pli_status load_frame(sequence *s, int32_t frame, pli_error *error)
{
    if (s->mesh && s->frame == frame)
        return pli_succeed(error);
    pli_mesh_destroy(s->mesh);
    s->mesh = NULL;
    s->frame = frame;
    s->asked = false;
    bool outside = false;
    char *path = frame_path(s, frame), *slash = path ? strrchr(path, '/') : NULL;
    char *found = path ? pli_place_beside(&s->place, path, slash ? slash + 1 : path, &outside) : NULL;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_status status = found  ? pli_mesh_read_at(&s->place, found, &import, &s->mesh, NULL, error)
                        : path ? pli_place_fail(path, outside, error)
                               : pli_io_fail_memory(error);
    free(found);
    free(path);
    return status;
}

static pli_status read_faces(pli_cache_reader *reader, int32_t frame, const pli_mesh **mesh, pli_error *error)
{
    sequence *s = reader->state;
    pli_status status = load_frame(s, frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    int32_t count = pli_mesh_topology(s->mesh)->triangle_count, first = pli_mesh_topology(reader->mesh)->triangle_count;
    if (count != first)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "frame %d of '%s' has %d triangles, the first frame has %d",
                        (int)frame, reader->path, (int)count, (int)first);
    s->asked = true;
    *mesh = s->mesh;
    return status;
}

static pli_status read_frame(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    sequence *s = reader->state;
    pli_status status = load_frame(s, frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    int32_t count = pli_mesh_topology(s->mesh)->vertex_count, expected = pli_mesh_topology(reader->mesh)->vertex_count;
    if (count != expected && !s->asked)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "frame %d of '%s' has %d vertices, the first frame has %d: it tore", (int)frame, reader->path,
                        (int)count, (int)expected);
    memcpy(positions, pli_mesh_topology(s->mesh)->positions, 12 * (size_t)count);
    return status;
}

static void close_sequence(pli_cache_reader *reader)
{
    sequence *s = reader->state;
    if (s) {
        free(s->before);
        free(s->after);
        pli_mesh_destroy(s->mesh);
    }
    free(s);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

pli_status pli_open_sequence(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                             pli_error *error)
{
    (void)mesh_path;
    sequence *s = calloc(1, sizeof *s);
    pli_cache_reader reader = {.path = strdup(path),
                               .name = pli_path_stem(path),
                               .frames_per_second = 60.0,
                               .read = read_frame,
                               .faces = read_faces,
                               .close = close_sequence,
                               .state = s};
    if (s)
        s->place = *place;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_status status = reader.path && reader.name && s && split(s, path)
                            ? pli_mesh_read_at(place, path, &import, &reader.mesh, NULL, error)
                            : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK) {
        reader.frame_count = count_frames(s);
        return pli_cache_add(cache, &reader, error);
    }
    reader.close(&reader);
    return status;
}
