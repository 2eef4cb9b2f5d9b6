// Scripts that control the window instead of the user.
#ifndef PLI_VIEW_SCRIPT_H
#define PLI_VIEW_SCRIPT_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Commands of a script file, whose execution continues from frame to frame; see script.c.
typedef struct pli_view_script pli_view_script;
pli_view_script *pli_view_script_open(const char *path, pli_error *error);
void pli_view_script_close(pli_view_script *script);
// Runs commands until one needs a picture or must wait for frames. Returns false at the end, and on failure with the error's status
// set.
bool pli_view_script_run(pli_view_script *script, pli_viewer *viewer, pli_error *error);
// Whether a line waits for something.
bool pli_view_script_waits(const pli_view_script *script);
// Path of the picture to write after the next drawing, or null; borrowed.
const char *pli_view_script_picture(const pli_view_script *script);

#ifdef __cplusplus
}
#endif
#endif
