// A text that grows by printf.
#include "support/text_buffer.h"

#include <stdio.h>
#include <stdlib.h>

static void *grow(void *memory, size_t size)
{
    void *grown = realloc(memory, size);
    if (!grown) {
        fputs("pliant: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

void pli_text_add_list(pli_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    size_t needed = text->length + (size_t)(length > 0 ? length : 0) + 1;
    if (needed > text->capacity) {
        text->capacity = needed < 256 ? 256 : 2 * needed;
        text->characters = grow(text->characters, text->capacity);
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
