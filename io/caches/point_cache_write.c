// Writes point caches of two formats, which Blender, Maya, Houdini and others play.
//
//   PC2  little-endian: "POINTCACHE2\0", version 1, points, start frame, sample rate, frames; frames
//   MDD  big-endian: frames, points, a time for each frame; frames
//
// PC2's count is raised after each frame, so that a killed run leaves a complete file. MDD's times
// precede its frames: its count is the number expected, corrected when the file is closed, and our reader counts
// the complete frames instead.
#define _POSIX_C_SOURCE 200809L
#include "caches/point_cache.h"

#include "caches/point_cache_read.h"
#include "files/bytes.h"
#include "support/publish.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PC2_HEADER = 32, FRAMES_MAX = 10000000 };

static void put_words(FILE *stream, const uint32_t *words, int count, bool big_endian)
{
    unsigned char bytes[4];
    for (int i = 0; i < count; i++) {
        if (big_endian)
            pli_pack_big(bytes, words[i]);
        else
            pli_pack_little(bytes, words[i]);
        fwrite(bytes, 1, sizeof bytes, stream);
    }
}

static bool get_words(FILE *stream, uint32_t *words, int count, bool big_endian)
{
    unsigned char bytes[4];
    for (int i = 0; i < count; i++) {
        if (fread(bytes, 1, sizeof bytes, stream) != sizeof bytes)
            return false;
        words[i] = big_endian ? pli_unpack_big(bytes) : pli_unpack_little(bytes);
    }
    return true;
}

static int64_t pc2_header_size(int32_t frames)
{
    (void)frames;
    return PC2_HEADER;
}

static void pc2_put_header(FILE *stream, int32_t points, int32_t frames, double frames_per_second)
{
    (void)frames_per_second; // The sample rate is given in frames, and is 1.
    const uint32_t words[5] = {1, (uint32_t)points, pli_float_bits(0.0f), pli_float_bits(1.0f), (uint32_t)frames};
    fwrite("POINTCACHE2", 1, 12, stream);
    put_words(stream, words, 5, false);
}

static bool pc2_get_header(FILE *stream, int32_t *points, int32_t *frames, double *frames_per_second)
{
    char magic[12];
    uint32_t words[5];
    if (fread(magic, 1, sizeof magic, stream) != sizeof magic || memcmp(magic, "POINTCACHE2", 12) != 0 ||
        !get_words(stream, words, 5, false))
        return false;
    *points = (int32_t)words[1];
    *frames = (int32_t)words[4];
    *frames_per_second = 60.0;
    return words[0] == 1;
}

static int64_t mdd_header_size(int32_t frames) { return 8 + 4 * (int64_t)frames; }

static void mdd_put_header(FILE *stream, int32_t points, int32_t frames, double frames_per_second)
{
    const uint32_t words[2] = {(uint32_t)frames, (uint32_t)points};
    put_words(stream, words, 2, true);
    for (int32_t i = 0; i < frames; i++) {
        uint32_t time = pli_float_bits((float)(i / frames_per_second));
        put_words(stream, &time, 1, true);
    }
}

static bool mdd_get_header(FILE *stream, int32_t *points, int32_t *frames, double *frames_per_second)
{
    uint32_t words[2], times[2] = {0, 0};
    if (!get_words(stream, words, 2, true) || words[0] > FRAMES_MAX)
        return false;
    *frames = (int32_t)words[0];
    *points = (int32_t)words[1];
    *frames_per_second = 60.0;
    if (*frames >= 2 && get_words(stream, times, 2, true)) {
        double step = (double)pli_bits_float(times[1]) - (double)pli_bits_float(times[0]);
        if (step > 1e-6 && step < 1e6)
            *frames_per_second = 1.0 / step;
    }
    return fseeko(stream, (off_t)mdd_header_size(*frames), SEEK_SET) == 0;
}

