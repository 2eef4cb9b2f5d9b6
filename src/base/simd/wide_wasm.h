// Width 4: the 128-bit vectors of WebAssembly.
#ifndef PLI_BASE_SIMD_WIDE_WASM_H
#define PLI_BASE_SIMD_WIDE_WASM_H

#include <wasm_simd128.h>

#define WIDE 4
typedef float wide __attribute__((vector_size(16)));
typedef v128_t wide_mask;

static inline wide wide_set(float a) { return (wide)wasm_f32x4_splat(a); }
static inline wide wide_load(const float *a) { return (wide)wasm_v128_load(a); }
static inline void wide_store(float *to, wide a) { wasm_v128_store(to, (v128_t)a); }
// Loads the first `count` lanes, fewer than WIDE, and any values in the others: WebAssembly defines the result of a
// load that races with a store.
static inline wide wide_load_part(const float *from, int32_t count)
{
    (void)count;
    return wide_load(from);
}
// Stores the first `count` lanes, fewer than WIDE. Kernels contain many such stores and rarely execute them.
WIDE_SELDOM void wide_store_part(float *to, wide a, int32_t count)
{
    float lanes[WIDE];
    wide_store(lanes, a);
    for (int32_t i = 0; i < count; i++)
        to[i] = lanes[i];
}
static inline wide wide_load_indexed(const float *from, const int32_t *index)
{
    return (wide){from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
}
static inline wide wide_sqrt(wide a) { return (wide)wasm_f32x4_sqrt((v128_t)a); }
static inline wide_mask wide_less(wide a, wide b) { return wasm_f32x4_lt((v128_t)a, (v128_t)b); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return wasm_v128_and(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return wasm_v128_or(a, b); }
static inline wide wide_select(wide_mask mask, wide yes, wide no)
{
    return (wide)wasm_v128_bitselect((v128_t)yes, (v128_t)no, mask);
}
// Bit i is set where the mask holds in lane i.
static inline uint32_t wide_bits(wide_mask mask) { return (uint32_t)wasm_i32x4_bitmask(mask); }

static inline void wide_transpose(wide *a, wide *b, wide *c, wide *d)
{
    wide ab_low = __builtin_shufflevector(*a, *b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
    wide cd_low = __builtin_shufflevector(*c, *d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static inline void wide_load_scaled(const float *from, const uint32_t *index, size_t scale, wide *x, wide *y, wide *z,
                                    wide *w)
{
    *x = wide_load(from + scale * index[0]);
    *y = wide_load(from + scale * index[1]);
    *z = wide_load(from + scale * index[2]);
    *w = wide_load(from + scale * index[3]);
    wide_transpose(x, y, z, w);
}

static inline void wide_store_scaled(float *to, const uint32_t *index, size_t scale, wide x, wide y, wide z, wide w)
{
    wide_transpose(&x, &y, &z, &w);
    wide_store(to + scale * index[0], x);
    wide_store(to + scale * index[1], y);
    wide_store(to + scale * index[2], z);
    wide_store(to + scale * index[3], w);
}

// One particle as four floats.
#define QUADS 1
typedef wide quads;

static inline quads quads_set(float x, float y, float z, float w) { return (quads){x, y, z, w}; }
static inline quads quads_load(const pli_particle *from) { return wide_load(&from->x); }
static inline void quads_store(pli_particle *to, quads a) { wide_store(&to->x, a); }
static inline quads quads_same(const pli_particle *from) { return quads_load(from); }
static inline quads quads_spread(const float *from) { return wide_set(*from); }
static inline quads quads_add(quads a, quads b) { return a + b; }
static inline quads quads_subtract(quads a, quads b) { return a - b; }
static inline quads quads_multiply(quads a, quads b) { return a * b; }
#define QUADS_TAKE(a, i, j, k) __builtin_shufflevector(a, a, i, j, k, 3)
static inline quads quads_keep_w(quads a, quads w) { return __builtin_shufflevector(a, w, 0, 1, 2, 7); }
static inline quads quads_sum(quads a)
{
    quads b = quads_keep_w(a, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
    b = b + __builtin_shufflevector(b, b, 1, 0, 3, 2);
    return b + __builtin_shufflevector(b, b, 2, 3, 0, 1);
}
static inline quads quads_where_moving(quads particle, quads yes, quads no)
{
    quads w = __builtin_shufflevector(particle, particle, 3, 3, 3, 3);
    return wide_select(wasm_f32x4_ne((v128_t)w, wasm_f32x4_splat(0.0f)), yes, no);
}

#endif
