// The back ends of this build, and which of them the processor and its system have.
#ifndef PLI_BACKENDS_BACKENDS_H
#define PLI_BACKENDS_BACKENDS_H

#include "model/kernels.h"

// The kernels of a back end that is available.
const pli_kernels *pli_kernels_of(pli_simd simd);
// The narrowest back end of so many lanes at least, or the given one, which is no wider than the processor allows.
const pli_kernels *pli_kernels_narrowest(const pli_kernels *widest, int32_t lanes);

#endif
