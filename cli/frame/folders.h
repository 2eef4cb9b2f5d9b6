// Creates folders, reads and writes entire files, and removes files of earlier runs.
#ifndef PLI_CLI_FOLDERS_H
#define PLI_CLI_FOLDERS_H

#include <pliant/base.h>

// Fills the error; returns the status.
pli_status pli_cli_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Creates the folder and its parents.
pli_status pli_cli_folder_make(const char *path, pli_error *error);
// Writes the pieces, concatenated, to a temporary file and renames it.
pli_status pli_cli_file_write(const char *path, const void *const *pieces, const size_t *sizes, int32_t piece_count,
                              pli_error *error);
// Reads the entire file; NOT_FOUND when there is none. Free with free().
pli_status pli_cli_file_read(const char *path, void **content, size_t *size, pli_error *error);
// Continues a checksum of content (FNV-1a, 64 bits).
#define PLI_CLI_CHECKSUM_START UINT64_C(0xcbf29ce484222325)
uint64_t pli_cli_checksum(uint64_t sum, const void *data, size_t size);
// Removes files BEGINNING...NNNN.EXTENSION of an earlier run with numbers from `first`.
void pli_cli_remove_numbered(const char *folder, const char *beginning, const char *extension, int32_t first);
// Removes the temporary files (NAME.PROCESS.tmp) of processes that have ended.
void pli_cli_remove_leftovers(const char *folder);
// The last part of a path without its extension; free with free().
char *pli_cli_stem(const char *path);
// Makes a name a valid file name on every system: each character other than a letter, a digit, '-' or '_' becomes '_'.
void pli_cli_name_clean(char *name);
// Extension without its dot, "" if there is none. Borrowed.
const char *pli_cli_extension(const char *path);
bool pli_cli_is_folder(const char *path);

// Locks a folder for this process until `*handle` is closed; FILE when another process has locked it. If the file system does not
// support locks, `*handle` is -1.
pli_status pli_cli_folder_lock(const char *path, int *handle, pli_error *error);

#endif
