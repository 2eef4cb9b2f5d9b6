// Any bytes as a snapshot of a small world; the checksum is corrected, so that the fields are reached.
#include <pliant/pliant.h>

#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A cloth that keeps clear of itself, cut in two, tied to a body with a box, over a ball and a sheet.
static pli_world *make_world(void)
{
    pli_mesh *mesh;
    pli_world *world;
    pli_constraints set;
    pli_collider collider;
    pli_attachment attachment;
    const int32_t corner = 0, row[3] = {3, 4, 5};
    pli_cut_def cut = pli_cut_def_default();
    pli_world_def def = pli_world_def_default();
    pli_deformable_def cloth = pli_deformable_def_default();
    pli_constraints_def sets = pli_constraints_def_default();
    pli_collider_def ball = pli_collider_def_default(), sheet = ball, box = ball;
    pli_rigid_body_def body = pli_rigid_body_def_default();
    pli_attachment_def tie = pli_attachment_def_default();
    pli_mesh_create_grid(3, 3, 1.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, NULL);
    pli_world_create(&def, &world, NULL);
    cloth.mesh = mesh;
    cloth.self_collision = true;
    cloth.tearing.stretch = 3.0f;
    pli_deformable_create(world, &cloth, &sets.deformable, NULL);
    sets.type = "distance";
    pli_constraints_create(world, &sets, &set, NULL);
    sets.type = "triangle_signed";
    pli_constraints_create(world, &sets, &set, NULL);
    sets.type = "ring_laplacian";
    pli_constraints_create(world, &sets, &set, NULL);
    cut.path = row, cut.path_count = 3;
    pli_collider_create(world, &ball, &collider, NULL);
    sheet.shape = PLI_SHAPE_MESH;
    sheet.mesh = mesh;
    sheet.pose.position.y = -0.1f;
    pli_collider_create(world, &sheet, &collider, NULL);
    body.state.pose.position.y = 1.0f;
    pli_rigid_body_create(world, &body, &tie.body, NULL);
    box.shape = PLI_SHAPE_BOX;
    box.half_extents = (pli_vec3){0.1f, 0.1f, 0.1f};
    box.body = tie.body;
    pli_collider_create(world, &box, &collider, NULL);
    tie.deformable = sets.deformable;
    tie.particles = &corner, tie.particle_count = 1;
    pli_attachment_create(world, &tie, &attachment, NULL);
    pli_deformable_cut(world, sets.deformable, &cut, NULL, NULL);
    pli_mesh_destroy(mesh);
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pli_world *world = make_world();
    pli_error error;
    size_t whole = pli_world_snapshot_size(world);
    unsigned char *copy = malloc(whole);
    pli_world_snapshot_write(world, copy, whole, &error);
    // The input changes bytes from the place that its first two say.
    size_t at = size >= 2 ? (size_t)(data[0] | data[1] << 8) % whole : 0;
    for (size_t i = 2; i < size && at + i - 2 < whole - 8; i++)
        copy[at + i - 2] = data[i];
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, copy, whole - 8);
    for (size_t i = 0; i < 8; i++)
        copy[whole - 8 + i] = (unsigned char)(checksum >> (8 * i));
    pli_world_snapshot_read(world, copy, size % 3 ? whole : size % whole, &error);
    pli_settings settings = pli_world_settings(world);
    if ((int64_t)settings.substeps * settings.iterations < 2000)
        pli_world_step(world, 0.01f, &error);
    free(copy);
    pli_world_destroy(world);
    return 0;
}
