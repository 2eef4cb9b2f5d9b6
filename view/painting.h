// Painted values as colours while the brush is selected.
#ifndef PLI_VIEW_PAINTING_H
#define PLI_VIEW_PAINTING_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Called before a picture: colours surfaces by the painted quantity while the brush is selected, and restores the previous colours
// otherwise.
void pli_viewer_paint_show(pli_viewer *viewer);
void pli_viewer_paint_close(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
