// Text that grows.
#include "lab/lab_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *lab_grow(void *memory, size_t count, size_t size)
{
    void *grown = count > SIZE_MAX / size ? NULL : realloc(memory, count * size + 1);
    if (!grown) {
        fputs("pliant: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

void lab_text_add(lab_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = text->length + (size_t)(length > 0 ? length : 0) + 1;
    if (needed > text->capacity) {
        text->capacity = needed < 256 ? 256 : 2 * needed;
        text->characters = lab_grow(text->characters, text->capacity, 1);
    }
    vsnprintf(text->characters + text->length, text->capacity - text->length, format, again);
    va_end(again);
    text->length = needed - 1;
}

void lab_text_release(lab_text *text)
{
    free(text->characters);
    *text = (lab_text){0};
}
