// Animated glTF in one file: the document of .gltf, then one buffer with the frames and the weights.
//
//   name.glb          written after 50, 100, 200, 400, ... frames and at the end, since a document that has grown moves all that follows it
//   name.glb.bin      the frames, until all of them are recorded; an incomplete recording is resumed from it
//
// GLB: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html#glb-file-format-specification
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_read.h"
#include "caches/gltf_write.h"

#include "files/bytes.h"
#include "support/publish.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 12, CHUNK_HEADER = 8, JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942, BLOCK = 65536 };
#define MAGIC 0x46546c67

/* ---- writing -------------------------------------------------------------------------------- */

static void put_word(FILE *stream, int64_t word) { pli_put_int_little(stream, (int32_t)(uint32_t)word); }

// Copies bytes from one stream to another. False if there are fewer.
static bool copy(FILE *from, FILE *to, int64_t bytes)
{
    char block[BLOCK];
    while (bytes > 0) {
        const size_t count = fread(block, 1, bytes < BLOCK ? (size_t)bytes : BLOCK, from);
        if (count == 0)
            return false;
        fwrite(block, 1, count, to);
        bytes -= (int64_t)count;
    }
    return true;
}

static bool put_file(const pli_recorder *r, const pli_gltf_frames *s, const char *text, FILE *from, FILE *to)
{
    const int64_t length = (int64_t)strlen(text), json = (length + 3) / 4 * 4;
    const int64_t binary = s->size + pli_gltf_weight_bytes(r, s);
    put_word(to, MAGIC);
    put_word(to, 2);
    put_word(to, HEADER + CHUNK_HEADER + json + CHUNK_HEADER + binary);
    put_word(to, json);
    put_word(to, JSON_CHUNK);
    fwrite(text, 1, (size_t)length, to);
    for (int64_t i = length; i < json; i++)
        fputc(' ', to);
    put_word(to, binary);
    put_word(to, BIN_CHUNK);
    const bool copied = copy(from, to, s->size);
    if (pli_gltf_weight_bytes(r, s) > 0)
        pli_gltf_put_weights(r, to);
    return copied;
}

static pli_status write_text(const pli_recorder *r, const pli_gltf_frames *s, const char *text, pli_error *error)
{
    if ((double)strlen(text) + (double)s->size + (double)pli_gltf_weight_bytes(r, s) > 4294967000.0)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "'%s': a .glb has at most 4 GiB; record fewer frames, or use the format gltf", r->path);
    pli_new_file file = {0};
    FILE *from = pli_open_to_read(s->bin.temporary ? s->bin.temporary : s->bin.path);
    pli_status status = from ? pli_new_file_open(&file, r->path, error) : pli_io_fail_errno(error, "read", s->bin.path);
    if (status == PLI_STATUS_OK) {
        status = put_file(r, s, text, from, file.stream) ? pli_new_file_commit(&file, error)
                                                         : pli_io_fail_errno(error, "read", s->bin.path);
        pli_new_file_abandon(&file);
    }
    if (from)
        fclose(from);
    return status;
}

static pli_status write_glb(const pli_recorder *r, const pli_gltf_frames *s, pli_error *error)
{
    bool whole = true;
    json_t *root = pli_gltf_document(r, s, PLI_GLTF_WITHIN, &whole);
    // Accessor bounds must be the floats themselves: nine digits bring them back.
    char *text = root && whole ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    if (!text)
        return pli_io_fail_memory(error);
    pli_status status = pli_gltf_flush(s, error);
    if (status == PLI_STATUS_OK)
        status = write_text(r, s, text, error);
    free(text);
    return status;
}

/* ---- resuming ------------------------------------------------------------------------------- */

static bool get_words(FILE *stream, uint32_t *words, int count)
{
    unsigned char bytes[4];
    for (int i = 0; i < count; i++) {
        if (fread(bytes, 1, sizeof bytes, stream) != sizeof bytes)
            return false;
        words[i] = pli_unpack_little(bytes);
    }
    return true;
}

