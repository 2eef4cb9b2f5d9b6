// What the library asks of printf and strtod, in builds that read no files: numbers become texts, and texts numbers, by
// JavaScript's own conversions (package/src/numbers.ts). wasi-libc's take 20 kB of code.
//
// Conversions: %d %u %x %c %s %g %f %%, with 0, a width, a precision, ll and z. Others end the text.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

#define IMPORT(name) __attribute__((import_module("pliant"), import_name(#name)))

enum { NUMBER_SIZE = 400, LINE_SIZE = 1024 };

// Writes a number as %g or %f would with this precision, to at most NUMBER_SIZE bytes. Returns how many it wrote.
IMPORT(number_text) extern int32_t web_number_text(double number, bool is_fixed, int32_t precision, char *to);
// The number at the start of a text, and how many bytes it takes.
IMPORT(text_number) extern double web_text_number(const char *text, int32_t *length);

// Nothing is written to files but lines of the log.
FILE *const stderr = NULL;

// Where a text grows; what exceeds its size is counted and not written.
typedef struct output {
    char *to;
    size_t size, used;
} output;

static void put(output *o, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, o->used++)
        if (o->used + 1 < o->size)
            o->to[o->used] = text[i];
}

typedef struct conversion {
    int32_t width, precision; // -1 for none.
    bool is_wide, has_zeros;
} conversion;

static void put_whole(output *o, uint64_t number, bool is_negative, uint32_t base, const conversion *c)
{
    char digits[24];
    int32_t at = sizeof digits;
    do
        digits[--at] = "0123456789abcdef"[number % base];
    while (number /= base);
    for (int32_t width = (int32_t)sizeof digits - c->width; at > width && at > 1;)
        digits[--at] = c->has_zeros ? '0' : ' ';
    if (is_negative)
        digits[--at] = '-';
    put(o, digits + at, sizeof digits - (size_t)at);
}

static int32_t read_count(const char **format, va_list *arguments)
{
    int32_t count = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(*arguments, int);
    }
    for (; **format >= '0' && **format <= '9'; ++*format)
        count = 10 * count + (**format - '0');
    return count;
}

static conversion read_conversion(const char **format, va_list *arguments)
{
    conversion c = {.precision = -1, .has_zeros = **format == '0'};
    c.width = read_count(format, arguments);
    if (**format == '.') {
        ++*format;
        c.precision = read_count(format, arguments);
    }
    for (; **format == 'l' || **format == 'z'; ++*format)
        c.is_wide = (*format)[0] == 'l' && (*format)[1] == 'l' ? true : c.is_wide; // long and size_t have 32 bits.
    return c;
}

static void put_number(output *o, double number, bool is_fixed, const conversion *c)
{
    char digits[NUMBER_SIZE] = "????????";
    int32_t length = web_number_text(number, is_fixed, c->precision < 0 ? 6 : c->precision, digits);
    put(o, digits, (size_t)length);
}

// Of a text that ends after `most` bytes at the latest; -1 for no limit.
static size_t length_of(const char *text, int32_t most)
{
    size_t length = 0;
    while (text[length] && length != (size_t)most)
        length++;
    return length;
}

static bool put_conversion(output *o, char kind, const conversion *c, va_list *arguments)
{
    int64_t whole;
    const char *text;
    char character;
    switch (kind) {
    case 'd':
        whole = c->is_wide ? va_arg(*arguments, long long) : va_arg(*arguments, int);
        put_whole(o, whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole, whole < 0, 10, c);
        return true;
    case 'u':
    case 'x':
        put_whole(o, c->is_wide ? va_arg(*arguments, unsigned long long) : va_arg(*arguments, unsigned), false,
                  kind == 'x' ? 16 : 10, c);
        return true;
    case 'c':
        character = (char)va_arg(*arguments, int);
        put(o, &character, 1);
        return true;
    case 's':
        text = va_arg(*arguments, const char *);
        text = text ? text : "(null)";
        put(o, text, length_of(text, c->precision));
        return true;
    case 'g':
    case 'f':
        put_number(o, va_arg(*arguments, double), kind == 'f', c);
        return true;
    case '%':
        put(o, "%", 1);
        return true;
    default:
        return false;
    }
}

int vsnprintf(char *restrict to, size_t size, const char *restrict given_format, va_list given)
{
    const char *format = given_format;
    output o = {to, size, 0};
    va_list arguments;
    va_copy(arguments, given);
    bool is_known = true;
    while (*format && is_known) {
        size_t plain = strcspn(format, "%");
        put(&o, format, plain);
        format += plain;
        if (!*format)
            break;
        format++;
        conversion c = read_conversion(&format, &arguments);
        is_known = put_conversion(&o, *format, &c, &arguments);
        format++;
    }
    va_end(arguments);
    if (size > 0)
        to[o.used < size ? o.used : size - 1] = '\0';
    return (int)o.used;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

// Writes to the log, whatever the file.
int fprintf(FILE *restrict file, const char *restrict format, ...)
{
    (void)file;
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    __wasi_ciovec_t part = {(const uint8_t *)line, strlen(line)};
    __wasi_size_t written;
    (void)__wasi_fd_write(2, &part, 1, &written);
    return length;
}

double strtod(const char *restrict text, char **restrict end)
{
    int32_t length = 0;
    double number = web_text_number(text, &length);
    if (end)
        *end = (char *)(uintptr_t)(text + length);
    return number;
}
