// Any bytes as a PLY file, refused or repaired.
#include "fuzz_mesh.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(data, size, "ply");
    return 0;
}
