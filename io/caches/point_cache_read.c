// Reads PC2 and MDD. The frame count is the number of complete frames in the file, regardless of the header.
#define _POSIX_C_SOURCE 200809L
#include "caches/point_cache_read.h"

#include "caches/cache_objects.h"
#include "caches/point_cache.h"
#include "files/bytes.h"
#include "meshes/mesh_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct point_reader {
    FILE *stream;
    pli_bytes bytes; // A file source's bytes, which the stream reads.
    const pli_point_format *format;
    int64_t start; // Offset of the first frame.
    unsigned char *buffer;
} point_reader;

static pli_status read_points(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    point_reader *s = reader->state;
    int32_t numbers = 3 * pli_mesh_topology(reader->mesh)->vertex_count;
    size_t size = 4 * (size_t)numbers;
    if (fseeko(s->stream, (off_t)(s->start + frame * (int64_t)size), SEEK_SET) != 0 ||
        fread(s->buffer, 1, size, s->stream) != size)
        return pli_fail(error, PLI_STATUS_FILE, "frame %d of '%s' cannot be read", (int)frame, reader->path);
    for (int32_t i = 0; i < numbers; i++) {
        const unsigned char *at = s->buffer + 4 * (size_t)i;
        positions[i] = pli_bits_float(s->format->big_endian ? pli_unpack_big(at) : pli_unpack_little(at));
    }
    return pli_succeed(error);
}

static void close_points(pli_cache_reader *reader)
{
    point_reader *s = reader->state;
    if (s && s->stream)
        fclose(s->stream);
    if (s) {
        pli_bytes_release(&s->bytes);
        free(s->buffer);
    }
    free(s);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

// Reads the faces from the given mesh, or from "stem.obj" next to the cache.
static pli_status read_faces(pli_cache_reader *reader, const pli_place *place, const char *path, const char *mesh_path,
                             pli_error *error)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_error inner;
    bool outside = false;
    char *stem = pli_path_stem(path), *name = stem ? malloc(strlen(stem) + 5) : NULL;
    if (name)
        sprintf(name, "%s.obj", stem);
    char *beside = !mesh_path && name ? pli_place_beside(place, path, name, &outside) : NULL;
    pli_status status = !name                   ? pli_io_fail_memory(&inner)
                        : !mesh_path && !beside ? pli_place_fail(name, outside, &inner)
                                                : pli_mesh_read_at(place, mesh_path ? mesh_path : beside, &import,
                                                                   &reader->mesh, NULL, &inner);
    free(stem);
    free(name);
    free(beside);
    return status == PLI_STATUS_OK ? status
                                   : pli_fail(error, status,
                                              "point caches have no faces, and their mesh cannot be "
                                              "read (give it with --mesh): %.300s",
                                              inner.message);
}

// Opens the file and finds its size; a file source's bytes are read as a stream too.
static pli_status open_stream(point_reader *s, const pli_place *place, const char *path, int64_t *size,
                              pli_error *error)
{
    if (place->source) {
        pli_status status = pli_place_read(place, path, &s->bytes, error);
        if (status != PLI_STATUS_OK)
            return status;
        s->stream = s->bytes.size > 0 ? fmemopen((char *)s->bytes.data, s->bytes.size, "rb") : NULL;
        *size = (int64_t)s->bytes.size;
        return s->stream ? status : pli_fail(error, PLI_STATUS_PARSE, "'%s' is empty", path);
    }
    struct stat info;
    s->stream = fopen(path, "rb");
    if (!s->stream || fstat(fileno(s->stream), &info) != 0)
        return pli_io_fail_errno(error, "open", path);
    *size = (int64_t)info.st_size;
    return PLI_STATUS_OK;
}

static pli_status fill_reader(pli_cache_reader *reader, const pli_place *place, const char *path, const char *mesh_path,
                              pli_error *error)
{
    point_reader *s = reader->state;
    char extension[16];
    int32_t points = 0, declared = 0;
    int64_t size = 0;
    pli_file_extension(path, extension);
    s->format = strcmp(extension, "mdd") == 0 ? &pli_point_mdd : &pli_point_pc2;
    pli_status status = open_stream(s, place, path, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!s->format->get_header(s->stream, &points, &declared, &reader->frames_per_second) || points <= 0 ||
        declared < 0)
        return pli_fail(error, PLI_STATUS_PARSE, "'%s' is not a %s file, or its header is cut off", path, extension);
    status = read_faces(reader, place, path, mesh_path, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (pli_mesh_topology(reader->mesh)->vertex_count != points)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' has %d points, its mesh has %d vertices", path,
                        (int)points, (int)pli_mesh_topology(reader->mesh)->vertex_count);
    s->start = s->format->header_size(declared);
    int64_t whole = (size - s->start) / (12 * (int64_t)points);
    reader->frame_count = whole < 0 ? 0 : whole < declared || !s->format->counts_grow ? (int32_t)whole : declared;
    if (reader->frame_count > declared)
        reader->frame_count = declared;
    s->buffer = malloc(12 * (size_t)points);
    return s->buffer ? pli_succeed(error) : pli_io_fail_memory(error);
}

pli_status pli_open_points(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                           pli_error *error)
{
    pli_cache_reader reader = {.path = strdup(path),
                               .name = pli_path_stem(path),
                               .read = read_points,
                               .close = close_points,
                               .state = calloc(1, sizeof(point_reader))};
    pli_status status = reader.path && reader.name && reader.state ? fill_reader(&reader, place, path, mesh_path, error)
                                                                   : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK)
        return pli_cache_add(cache, &reader, error);
    reader.close(&reader);
    return status;
}
