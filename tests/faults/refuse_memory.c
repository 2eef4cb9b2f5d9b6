// Preloaded into the command: refuses the n-th request for memory that comes from Pliant's own code or its JSON library, and says at
// the end how many blocks are left and by which stack each request came. Other libraries get all that they ask for.
//
//   REFUSE_AT=n      which request is refused, from 0; none without it
//   REFUSE_WITHIN=f  only requests within this exported function are counted and listed; all without it
//   REFUSE_TRACE=1   says who asked
//   REFUSE_REPORT=f  the file that gets the blocks that are left, then a line for each request: equal lines came by equal stacks
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 1 << 20, PAGES = 4096, STACKS = 1 << 20, DEPTH = 64 };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t blocks[BLOCKS]; // Open addressing; 1 is a place that was left.
static struct {
    uintptr_t page;
    bool ours;
} pages[PAGES];                 // Pages of code that have asked, so that their library is looked up once.
static uint64_t stacks[STACKS]; // Of each request, as a hash.
static struct {
    uintptr_t begin, size;
} within; // The code of REFUSE_WITHIN.
static long requests, live, refused_at = -1;
static bool ready;
static __thread bool inside;

static bool is_ours(const void *caller)
{
    const uintptr_t page = (uintptr_t)caller >> 12;
    const size_t at = page % PAGES;
    if (pages[at].page == page)
        return pages[at].ours;
    Dl_info info;
    inside = true;
    const bool found = dladdr(caller, &info) && info.dli_fname;
    const char *slash = found ? strrchr(info.dli_fname, '/') : NULL;
    const char *name = slash ? slash + 1 : found ? info.dli_fname : "";
    inside = false;
    const bool ours = strncmp(name, "pliant", 6) == 0 || strncmp(name, "libpliant", 9) == 0 ||
                      strncmp(name, "libjansson", 10) == 0;
    pages[at].page = page, pages[at].ours = ours;
    return ours;
}

// Writes a hash of the addresses to which the callers return, which is comparable within one process. False where a request from
// there does not count.
static bool read_stack(uint64_t *hash)
{
    void *calls[DEPTH];
    inside = true;
    const int count = backtrace(calls, DEPTH);
    inside = false;
    bool counts = within.size == 0;
    *hash = 14695981039346656037u;
    for (int i = 0; i < count; i++) {
        *hash = (*hash ^ (uintptr_t)calls[i]) * 1099511628211u;
        counts = counts || (uintptr_t)calls[i] - within.begin < within.size;
    }
    return counts;
}

// Whether the request is one of those that count, and whether it is refused.
static bool is_refused(const void *caller, bool *counted)
{
    *counted = false;
    if (!ready || inside)
        return false;
    pthread_mutex_lock(&lock);
    *counted = is_ours(caller);
    bool refused = false;
    uint64_t hash;
    if (*counted && read_stack(&hash)) {
        if (requests < STACKS)
            stacks[requests] = hash;
        refused = requests++ == refused_at;
    }
    pthread_mutex_unlock(&lock);
    if (refused && getenv("REFUSE_TRACE")) {
        void *calls[30];
        inside = true;
        backtrace_symbols_fd(calls, backtrace(calls, 30), STDERR_FILENO);
        inside = false;
    }
    if (refused)
        errno = ENOMEM;
    return refused;
}

static void *keep(void *memory, bool counted)
{
    if (!memory || !counted)
        return memory;
    pthread_mutex_lock(&lock);
    size_t at = (uintptr_t)memory / 16 * 2654435761u % BLOCKS;
    while (blocks[at] > 1)
        at = (at + 1) % BLOCKS;
    blocks[at] = (uintptr_t)memory;
    live++;
    pthread_mutex_unlock(&lock);
    return memory;
}

static void forget(const void *memory)
{
    if (!memory || !ready)
        return;
    pthread_mutex_lock(&lock);
    for (size_t at = (uintptr_t)memory / 16 * 2654435761u % BLOCKS; blocks[at]; at = (at + 1) % BLOCKS)
        if (blocks[at] == (uintptr_t)memory) {
            blocks[at] = 1;
            live--;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void *malloc(size_t size)
{
    bool counted;
    return is_refused(__builtin_return_address(0), &counted) ? NULL : keep(__libc_malloc(size), counted);
}

void *calloc(size_t count, size_t size)
{
    bool counted;
    return is_refused(__builtin_return_address(0), &counted) ? NULL : keep(__libc_calloc(count, size), counted);
}

void *realloc(void *memory, size_t size)
{
    bool counted;
    if (is_refused(__builtin_return_address(0), &counted))
        return NULL;
    forget(memory);
    return keep(__libc_realloc(memory, size), counted);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    bool counted;
    return is_refused(__builtin_return_address(0), &counted) ? NULL : keep(__libc_memalign(alignment, size), counted);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    bool counted;
    if (is_refused(__builtin_return_address(0), &counted))
        return ENOMEM;
    *memory = keep(__libc_memalign(alignment, size), counted);
    return *memory ? 0 : ENOMEM;
}

char *strdup(const char *text)
{
    bool counted;
    const size_t size = strlen(text) + 1;
    char *copy = is_refused(__builtin_return_address(0), &counted) ? NULL : keep(__libc_malloc(size), counted);
    return copy ? memcpy(copy, text, size) : NULL;
}

void free(void *memory)
{
    forget(memory);
    __libc_free(memory);
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("REFUSE_AT");
    refused_at = at ? atol(at) : -1;
    const char *name = getenv("REFUSE_WITHIN");
    const void *code = name ? dlsym(RTLD_DEFAULT, name) : NULL;
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;
    if (code && dladdr1(code, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
        within.begin = (uintptr_t)code, within.size = symbol->st_size;
    if (name && within.size == 0)
        abort();
    void *call;
    backtrace(&call, 1); // Its first call loads a library, which asks for memory and frees some.
    ready = true;
}

__attribute__((destructor)) static void end(void)
{
    ready = false;
    const char *path = getenv("REFUSE_REPORT");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", live);
        for (long i = 0; i < requests && i < STACKS; i++)
            dprintf(file, "%016llx\n", (unsigned long long)stacks[i]);
        close(file);
    }
}
