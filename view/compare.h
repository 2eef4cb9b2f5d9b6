// Comparing what runs with a recording.
#ifndef PLI_VIEW_COMPARE_H
#define PLI_VIEW_COMPARE_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lays a recording over the scene, frame by frame; null ends it. A message tells when it does not fit.
bool pli_viewer_compare(pli_viewer *viewer, const char *path);
// Before a picture: reads the recording's frame, and gives surfaces their distance from it as colour.
void pli_viewer_compare_frame(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
