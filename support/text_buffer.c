// A text that grows by printf.
#include "support/text_buffer.h"

#include <stdio.h>
#include <stdlib.h>

static void (*leave_by)(void *user);
static void *leave_user;
static int end_status = 1;

void pli_text_before_end(void (*leave)(void *user), void *user)
{
    leave_by = leave;
    leave_user = user;
}

void pli_text_end_with(int status) { end_status = status; }

static void *have(void *memory)
{
    if (memory)
        return memory;
    fputs("pliant: out of memory\n", stderr);
    void (*leave)(void *user) = leave_by;
    leave_by = NULL; // It may run out of memory itself.
    if (leave)
        leave(leave_user);
    exit(end_status);
}

void *pli_text_memory(size_t size) { return have(calloc(1, size ? size : 1)); }

void pli_text_add_list(pli_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    size_t needed = text->length + (size_t)(length > 0 ? length : 0) + 1;
    if (needed > text->capacity) {
        text->capacity = needed < 256 ? 256 : 2 * needed;
        text->characters = have(realloc(text->characters, text->capacity));
    }
    vsnprintf(text->characters + text->length, text->capacity - text->length, format, again);
    va_end(again);
    text->length = needed - 1;
}

void pli_text_add(pli_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pli_text_add_list(text, format, arguments);
    va_end(arguments);
}

void pli_text_free(pli_text *text)
{
    free(text->characters);
    *text = (pli_text){0};
}
