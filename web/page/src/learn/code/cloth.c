// A cloth of opposite distances: the same as cloth.js, to the bit.
#include <pliant/pliant.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    pli_error error;
    pli_world_def settings = pli_world_def_default();
    settings.settings.substeps = 20;
    settings.settings.air_density = 1.2f;
    pli_world *world;
    if (pli_world_create(&settings, &world, &error) != PLI_STATUS_OK)
        return 1;
    pli_mesh *mesh;
    if (pli_mesh_create_grid(11, 31, 0.1f, 0.3f, PLI_GRID_ALTERNATING, &mesh, &error) != PLI_STATUS_OK)
        return 1;
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.density = 0.2f;
    pli_deformable cloth;
    if (pli_deformable_create(world, &def, &cloth, &error) != PLI_STATUS_OK)
        return 1;
    pli_constraints_def set = pli_constraints_def_default();
    pli_constraints edges, tips;
    set.deformable = cloth;
    set.type = "distance";
    if (pli_constraints_create(world, &set, &edges, &error) != PLI_STATUS_OK)
        return 1;
    set.type = "opposite_distance";
    if (pli_constraints_create(world, &set, &tips, &error) != PLI_STATUS_OK)
        return 1;
    if (pli_constraints_set_parameter(world, tips, "compliance", 0.002, &error) != PLI_STATUS_OK)
        return 1;
    int32_t held[22];
    for (int32_t i = 0; i < 22; i++)
        held[i] = i;
    pli_attachment_def grip = pli_attachment_def_default();
    grip.deformable = cloth;
    grip.particles = held;
    grip.particle_count = 22;
    pli_attachment attachment;
    if (pli_attachment_create(world, &grip, &attachment, &error) != PLI_STATUS_OK)
        return 1;
    for (int frame = 0; frame < 120; frame++)
        if (pli_world_step(world, 1.0f / 60.0f, &error) != PLI_STATUS_OK)
            return 1;
    printf("hash %016" PRIx64 "\n", pli_world_hash(world));
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return 0;
}
