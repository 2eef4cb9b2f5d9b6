// Runs an importer in a forked child with a limit of processor time, and receives its arrays through a pipe.
#define _POSIX_C_SOURCE 200809L
#include "child_process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Header of the data in the pipe; the arrays follow.
typedef struct letter {
    pli_error error;
    int32_t vertex_count, face_count, corner_count;
} letter;

static bool send_all(int pipe, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t sent = write(pipe, at, size);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int pipe, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(pipe, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

// Forbids other files, and limits the processor time to ten seconds plus one per MiB.
static void limit_child(size_t size)
{
    const int quiet[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        signal(quiet[i], SIG_DFL);
    struct rlimit seconds = {10 + size / (1 << 20), 11 + size / (1 << 20)}, no_dump = {0, 0}, no_files = {0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &no_dump);
    // The library gets the bytes of this file, and opens no other file that it names.
    setrlimit(RLIMIT_NOFILE, &no_files);
}

static void work(pli_polygons_reader read_it, const pli_import_file *file, int pipe)
{
    pli_polygons p = {0};
    letter first = {0};
    limit_child(file->size);
    first.error.status = read_it(file, &p, &first.error);
    first.vertex_count = p.vertex_count;
    first.face_count = p.face_count;
    first.corner_count = p.corner_count;
    bool sent = send_all(pipe, &first, sizeof first);
    if (sent && first.error.status == PLI_STATUS_OK)
        sent = send_all(pipe, p.positions, 12 * (size_t)p.vertex_count) &&
               send_all(pipe, p.sizes, 4 * (size_t)p.face_count) &&
               send_all(pipe, p.corners, 4 * (size_t)p.corner_count);
    _exit(sent ? 0 : 1);
}

static bool receive(int pipe, letter *first, pli_polygons *p)
{
    if (!receive_all(pipe, first, sizeof *first))
        return false;
    if (first->error.status != PLI_STATUS_OK)
        return true;
    p->positions = malloc(12 * (size_t)first->vertex_count + 1);
    p->sizes = malloc(4 * (size_t)first->face_count + 1);
    p->corners = malloc(4 * (size_t)first->corner_count + 1);
    p->vertex_count = p->vertex_capacity = first->vertex_count;
    p->face_count = p->face_capacity = first->face_count;
    p->corner_count = p->corner_capacity = first->corner_count;
    return p->positions && p->sizes && p->corners && receive_all(pipe, p->positions, 12 * (size_t)p->vertex_count) &&
           receive_all(pipe, p->sizes, 4 * (size_t)p->face_count) &&
           receive_all(pipe, p->corners, 4 * (size_t)p->corner_count);
}

pli_status pli_read_apart(pli_polygons_reader read_it, const pli_import_file *file, pli_polygons *polygons,
                          pli_error *error)
{
    const char *name = file->name;
    int ends[2], how = 0;
    if (pipe(ends) != 0)
        return pli_io_fail_errno(error, "read", name);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(read_it, file, ends[1]);
    }
    close(ends[1]);
    letter first = {0};
    bool whole = child > 0 && receive(ends[0], &first, polygons);
    close(ends[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0)
        return pli_io_fail_errno(error, "start a process to read", name);
    if (!whole || !WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: the importer fails on this file; it is damaged", name);
    if (error)
        *error = first.error;
    return first.error.status;
}
