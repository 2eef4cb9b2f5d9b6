// Files that appear under their name only when they are whole and on the disk, and files that open at once.
#ifndef PLI_SUPPORT_PUBLISH_H
#define PLI_SUPPORT_PUBLISH_H

#include <stdbool.h>
#include <stdio.h>

// A name beside `path` to write to first, where nothing is any more; free with free(). Null when memory runs out.
char *pli_temporary_name(const char *path);
// Flushes the file `temporary`, whose streams are closed or flushed, to the disk, renames it to `path` and flushes
// their folder. False with errno set when it could not: `path` is then as it was.
bool pli_publish(const char *temporary, const char *path);
// fopen(path, "r+b") of a file that is no symbolic link, so that nothing is changed in another place; NULL with errno ELOOP for one.
FILE *pli_open_to_change(const char *path);
// fopen(path, "rb") that does not wait for a writer where the path is a pipe; such a stream ends at once.
FILE *pli_open_to_read(const char *path);

#endif
