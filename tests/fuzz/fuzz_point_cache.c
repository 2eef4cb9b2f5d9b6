// Any bytes as a PC2 or MDD file beside a mesh of four vertices.
#define _POSIX_C_SOURCE 200809L
#include <pliant/cache.h>
#include <pliant/mesh_file.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void try_file(const char *folder, const char *name, const uint8_t *data, size_t size, const char *mesh)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    fwrite(data, 1, size, file);
    fclose(file);
    pli_cache *cache;
    pli_error error;
    float positions[12];
    if (pli_cache_open(path, mesh, &cache, &error) == PLI_STATUS_OK) {
        for (int32_t i = 0; i < pli_cache_frame_count(cache) && i < 10; i++)
            pli_cache_read(cache, 0, i, positions, &error);
        pli_cache_close(cache);
    }
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/pliant-fuzz-XXXXXX", mesh[64];
    if (!mkdtemp(folder))
        return 0;
    snprintf(mesh, sizeof mesh, "%s/mesh.obj", folder);
    FILE *file = fopen(mesh, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", file);
    fclose(file);
    try_file(folder, "a.pc2", data, size, mesh);
    try_file(folder, "a.mdd", data, size, mesh);
    unlink(mesh);
    rmdir(folder);
    return 0;
}
