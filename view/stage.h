// The camera under the pointer, the radius of the tools, and what there is to see.
#ifndef PLI_VIEW_STAGE_H
#define PLI_VIEW_STAGE_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Steps of the wheel at a point of the window: they zoom towards the point, move a grab along the view, or change the radius of the tool.
void pli_viewer_wheel(pli_viewer *viewer, float x, float y, float steps, bool changes_radius);
// A double click: the surface under the pointer becomes the pivot; beside all surfaces, everything is framed.
void pli_viewer_pivot(pli_viewer *viewer, float x, float y);
// Moves the camera so that all deformables and colliders of finite size are in the picture.
void pli_viewer_frame_all(pli_viewer *viewer);
// Whether the tool has a radius; its value on a deformable [m]; and the change of it by a factor.
bool pli_viewer_has_radius(const pli_viewer *viewer);
float pli_viewer_radius(const pli_viewer *viewer, pli_deformable deformable);
void pli_viewer_widen(pli_viewer *viewer, float factor);
// Tells in a message what is in the scene and how it is.
void pli_viewer_describe(pli_viewer *viewer);
// The gallery, the list of files and the table of keys; one of them is open at a time.
bool pli_viewer_has_list(const pli_viewer *viewer);
void pli_viewer_close_lists(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
