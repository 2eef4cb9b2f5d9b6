// A curtain: held by clips at its upper edge, which are drawn together to a quarter of its width and let down, until
// the hem lies on the ground.
#include "bench/scenarios/curtain.h"

#include "bench/scenarios/furnish.h"

enum { CLIPS = 5, CLIP_PARTICLES = 3 };
static const float width = 1.6f, drawn = 0.25f; // [m], and the share of it that is left.
static const float lowered = 0.2f;              // [m]

pli_status bench_build_curtain(bench_live *live, int32_t side, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_deformable cloth;
    const float half = 0.70710678f;
    pli_status status = pli_mesh_create_grid(side, side, width, width, PLI_GRID_DIAGONAL, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    // Upright: the first row, which has the least z, becomes the upper edge.
    pli_transform pose = {{0.0f, 0.5f * width + 0.01f, 0.0f}, {half, 0.0f, 0.0f, half}};
    status = bench_add_cloth(live, mesh, pose, true, &cloth, error);
    for (int32_t i = 0; i < CLIPS && status == PLI_STATUS_OK; i++) {
        bench_actor *clip = &live->actors[live->actor_count++];
        int32_t particles[CLIP_PARTICLES], first = i * (side - CLIP_PARTICLES) / (CLIPS - 1);
        for (int32_t k = 0; k < CLIP_PARTICLES; k++)
            particles[k] = first + k;
        clip->from = clip->to = pli_transform_identity();
        clip->to.position.x = (drawn - 1.0f) * width * ((float)i / (CLIPS - 1) - 0.5f);
        clip->to.position.y = -lowered;
        // Clips in front of and behind the line, so that folds know where to go.
        clip->to.position.z = i % 2 == 0 ? 0.05f : -0.05f;
        status = bench_hold(live, cloth, particles, CLIP_PARTICLES, clip->from, clip, error);
    }
    return status == PLI_STATUS_OK ? bench_add_ground(live->world, error) : status;
}
