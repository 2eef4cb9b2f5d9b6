// Writing beside, flushing and renaming, for every file that must be whole or not there; opening without waiting.
#define _POSIX_C_SOURCE 200809L
#include "support/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Tells the temporary files of programs apart. WASI has no processes, and one program a file system.
static long process_number(void)
{
#ifdef __wasi__
    return 1;
#else
    return (long)getpid();
#endif
}

char *pli_temporary_name(const char *path)
{
    size_t length = strlen(path) + 32;
    char *name = malloc(length);
    if (name)
        snprintf(name, length, "%s.%ld.tmp", path, process_number());
    // A link that somebody left there would lead to another file.
    if (name)
        unlink(name);
    return name;
}

// Whichever way a file is opened, fsync writes all of it.
static bool flush(const char *path)
{
    int handle = open(path, O_RDONLY);
    if (handle < 0)
        return false;
    bool flushed = fsync(handle) == 0;
    int reason = errno;
    close(handle);
    errno = reason;
    return flushed;
}

// Not all file systems can flush a folder, so this may fail.
static void flush_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (folder)
        flush(folder);
    free(folder);
}

FILE *pli_open_to_change(const char *path)
{
    const int handle = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    FILE *stream = handle >= 0 ? fdopen(handle, "r+b") : NULL;
    if (handle >= 0 && !stream)
        close(handle);
    return stream;
}

FILE *pli_open_to_read(const char *path)
{
#ifdef __wasi__ // It has no pipes with names.
    return fopen(path, "rb");
#else
    const int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = handle >= 0 ? fdopen(handle, "rb") : NULL;
    if (handle >= 0 && !stream)
        close(handle);
    return stream;
#endif
}

bool pli_publish(const char *temporary, const char *path)
{
    if (!flush(temporary) || rename(temporary, path) != 0)
        return false;
    flush_folder_of(path);
    return true;
}
