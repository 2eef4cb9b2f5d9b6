// Width 1: the plain twin that the others are held against.
#ifndef PLI_SIMD_WIDE_SCALAR_H
#define PLI_SIMD_WIDE_SCALAR_H

#include <math.h>
#include <stdbool.h>

#define WIDE 1
typedef float wide;
typedef bool wide_mask;

static inline wide wide_set(float a) { return a; }
static inline wide wide_load(const float *a) { return *a; }
static inline void wide_store(float *to, wide a) { *to = a; }
static inline wide wide_sqrt(wide a) { return sqrtf(a); }
static inline wide_mask wide_less(wide a, wide b) { return a < b; }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return a && b; }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return a || b; }
static inline wide wide_select(wide_mask mask, wide yes, wide no) { return mask ? yes : no; }

static inline void wide_load_particles(const pli_particle *particles, const int32_t *index, wide *x, wide *y, wide *z,
                                       wide *w)
{
    pli_particle p = particles[*index];
    *x = p.x, *y = p.y, *z = p.z, *w = p.w;
}

static inline void wide_store_particles(pli_particle *particles, const int32_t *index, wide x, wide y, wide z, wide w)
{
    particles[*index] = (pli_particle){x, y, z, w};
}

#endif
