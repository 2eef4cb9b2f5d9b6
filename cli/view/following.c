// Moving cameras. Their motion depends only on the drawn frame and the start, so that a film that is drawn in parts, or resumed, has
// identical pictures.
#include "view/following.h"

#include "frame/folders.h"
#include <pliant/math.h>
#include "view/bounds.h"
#include "view/playback.h"
#include "view/world_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

pli_cli_camera_motion pli_cli_camera_motion_of(const pli_scene *scene)
{
    if (!scene)
        return (pli_cli_camera_motion){.follow = PLI_SCENE_FOLLOW_NONE};
    const pli_scene_view view = pli_scene_get_view(scene);
    return (pli_cli_camera_motion){.follow = view.follow, .orbit = view.orbit, .fits_run = view.fits_run};
}

pli_vec3 pli_cli_followed_centre(const pli_world *world, int32_t follow)
{
    double sum[3] = {0.0, 0.0, 0.0};
    int64_t count = 0;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        if (follow != PLI_SCENE_FOLLOW_ALL && follow != i)
            continue;
        const pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, i));
        for (int32_t v = 0; v < positions.count; v++)
            for (int k = 0; k < 3; k++)
                sum[k] += (double)pli_view_at(positions, v)[k];
        count += positions.count;
    }
    if (count == 0)
        return (pli_vec3){0};
    return (pli_vec3){(float)(sum[0] / (double)count), (float)(sum[1] / (double)count),
                      (float)(sum[2] / (double)count)};
}

pli_camera pli_cli_camera_moved(const pli_cli_camera_motion *motion, const pli_camera *camera, pli_vec3 up,
                                pli_vec3 start, pli_vec3 centre, double seconds)
{
    const double angle = fmod((double)motion->orbit * seconds, 360.0) * 0.017453292519943295;
    const float c = (float)cos(angle), s = (float)sin(angle);
    const pli_vec3 back = pli_sub(camera->eye, camera->target), moved = pli_sub(centre, start);
    // Rodrigues' rotation, about up, of the vector from the target to the eye.
    const pli_vec3 along = pli_scale(up, (1.0f - c) * pli_dot(up, back));
    const pli_vec3 turned = pli_add(pli_add(pli_scale(back, c), pli_scale(pli_cross(up, back), s)), along);
    pli_camera result = *camera;
    result.target = pli_add(camera->target, moved);
    result.eye = pli_add(result.target, motion->orbit == 0.0f ? back : turned);
    return result;
}

typedef struct box {
    pli_vec3 corners[2]; // Lower and upper.
} box;

static box nowhere(void) { return (box){{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}}; }

// At the start: the pose of each collider, and the box of each collider that is recorded as a mesh.
typedef struct known {
    pli_transform pose;
    box box;
} known;

// Extends the box by a collider that has moved since the start.
static pli_status add_collider(const pli_world *world, int32_t i, pli_transform *start, int32_t frame, pli_vec3 shift,
                               pli_vec3 bounds[2], pli_error *error)
{
    pli_collider_def def;
    pli_status status = pli_collider_get_def(world, pli_world_collider_at(world, i), &def, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_vec3 at = def.pose.position, first = start->position;
    if (frame == 0)
        *start = def.pose;
    const bool moved = frame > 0 && (at.x != first.x || at.y != first.y || at.z != first.z);
    def.pose.position = pli_sub(at, shift);
    if (moved)
        pli_cli_bounds_add_shape(bounds, &def);
    return PLI_STATUS_OK;
}

// The vertices of animated colliders and of bodies, as the cache has them; `first` is their box at the start.
static pli_status add_collider_mesh(pli_cli_playback *playback, int32_t i, box *first, int32_t frame, pli_vec3 shift,
                                    pli_vec3 bounds[2], pli_error *error)
{
    const int32_t count = pli_mesh_topology(playback->collider_meshes.meshes[i])->vertex_count;
    float *positions = malloc(3 * sizeof *positions * ((size_t)count + 1));
    pli_status status = positions ? pli_cache_read(playback->cache, pli_world_deformable_count(playback->world) + i,
                                                   frame, positions, error)
                                  : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the colliders");
    box now = nowhere();
    if (status == PLI_STATUS_OK)
        pli_cli_bounds_add(now.corners, (pli_view){positions, count, 3 * sizeof(float)});
    free(positions);
    if (frame == 0)
        *first = now;
    if (status != PLI_STATUS_OK || memcmp(&now, first, sizeof now) == 0)
        return status;
    for (int32_t k = 0; k < 2; k++)
        now.corners[k] = pli_sub(now.corners[k], shift);
    pli_cli_bounds_add(bounds, (pli_view){&now.corners[0].x, 2, sizeof(pli_vec3)});
    return status;
}

static pli_status add_frame(pli_cli_playback *playback, const pli_cli_camera_motion *motion, int32_t frame,
                            known *start_of, pli_vec3 *start, pli_vec3 bounds[2], pli_error *error)
{
    const pli_world *world = playback->world;
    const pli_vec3 centre = pli_cli_followed_centre(world, motion->follow);
    if (frame == 0)
        *start = centre;
    const pli_vec3 shift = pli_sub(centre, *start);
    box seen = nowhere();
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        pli_cli_bounds_add(seen.corners, pli_deformable_positions(world, pli_world_deformable_at(world, i)));
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; playback->scene && i < pli_world_collider_count(world) && status == PLI_STATUS_OK; i++)
        if (pli_scene_collider_visible(playback->scene, i))
            status = add_collider(world, i, &start_of[i].pose, frame, shift, bounds, error);
    for (int32_t i = 0; playback->scene && i < playback->collider_meshes.count && status == PLI_STATUS_OK; i++)
        if (pli_scene_collider_visible(playback->scene, playback->collider_meshes.numbers[i]))
            status = add_collider_mesh(playback, i, &start_of[i].box, frame, shift, bounds, error);
    if (!(seen.corners[0].x <= seen.corners[1].x))
        return status;
    for (int32_t k = 0; k < 2; k++)
        seen.corners[k] = pli_sub(seen.corners[k], shift);
    pli_cli_bounds_add(bounds, (pli_view){&seen.corners[0].x, 2, sizeof(pli_vec3)});
    return status;
}

pli_status pli_cli_run_bounds(pli_cache *cache, const pli_scene *scene, const pli_cli_camera_motion *motion,
                              pli_vec3 bounds[2], pli_error *error)
{
    pli_cli_playback playback;
    pli_vec3 start = {0};
    memcpy(bounds, nowhere().corners, sizeof(box));
    pli_status status = pli_cli_playback_open(cache, scene, &playback, error);
    if (status != PLI_STATUS_OK)
        return status;
    known *start_of = calloc((size_t)pli_world_collider_count(playback.world) + 1, sizeof *start_of);
    if (!start_of)
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the bounds of the run");
    for (int32_t frame = 0; frame < pli_cache_frame_count(cache) && status == PLI_STATUS_OK; frame++) {
        status = pli_cli_playback_show(&playback, frame, error);
        if (status == PLI_STATUS_OK)
            status = add_frame(&playback, motion, frame, start_of, &start, bounds, error);
    }
    free(start_of);
    pli_cli_playback_close(&playback);
    if (status == PLI_STATUS_OK && !(bounds[0].x <= bounds[1].x))
        return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED, "there is nothing to draw: no vertices");
    return status;
}
