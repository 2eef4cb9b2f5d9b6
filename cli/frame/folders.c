// Folders, entire files, and the files of earlier runs.
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "frame/folders.h"

#include "frame/strings.h"

#include "support/publish.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_DIGITS = 4 };
#define LARGEST_FILE ((off_t)1 << 40)

pli_status pli_cli_fail(pli_error *error, pli_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

bool pli_cli_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool make_one(const char *path)
{
    return mkdir(path, 0777) == 0 || ((errno == EEXIST || errno == EISDIR) && pli_cli_is_folder(path));
}

pli_status pli_cli_folder_make(const char *path, pli_error *error)
{
    char *part = pli_cli_format("%s", path);
    bool made = true;
    for (char *c = part + 1; made && *part && *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        made = make_one(part);
        *c = '/';
    }
    made = made && make_one(path);
    int reason = errno;
    free(part);
    return made ? PLI_STATUS_OK
                : pli_cli_fail(error, PLI_STATUS_FILE, "cannot make the folder '%s': %s", path, strerror(reason));
}

pli_status pli_cli_folder_lock(const char *path, int *handle, pli_error *error)
{
    // The folder itself is locked, so that a killed run leaves no lock file.
    *handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*handle < 0 || flock(*handle, LOCK_EX | LOCK_NB) == 0)
        return PLI_STATUS_OK;
    const bool taken = errno == EWOULDBLOCK;
    close(*handle);
    *handle = -1;
    return taken
               ? pli_cli_fail(error, PLI_STATUS_FILE,
                              "another run writes into '%s'; wait for it, or choose another folder with --output", path)
               : PLI_STATUS_OK;
}

static bool write_pieces(FILE *stream, const void *const *pieces, const size_t *sizes, int32_t piece_count)
{
    for (int32_t i = 0; i < piece_count; i++)
        if (sizes[i] > 0 && fwrite(pieces[i], 1, sizes[i], stream) != sizes[i])
            return false;
    return fflush(stream) == 0;
}

pli_status pli_cli_file_write(const char *path, const void *const *pieces, const size_t *sizes, int32_t piece_count,
                              pli_error *error)
{
    char *temporary = pli_temporary_name(path);
    FILE *stream = temporary ? fopen(temporary, "wb") : NULL;
    bool written = stream && write_pieces(stream, pieces, sizes, piece_count);
    int reason = errno;
    if (stream && fclose(stream) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && !pli_publish(temporary, path)) {
        written = false;
        reason = errno;
    }
    if (!written && stream)
        unlink(temporary);
    free(temporary);
    return written ? PLI_STATUS_OK
                   : pli_cli_fail(error, PLI_STATUS_FILE, "cannot write '%s': %s", path, strerror(reason));
}

static pli_status read_stream(FILE *stream, const char *path, void **content, size_t *size, pli_error *error)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > LARGEST_FILE)
        return pli_cli_fail(error, PLI_STATUS_FILE, "'%s' is not a file that can be read", path);
    *size = (size_t)info.st_size;
    *content = malloc(*size + 1);
    if (!*content)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while reading '%s'", path);
    if (fread(*content, 1, *size, stream) == *size)
        return PLI_STATUS_OK;
    free(*content);
    *content = NULL;
    return pli_cli_fail(error, PLI_STATUS_FILE, "cannot read '%s': %s", path, strerror(errno));
}

uint64_t pli_cli_checksum(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

pli_status pli_cli_file_read(const char *path, void **content, size_t *size, pli_error *error)
{
    *content = NULL;
    FILE *stream = pli_open_to_read(path);
    if (!stream)
        return pli_cli_fail(error, errno == ENOENT ? PLI_STATUS_NOT_FOUND : PLI_STATUS_FILE, "cannot open '%s': %s",
                            path, strerror(errno));
    pli_status status = read_stream(stream, path, content, size, error);
    fclose(stream);
    return status;
}

// Returns the number in BEGINNING..._NNNN.EXTENSION, or -1.
static long file_number(const char *name, const char *beginning, const char *extension)
{
    const char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot + 1, extension) != 0 || strncmp(name, beginning, strlen(beginning)) != 0)
        return -1;
    const char *start = dot;
    while (start > name && isdigit((unsigned char)start[-1]))
        start--;
    if (dot - start < NUMBER_DIGITS || start == name || start[-1] != '_')
        return -1;
    return strtol(start, NULL, 10);
}

// Removes the files of a folder for which `chosen` returns true.
static void remove_files(const char *folder, bool (*chosen)(const char *name, const void *data), const void *data)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing));) {
        if (!chosen(entry->d_name, data))
            continue;
        char *path = pli_cli_format("%s/%s", folder, entry->d_name);
        unlink(path);
        free(path);
    }
    closedir(listing);
}

typedef struct numbered {
    const char *beginning, *extension;
    int32_t first;
} numbered;

static bool is_numbered(const char *name, const void *data)
{
    const numbered *n = data;
    return file_number(name, n->beginning, n->extension) >= n->first;
}

void pli_cli_remove_numbered(const char *folder, const char *beginning, const char *extension, int32_t first)
{
    remove_files(folder, is_numbered, &(numbered){beginning, extension, first});
}

static bool is_leftover(const char *name, const void *data)
{
    (void)data;
    size_t length = strlen(name), ending = strlen(".tmp");
    if (length <= ending || strcmp(name + length - ending, ".tmp") != 0)
        return false;
    const char *end = name + length - ending, *start = end;
    while (start > name && isdigit((unsigned char)start[-1]))
        start--;
    long process = strtol(start, NULL, 10);
    return start < end && start > name && start[-1] == '.' && process > 0 && kill((pid_t)process, 0) != 0 &&
           errno == ESRCH;
}

void pli_cli_remove_leftovers(const char *folder) { remove_files(folder, is_leftover, NULL); }

char *pli_cli_stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return pli_cli_format("%.*s", (int)(dot && dot > start ? (size_t)(dot - start) : strlen(start)), start);
}

void pli_cli_name_clean(char *name)
{
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '_';
}

const char *pli_cli_extension(const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return dot && dot > start ? dot + 1 : "";
}
