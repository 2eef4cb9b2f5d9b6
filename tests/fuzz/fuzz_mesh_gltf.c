// Any bytes as a glTF file, text or binary, in a file source that has a small buffer under every other name.
#include "fuzz_mesh.h"

#include <stdint.h>
#include <string.h>

typedef struct input {
    const uint8_t *data;
    size_t size;
    unsigned char buffer[400];
    int open; // Files read and not released.
} input;

static bool read_file(void *user, const char *name, const void **data, size_t *size)
{
    input *in = user;
    fuzz_must(name[0] != '/' && strncmp(name, "../", 3) != 0 && !strstr(name, "/../"), "names stay in the source");
    bool whole = strcmp(name, "a.gltf") == 0;
    *data = whole ? in->data : in->buffer;
    *size = whole ? in->size : sizeof in->buffer;
    in->open++;
    return true;
}

static void release_file(void *user, const void *data, size_t size)
{
    (void)data, (void)size;
    ((input *)user)->open--;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {.data = data, .size = size};
    for (size_t i = 0; i < sizeof in.buffer; i++)
        in.buffer[i] = (unsigned char)(i % 4 ? (i % 4 == 3 ? 0x3f : 0) : i / 4 % 5);
    const pli_file_source files = {read_file, release_file, &in};
    for (int repair = 0; repair < 2; repair++) {
        pli_mesh *mesh;
        pli_mesh_attributes *attributes;
        pli_error error;
        pli_mesh_import_def import = fuzz_import(repair, &attributes);
        import.files = &files;
        if (pli_mesh_read("a.gltf", &import, &mesh, NULL, &error) == PLI_STATUS_OK) {
            fuzz_check_attributes(mesh, attributes);
            pli_mesh_attributes_destroy(attributes);
            pli_mesh_destroy(mesh);
        }
        fuzz_must(in.open == 0, "files are released");
    }
    return 0;
}
