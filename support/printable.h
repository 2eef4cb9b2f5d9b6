// Texts that came from files of others, made fit for a terminal.
#ifndef PLI_SUPPORT_PRINTABLE_H
#define PLI_SUPPORT_PRINTABLE_H

#include <stdbool.h>

// Replaces control characters, which a terminal would obey (C0, delete, and C1 in UTF-8), by '?'; ends of lines stay where the text
// `has_lines`.
void pli_make_printable(char *text, bool has_lines);

#endif
