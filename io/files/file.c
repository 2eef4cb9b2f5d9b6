// Reads entire files, and writes files next to their final name until they are complete.
#define _POSIX_C_SOURCE 200809L
#include "files/file.h"

#include "support/publish.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_FILE ((off_t)1 << 31)

static pli_status read_all(FILE *stream, const char *path, char **content, size_t *size, pli_error *error)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0)
        return pli_io_fail_errno(error, "look at", path);
    if (!S_ISREG(info.st_mode))
        return pli_fail(error, PLI_STATUS_FILE, "'%s' is not a file", path);
    if (info.st_size >= LARGEST_FILE)
        return pli_fail(error, PLI_STATUS_FILE, "'%s' is larger than 2 GiB", path);
    *size = (size_t)info.st_size;
    *content = malloc(*size + 1);
    if (!*content)
        return pli_io_fail_memory(error);
    (*content)[*size] = '\0';
    if (fread(*content, 1, *size, stream) == *size)
        return pli_succeed(error);
    free(*content);
    *content = NULL;
    return pli_io_fail_errno(error, "read", path);
}

pli_status pli_file_read(const char *path, char **content, size_t *size, pli_error *error)
{
    *content = NULL;
    *size = 0;
    FILE *stream = pli_open_to_read(path);
    if (!stream)
        return pli_fail(error, PLI_STATUS_FILE, "cannot open '%s': %s", path, strerror(errno));
    pli_status status = read_all(stream, path, content, size, error);
    fclose(stream);
    return status;
}

pli_status pli_new_file_open(pli_new_file *file, const char *path, pli_error *error)
{
    *file = (pli_new_file){0};
    file->path = strdup(path);
    file->temporary = pli_temporary_name(path);
    if (!file->path || !file->temporary) {
        pli_new_file_abandon(file);
        return pli_io_fail_memory(error);
    }
    file->stream = fopen(file->temporary, "w+b");
    if (file->stream)
        return pli_succeed(error);
    pli_status status = pli_io_fail_errno(error, "write", path);
    pli_new_file_abandon(file);
    return status;
}

// Creates a second name of the file that is currently at a path, from which it can be restored; NULL if there is none, or if the file
// system permits only one name per file.
static char *keep(const char *path)
{
    char *longer = malloc(strlen(path) + 8), *name = NULL;
    if (longer) {
        sprintf(longer, "%s.before", path);
        name = pli_temporary_name(longer);
    }
    free(longer);
    if (name && link(path, name) == 0)
        return name;
    free(name);
    return NULL;
}

// Moves a file's new content back to its temporary name. Returns false if the previous file could not be restored at the path; it then
// remains under its second name.
static bool take_back(const pli_new_file *f)
{
    if (f->kept)
        return link(f->path, f->temporary) == 0 && rename(f->kept, f->path) == 0;
    return f->is_first && rename(f->path, f->temporary) == 0;
}

// Undoes a publication after a related file could not be published.
static pli_status undo(pli_new_file *f, pli_status status, pli_error *error)
{
    if (take_back(f) || !f->kept)
        return status;
    const pli_error first = error ? *error : (pli_error){0};
    status = pli_fail(error, PLI_STATUS_FILE, "what '%s' held could not be put back and is in '%s'; %s", f->path,
                      f->kept, first.message);
    free(f->kept);
    f->kept = NULL;
    return status;
}

pli_status pli_new_files_publish(pli_new_file *const *files, int32_t count, pli_error *error)
{
    bool fine = true;
    pli_status status = pli_succeed(error);
    int32_t done = 0;
    for (; done < count && fine; done += fine) {
        pli_new_file *f = files[done];
        f->is_first = access(f->path, F_OK) != 0;
        // The last file needs no second name.
        f->kept = done + 1 < count && !f->is_first ? keep(f->path) : NULL;
        fine = (!f->stream || fflush(f->stream) == 0) && pli_publish(f->temporary, f->path);
        if (!fine)
            status = pli_io_fail_errno(error, "write", f->path);
    }
    for (int32_t i = 0; i < count; i++) {
        pli_new_file *f = files[i];
        if (i < done && !fine)
            status = undo(f, status, error);
        if (f->kept)
            unlink(f->kept);
        free(f->kept);
        f->kept = NULL;
        if (fine) {
            free(f->temporary);
            f->temporary = NULL;
        }
    }
    return status;
}

pli_status pli_new_file_publish(pli_new_file *file, pli_error *error) { return pli_new_files_publish(&file, 1, error); }

pli_status pli_new_file_finish(pli_new_file *file, pli_error *error)
{
    const bool clean = !ferror(file->stream);
    FILE *stream = file->stream;
    file->stream = NULL;
    if (fclose(stream) == 0 && clean)
        return pli_succeed(error);
    return pli_io_fail_errno(error, "write", file->path);
}

pli_status pli_new_file_commit(pli_new_file *file, pli_error *error)
{
    pli_status status = pli_new_file_finish(file, error);
    if (status == PLI_STATUS_OK)
        status = pli_new_file_publish(file, error);
    pli_new_file_abandon(file);
    return status;
}

void pli_new_file_abandon(pli_new_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    *file = (pli_new_file){0};
}

void pli_file_extension(const char *path, char extension[16])
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && (!slash || dot > slash) ? strlen(dot + 1) : 0;
    if (length >= 16)
        length = 0;
    for (size_t i = 0; i < length; i++)
        extension[i] = (char)tolower((unsigned char)dot[1 + i]);
    extension[length] = '\0';
}

char *pli_file_join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s%s%s", folder, folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "", name);
    return path;
}
