// What is drawn over the scene: the other run, and the handles of what is moved.
#ifndef PLI_VIEW_GHOST_H
#define PLI_VIEW_GHOST_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the edges of what is compared, into the frame of Dear ImGui that has begun.
void pli_viewer_ghost(const pli_viewer *viewer);
// Draws three axes where something is moved, and the way to where it is led.
void pli_viewer_handles(const pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
