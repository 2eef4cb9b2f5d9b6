// The colour scale and the meanings of overlays, over the scene.
#ifndef PLI_VIEW_LEGEND_H
#define PLI_VIEW_LEGEND_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

void pli_viewer_legend(const pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
