// One interface for vectors of 1, 4, 8 or 16 floats, so that each kernel is written once.
//
// `wide` supports + - * / and unary minus through the language. Every operation is rounded as IEEE
// says and there is no fused multiply-add, so lane i of a wide kernel gives the same bits as the
// scalar kernel given lane i's inputs. Sums across lanes are not part of the interface.
//
//     wide_load_particles     memory  xyzw xyzw xyzw xyzw   ->   xxxx yyyy zzzz wwww    transposed, any places
//     quads_load              memory  xyzw xyzw             ->   xyzwxyzw               as in memory, contiguous
//
// `quads` are QUADS contiguous particles, for passes that treat x, y and z alike and do not change w. quads_sum sets
// all four components to x + y + z. quads_same loads one particle into all quads; quads_spread loads one float into all
// components of a quad, the next float into the next quad; quads_sums adds up within quads. QUADS_TAKE(a, i, j, k) sets
// x, y and z to the components i, j and k, which are constants; w stays.
#ifndef PLI_BASE_SIMD_WIDE_H
#define PLI_BASE_SIMD_WIDE_H

#include "base/simd/backend.h"

#include <stddef.h>
#include <stdint.h>

// A particle as kernels load it: position and inverse mass in 16 bytes.
typedef struct pli_particle {
    float x, y, z, w;
} pli_particle;

// The place of a particle, stored doubled because the addressing modes of processors scale an index by at most 8.
typedef struct pli_index {
    uint32_t twice;
} pli_index;

static inline pli_index pli_index_of(int32_t place) { return (pli_index){2u * (uint32_t)place}; }
static inline int32_t pli_index_place(pli_index index) { return (int32_t)(index.twice >> 1); }

// Parts of kernels that must be inlined, for example because a constant argument selects the code.
#define WIDE_INLINE static inline __attribute__((always_inline, unused))

// Rarely executed parts of kernels become separate functions in builds that optimise for size.
#ifdef PLI_COMPACT
#define WIDE_SELDOM static __attribute__((noinline, unused))
#else
#define WIDE_SELDOM static inline
#endif

#if PLI_BACKEND_ID == PLI_BACKEND_IS_avx512
#include "base/simd/wide_avx512.h"
#elif PLI_BACKEND_ID == PLI_BACKEND_IS_avx2
#include "base/simd/wide_avx2.h"
#elif PLI_BACKEND_ID == PLI_BACKEND_IS_sse2
#include "base/simd/wide_sse2.h"
#elif PLI_BACKEND_ID == PLI_BACKEND_IS_neon
#include "base/simd/wide_neon.h"
#elif PLI_BACKEND_ID == PLI_BACKEND_IS_wasm
#include "base/simd/wide_wasm.h"
#else
#include "base/simd/wide_scalar.h"
#endif

static inline wide wide_min(wide a, wide b) { return wide_select(wide_less(a, b), a, b); }
static inline wide wide_max(wide a, wide b) { return wide_select(wide_less(a, b), b, a); }
static inline wide wide_abs(wide a) { return wide_max(a, -a); }
static inline wide_mask wide_not(wide_mask mask)
{
    return wide_less(wide_select(mask, wide_set(1.0f), wide_set(0.0f)), wide_set(1.0f));
}

// The largest lane, or 0 if that is larger.
static inline float wide_highest(wide a)
{
    float lanes[WIDE], most = 0.0f;
    wide_store(lanes, a);
    for (int32_t i = 0; i < WIDE; i++)
        most = lanes[i] > most ? lanes[i] : most;
    return most;
}

// A mask of the lowest `count` bits, fewer than 32, in the order of wide_bits.
static inline uint32_t wide_first_bits(int32_t count) { return (1u << count) - 1u; }

#if defined(WIDE_BUNDLES) && WIDE > 4
// A contiguous batch: the particles of the lanes q, q + 4 and so on are contiguous, so one load fetches them all.
#define WIDE_CONTIGUOUS_BATCHES
static inline void wide_load_contiguous(const pli_particle *particles, const pli_index *index, wide *x, wide *y,
                                        wide *z, wide *w)
{
    const float *from = &particles->x;
    *x = wide_load(from + 2 * (size_t)index[0].twice);
    *y = wide_load(from + 2 * (size_t)index[1].twice);
    *z = wide_load(from + 2 * (size_t)index[2].twice);
    *w = wide_load(from + 2 * (size_t)index[3].twice);
    wide_transpose(x, y, z, w);
}

static inline void wide_store_contiguous(pli_particle *particles, const pli_index *index, wide x, wide y, wide z,
                                         wide w)
{
    float *to = &particles->x;
    wide_transpose(&x, &y, &z, &w);
    wide_store(to + 2 * (size_t)index[0].twice, x);
    wide_store(to + 2 * (size_t)index[1].twice, y);
    wide_store(to + 2 * (size_t)index[2].twice, z);
    wide_store(to + 2 * (size_t)index[3].twice, w);
}

static inline wide_bundle wide_bundle_load_contiguous(const pli_particle *particles, const pli_index *index)
{
    const float *from = &particles->x;
    return (wide_bundle){{wide_load(from + 2 * (size_t)index[0].twice), wide_load(from + 2 * (size_t)index[1].twice),
                          wide_load(from + 2 * (size_t)index[2].twice), wide_load(from + 2 * (size_t)index[3].twice)}};
}

