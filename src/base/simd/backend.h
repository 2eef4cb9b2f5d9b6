// The name of the back end for which a file is compiled. Files in constraints/types, shapes/types and all *_kernels.c
// are compiled once for each back end; their exported functions carry its name.
#ifndef PLI_BASE_SIMD_BACKEND_H
#define PLI_BASE_SIMD_BACKEND_H

#ifndef PLI_BACKEND
#define PLI_BACKEND scalar
#endif

#define PLI_JOIN_(a, b) a##_##b
#define PLI_JOIN(a, b) PLI_JOIN_(a, b)

// PLI_NAMED(pli_thing) is pli_thing_scalar, pli_thing_sse2 and so on. Kernels for particles in runs
// (constraints/kernel.h) are called pli_thing_avx2_runs.
#ifdef PLI_RUNS
#define PLI_NAMED(name) PLI_JOIN(PLI_JOIN(name, PLI_BACKEND), runs)
#else
#define PLI_NAMED(name) PLI_JOIN(name, PLI_BACKEND)
#endif

#define PLI_BACKEND_IS_scalar 1
#define PLI_BACKEND_IS_sse2 2
#define PLI_BACKEND_IS_avx2 3
#define PLI_BACKEND_IS_avx512 4
#define PLI_BACKEND_IS_neon 5
#define PLI_BACKEND_IS_wasm 6
#define PLI_BACKEND_ID PLI_JOIN(PLI_BACKEND_IS, PLI_BACKEND)

#endif
