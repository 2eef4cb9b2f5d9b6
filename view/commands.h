// Script commands for files, edits and the window, in addition to those of script.c.
#ifndef PLI_VIEW_COMMANDS_H
#define PLI_VIEW_COMMANDS_H

#include "viewer.h"

typedef enum pli_view_result {
    PLI_VIEW_DONE,
    PLI_VIEW_AGAIN,  // The line must run again after the next picture.
    PLI_VIEW_FAILED, // `complaint` gives the reason.
    PLI_VIEW_UNKNOWN // The command is unknown.
} pli_view_result;

// A line of a script.
typedef struct pli_view_line {
    pli_viewer *viewer;
    char *const *words;
    int32_t count;
    int32_t looks;       // Number of times that the line was run again.
    char complaint[300]; // The missing requirement, or the expectation that does not hold.
} pli_view_line;

// Writes the complaint, and returns PLI_VIEW_FAILED.
__attribute__((format(printf, 2, 3))) pli_view_result pli_view_line_complain(pli_view_line *line, const char *format,
                                                                             ...);
// Word i; empty after the last.
const char *pli_view_line_word(const pli_view_line *line, int32_t i);
bool pli_view_line_number(const char *text, double *value);
// The number of a word NAME=NUMBER.
bool pli_view_line_option(const pli_view_line *line, const char *name, double *value);

pli_view_result pli_view_command_run(pli_view_line *line);
// A line that begins with "expect".
pli_view_result pli_view_command_expect(pli_view_line *line);

#endif
