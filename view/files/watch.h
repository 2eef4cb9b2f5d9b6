// Detects that another program has rewritten a file.
#ifndef PLI_VIEW_WATCH_H
#define PLI_VIEW_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_view_stamp {
    int64_t seconds, nanoseconds, size; // -1 for no file.
} pli_view_stamp;

typedef struct pli_view_watch {
    char *path;
    pli_view_stamp known, last; // State that was last reported, and state at the last poll.
    int32_t looks;              // Polls since the last change.
} pli_view_watch;

// Copies the path and stores the current state of the file.
void pli_view_watch_begin(pli_view_watch *watch, const char *path);
void pli_view_watch_end(pli_view_watch *watch);
// Returns true once after the file was rewritten, when it has been unchanged for several polls, so that an incomplete file is not read.
bool pli_view_watch_look(pli_view_watch *watch);

#endif
