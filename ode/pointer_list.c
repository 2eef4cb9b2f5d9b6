// Growing lists of pointers, and the failure when memory runs out.
#include "pointer_list.h"

#include <stdlib.h>

bool ode_reserve(void *list, int32_t count)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return true;
    void **grown = realloc(*(void **)list, 2 * ((size_t)count + 1) * sizeof *grown);
    if (grown)
        *(void **)list = grown;
    return grown;
}

pli_status ode_fail_memory(pli_error *error) { return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory"); }