const pli_point_format pli_point_pc2 = {false, pc2_header_size, pc2_put_header, pc2_get_header, true};
const pli_point_format pli_point_mdd = {true, mdd_header_size, mdd_put_header, mdd_get_header, false};

typedef struct point_state {
    pli_new_file *files; // One per object.
    // [objects] frame count in the header of each file, which determines the offset of its first frame. The counts of one recording
    // differ if a run ended between rewriting two headers.
    int32_t *declared;
} point_state;

static const pli_point_format *format_of(const pli_recorder *r)
{
    return r->row == &pli_cache_row_mdd ? &pli_point_mdd : &pli_point_pc2;
}

static int64_t frame_size(const pli_recorder *r, int32_t object)
{
    return 12 * (int64_t)pli_recorder_vertex_count(r, object);
}

// Writes the faces next to the cache, for other programs and for our own reader.
static pli_status write_rest(const pli_recorder *r, int32_t object, pli_error *error)
{
    char *path = pli_recorder_object_path(r, object, "obj");
    if (!path)
        return pli_io_fail_memory(error);
    pli_view none = {0};
    pli_status status = pli_mesh_write(path, r->objects[object].mesh, none, none, error);
    free(path);
    return status;
}

static pli_status open_new(pli_recorder *r, point_state *s, int32_t object, const char *path, pli_error *error)
{
    pli_status status = write_rest(r, object, error);
    if (status == PLI_STATUS_OK)
        status = pli_new_file_open(&s->files[object], path, error);
    if (status == PLI_STATUS_OK)
        format_of(r)->put_header(s->files[object].stream, pli_recorder_vertex_count(r, object), s->declared[object],
                                 r->frames_per_second);
    return status;
}

// Resumes a file: keeps resume_frame frames and truncates the rest.
static pli_status open_old(pli_recorder *r, point_state *s, int32_t object, const char *path, pli_error *error)
{
    const pli_point_format *format = format_of(r);
    pli_new_file *file = &s->files[object];
    int32_t points = 0, frames = 0;
    double rate;
    file->path = strdup(path);
    file->stream = pli_open_to_change(path);
    if (!file->stream)
        return pli_io_fail_errno(error, "resume", path);
    if (!file->path)
        return pli_io_fail_memory(error);
    struct stat info;
    if (!format->get_header(file->stream, &points, &frames, &rate) || points != pli_recorder_vertex_count(r, object) ||
        fstat(fileno(file->stream), &info) != 0)
        return pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is not the cache that is to be resumed", path);
    if (!format->counts_grow)
        s->declared[object] = frames;
    int64_t end = format->header_size(s->declared[object]) + r->resume_frame * frame_size(r, object);
    if ((int64_t)info.st_size < end)
        return pli_fail(error, PLI_STATUS_CORRUPT, "'%s' has fewer than the %d frames to resume from", path,
                        (int)r->resume_frame);
    if (ftruncate(fileno(file->stream), (off_t)end) != 0 || fseeko(file->stream, (off_t)end, SEEK_SET) != 0)
        return pli_io_fail_errno(error, "resume", path);
    return pli_succeed(error);
}

static pli_status open_points(pli_recorder *r, pli_error *error)
{
    point_state *s = r->state;
    s->files = calloc((size_t)r->object_count, sizeof *s->files);
    s->declared = calloc((size_t)r->object_count, sizeof *s->declared);
    if (!s->files || !s->declared)
        return pli_io_fail_memory(error);
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->object_count && status == PLI_STATUS_OK; i++) {
        s->declared[i] = format_of(r)->counts_grow ? 0 : r->frame_count;
        char *path = pli_recorder_object_path(r, i, r->row->face.extension);
        status = !path || !pli_recorder_note_path(r, path) ? pli_io_fail_memory(error)
                 : r->resume_frame > 0                     ? open_old(r, s, i, path, error)
                                                           : open_new(r, s, i, path, error);
        free(path);
    }
    return status;
}

