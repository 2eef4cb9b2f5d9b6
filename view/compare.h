// Comparison of the running scene with a recording.
#ifndef PLI_VIEW_COMPARE_H
#define PLI_VIEW_COMPARE_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Overlays a recording on the scene, frame by frame; null ends the comparison. A message reports a recording that does not match.
bool pli_viewer_compare(pli_viewer *viewer, const char *path);
// Called before a picture: reads the recording's frame and colours the surfaces by their distance from it.
void pli_viewer_compare_frame(pli_viewer *viewer);

#ifdef __cplusplus
}
#endif
#endif
