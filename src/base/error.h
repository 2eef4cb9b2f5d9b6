// What failing needs beside pli_fail and pli_succeed of the public header.
#ifndef PLI_BASE_ERROR_H
#define PLI_BASE_ERROR_H

#include "pliant/base.h"

// The usual message for an allocator that returned null.
pli_status pli_fail_memory(pli_error *error);

// Programmer errors: `hooks` may be null.
void pli_assert_failed(const pli_hooks *hooks, const char *condition, const char *file, int32_t line);
#define PLI_ASSERT(hooks, condition)                                                                                   \
    ((condition) ? (void)0 : pli_assert_failed((hooks), #condition, __FILE__, __LINE__))

#endif
