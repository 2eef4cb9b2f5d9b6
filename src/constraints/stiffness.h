// k' = 1 - (1 - k)^(1/n): what one of n sweeps must remove so that all of them remove k.
#ifndef PLI_CONSTRAINTS_STIFFNESS_H
#define PLI_CONSTRAINTS_STIFFNESS_H

#include <stdint.h>

// Mueller et al. 2006, section 3.3. Precise also for small k, and the same on every machine, since
// it needs no logarithm. k in 0..1, n >= 1.
double pli_stiffness_per_iteration(double k, int32_t n);

#endif
