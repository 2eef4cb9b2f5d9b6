// Compares time and size, which requires only stat.
#define _XOPEN_SOURCE 700
#include "files/watch.h"

#include "frame/strings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOOKS = 3 };

static pli_view_stamp stamp_of(const char *path)
{
    struct stat info;
    if (!path || stat(path, &info) != 0)
        return (pli_view_stamp){-1, -1, -1};
    return (pli_view_stamp){(int64_t)info.st_mtim.tv_sec, (int64_t)info.st_mtim.tv_nsec, (int64_t)info.st_size};
}

static bool same(pli_view_stamp a, pli_view_stamp b)
{
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds && a.size == b.size;
}

void pli_view_watch_begin(pli_view_watch *w, const char *path)
{
    char *copied = pli_cli_format("%s", path);
    free(w->path);
    *w = (pli_view_watch){.path = copied, .known = stamp_of(copied)};
    w->last = w->known;
}

void pli_view_watch_end(pli_view_watch *w)
{
    free(w->path);
    *w = (pli_view_watch){0};
}

bool pli_view_watch_look(pli_view_watch *w)
{
    pli_view_stamp now = stamp_of(w->path);
    w->looks = same(now, w->last) ? w->looks + 1 : 0;
    w->last = now;
    // While an editor replaces a file, the file may be missing for a moment.
    if (now.size < 0 || w->looks < LOOKS || same(now, w->known))
        return false;
    w->known = now;
    return true;
}
