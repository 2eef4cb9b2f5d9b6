// The back ends of this build, and a test of which ones the processor and the operating system support.
#include "model/backends/backends.h"

#include "model/backends/backend_kernels.h"

// The compiler's library queries the processor, and queries the system for whether it saves the registers.
#ifdef PLI_HAVE_SSE2
static bool has_sse2(void) { return __builtin_cpu_supports("sse2") != 0; }
#endif
#ifdef PLI_HAVE_AVX2
static bool has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
#endif
#ifdef PLI_HAVE_AVX512
static bool has_avx512(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }
#endif

static bool always(void) { return true; }

// A null `is_there` means that the back end is not in this build.
typedef struct backend {
    bool (*is_there)(void);
    const pli_kernels *(*kernels)(void);
} backend;

static const backend backends[PLI_SIMD_COUNT] = {
#ifndef PLI_WITHOUT_SCALAR
    [PLI_SIMD_SCALAR] = {always, pli_kernels_scalar},
#endif
#ifdef PLI_HAVE_SSE2
    [PLI_SIMD_SSE2] = {has_sse2, pli_kernels_sse2},
#endif
#ifdef PLI_HAVE_AVX2
    [PLI_SIMD_AVX2] = {has_avx2, pli_kernels_avx2},
#endif
#ifdef PLI_HAVE_AVX512
    [PLI_SIMD_AVX512] = {has_avx512, pli_kernels_avx512},
#endif
#ifdef PLI_HAVE_NEON
    [PLI_SIMD_NEON] = {always, pli_kernels_neon},
#endif
#ifdef PLI_HAVE_WASM
    [PLI_SIMD_WASM] = {always, pli_kernels_wasm},
#endif
};

// PLI_SIMD_AUTO selects the first of these that the processor supports (docs/decisions/schedules.md).
static const pli_simd preferred[] = {PLI_SIMD_AVX512, PLI_SIMD_AVX2, PLI_SIMD_SSE2,
                                     PLI_SIMD_NEON,   PLI_SIMD_WASM, PLI_SIMD_SCALAR};

bool pli_simd_available(pli_simd simd)
{
    if (simd == PLI_SIMD_AUTO)
        return true;
    return (unsigned)simd < PLI_SIMD_COUNT && backends[simd].is_there && backends[simd].is_there();
}

const pli_kernels *pli_kernels_of(pli_simd simd)
{
    for (size_t i = 0; simd == PLI_SIMD_AUTO; i++)
        if (pli_simd_available(preferred[i]))
            simd = preferred[i];
    return backends[simd].kernels();
}

const pli_kernels *pli_kernels_narrowest(const pli_kernels *widest, int32_t lanes)
{
    const pli_kernels *best = widest;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        const pli_kernels *kernels = pli_simd_available((pli_simd)simd) ? backends[simd].kernels() : widest;
        if (kernels->width >= lanes && kernels->width < best->width)
            best = kernels;
    }
    return best;
}
