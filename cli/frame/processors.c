// Uses the processor sets of Linux, since POSIX has none.
#define _GNU_SOURCE
#include "frame/processors.h"

#include <sched.h>
#include <unistd.h>

int32_t pli_cli_processors(int32_t most)
{
    cpu_set_t allowed;
    // The call fails on a machine with more processors than the set can hold.
    const long count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                           : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > most ? most : (int32_t)count;
}
