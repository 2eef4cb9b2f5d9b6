// A cursor over the text of a mesh file that counts lines, and reads words and numbers identically on every machine.
#ifndef PLI_IO_TEXT_SCAN_H
#define PLI_IO_TEXT_SCAN_H

#include "files/io_error.h"

typedef struct pli_scan {
    const char *at, *end;
    int32_t line;     // From 1.
    const char *name; // For messages.
    bool comments;    // '#' starts a comment and a backslash before a line break continues the line, as in OBJ.
} pli_scan;

bool pli_scan_at_line_end(const pli_scan *scan);
bool pli_scan_at_word_end(const pli_scan *scan);
// Skips to the next word of the line, or to its end.
void pli_scan_skip_blanks(pli_scan *scan);
// Skips to the next word, across lines.
void pli_scan_skip_space(pli_scan *scan);
// Skips the rest of the line and its break.
void pli_scan_next_line(pli_scan *scan);
// Skips the rest of the word.
void pli_scan_skip_word(pli_scan *scan);
// Length of the word at the cursor.
int32_t pli_scan_word_length(const pli_scan *scan);
// Whether the word at the cursor equals the given one, ignoring case if `fold`; skips it if so.
bool pli_scan_word(pli_scan *scan, const char *word, bool fold);

// Reads a decimal number such as -1.5e-3 that ends the word; false for anything else. The locale has no effect: the digits are
// multiplied by powers of ten in double, which is exact for up to 15 digits and exponents up to 22.
bool pli_scan_number(pli_scan *scan, double *value);
// Reads an integer up to the first non-digit; false without digits. Larger values are clamped beyond INT32_MAX.
bool pli_scan_integer(pli_scan *scan, int64_t *value);

// PARSE, as "NAME:LINE: 'WORD' is not WHAT", with the word at `word`.
pli_status pli_scan_fail(const pli_scan *scan, const char *word, const char *what, pli_error *error);
// PARSE, as "NAME:LINE: WHAT".
pli_status pli_scan_fail_line(const pli_scan *scan, const char *what, pli_error *error);

#endif
