// Recording in the window.
#ifndef PLI_VIEW_RECORDING_H
#define PLI_VIEW_RECORDING_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Starts recording at the current frame, into a video or a cache according to the path's extension; a failure is reported in a message.
bool pli_viewer_record(pli_viewer *viewer, const char *path);
// The same under the first free name in out/, as a video or a cache; ends a running recording first.
void pli_viewer_record_anew(pli_viewer *viewer, bool video);
// Completes the file; does nothing if nothing is recorded.
void pli_viewer_record_end(pli_viewer *viewer);
// Adds the drawn frame, before panels are drawn over it.
void pli_viewer_record_frame(pli_viewer *viewer);
// Whether a video (`video` is set) or a cache is being recorded.
bool pli_viewer_records(const pli_viewer *viewer, bool video);

#ifdef __cplusplus
}
#endif
#endif
