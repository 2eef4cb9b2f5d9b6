// Commands of scripts for files, edits and the window, beside those of script.c.
#ifndef PLI_VIEW_COMMANDS_H
#define PLI_VIEW_COMMANDS_H

#include "viewer.h"

typedef enum pli_view_result {
    PLI_VIEW_DONE,
    PLI_VIEW_AGAIN,  // The line is to be run again after the next picture.
    PLI_VIEW_FAILED, // The complaint says why.
    PLI_VIEW_UNKNOWN // There is no such command.
} pli_view_result;

// A line of a script.
typedef struct pli_view_line {
    pli_viewer *viewer;
    char *const *words;
    int32_t count;
    int32_t looks;       // How often the line was run again.
    char complaint[300]; // What it needs, or what is not as it says.
} pli_view_line;

pli_view_result pli_view_command_run(pli_view_line *line);
// A line that begins with "expect".
pli_view_result pli_view_command_expect(pli_view_line *line);

#endif