static inline void wide_bundle_store_contiguous(pli_particle *particles, const pli_index *index, wide_bundle a)
{
    float *to = &particles->x;
    for (int q = 0; q < 4; q++)
        wide_store(to + 2 * (size_t)index[q].twice, a.at[q]);
}
#endif

#ifdef WIDE_BUNDLES
static inline wide_bundle wide_bundle_add(wide_bundle a, wide_bundle b)
{
    return (wide_bundle){{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]}};
}

static inline wide_bundle wide_bundle_subtract(wide_bundle a, wide_bundle b)
{
    return (wide_bundle){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2], a.at[3] - b.at[3]}};
}
#endif

#if WIDE > 1
static inline quads quads_min(quads a, quads b) { return wide_min(a, b); }
static inline quads quads_max(quads a, quads b) { return wide_max(a, b); }
#endif

// Loads and stores the particle of each lane, by place or by doubled index.
static inline void wide_load_particles(const pli_particle *particles, const int32_t *places, wide *x, wide *y, wide *z,
                                       wide *w)
{
    wide_load_scaled(&particles->x, (const uint32_t *)places, 4, x, y, z, w);
}

static inline void wide_store_particles(pli_particle *particles, const int32_t *places, wide x, wide y, wide z, wide w)
{
    wide_store_scaled(&particles->x, (const uint32_t *)places, 4, x, y, z, w);
}

static inline void wide_load_listed(const pli_particle *particles, const pli_index *index, wide *x, wide *y, wide *z,
                                    wide *w)
{
    wide_load_scaled(&particles->x, &index->twice, 2, x, y, z, w);
}

static inline void wide_store_listed(pli_particle *particles, const pli_index *index, wide x, wide y, wide z, wide w)
{
    wide_store_scaled(&particles->x, &index->twice, 2, x, y, z, w);
}

typedef struct wide3 {
    wide x, y, z;
} wide3;

// One particle in each lane.
typedef struct wide_particle {
    wide3 x;
    wide w;
} wide_particle;

// Loads and stores WIDE contiguous particles.
static inline wide_particle wide_load_row(const pli_particle *from)
{
    static const int32_t in_order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wide_particle p;
    wide_load_particles(from, in_order, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
}
static inline void wide_store_row(pli_particle *to, wide3 x, wide w)
{
    static const int32_t in_order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wide_store_particles(to, in_order, x.x, x.y, x.z, w);
}

// A block: WIDE contiguous particles as quads, or transposed with their own lane order: particle i is in lane
// wide_lane_of(i). Blocks serve sums, where only this mapping matters.
#define QUADS_OF_BLOCK (WIDE / QUADS)
static inline wide_particle wide_transpose_block(const quads from[QUADS_OF_BLOCK])
{
#if WIDE > 1
    wide_particle p = {{from[0], from[1], from[2]}, from[3]};
    wide_transpose(&p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
#else
    return (wide_particle){{from->at[0], from->at[1], from->at[2]}, from->at[3]};
#endif
}
static inline int32_t wide_lane_of(int32_t i)
{
#if WIDE > 1
    return 4 * (i % QUADS) + i / QUADS;
#else
    return i;
#endif
}

// Returns the particle (sum of x, sum of y, sum of z, 0) for each quad, where a sum of four is (0 + 1) + (2 + 3).
static inline quads quads_sums(quads x, quads y, quads z)
{
#if WIDE > 1
    quads w = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    wide_transpose(&x, &y, &z, &w);
    return quads_add(quads_add(x, y), quads_add(z, w));
#else
    return quads_set((x.at[0] + x.at[1]) + (x.at[2] + x.at[3]), (y.at[0] + y.at[1]) + (y.at[2] + y.at[3]),
                     (z.at[0] + z.at[1]) + (z.at[2] + z.at[3]), 0.0f);
#endif
}

static inline wide3 wide3_add(wide3 a, wide3 b) { return (wide3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline wide3 wide3_sub(wide3 a, wide3 b) { return (wide3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline wide3 wide3_scale(wide3 a, wide s) { return (wide3){a.x * s, a.y * s, a.z * s}; }
static inline wide3 wide3_add_scaled(wide3 a, wide3 b, wide s)
{
    return (wide3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}
static inline wide wide3_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline wide3 wide3_cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline wide wide3_length(wide3 a) { return wide_sqrt(wide3_dot(a, a)); }
static inline wide3 wide3_select(wide_mask mask, wide3 yes, wide3 no)
{
    return (wide3){wide_select(mask, yes.x, no.x), wide_select(mask, yes.y, no.y), wide_select(mask, yes.z, no.z)};
}
static inline wide3 wide3_negate(wide3 a) { return (wide3){-a.x, -a.y, -a.z}; }

// 1 / a where a exceeds `least` >= 0, and 0 elsewhere, NaN included.
static inline wide wide_inverse_above(wide a, float least)
{
    return wide_select(wide_less(wide_set(least), a), wide_set(1.0f) / a, wide_set(0.0f));
}

#endif
