// checkpoint.pli: a header of 48 bytes, little-endian, the plugins, then the world's snapshot.
//   0 "PLICHK02"   8 scene hash   16 frame   24 size of the snapshot   32 size of the plugins   40 checksum of all but itself
// A plugin has 8 bytes with the hash of its file, then its path as given, terminated by a zero.
#include "run/checkpoint.h"

#include "frame/folders.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 48, CHECKSUM_PLACE = 40, HASH_SIZE = 8 };
static const char magic[8] = {'P', 'L', 'I', 'C', 'H', 'K', '0', '2'};

static void put(unsigned char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

// The checksum covers the header and everything after it, the plugins and the snapshot.
static uint64_t checksum_all(const unsigned char *header, const unsigned char *content, size_t size)
{
    return pli_cli_checksum(pli_cli_checksum(PLI_CLI_CHECKSUM_START, header, CHECKSUM_PLACE), content, size);
}

static size_t plugins_size(const pli_cli_plugins *plugins)
{
    size_t size = 0;
    for (int32_t i = 0; i < plugins->count; i++)
        size += HASH_SIZE + strlen(plugins->paths[i]) + 1;
    return size;
}

static void put_plugins(unsigned char *at, const pli_cli_plugins *plugins)
{
    for (int32_t i = 0; i < plugins->count; i++) {
        size_t length = strlen(plugins->paths[i]) + 1;
        put(at, plugins->contents[i]);
        memcpy(at + HASH_SIZE, plugins->paths[i], length);
        at += HASH_SIZE + length;
    }
}

pli_status pli_cli_checkpoint_write(const char *path, const pli_scene *scene, const pli_cli_plugins *plugins,
                                    const pli_world *world, int32_t frame, pli_error *error)
{
    unsigned char header[HEADER_SIZE];
    size_t before = plugins_size(plugins), size = pli_world_snapshot_size(world);
    unsigned char *content = malloc(before + size ? before + size : 1);
    if (!content)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while writing the checkpoint");
    put_plugins(content, plugins);
    pli_status status = pli_world_snapshot_write(world, content + before, size, error);
    if (status == PLI_STATUS_OK) {
        memcpy(header, magic, sizeof magic);
        put(header + 8, pli_scene_hash(scene));
        put(header + 16, (uint64_t)frame);
        put(header + 24, size);
        put(header + 32, before);
        put(header + CHECKSUM_PLACE, checksum_all(header, content, before + size));
        status = pli_cli_file_write(path, (const void *const[]){header, content},
                                    (const size_t[]){HEADER_SIZE, before + size}, 2, error);
    }
    free(content);
    return status;
}

static bool is_whole(const unsigned char *content, size_t size)
{
    return size >= HEADER_SIZE && memcmp(content, magic, sizeof magic) == 0 && get(content + 24) <= size &&
           get(content + 32) <= size && get(content + 24) + get(content + 32) == size - HEADER_SIZE &&
           get(content + 16) <= INT32_MAX &&
           get(content + CHECKSUM_PLACE) == checksum_all(content, content + HEADER_SIZE, size - HEADER_SIZE);
}

static pli_status check(const char *path, const unsigned char *content, size_t size, uint64_t scene, pli_error *error)
{
    if (!is_whole(content, size))
        return pli_cli_fail(error, PLI_STATUS_CORRUPT,
                            "'%s' is damaged, of another version or no checkpoint; run without --resume to start again",
                            path);
    if (get(content + 8) != scene)
        return pli_cli_fail(error, PLI_STATUS_CORRUPT,
                            "'%s' belongs to another scene, or to this one before it or its --set values changed; run "
                            "without --resume to start again",
                            path);
    return PLI_STATUS_OK;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Finds a plugin of the checkpoint among the given ones by its content, since its file may have been moved.
static pli_status find_plugin(const char *path, uint64_t content, const char *of_run, const pli_cli_plugins *given,
                              pli_error *error)
{
    bool named = false;
    for (int32_t i = 0; i < given->count; i++) {
        if (given->contents[i] == content && (content != 0 || strcmp(given->paths[i], of_run) == 0))
            return PLI_STATUS_OK;
        named |= strcmp(name_of(given->paths[i]), name_of(of_run)) == 0;
    }
    if (named)
        return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "the plugin '%s' is not the file that it was when '%s' was written; resume with that one, "
                            "or run without --resume to start again",
                            name_of(of_run), path);
    return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s' is of a run with --plugin %s; resume with it, or run without --resume to start again",
                        path, of_run);
}

pli_status pli_cli_checkpoint_check_plugins(const char *path, const pli_cli_plugins *plugins, pli_error *error)
{
    void *memory;
    size_t size = 0;
    if (pli_cli_file_read(path, &memory, &size, NULL) != PLI_STATUS_OK)
        return PLI_STATUS_OK;
    const unsigned char *content = memory;
    pli_status status = PLI_STATUS_OK;
    const unsigned char *at = content + HEADER_SIZE, *end = is_whole(content, size) ? at + get(content + 32) : at;
    while (status == PLI_STATUS_OK && end - at > HASH_SIZE) {
        const char *of_run = (const char *)at + HASH_SIZE;
        const unsigned char *zero = memchr(of_run, 0, (size_t)(end - at) - HASH_SIZE);
        if (!zero)
            break;
        status = find_plugin(path, get(at), of_run, plugins, error);
        at = zero + 1;
    }
    free(memory);
    return status;
}

pli_status pli_cli_checkpoint_read(const char *path, const pli_scene *scene, pli_world *world, int32_t *frame,
                                   pli_error *error)
{
    void *memory;
    size_t size = 0;
    pli_status status = pli_cli_file_read(path, &memory, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    const unsigned char *content = memory;
    status = check(path, content, size, pli_scene_hash(scene), error);
    if (status == PLI_STATUS_OK) {
        *frame = (int32_t)get(content + 16);
        status = pli_scene_seek(scene, world, *frame, error);
    }
    if (status == PLI_STATUS_OK)
        status = pli_world_snapshot_read(world, content + size - get(content + 24), get(content + 24), error);
    free(memory);
    return status;
}
