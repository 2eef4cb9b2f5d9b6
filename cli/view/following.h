// Cameras that move: with the centre of a deformable or of all of them, around what they look at, and far enough away for a whole run.
#ifndef PLI_CLI_FOLLOWING_H
#define PLI_CLI_FOLLOWING_H

#include <pliant/cache.h>
#include <pliant/render.h>
#include <pliant/scene.h>

// How a camera moves.
typedef struct pli_cli_camera_motion {
    int32_t follow; // A deformable, PLI_SCENE_FOLLOW_ALL or PLI_SCENE_FOLLOW_NONE.
    float orbit;    // [degrees/s] about up, to the left as seen from the camera.
    bool fits;      // The camera is fitted even if the scene has one of its own.
    bool fits_run;  // It is fitted to all frames of a run instead of to its start.
} pli_cli_camera_motion;

// The motion that a scene asks for; none for NULL.
pli_cli_camera_motion pli_cli_camera_motion_of(const pli_scene *scene);
// Mean position of the vertices that are followed; the origin where there are none.
pli_vec3 pli_cli_followed_centre(const pli_world *world, int32_t follow);
// A camera after some seconds, of which `start` was the followed centre at the start.
pli_camera pli_cli_camera_moved(const pli_cli_camera_motion *motion, const pli_camera *camera, pli_vec3 up,
                                pli_vec3 start, pli_vec3 centre, double seconds);
// Makes a box as wide in each direction across `up` as it is from corner to corner, so that it fits from all sides.
void pli_cli_bounds_turn(pli_vec3 bounds[2], pli_vec3 up);
// Box about what moves in all frames of a cache, deformables and colliders, seen from what is followed.
pli_status pli_cli_run_bounds(pli_cache *cache, const pli_scene *scene, const pli_cli_camera_motion *motion,
                              pli_vec3 bounds[2], pli_error *error);

#endif
