// Files on the disk and in file sources.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "files/place.h"

#include "files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *pli_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

// Removes "." and ".." from a relative path in place. False when it leaves its root.
static bool simplify(char *path)
{
    char *to = path;
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/");
        bool up = length == 2 && part[0] == '.' && part[1] == '.',
             stay = length == 0 || (length == 1 && part[0] == '.');
        if (up && to == path)
            return false;
        if (up) {
            while (to > path && *--to != '/')
                continue;
        } else if (!stay) {
            if (to > path)
                *to++ = '/';
            memmove(to, part, length);
            to += length;
        }
        part += length + (part[length] == '/');
    }
    *to = '\0';
    return true;
}

// The path without links, ".." and "."; NULL when there is nothing.
static char *real_path(const char *path)
{
#ifdef __wasi__ // WASI has no realpath; its host decides which files a program may open.
    char *copy = access(path, F_OK) == 0 ? strdup(path) : NULL;
    bool fine = copy && simplify(copy + (copy[0] == '/'));
    if (fine && copy[0])
        return copy;
    free(copy);
    return fine ? strdup(".") : NULL;
#else
    return realpath(path, NULL);
#endif
}

char *pli_real_folder_of(const char *path)
{
    char *folder = pli_folder_of(path), *real = folder ? real_path(folder) : NULL;
    free(folder);
    return real;
}

static char *find_on_disk(const char *root, const char *folder, const char *name, bool *outside)
{
    char *joined = name[0] == '/' ? strdup(name) : pli_file_join(folder, name);
    char *real = joined ? real_path(joined) : NULL;
    free(joined);
    if (!real || !root)
        return real;
    size_t length = strlen(root);
    if (strncmp(real, root, length) == 0 && (real[length] == '/' || length == 1))
        return real;
    *outside = true;
    free(real);
    return NULL;
}

static char *find_in_source(const char *folder, const char *name, bool *outside)
{
    char *joined = pli_file_join(folder, name);
    if (!joined)
        return NULL;
    if (name[0] != '/' && !strchr(name, '\\') && simplify(joined) && joined[0])
        return joined;
    *outside = true;
    free(joined);
    return NULL;
}

char *pli_place_find(const pli_place *place, const char *folder, const char *name, bool *outside)
{
    *outside = false;
    errno = 0;
    return place->source ? find_in_source(folder, name, outside) : find_on_disk(place->root, folder, name, outside);
}

char *pli_place_beside(const pli_place *place, const char *path, const char *name, bool *outside)
{
    errno = 0;
    char *folder = pli_folder_of(path), *own = place->source || place->root ? NULL : pli_real_folder_of(path);
    const pli_place inner = {place->source, own ? own : place->root};
    *outside = false;
    const bool lacks_memory = !folder || (!own && errno == ENOMEM);
    // A folder that cannot be resolved contains no files.
    char *found = folder && (inner.source || inner.root) ? pli_place_find(&inner, folder, name, outside) : NULL;
    const int reason = lacks_memory ? ENOMEM : errno;
    free(folder);
    free(own);
    errno = reason;
    return found;
}

pli_status pli_place_fail(const char *name, bool outside, pli_error *error)
{
    if (!outside && errno == ENOMEM)
        return pli_io_fail_memory(error);
    return pli_fail(error, PLI_STATUS_FILE, "'%.200s' is not %s", name, outside ? "inside its folder" : "there");
}

bool pli_place_has(const pli_place *place, const char *path)
{
    if (!place->source)
        return access(path, R_OK) == 0;
    pli_bytes bytes;
    bool there = pli_place_read(place, path, &bytes, NULL) == PLI_STATUS_OK;
    pli_bytes_release(&bytes);
    return there;
}

pli_status pli_place_read(const pli_place *place, const char *path, pli_bytes *bytes, pli_error *error)
{
    *bytes = (pli_bytes){.source = place->source};
    if (!place->source) {
        char *content = NULL;
        pli_status status = pli_file_read(path, &content, &bytes->size, error);
        bytes->data = content;
        return status;
    }
    const void *data = NULL;
    if (!place->source->read || !place->source->read(place->source->user, path, &data, &bytes->size)) {
        *bytes = (pli_bytes){0};
        return pli_fail(error, PLI_STATUS_FILE, "the file source has no '%s'", path);
    }
    bytes->given = data;
    bytes->data = data ? data : "";
    bytes->size = data ? bytes->size : 0;
    return pli_succeed(error);
}

void pli_bytes_release(pli_bytes *bytes)
{
    if (!bytes->source)
        free((char *)bytes->data);
    else if (bytes->source->release)
        bytes->source->release(bytes->source->user, bytes->given, bytes->size);
    *bytes = (pli_bytes){0};
}
