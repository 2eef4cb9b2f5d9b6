// The camera that shows points whole: the nearest eye in a given direction whose picture contains all of them.
#ifndef PLI_LAB_CAMERA_H
#define PLI_LAB_CAMERA_H

#include <pliant/render.h>

// Direction of view and lens.
typedef struct lab_lens {
    pli_vec3 toward; // From what is seen to the eye; any length but 0.
    pli_vec3 up;
    float field_of_view; // Vertical [degrees].
    float aspect;        // Width over height.
} lab_lens;

// The camera nearest to the points of all views whose picture contains them, with a margin.
pli_camera lab_camera_fit(const pli_view *views, int32_t count, const lab_lens *lens);
// The aspect at which the points fill the picture's width and height alike, within `least` and `most`.
float lab_camera_aspect(const pli_view *views, int32_t count, lab_lens lens, float least, float most);
// Distance of the camera from the middle of the points along the direction of view [m].
float lab_camera_distance(const pli_view *views, int32_t count, const pli_camera *camera);
// Moves the camera straight back to this distance: what it showed stays in the picture.
void lab_camera_retreat(const pli_view *views, int32_t count, float distance, pli_camera *camera);

#endif
