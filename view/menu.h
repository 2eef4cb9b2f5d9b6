// The menus, the tools above the scene, and the windows that menus open.
#ifndef PLI_VIEW_MENU_H
#define PLI_VIEW_MENU_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws them into the frame of Dear ImGui that has begun. Returns the path of a scene that was chosen in the gallery, or null; borrowed from
// the desk.
const char *pli_viewer_menus(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
