// Recording in the window.
#ifndef PLI_VIEW_RECORDING_H
#define PLI_VIEW_RECORDING_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Records from the present frame on, into a video or a cache by the path's extension; a message tells when it cannot.
bool pli_viewer_record(pli_viewer *viewer, const char *path);
// The same under the first free name in out/, as a video or a cache; ends what is recorded already.
void pli_viewer_record_anew(pli_viewer *viewer, bool video);
// Completes the file; nothing while nothing is recorded.
void pli_viewer_record_end(pli_viewer *viewer);
// Adds the frame that has been drawn, before panels are drawn over it.
void pli_viewer_record_frame(pli_viewer *viewer);
// Whether something is recorded, as a video or not.
bool pli_viewer_records(const pli_viewer *viewer, bool video);

#ifdef __cplusplus
}
#endif
#endif
