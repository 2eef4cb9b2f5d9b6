// The menus, the tools above the scene, and the windows that menus open.
#ifndef PLI_VIEW_MENU_H
#define PLI_VIEW_MENU_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the menus into the current Dear ImGui frame. Returns the path of the scene that the user chose in the gallery, or null. The
// path is borrowed from the desk.
const char *pli_viewer_menus(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
