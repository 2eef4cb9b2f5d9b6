// Choices by name, formatted strings and strict parsing of numbers.
#define _POSIX_C_SOURCE 200809L
#include "frame/strings.h"

#include "src/base/nearest_name.h"
#include "support/text_buffer.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *pli_cli_nearest(const char *word, const char *(*choice)(int32_t i))
{
    const char *best = NULL, *name;
    int32_t best_distance = pli_slips_allowed(word) + 1;
    for (int32_t i = 0; (name = choice(i)); i++) {
        int32_t distance = pli_slips(word, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

int32_t pli_cli_choice_find(const char *word, size_t length, const char *(*choice)(int32_t i))
{
    const char *name;
    for (int32_t i = 0; (name = choice(i)); i++)
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            return i;
    return -1;
}

void pli_cli_choice_list(const char *(*choice)(int32_t i), char *text, size_t size)
{
    const char *name;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; (name = choice(i)) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
}

char *pli_cli_format_list(const char *format, va_list arguments)
{
    pli_text text = {0};
    pli_text_add_list(&text, format, arguments);
    return text.characters;
}

char *pli_cli_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = pli_cli_format_list(format, arguments);
    va_end(arguments);
    return text;
}

bool pli_cli_read_whole(const char *text, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

bool pli_cli_read_size(const char *text, long *width, long *height)
{
    char *end;
    errno = 0;
    *width = strtol(text, &end, 10);
    return end != text && *end == 'x' && errno == 0 && pli_cli_read_whole(end + 1, height);
}

bool pli_cli_read_numbers(const char *text, float *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtof(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}
