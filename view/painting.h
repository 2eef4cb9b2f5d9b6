// The brush in the window: strokes of the pointer, and what is painted as colour while the tool is chosen.
#ifndef PLI_VIEW_PAINTING_H
#define PLI_VIEW_PAINTING_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// A stroke begins at a point of a surface, and goes on to another place of the window [pixels].
void pli_viewer_paint(pli_viewer *viewer, const pli_ray_hit *hit, float x, float y);
void pli_viewer_paint_on(pli_viewer *viewer, float x, float y);
// Radius of the brush on the surface that is seen at a place of the window, or before the camera's target [pixels].
float pli_viewer_paint_pixels(const pli_viewer *viewer, float x, float y);
// Before a picture: colours by what the brush paints while it is chosen, and by what coloured before when it is not.
void pli_viewer_paint_show(pli_viewer *viewer);
void pli_viewer_paint_close(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
