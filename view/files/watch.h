// Whether a file was written again by another program.
#ifndef PLI_VIEW_WATCH_H
#define PLI_VIEW_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_view_stamp {
    int64_t seconds, nanoseconds, size; // -1 for no file.
} pli_view_stamp;

typedef struct pli_view_watch {
    char *path;
    pli_view_stamp known, last; // As it was taken note of, and when it was looked at last.
    int32_t looks;              // Looks since it changed last.
} pli_view_watch;

// Copies the path and takes the file as it is now.
void pli_view_watch_begin(pli_view_watch *watch, const char *path);
void pli_view_watch_end(pli_view_watch *watch);
// True once after the file was written, when it has been the same for some looks, so that it is not read while it is written.
bool pli_view_watch_look(pli_view_watch *watch);

#endif
