// Any bytes as one file of a run's folder, which its first byte chooses: the summary, a frame of a sequence, the faces beside a point
// cache, or the cache; the others are sound.
#define _POSIX_C_SOURCE 200809L
#include <pliant/cache.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char faces[] = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
static const char points[] = "POINTCACHE2\0\1\0\0\0\3\0\0\0\0\0\0\0\0\0\x80\x3f\1\0\0\0"
                             "000000000000000000000000000000000000";

static const struct {
    const char *name, *content;
    size_t size;
} files[] = {
    {"summary.json",
     "{\"frames_per_second\": 24, \"caches\": [{\"format\": \"obj\", \"files\": [\"a_0000.obj\", \"b.pc2\"]}]}", 84},
    {"a_0000.obj", faces, sizeof faces - 1},
    {"a_0001.obj", faces, sizeof faces - 1},
    {"b.obj", faces, sizeof faces - 1},
    {"b.pc2", points, 68},
};
enum { FILE_COUNT = sizeof files / sizeof *files };

static void read_all(const char *path)
{
    pli_cache *cache = NULL;
    float *positions = NULL;
    if (pli_cache_open(path, NULL, &cache, NULL) != PLI_STATUS_OK)
        return;
    for (int32_t i = 0; i < pli_cache_object_count(cache); i++) {
        const int32_t count = pli_mesh_topology(pli_cache_object_at(cache, i).mesh)->vertex_count;
        positions = calloc(3 * (size_t)count + 1, sizeof *positions);
        for (int32_t frame = 0; positions && frame < pli_cache_frame_count(cache) && frame < 4; frame++)
            pli_cache_read(cache, i, frame, positions, NULL);
        free(positions);
    }
    pli_cache_close(cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/pliant-fuzz-XXXXXX", path[80];
    if (size == 0 || !mkdtemp(folder))
        return 0;
    const int chosen = data[0] % FILE_COUNT;
    for (int i = 0; i < FILE_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "wb");
        if (file) {
            fwrite(i == chosen ? (const char *)data + 1 : files[i].content, 1, i == chosen ? size - 1 : files[i].size,
                   file);
            fclose(file);
        }
    }
    read_all(folder);
    for (int i = 0; i < FILE_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        unlink(path);
    }
    rmdir(folder);
    return 0;
}
