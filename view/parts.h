// The parts of the panel, from the library's table (pli_panel_part).
#ifndef PLI_VIEW_PARTS_H
#define PLI_VIEW_PARTS_H

#include "viewer.h"

// The list of the deformables, if there are several.
void pli_parts_choose(pli_viewer *viewer);
// Draws the parts from one number to another.
void pli_parts_draw(pli_viewer *viewer, int32_t from, int32_t to);
// Draws the row of a path of pli_session_set; nothing where the scene lacks it.
void pli_parts_row(pli_viewer *viewer, const char *path);
// The number of the first part that is of interest to few; the window's own panels come before it.
int32_t pli_parts_advanced(void);

#endif
