// Folders and files that a run leaves.
#ifndef PLI_CLI_FOLDERS_H
#define PLI_CLI_FOLDERS_H

#include <pliant/base.h>

// Fills the error; returns the status.
pli_status pli_cli_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Makes the folder and those it lies in.
pli_status pli_cli_folder_make(const char *path, pli_error *error);
// Writes the pieces one after the other through a temporary name and a rename.
pli_status pli_cli_file_write(const char *path, const void *const *pieces, const size_t *sizes, int32_t piece_count,
                              pli_error *error);
// The whole file; NOT_FOUND when there is none. Free with free().
pli_status pli_cli_file_read(const char *path, void **content, size_t *size, pli_error *error);
// Removes files called BEGINNING...NNNN.EXTENSION with a number from `first` on, which an earlier
// run left.
void pli_cli_remove_numbered(const char *folder, const char *beginning, const char *extension, int32_t first);
// Removes the temporary files (NAME.PROCESS.tmp) of processes that are no more.
void pli_cli_remove_leftovers(const char *folder);
// Last part of a path without its extension; free with free().
char *pli_cli_stem(const char *path);
// Extension without its dot, "" if there is none. Borrowed.
const char *pli_cli_extension(const char *path);
bool pli_cli_is_folder(const char *path);

#endif
