// The panels beside the scene.
#ifndef PLI_VIEW_PANELS_H
#define PLI_VIEW_PANELS_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the panels into the frame of Dear ImGui that has begun.
void pli_viewer_panels(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
