// A camera that orbits a point.
#ifndef PLI_VIEW_CAMERA_H
#define PLI_VIEW_CAMERA_H

#include <pliant/render.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_view_camera {
    pli_vec3 target, up; // [m]; unit.
    float yaw, pitch;    // [degrees] about up, and elevation above the plane across it, limited to 89.
    float distance;      // [m]
    float field_of_view; // [degrees]
    bool grounded;       // The eye stays above the ground.
    float ground;        // Height of the ground along `up` [m].
} pli_view_camera;

// Creates the orbit camera that has the same view as another camera and turns about its target.
pli_view_camera pli_view_camera_from(const pli_camera *camera, pli_vec3 up);
pli_camera pli_view_camera_get(const pli_view_camera *camera);
// Turns by a motion of the mouse [fraction of the picture's height].
void pli_view_camera_turn(pli_view_camera *camera, float right, float down);
// Moves the target with the mouse.
void pli_view_camera_move(pli_view_camera *camera, float right, float down);
// Zooms by steps of the wheel; `towards` keeps its place in the picture.
void pli_view_camera_zoom(pli_view_camera *camera, float steps, pli_vec3 towards);
// Turns about a point from now on. It moves to the centre of the picture, at its depth.
void pli_view_camera_pivot(pli_view_camera *camera, pli_vec3 point);
// Moves back or forth until a box fills the picture, from the same direction.
void pli_view_camera_frame(pli_view_camera *camera, pli_vec3 low, pli_vec3 high, float aspect);
// Direction through a point of the picture; x and y run from -1 (left and bottom) to 1.
pli_vec3 pli_view_camera_ray(const pli_camera *camera, float x, float y, float aspect);

#ifdef __cplusplus
}
#endif
#endif
