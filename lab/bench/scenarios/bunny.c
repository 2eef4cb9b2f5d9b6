// The bunny of scenes/meshes, which the build puts into the program: draped with a cloth, and blown up.
#include "bench/scenarios/bunny.h"

#include "bench/scenarios/furnish.h"
#include "bench/scenarios/irregular_mesh.h"

#include <pliant/mesh_file.h>

extern const unsigned char bench_bunny[];
extern const size_t bench_bunny_size;

static const float scale = 0.1f; // To a height of one metre.

static pli_status read_bunny(pli_mesh **mesh, pli_error *error)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.scale = scale;
    return pli_mesh_read_memory(bench_bunny, bench_bunny_size, "obj", &import, mesh, NULL, error);
}

pli_status bench_build_bunny_draped(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *bunny = NULL, *sheet = NULL;
    pli_deformable cloth;
    pli_collider made;
    pli_transform pose = pli_transform_identity();
    pose.position.y = 1.0f;
    pli_status status = bench_create_irregular_sheet(side, 1.8f, 0.3, &sheet, error);
    if (status == PLI_STATUS_OK)
        status = bench_add_cloth(live, sheet, pose, false, &cloth, error);
    if (status == PLI_STATUS_OK)
        status = read_bunny(&bunny, error);
    if (status == PLI_STATUS_OK) {
        pli_collider_def def = pli_collider_def_default();
        def.shape = PLI_SHAPE_MESH;
        def.mesh = bunny;
        status = pli_collider_create(live->world, &def, &made, error);
        pli_mesh_destroy(bunny);
    }
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}

pli_status bench_build_bunny_inflated(bench_live *live, int32_t unused, pli_error *error)
{
    (void)unused;
    pli_mesh *bunny = NULL;
    pli_deformable balloon;
    pli_deformable_def def = pli_deformable_def_default();
    pli_status status = read_bunny(&bunny, error);
    if (status != PLI_STATUS_OK)
        return status;
    def.mesh = bunny;
    def.pose.position.y = 0.05f;
    def.self_collision = true;
    status = pli_deformable_create(live->world, &def, &balloon, error);
    pli_mesh_destroy(bunny);
    if (status == PLI_STATUS_OK)
        status = bench_add_balloon_sets(live->world, balloon, 1e-4, 1.6, error);
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}