// Moves a stream to the buffer of a .glb; returns its bytes, -1 if there is none.
static int64_t find_buffer(FILE *stream)
{
    uint32_t head[5], chunk[2];
    const bool found = get_words(stream, head, 5) && head[0] == MAGIC && head[4] == JSON_CHUNK &&
                       fseeko(stream, (off_t)head[3], SEEK_CUR) == 0 && get_words(stream, chunk, 2) &&
                       chunk[1] == BIN_CHUNK;
    return found ? (int64_t)chunk[0] : -1;
}

// Takes the frames of a finished recording out of its file.
static pli_status extract(const pli_recorder *r, const char *bin, pli_error *error)
{
    FILE *from = pli_open_to_read(r->path);
    if (!from)
        return pli_io_fail_errno(error, "resume", r->path);
    pli_new_file file = {0};
    const int64_t bytes = find_buffer(from);
    pli_status status = bytes < 0 ? pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is not the cache that is to be resumed",
                                             r->path)
                                  : pli_new_file_open(&file, bin, error);
    if (status == PLI_STATUS_OK)
        status = copy(from, file.stream, bytes)
                     ? pli_new_file_commit(&file, error)
                     : pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is cut off; simulate from the start", r->path);
    pli_new_file_abandon(&file);
    fclose(from);
    return status;
}

/* ---- the recorder --------------------------------------------------------------------------- */

static pli_status open_frames(pli_recorder *r, const char *bin, pli_error *error)
{
    const bool extracts = r->resume_frame > 0 && access(bin, F_OK) != 0;
    pli_status status = extracts ? extract(r, bin, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK)
        status = pli_gltf_frames_open(r, r->state, bin, error);
    if (status != PLI_STATUS_OK && extracts)
        remove(bin);
    return status;
}

static pli_status open_glb(pli_recorder *r, pli_error *error)
{
    char *bin = pli_gltf_path(r, ".glb.bin"), *glb = pli_gltf_path(r, ".glb");
    const bool named = bin && glb && pli_recorder_note_path(r, glb);
    pli_status status = named ? open_frames(r, bin, error) : pli_io_fail_memory(error);
    free(bin);
    free(glb);
    // Recordings that could not be resumed remain unchanged.
    if (status != PLI_STATUS_OK)
        pli_gltf_frames_close(r, r->state);
    return status;
}

static bool is_power_of_two(int32_t n) { return (n & (n - 1)) == 0; }

static pli_status publish_frames(pli_gltf_frames *s, pli_error *error)
{
    pli_status status = pli_gltf_flush(s, error);
    return status == PLI_STATUS_OK && s->bin.temporary ? pli_new_file_publish(&s->bin, error) : status;
}

static pli_status keep(const pli_recorder *r, pli_gltf_frames *s, pli_error *error)
{
    pli_status status = publish_frames(s, error);
    return status == PLI_STATUS_OK && is_power_of_two(r->frame / PLI_GLTF_CHECKPOINT) ? write_glb(r, s, error) : status;
}

static pli_status add_glb(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    pli_status status = pli_gltf_frames_add(r, r->state, positions, normals, error);
    if (status != PLI_STATUS_OK || (r->frame + 1) % PLI_GLTF_CHECKPOINT != 0)
        return status;
    r->frame++;
    status = keep(r, r->state, error);
    r->frame--;
    return status;
}

static pli_status close_glb(pli_recorder *r, pli_error *error)
{
    pli_gltf_frames *s = r->state;
    const bool recorded = s->bin.stream && r->frame > 0, complete = r->frame >= r->frame_count;
    pli_status status = recorded && !complete ? publish_frames(s, error) : pli_succeed(error);
    if (recorded && status == PLI_STATUS_OK)
        status = write_glb(r, s, error);
    char *bin = recorded && complete && status == PLI_STATUS_OK ? pli_gltf_path(r, ".glb.bin") : NULL;
    pli_gltf_frames_close(r, s);
    if (bin)
        remove(bin);
    free(bin);
    return status;
}

const pli_cache_row pli_cache_row_glb = {
    .face = {"glb", "glb", "gltf in one file", .can_read = true, .variable_topology = false},
    .state_size = sizeof(pli_gltf_frames),
    .open = open_glb,
    .add = add_glb,
    .close = close_glb,
    .read = pli_open_gltf,
};
