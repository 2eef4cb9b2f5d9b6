// The nearest of several names, for messages that suggest the name that was probably meant.
#ifndef PLI_BASE_NEAREST_NAME_H
#define PLI_BASE_NEAREST_NAME_H

#include <stdint.h>

// Size of a list of names in a message.
enum { PLI_NAME_LIST = 160 };

// Returns the number of insertions, deletions, replacements and swaps of neighbours between two texts. Only the first
// 63 letters count.
int32_t pli_edit_distance(const char *a, const char *b);
// Returns the edit distance from a word to a name that may have been meant. It is one if the word has three letters or
// more and the name begins with it.
int32_t pli_slips(const char *word, const char *name);
// Returns the largest distance at which a name counts as meant: a third of the letters of the word plus one, but never all letters.
int32_t pli_slips_allowed(const char *word);
// Returns the name that was probably meant, the first of several; null if none is near enough.
const char *pli_meant_name(const char *word, const char *const *names, int32_t count);
// Writes the names that fit, separated by commas, and "..." for the others.
void pli_list_names(char list[PLI_NAME_LIST], const char *const *names, int32_t count);

#endif
