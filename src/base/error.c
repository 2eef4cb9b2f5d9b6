// Status names, messages, assertions and default hooks.
#define _DEFAULT_SOURCE
#include "base/error.h"

#include "base/nearest_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum { SMALL_PAGE = 4096, LARGE_BLOCK = 4 << 20 };

static const char *const status_names[PLI_STATUS_COUNT] = {
    [PLI_STATUS_OK] = "ok",
    [PLI_STATUS_INVALID_ARGUMENT] = "invalid argument",
    [PLI_STATUS_INVALID_MESH] = "invalid mesh",
    [PLI_STATUS_NOT_FOUND] = "not found",
    [PLI_STATUS_OUT_OF_MEMORY] = "out of memory",
    [PLI_STATUS_NON_FINITE] = "non-finite state",
    [PLI_STATUS_FILE] = "file error",
    [PLI_STATUS_PARSE] = "parse error",
    [PLI_STATUS_UNSUPPORTED] = "unsupported",
    [PLI_STATUS_CORRUPT] = "corrupt",
    [PLI_STATUS_CANCELLED] = "cancelled",
};

const char *pli_status_name(pli_status status)
{
    return (unsigned)status < PLI_STATUS_COUNT ? status_names[status] : "unknown status";
}

void pli_text_release(char *text) { free(text); }

const char *pli_version(void) { return PLI_VERSION_STRING; }

pli_status pli_fail(pli_error *error, pli_status status, const char *format, ...)
{
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

pli_status pli_succeed(pli_error *error)
{
    if (error) {
        error->status = PLI_STATUS_OK;
        error->message[0] = '\0';
    }
    return PLI_STATUS_OK;
}

pli_status pli_fail_memory(pli_error *error)
{
    return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory: the allocator returned null; nothing was changed");
}

pli_status pli_fail_unknown(pli_error *error, const char *what, const char *word, const char *const *names,
                            int32_t count)
{
    char list[PLI_NAME_LIST];
    const char *meant = pli_meant_name(word, names, count);
    pli_list_names(list, names, count);
    return pli_fail(error, PLI_STATUS_NOT_FOUND, "%s '%.80s'; %s%s%s", what, word,
                    meant        ? "did you mean '"
                    : count == 1 ? "there is "
                                 : "there are ",
                    meant ? meant : list, meant ? "'?" : "");
}

void pli_assert_failed(const pli_hooks *hooks, const char *condition, const char *file, int32_t line)
{
    if (hooks && hooks->assertion) {
        hooks->assertion(hooks->user, condition, file, line);
        return;
    }
    fprintf(stderr, "pliant: %s:%d: misuse: %s\n", file, (int)line, condition);
    abort();
}

// Large blocks are aligned to large pages if the system has them. The first access to a page and every address
// translation then cost a small fraction of their usual time.
static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    size_t padded = (size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, padded);
#ifdef MADV_HUGEPAGE
    uintptr_t begin = (uintptr_t)block / SMALL_PAGE * SMALL_PAGE;
    if (block && size >= LARGE_BLOCK)
        madvise((void *)begin, padded, MADV_HUGEPAGE);
#endif
    return block;
}

static void default_release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

static void default_log(void *user, pli_log_level level, const char *message)
{
    (void)user;
    if (level != PLI_LOG_INFO)
        fprintf(stderr, "pliant: %s: %s\n", level == PLI_LOG_WARNING ? "warning" : "error", message);
}

pli_hooks pli_hooks_default(void)
{
    return (pli_hooks){.allocate = default_allocate, .release = default_release, .log = default_log};
}
