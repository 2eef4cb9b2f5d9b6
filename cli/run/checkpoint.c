// checkpoint.pli: a header of 40 bytes, little-endian, then the world's snapshot.
//   0 "PLICHK01"   8 scene hash   16 frame   24 size of the snapshot   32 checksum of all but itself
#include "run/checkpoint.h"

#include "frame/folders.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 40, CHECKSUM_PLACE = 32 };
static const char magic[8] = {'P', 'L', 'I', 'C', 'H', 'K', '0', '1'};

// FNV-1a, 64 bits.
static uint64_t checksum(uint64_t seed, const unsigned char *data, size_t size)
{
    uint64_t hash = seed;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t checksum_all(const unsigned char *header, const unsigned char *snapshot, size_t size)
{
    return checksum(checksum(UINT64_C(0xcbf29ce484222325), header, CHECKSUM_PLACE), snapshot, size);
}

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

pli_status pli_cli_checkpoint_write(const char *path, const pli_scene *scene, const pli_world *world, int32_t frame,
                                    pli_error *error)
{
    unsigned char header[HEADER_SIZE];
    size_t size = pli_world_snapshot_size(world);
    unsigned char *snapshot = malloc(size ? size : 1);
    if (!snapshot)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while writing the checkpoint");
    pli_status status = pli_world_snapshot_write(world, snapshot, size, error);
    if (status == PLI_STATUS_OK) {
        memcpy(header, magic, sizeof magic);
        put(header + 8, pli_scene_hash(scene));
        put(header + 16, (uint64_t)frame);
        put(header + 24, size);
        put(header + CHECKSUM_PLACE, checksum_all(header, snapshot, size));
        status = pli_cli_file_write(path, (const void *const[]){header, snapshot}, (const size_t[]){HEADER_SIZE, size},
                                    2, error);
    }
    free(snapshot);
    return status;
}

static pli_status check(const char *path, const unsigned char *content, size_t size, uint64_t scene, pli_error *error)
{
    bool whole = size >= HEADER_SIZE && memcmp(content, magic, sizeof magic) == 0 &&
                 get(content + 24) == size - HEADER_SIZE && get(content + 16) <= INT32_MAX &&
                 get(content + CHECKSUM_PLACE) == checksum_all(content, content + HEADER_SIZE, size - HEADER_SIZE);
    if (!whole)
        return pli_cli_fail(error, PLI_STATUS_CORRUPT,
                            "'%s' is damaged or no checkpoint; run without --resume to "
                            "start anew",
                            path);
    if (get(content + 8) != scene)
        return pli_cli_fail(error, PLI_STATUS_CORRUPT,
                            "'%s' belongs to another scene, or to this one before it or its "
                            "--set values changed; run without --resume to start anew",
                            path);
    return PLI_STATUS_OK;
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
        status = pli_world_snapshot_read(world, content + HEADER_SIZE, size - HEADER_SIZE, error);
    free(memory);
    return status;
}
