// Any bytes as an OBJ file, refused or repaired.
#include "fuzz_mesh.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(data, size, "obj");
    return 0;
}
