// Growing lists of pointers, and the failure when memory runs out.
#ifndef PLI_ODE_POINTER_LIST_H
#define PLI_ODE_POINTER_LIST_H

#include <pliant/base.h>

// Grows the list at *list for one more pointer. False when memory runs out.
bool ode_reserve(void *list, int32_t count);
pli_status ode_fail_memory(pli_error *error);

#endif