static void put_frame(FILE *stream, pli_view positions, bool big_endian)
{
    for (int32_t v = 0; v < positions.count; v++) {
        const float *p = pli_view_at(positions, v);
        const uint32_t words[3] = {pli_float_bits(p[0]), pli_float_bits(p[1]), pli_float_bits(p[2])};
        put_words(stream, words, 3, big_endian);
    }
}

// Writes the frame before the count that makes it part of the file.
static pli_status put_and_count(pli_recorder *r, pli_new_file *file, int32_t object, pli_view positions,
                                pli_error *error)
{
    const pli_point_format *format = format_of(r);
    put_frame(file->stream, positions, format->big_endian);
    bool written = fflush(file->stream) == 0;
    if (written && format->counts_grow) {
        off_t end = ftello(file->stream);
        rewind(file->stream);
        format->put_header(file->stream, pli_recorder_vertex_count(r, object), r->frame + 1, r->frames_per_second);
        written = fflush(file->stream) == 0 && fseeko(file->stream, end, SEEK_SET) == 0;
    }
    if (!written)
        return pli_io_fail_errno(error, "write", file->path);
    return file->temporary ? pli_new_file_publish(file, error) : pli_succeed(error);
}

static pli_status add_points(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    (void)normals;
    point_state *s = r->state;
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->object_count && status == PLI_STATUS_OK; i++)
        status = put_and_count(r, &s->files[i], i, positions[i], error);
    return status;
}

// Rewrites an MDD file with the number of frames written.
static pli_status mend_count(const pli_recorder *r, const point_state *s, int32_t object, pli_error *error)
{
    const pli_point_format *format = format_of(r);
    const pli_new_file *old = &s->files[object];
    pli_new_file fresh;
    pli_status status = pli_new_file_open(&fresh, old->path, error);
    if (status != PLI_STATUS_OK)
        return status;
    format->put_header(fresh.stream, pli_recorder_vertex_count(r, object), r->frame, r->frames_per_second);
    fseeko(old->stream, (off_t)format->header_size(s->declared[object]), SEEK_SET);
    char block[65536];
    int64_t left = r->frame * frame_size(r, object);
    while (left > 0) {
        size_t count = fread(block, 1, left < (int64_t)sizeof block ? (size_t)left : sizeof block, old->stream);
        if (count == 0)
            break;
        fwrite(block, 1, count, fresh.stream);
        left -= (int64_t)count;
    }
    if (left == 0)
        return pli_new_file_commit(&fresh, error);
    pli_new_file_abandon(&fresh);
    return pli_io_fail_errno(error, "read", old->path);
}

static pli_status close_points(pli_recorder *r, pli_error *error)
{
    point_state *s = r->state;
    pli_status status = pli_succeed(error);
    for (int32_t i = 0; s->files && i < r->object_count; i++) {
        pli_new_file *file = &s->files[i];
        bool whole = file->stream && !file->temporary;
        if (whole && !format_of(r)->counts_grow && r->frame != s->declared[i] && status == PLI_STATUS_OK)
            status = mend_count(r, s, i, error);
        if (whole && (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0) && status == PLI_STATUS_OK)
            status = pli_io_fail_errno(error, "write", file->path);
        pli_new_file_abandon(file);
    }
    free(s->files);
    free(s->declared);
    s->files = NULL, s->declared = NULL;
    return status;
}

const pli_cache_row pli_cache_row_pc2 = {
    .face = {"pc2", "pc2", "point cache: Blender's Mesh Cache modifier, 3ds Max", .can_read = true,
             .variable_topology = false},
    .state_size = sizeof(point_state),
    .open = open_points,
    .add = add_points,
    .close = close_points,
    .read = pli_open_points,
};

const pli_cache_row pli_cache_row_mdd = {
    .face = {"mdd", "mdd", "point cache: Blender's Mesh Cache modifier and shape keys, Houdini, LightWave",
             .can_read = true, .variable_topology = false},
    .state_size = sizeof(point_state),
    .open = open_points,
    .add = add_points,
    .close = close_points,
    .read = pli_open_points,
};
