// The back ends of this build, and a test of which ones the processor and the operating system support.
#ifndef PLI_MODEL_BACKENDS_BACKENDS_H
#define PLI_MODEL_BACKENDS_BACKENDS_H

#include "model/kernels.h"

// Returns the kernels of an available back end.
const pli_kernels *pli_kernels_of(pli_simd simd);
// Returns the narrowest back end with at least `lanes` lanes, or the given one, which is no wider than the processor allows.
const pli_kernels *pli_kernels_narrowest(const pli_kernels *widest, int32_t lanes);

#endif
