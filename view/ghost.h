// The other run over the scene.
#ifndef PLI_VIEW_GHOST_H
#define PLI_VIEW_GHOST_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the edges of what is compared, into the frame of Dear ImGui that has begun.
void pli_viewer_ghost(const pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
