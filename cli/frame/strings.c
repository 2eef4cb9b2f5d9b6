// Nearest names, lists of names and strict reading of numbers.
#define _POSIX_C_SOURCE 200809L
#include "frame/strings.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 63 };

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

int32_t pli_cli_distance(const char *a, const char *b)
{
    int32_t rows[WORD_MAX + 1][WORD_MAX + 1];
    size_t longest = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
    if (longest > WORD_MAX)
        return INT32_MAX;
    int32_t m = (int32_t)strlen(a), n = (int32_t)strlen(b);
    for (int32_t i = 0; i <= m; i++)
        rows[i][0] = i;
    for (int32_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (int32_t i = 1; i <= m; i++)
        for (int32_t j = 1; j <= n; j++) {
            rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    return rows[m][n];
}

const char *pli_cli_nearest(const char *word, const char *(*choice)(int32_t i))
{
    const char *best = NULL, *name;
    int32_t reach = (int32_t)strlen(word) / 3 + 1, best_distance = (reach < 2 ? 2 : reach) + 1;
    for (int32_t i = 0; (name = choice(i)); i++) {
        size_t length = strlen(word);
        bool begins = length >= 3 && strncmp(name, word, length) == 0;
        int32_t distance = begins ? 1 : pli_cli_distance(word, name);
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

char *pli_cli_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) {
        fputs("pliant: out of memory\n", stderr);
        exit(1);
    }
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
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
