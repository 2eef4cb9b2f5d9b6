// A text that grows by printf, for programs: running out of memory ends them with a message.
#ifndef PLI_SUPPORT_TEXT_BUFFER_H
#define PLI_SUPPORT_TEXT_BUFFER_H

#include <stdarg.h>
#include <stddef.h>

typedef struct pli_text {
    char *characters; // NULL before the first addition; free with free() or pli_text_free.
    size_t length, capacity;
} pli_text;

void pli_text_add(pli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pli_text_add_list(pli_text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void pli_text_free(pli_text *text);

// Zeroed memory of at least one byte, under the same rule.
void *pli_text_memory(size_t size);

// What is done before running out of memory ends the program, such as closing files; one at a time, or null.
void pli_text_before_end(void (*leave)(void *user), void *user);
// The exit status of a program that ends so, 1 by default.
void pli_text_end_with(int status);

#endif
