// Choices by name, formatted strings and strict parsing of numbers.
#ifndef PLI_CLI_STRINGS_H
#define PLI_CLI_STRINGS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The name among choice(0), choice(1), ... that is most similar to `word`, or null when none is similar.
const char *pli_cli_nearest(const char *word, const char *(*choice)(int32_t i));
// Index of the word (its first `length` characters) among the choices, or -1.
int32_t pli_cli_choice_find(const char *word, size_t length, const char *(*choice)(int32_t i));
// Writes all choices as "a, b, c".
void pli_cli_choice_list(const char *(*choice)(int32_t i), char *text, size_t size);
// printf into new memory; never NULL, since running out of memory ends the program.
char *pli_cli_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same with a va_list.
char *pli_cli_format_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
// Parsers of the entire text: an integer, WIDTHxHEIGHT, finite numbers separated by commas.
bool pli_cli_read_whole(const char *text, long *value);
bool pli_cli_read_size(const char *text, long *width, long *height);
bool pli_cli_read_numbers(const char *text, float *numbers, int32_t count);

#endif
