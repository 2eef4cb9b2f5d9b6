// Plots over the stored frames.
#ifndef PLI_VIEW_PLOTS_H
#define PLI_VIEW_PLOTS_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Draws the plots of energy, stretch and the time of a step into the current Dear ImGui frame; a click goes to a frame.
void pli_viewer_plots(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
