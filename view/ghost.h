// Drawings over the scene: the other run, and the handles of the moved object.
#ifndef PLI_VIEW_GHOST_H
#define PLI_VIEW_GHOST_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the edges of the compared recording into the current Dear ImGui frame.
void pli_viewer_ghost(const pli_viewer *viewer);
// Draws three axes at the moved object, and the path to its target.
void pli_viewer_handles(const pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
