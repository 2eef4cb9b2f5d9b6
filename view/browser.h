// The list of files that can be opened.
#ifndef PLI_VIEW_BROWSER_H
#define PLI_VIEW_BROWSER_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the list while it is open. Returns the name of the chosen entry, or null; borrowed from the desk.
const char *pli_viewer_files(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
