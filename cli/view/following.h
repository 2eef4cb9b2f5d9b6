// Moving cameras: they follow the centre of one or all deformables, orbit their target, and keep far enough away for an entire run.
#ifndef PLI_CLI_FOLLOWING_H
#define PLI_CLI_FOLLOWING_H

#include <pliant/cache.h>
#include <pliant/render.h>
#include <pliant/scene.h>

// The motion of a camera.
typedef struct pli_cli_camera_motion {
    int32_t follow; // A deformable, PLI_SCENE_FOLLOW_ALL or PLI_SCENE_FOLLOW_NONE.
    float orbit;    // [degrees/s] about up, to the left as seen from the camera.
    bool fits;      // The camera is fitted even if the scene has its own.
    bool fits_run;  // The camera is fitted to all frames of a run instead of the start.
} pli_cli_camera_motion;

// The motion that a scene requests; none for NULL.
pli_cli_camera_motion pli_cli_camera_motion_of(const pli_scene *scene);
// Mean position of the followed vertices; the origin if there are none.
pli_vec3 pli_cli_followed_centre(const pli_world *world, int32_t follow);
// The camera after some seconds; `start` is the followed centre at the start.
pli_camera pli_cli_camera_moved(const pli_cli_camera_motion *motion, const pli_camera *camera, pli_vec3 up,
                                pli_vec3 start, pli_vec3 centre, double seconds);
// Bounding box of the moving objects in all frames of a cache, deformables and colliders, relative to the followed centre.
pli_status pli_cli_run_bounds(pli_cache *cache, const pli_scene *scene, const pli_cli_camera_motion *motion,
                              pli_vec3 bounds[2], pli_error *error);

#endif
