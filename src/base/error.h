// Status plus message: the one way a failure leaves a function.
#ifndef PLI_BASE_ERROR_H
#define PLI_BASE_ERROR_H

#include "pliant/base.h"

// Fills `error` unless it is null, and returns `status`. One line, what and where and the mend.
pli_status pli_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Clears `error` unless it is null, and returns PLI_STATUS_OK.
pli_status pli_succeed(pli_error *error);

// The usual message for an allocator that returned null.
pli_status pli_fail_memory(pli_error *error);

// Programmer errors: `hooks` may be null.
void pli_assert_failed(const pli_hooks *hooks, const char *condition, const char *file, int32_t line);
#define PLI_ASSERT(hooks, condition) \
    ((condition) ? (void)0 : pli_assert_failed((hooks), #condition, __FILE__, __LINE__))

#endif
