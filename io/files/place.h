// Places of files: the disk, or a file source. A place restricts the files that a file names to its root.
#ifndef PLI_IO_PLACE_H
#define PLI_IO_PLACE_H

#include "files/io_error.h"

#include <pliant/file_source.h>

typedef struct pli_place {
    const pli_file_source *source; // NULL: the disk.
    const char *root; // On disk, the real path of the folder that must contain all files; NULL: no restriction.
} pli_place;

// The bytes of a file.
typedef struct pli_bytes {
    const char *data;
    size_t size;
    const pli_file_source *source; // The owner of the bytes; NULL: they are ours.
    const void *given;             // Pointer from the source.
} pli_bytes;

// The path (on disk the real path) of `name`, which is relative to `folder`; free with free(). NULL if there is no such file, with
// errno ENOMEM when memory runs out, or with `*outside` set if it lies outside the root.
char *pli_place_find(const pli_place *place, const char *folder, const char *name, bool *outside);
// The same for a name in the file at `path`: relative to its folder, and inside of that folder if the place has no root.
char *pli_place_beside(const pli_place *place, const char *path, const char *name, bool *outside);
// The error for a name for which pli_place_find or pli_place_beside just returned NULL.
pli_status pli_place_fail(const char *name, bool outside, pli_error *error);
// Whether a file exists at a path.
bool pli_place_has(const pli_place *place, const char *path);
// Reads a file by its path. On disk the limit is 2 GiB.
pli_status pli_place_read(const pli_place *place, const char *path, pli_bytes *bytes, pli_error *error);
void pli_bytes_release(pli_bytes *bytes);
// The folder of a path: "." for one without '/' on the disk; free with free(). NULL when memory runs out.
char *pli_folder_of(const char *path);
// The real path of the folder of a path; NULL when there is none.
char *pli_real_folder_of(const char *path);

#endif
