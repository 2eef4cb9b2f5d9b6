// Runs a program and ends it by SIGKILL at one of its calls that change a file, so that every state that a kill can leave is reached
// on purpose, without luck. It follows the program by ptrace.
//
//   kill_at N FOLDER LOG COMMAND...   N 0: no kill; LOG gets a line for each call, with the file of a handle
//                                     N > 0: the program ends before its N-th call; N < 0: half of what call -N writes is written
//
// Exits with the status of the program, with 137 where it was killed, and with 99 where programs cannot be followed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT = 99, KILLED = 137 };

// Which argument is the handle of a file in the folder; NO_HANDLE for calls by names.
enum { NO_HANDLE = -1, OPENS = -2 };

typedef struct watched {
    long number;
    const char *name;
    int handle;
} watched;

static const watched calls[] = {
    {SYS_write, "write", 0},
    {SYS_pwrite64, "pwrite", 0},
    {SYS_writev, "writev", 0},
    {SYS_fsync, "fsync", 0},
    {SYS_fdatasync, "fdatasync", 0},
    {SYS_ftruncate, "ftruncate", 0},
    {SYS_close, "close", 0},
    {SYS_openat, "openat", OPENS},
    {SYS_renameat, "renameat", NO_HANDLE},
    {SYS_linkat, "linkat", NO_HANDLE},
    {SYS_unlinkat, "unlinkat", NO_HANDLE},
    {SYS_mkdirat, "mkdirat", NO_HANDLE},
#ifdef SYS_rename
    {SYS_rename, "rename", NO_HANDLE},
    {SYS_link, "link", NO_HANDLE},
    {SYS_unlink, "unlink", NO_HANDLE},
    {SYS_mkdir, "mkdir", NO_HANDLE},
    {SYS_open, "open", OPENS},
#endif
};

static const watched *find(unsigned long long number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == (long)number)
            return &calls[i];
    return NULL;
}

// The path of the program's handle, or an empty text.
static void path_of(pid_t program, unsigned long long handle, char *path, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)program, (int)handle);
    const ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

// Whether the call changes a file of the folder, or a name; `path` is the file's.
static int changes(pid_t program, const watched *call, const struct __ptrace_syscall_info *info, const char *folder,
                   char *path, size_t size)
{
    path[0] = '\0';
    if (call->handle == OPENS)
        return (info->entry.args[call->number == SYS_openat ? 2 : 1] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
    if (call->handle == NO_HANDLE)
        return 1;
    path_of(program, info->entry.args[0], path, size);
    return strncmp(path, folder, strlen(folder)) == 0;
}

static int end(pid_t program)
{
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    return KILLED;
}

// Lets the call write half of its bytes. False where it is none of the kind, or where registers have other names.
static int halve(pid_t program, const watched *call, const struct __ptrace_syscall_info *info)
{
#ifdef __x86_64__
    int status;
    if ((call->number != SYS_write && call->number != SYS_pwrite64) || info->entry.args[2] < 2)
        return 0;
    ptrace(PTRACE_POKEUSER, program, offsetof(struct user_regs_struct, rdx), info->entry.args[2] / 2);
    ptrace(PTRACE_SYSCALL, program, 0, 0);
    waitpid(program, &status, 0);
    return 1;
#else
    (void)program, (void)call, (void)info;
    return 0;
#endif
}

static int follow(pid_t program, long at, const char *folder, FILE *log)
{
    long count = 0;
    int status, signal = 0;
    for (;;) {
        ptrace(PTRACE_SYSCALL, program, 0, signal);
        signal = 0;
        if (waitpid(program, &status, 0) < 0)
            return CANNOT;
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            return 128 + WTERMSIG(status);
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
            continue;
        }
        struct __ptrace_syscall_info info;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, program, sizeof info, &info) <= 0)
            return end(program), CANNOT;
        const watched *call = info.op == PTRACE_SYSCALL_INFO_ENTRY ? find(info.entry.nr) : NULL;
        char path[4096];
        if (!call || !changes(program, call, &info, folder, path, sizeof path))
            continue;
        count++;
        if (log)
            fprintf(log, "%s %s\n", call->name, path);
        if (count == at || (count == -at && halve(program, call, &info)))
            return end(program);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: kill_at N FOLDER LOG COMMAND...\n");
        return CANNOT;
    }
    const pid_t program = fork();
    if (program == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(CANNOT);
        raise(SIGSTOP);
        execv(argv[4], argv + 4);
        _exit(127);
    }
    int status;
    if (program < 0 || waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, program, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
        return CANNOT;
    FILE *log = strcmp(argv[3], "-") == 0 ? NULL : fopen(argv[3], "w");
    const int result = follow(program, atol(argv[1]), argv[2], log);
    if (log)
        fclose(log);
    return result;
}
