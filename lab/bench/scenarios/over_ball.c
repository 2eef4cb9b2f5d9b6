// Cloth and closed surfaces that fall onto a ball that lies on the ground.
#include "bench/scenarios/over_ball.h"

#include "bench/scenarios/furnish.h"
#include "bench/scenarios/irregular_mesh.h"

static const float width = 2.0f, ball_radius = 0.5f; // [m]
static const float above = 0.02f;                    // [m] between the ball and what falls.

static pli_status add_ball(pli_world *world, pli_error *error)
{
    pli_status status = bench_add_shape(world, PLI_SHAPE_SPHERE, ball_radius, (pli_vec3){0.0f, ball_radius, 0.0f},
                                        error);
    return status == PLI_STATUS_OK ? bench_add_ground(world, error) : status;
}

static pli_status drop_sheet(bench_live *live, pli_mesh *mesh, bool self_collision, pli_error *error)
{
    pli_deformable cloth;
    pli_transform pose = pli_transform_identity();
    pose.position.y = 2.0f * ball_radius + above;
    pli_status status = bench_add_cloth(live, mesh, pose, self_collision, &cloth, error);
    return status == PLI_STATUS_OK ? add_ball(live->world, error) : status;
}

pli_status bench_build_ball(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_status status = pli_mesh_create_grid(side, side, width, width, PLI_GRID_DIAGONAL, &mesh, error);
    return status == PLI_STATUS_OK ? drop_sheet(live, mesh, false, error) : status;
}

pli_status bench_build_remeshed(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_status status = bench_create_irregular_sheet(side, width, 0.3, &mesh, error);
    return status == PLI_STATUS_OK ? drop_sheet(live, mesh, false, error) : status;
}

pli_status bench_build_delaunay(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_status status = bench_create_irregular_sheet(side, width, 0.45, &mesh, error);
    return status == PLI_STATUS_OK ? drop_sheet(live, mesh, true, error) : status;
}

pli_status bench_build_closed(bench_live *live, int32_t count, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_deformable balloon;
    pli_deformable_def def = pli_deformable_def_default();
    pli_status status = bench_create_irregular_sphere(count, ball_radius, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    def.mesh = mesh;
    def.pose.position = (pli_vec3){0.2f, 3.0f * ball_radius + above, 0.0f};
    status = pli_deformable_create(live->world, &def, &balloon, error);
    pli_mesh_destroy(mesh);
    if (status == PLI_STATUS_OK)
        status = bench_add_balloon_sets(live->world, balloon, 0.0, 1.0, error);
    return status == PLI_STATUS_OK ? add_ball(live->world, error) : status;
}
