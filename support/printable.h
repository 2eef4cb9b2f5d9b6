// Texts that came from files of others, made fit for a terminal.
#ifndef PLI_SUPPORT_PRINTABLE_H
#define PLI_SUPPORT_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of the control character that the text begins with: one that a terminal obeys (C0, delete, and C1 in UTF-8), or one of Unicode that
// changes the direction of what follows or shows nothing. 0 for other characters.
size_t pli_control_length(const char *text);
// Replaces each byte of control characters by '?'; ends of lines stay where the text `has_lines`.
void pli_make_printable(char *text, bool has_lines);

#endif
