// The brush in the window: strokes of the pointer, and painted values as colours while the tool is selected.
#ifndef PLI_VIEW_PAINTING_H
#define PLI_VIEW_PAINTING_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Starts a stroke at a point of a surface, and continues it to another point of the window [pixels].
void pli_viewer_paint(pli_viewer *viewer, const pli_ray_hit *hit, float x, float y);
void pli_viewer_paint_on(pli_viewer *viewer, float x, float y);
// Radius of the brush on the surface at a point of the window, or at the distance of the camera's target [pixels].
float pli_viewer_paint_pixels(const pli_viewer *viewer, float x, float y);
// Called before a picture: colours surfaces by the painted quantity while the brush is selected, and restores the previous colours
// otherwise.
void pli_viewer_paint_show(pli_viewer *viewer);
void pli_viewer_paint_close(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
