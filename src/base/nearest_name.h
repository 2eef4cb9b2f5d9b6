// The nearest of several names, for messages that suggest the name that was probably meant.
#ifndef PLI_BASE_NEAREST_NAME_H
#define PLI_BASE_NEAREST_NAME_H

#include <stdint.h>

// Size of a list of names in a message.
enum { PLI_NAME_LIST = 160 };

// The number of insertions, deletions, replacements and swaps of neighbours between two texts, of which the first 63
// letters count.
int32_t pli_edit_distance(const char *a, const char *b);
// The same from a word to a name that may have been meant, which is one away when it begins with three letters or more that
// are the whole word.
int32_t pli_slips(const char *word, const char *name);
// The most slips in a word for a name to be the one that was meant: a third of its letters and one, but never all of them.
int32_t pli_slips_allowed(const char *word);
// The name that was probably meant, the first of several; null where none is that near.
const char *pli_meant_name(const char *word, const char *const *names, int32_t count);
// Writes names between commas, as many as fit, and "..." for the others.
void pli_list_names(char list[PLI_NAME_LIST], const char *const *names, int32_t count);

#endif
