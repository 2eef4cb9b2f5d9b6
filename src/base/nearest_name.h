// The nearest of several names, for messages that suggest the name that was probably meant.
#ifndef PLI_BASE_NEAREST_NAME_H
#define PLI_BASE_NEAREST_NAME_H

#include <stdint.h>

// The number of insertions, deletions, replacements and swaps of neighbours between two texts, of which the first 63
// letters count.
int32_t pli_edit_distance(const char *a, const char *b);
// The name at the smallest distance, the first of several; "" when `count` is 0.
const char *pli_nearest_name(const char *name, const char *const *names, int32_t count);
// The most letters that may be wrong in a name for another to be the one that was meant: a third of it, and two at least.
int32_t pli_slips_allowed(const char *name);

#endif
