// Any bytes as cooked sets of a small world; the checksum is corrected, so that the fields are reached.
#include <pliant/pliant.h>

#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const types[] = {"distance", "triangle_signed", "ring_laplacian", "isometric"};
enum { TYPES = sizeof types / sizeof *types };

// A grid that runs are made for, or one that is too small. Null when a set was refused.
static pli_world *make_world(bool large, const void *cooked, size_t size)
{
    pli_mesh *mesh;
    pli_world *world;
    pli_error error;
    pli_constraints set;
    pli_world_def def = pli_world_def_default();
    pli_deformable_def cloth = pli_deformable_def_default();
    pli_constraints_def sets = pli_constraints_def_default();
    pli_mesh_create_grid(large ? 24 : 4, large ? 24 : 5, 1.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, NULL);
    pli_world_create(&def, &world, NULL);
    cloth.mesh = mesh;
    pli_deformable_create(world, &cloth, &sets.deformable, NULL);
    pli_mesh_destroy(mesh);
    pli_status status = cooked ? pli_world_set_cooked(world, cooked, size, &error) : PLI_STATUS_OK;
    for (int32_t i = 0; i < TYPES && status == PLI_STATUS_OK; i++) {
        sets.type = types[i];
        status = pli_constraints_create(world, &sets, &set, &error);
    }
    if (status == PLI_STATUS_OK)
        return world;
    pli_world_destroy(world);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    pli_world *world = make_world(data[0] & 1, NULL, 0);
    pli_error error;
    size_t whole = pli_world_cooked_size(world);
    unsigned char *copy = malloc(whole);
    pli_world_cooked_write(world, copy, whole, &error);
    pli_world_destroy(world);
    // The input changes bytes from the place that its first ones say.
    size_t at = (size_t)(data[1] | data[2] << 8) % whole;
    for (size_t i = 4; i < size && at + i - 4 < whole - 8; i++)
        copy[at + i - 4] = data[i];
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, copy, whole - 8);
    for (size_t i = 0; i < 8; i++)
        copy[whole - 8 + i] = (unsigned char)(checksum >> (8 * i));
    world = make_world(data[0] & 1, copy, data[3] % 8 ? whole : size % whole);
    if (world)
        pli_world_step(world, 0.01f, &error);
    free(copy);
    pli_world_destroy(world);
    return 0;
}
