// k' = 1 - (1 - k)^(1/n): the fraction that each of n sweeps must remove so that all together remove k.
#ifndef PLI_CONSTRAINTS_STIFFNESS_H
#define PLI_CONSTRAINTS_STIFFNESS_H

#include <stdint.h>

// Mueller et al. 2006, section 3.3. Accurate also for small k, and the same on every machine, since it needs no
// logarithm. k in 0..1, n >= 1.
double pli_stiffness_per_iteration(double k, int32_t n);

#endif
