// The panels next to the scene.
#ifndef PLI_VIEW_PANELS_H
#define PLI_VIEW_PANELS_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the panels into the current Dear ImGui frame.
void pli_viewer_panels(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
