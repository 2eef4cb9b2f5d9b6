// Reads entire files, and writes files that appear only when they are complete.
#ifndef PLI_IO_FILE_H
#define PLI_IO_FILE_H

#include "files/io_error.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads a file of at most 2 GiB; free with free(). One zero byte follows the content.
pli_status pli_file_read(const char *path, char **content, size_t *size, pli_error *error);

// A file being written under a temporary name in the same folder.
typedef struct pli_new_file {
    FILE *stream;
    char *path, *temporary;
    char *kept;    // During publication: a second name of the previous file; NULL if it cannot be restored.
    bool is_first; // During publication: no file was at the path before.
} pli_new_file;

pli_status pli_new_file_open(pli_new_file *file, const char *path, pli_error *error);
// Flushes to the disk, closes and renames; on failure nothing remains and an older file is untouched.
pli_status pli_new_file_commit(pli_new_file *file, pli_error *error);
// Renames while the stream stays open, for files that grow under their final name.
pli_status pli_new_file_publish(pli_new_file *file, pli_error *error);
// Closes the stream before the file is published, so that write errors are known.
pli_status pli_new_file_finish(pli_new_file *file, pli_error *error);
// Publishes files that belong together: all of them, or none if one fails. Streams may be open or closed.
pli_status pli_new_files_publish(pli_new_file *const *files, int32_t count, pli_error *error);
// Closes and removes the unfinished file. It may be called after a commit.
void pli_new_file_abandon(pli_new_file *file);

// Writes the extension of a path, in lower case without its dot; "" if there is none.
void pli_file_extension(const char *path, char extension[16]);
// Joins folder and name to "a/b"; free with free(). NULL when memory runs out.
char *pli_file_join(const char *folder, const char *name);

#ifdef __cplusplus
}
#endif
#endif
