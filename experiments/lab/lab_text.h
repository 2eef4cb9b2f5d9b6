// Text that grows, and memory that lives as long as the lab. Out of memory ends the program: what an
// experiment holds is small, and nothing of an unfinished one is kept.
#ifndef PLI_LAB_TEXT_H
#define PLI_LAB_TEXT_H

#include <stddef.h>

typedef struct lab_text {
    char *characters; // Null while empty.
    size_t length, capacity;
} lab_text;

void lab_text_add(lab_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lab_text_release(lab_text *text);

// Never null.
void *lab_grow(void *memory, size_t count, size_t size);

#endif
