// Any bytes as an STL file, refused or repaired.
#include "fuzz_mesh.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(data, size, "stl");
    return 0;
}
