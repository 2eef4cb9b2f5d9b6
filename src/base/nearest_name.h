// The nearest of several names, for messages that ask whether another one was meant.
#ifndef PLI_BASE_NEAREST_NAME_H
#define PLI_BASE_NEAREST_NAME_H

#include <stdint.h>

// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other, in their first 63
// letters.
int32_t pli_edit_distance(const char *a, const char *b);
// The name at the least distance, the first of several; "" when there are none.
const char *pli_nearest_name(const char *name, const char *const *names, int32_t count);

#endif
