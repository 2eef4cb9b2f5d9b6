// The table of each back end, whether or not this build contains it.
#ifndef PLI_MODEL_BACKENDS_BACKEND_KERNELS_H
#define PLI_MODEL_BACKENDS_BACKEND_KERNELS_H

#include "model/kernels.h"

const pli_kernels *pli_kernels_scalar(void);
const pli_kernels *pli_kernels_sse2(void);
const pli_kernels *pli_kernels_avx2(void);
const pli_kernels *pli_kernels_avx512(void);
const pli_kernels *pli_kernels_neon(void);
const pli_kernels *pli_kernels_wasm(void);

#endif
