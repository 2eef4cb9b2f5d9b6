// Errors inside the library: the message for exhausted memory, and assertions. pli_fail and pli_succeed are public.
#ifndef PLI_BASE_ERROR_H
#define PLI_BASE_ERROR_H

#include "pliant/base.h"

// Fails with OUT_OF_MEMORY and the usual message.
pli_status pli_fail_memory(pli_error *error);
// Fails with NOT_FOUND: `what` and the word, then the name that was probably meant or, if no name is near, the existing names.
pli_status pli_fail_unknown(pli_error *error, const char *what, const char *word, const char *const *names,
                            int32_t count);

// Reports a programmer error through hooks->assertion, or prints it and aborts. `hooks` may be null.
void pli_assert_failed(const pli_hooks *hooks, const char *condition, const char *file, int32_t line);
#define PLI_ASSERT(hooks, condition)                                                                                   \
    ((condition) ? (void)0 : pli_assert_failed((hooks), #condition, __FILE__, __LINE__))

#endif
