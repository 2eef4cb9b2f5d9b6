// Any bytes as the JSON of an animated glTF beside a buffer of its own.
#define _POSIX_C_SOURCE 200809L
#include <pliant/cache.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/pliant-fuzz-XXXXXX", json[64], bin[64];
    unsigned char buffer[2000];
    if (!mkdtemp(folder))
        return 0;
    snprintf(json, sizeof json, "%s/a.gltf", folder);
    snprintf(bin, sizeof bin, "%s/a.bin", folder);
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (unsigned char)(i % 4 ? 0 : i / 4 % 4);
    FILE *file = fopen(bin, "wb");
    fwrite(buffer, 1, sizeof buffer, file);
    fclose(file);
    file = fopen(json, "wb");
    fwrite(data, 1, size, file);
    fclose(file);
    pli_cache *cache;
    pli_error error;
    if (pli_cache_open(json, NULL, &cache, &error) == PLI_STATUS_OK) {
        for (int32_t object = 0; object < pli_cache_object_count(cache); object++) {
            int32_t vertices = pli_mesh_topology(pli_cache_object_at(cache, object).mesh)->vertex_count;
            float *positions = malloc(12 * (size_t)vertices + 12);
            for (int32_t i = 0; i < pli_cache_frame_count(cache) && i < 4; i++)
                pli_cache_read(cache, object, i, positions, &error);
            free(positions);
        }
        pli_cache_close(cache);
    }
    unlink(json);
    unlink(bin);
    rmdir(folder);
    return 0;
}
